// The svmlight format: `label index:value index:value ... # comment`, one row a line.
//
// Spaces and tabs separate; a line may end in CR LF; blank lines and lines of comment alone are no rows.
#pragma once

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "text/delimiters.hpp"
#include "text/digits.hpp"
#include "text/faults.hpp"
#include "text/labels.hpp"
#include "text/number.hpp"
#include "text/rows.hpp"

namespace afterwit {

class SvmlightParser {
 public:
  static constexpr std::size_t kKeptBadLines = 5;

  struct Result {
    Rows rows;
    std::int64_t consumed = 0;
    std::int64_t lines = 0;
    std::int64_t skipped = 0;
    std::vector<BadLine> bad_lines;  // the first few; lines and offsets count from `begin`
  };

  SvmlightParser(LabelReader labels, bool skip) : labels_(std::move(labels)), skip_(skip) {}

  // Reads whole lines of [begin, end), and the rest if `final`, up to max_rows rows. A bad line is dropped and
  // counted when skipping, and otherwise ends the work before it.
  Result parse(const char* begin, const char* end, bool final, std::int64_t max_rows) {
    Result result;
    const char* p = begin;
    bool stopped = false;
    while (p != end && !stopped && static_cast<std::int64_t>(result.rows.size()) < max_rows) {
      // What is not plain, the first line (its digits are read with the eight bytes before them) and the last one, if
      // it does not end, are read with care, one line at a time.
      if (p != begin) read_plain_lines(p, end, max_rows, result);
      if (p == end || static_cast<std::int64_t>(result.rows.size()) >= max_rows) break;
      stopped = !read_careful_line(begin, p, end, final, result);
    }
    result.consumed = p - begin;
    return result;
  }

  const std::vector<ClassName>& classes() const { return labels_.classes(); }

 private:
  struct Problem {
    Fault fault = Fault::none;
    std::string_view token;
  };

  static constexpr std::size_t kWindow = 1 << 15;

  static bool is_blank(char c) { return c == ' ' || c == '\t'; }
  static bool ends_token(char c) { return is_blank(c) || c == '#'; }

  static std::string_view token_at(const char* p, const char* end) {
    return {p, static_cast<std::size_t>(std::find_if(p, end, ends_token) - p)};
  }

  // False when nothing more is to be read: an unfinished line, or a bad one that is not skipped.
  bool read_careful_line(const char* begin, const char*& p, const char* end, bool final, Result& result) {
    const auto* newline = static_cast<const char*>(std::memchr(p, '\n', static_cast<std::size_t>(end - p)));
    if (newline == nullptr && !final) return false;
    const char* stop = newline == nullptr ? end : newline;
    const Problem problem = read_line(p, stop != p && stop[-1] == '\r' ? stop - 1 : stop, result.rows);
    if (problem.fault != Fault::none) {
      if (result.bad_lines.size() < kKeptBadLines) {
        const auto length = static_cast<std::int64_t>(problem.token.size());
        const char* token = problem.token.data();
        result.bad_lines.push_back({problem.fault, result.lines + 1, token - p + 1, token - begin, length});
      }
      if (!skip_) return false;
      ++result.skipped;
    }
    p = newline == nullptr ? end : newline + 1;
    ++result.lines;
    return true;
  }

  // Reads lines at p for as long as they are plain; there must be eight bytes before p.
  void read_plain_lines(const char*& p, const char* end, std::int64_t max_rows, Result& result) {
    for (;;) {
      const char* stop = end - p > static_cast<std::ptrdiff_t>(kWindow) ? p + kWindow : end;
      while (stop != p && stop[-1] != '\n') --stop;
      if (stop == p) return;
      find_delimiters(p, stop, places_);
      result.rows.keys.reserve(result.rows.keys.size() + kWindow / 2);
      result.rows.values.reserve(result.rows.values.size() + kWindow / 2);
      const char* text = p;
      std::size_t next = 0;
      while (p != stop) {
        if (static_cast<std::int64_t>(result.rows.size()) >= max_rows) return;
        const std::size_t behind = read_plain_line(text, p, next, result.rows);
        if (behind == 0) return;
        next = behind;
        p = text + places_[next - 1] + 1;
        ++result.lines;
      }
    }
  }

  // One line of the form `label index:value ...`; returns the delimiter behind it, or 0 and changes nothing.
  std::size_t read_plain_line(const char* text, const char* p, std::size_t next, Rows& rows) {
    const char* label_end = text + places_[next];
    double y = 0;
    const std::size_t known = labels_.classes().size();
    if (*label_end == ':' || label_end == p ||
        labels_.read({p, static_cast<std::size_t>(label_end - p)}, y) != Fault::none)
      return 0;
    std::uint64_t* key = rows.keys.data() + rows.keys.size();
    double* value = rows.values.data() + rows.values.size();
    const char* start = label_end;
    for (;;) {
      if (*start == '\r' && start[1] == '\n') ++start, ++next;
      ++next;
      if (*start == '\n') break;
      const char* colon = text + places_[next];
      if (!is_blank(*start)) return give_up(known);
      if (colon == start + 1 && *colon != ':') {  // nothing between two delimiters
        start = colon;
        continue;
      }
      const char* stop = text + places_[next + 1];
      const auto digits = static_cast<unsigned>(colon - start - 1);
      if (*colon != ':' || digits - 1 >= 8 || !read_digits(colon, digits, *key) ||
          !read_plain_value(colon + 1, stop, *value))
        return give_up(known);
      ++key, ++value, ++next;
      start = stop;
    }
    rows.keys.resize(static_cast<std::size_t>(key - rows.keys.data()));
    rows.values.resize(static_cast<std::size_t>(value - rows.values.data()));
    rows.end_row(y);
    return next;
  }

  std::size_t give_up(std::size_t known) {
    labels_.shrink(known);
    return 0;
  }

  // [p, end) as a value: 0.123, 12, and whatever else is a number.
  static bool read_plain_value(const char* p, const char* end, double& value) {
    const bool negative = *p == '-';
    p += negative;
    const auto size = static_cast<unsigned>(end - p);
    std::uint64_t digits;
    if (size - 3 < 8 && p[0] == '0' && p[1] == '.' && read_digits(end, size - 2, digits))
      value = static_cast<double>(digits) / detail::kPowersOfTen[size - 2];
    else if (size - 1 < 8 && read_digits(end, size, digits))
      value = static_cast<double>(digits);
    else if (size == 0 || (negative && (*p == '-' || *p == '+')) || parse_number(p, end, value) != NumberStatus::good ||
             std::abs(value) > FLT_MAX)
      return false;
    value = negative ? -value : value;
    return true;
  }

  Problem read_line(const char* p, const char* end, Rows& rows) {
    p = std::find_if_not(p, end, is_blank);
    if (p == end || *p == '#') return {};
    const std::string_view label = token_at(p, end);
    if (label.find(':') != label.npos) return {Fault::label_missing, label};
    const std::size_t known = labels_.classes().size();
    double y = 0;
    if (const Fault fault = labels_.read(label, y); fault != Fault::none) return {fault, label};
    const Problem problem = read_features(p + label.size(), end, rows);
    if (problem.fault != Fault::none) {
      labels_.shrink(known);
      rows.drop_row();
      return problem;
    }
    rows.end_row(y);
    return {};
  }

  static Problem read_features(const char* p, const char* end, Rows& rows) {
    for (;;) {
      while (p != end && is_blank(*p)) ++p;
      if (p == end || *p == '#') return {};
      std::uint64_t index = 0;
      double value = 0;
      const char* behind = read_plain_feature(p, end, index, value);
      if (behind == nullptr) {
        const std::string_view token = token_at(p, end);
        const Problem problem = read_any_feature(token, index, value);
        if (problem.fault != Fault::none) return problem;
        behind = token.data() + token.size();
      }
      rows.add(index, value);
      p = behind;
    }
  }

  // The common case in one sweep; null for whatever needs a second look.
  static const char* read_plain_feature(const char* p, const char* end, std::uint64_t& index, double& value) {
    const char* start = p;
    for (; p != end && is_digit(*p); ++p) index = 10 * index + static_cast<std::uint64_t>(*p - '0');
    if (p == start || p - start > 10 || index > UINT32_MAX || p == end || *p != ':') return nullptr;
    if (read_number(++p, end, value) != NumberStatus::good || std::abs(value) > FLT_MAX) return nullptr;
    return p == end || ends_token(*p) ? p : nullptr;
  }

  static Problem read_any_feature(std::string_view token, std::uint64_t& index, double& value) {
    const std::size_t colon = token.find(':');
    if (colon == token.npos) return {Fault::feature_without_colon, token};
    const std::string_view before = token.substr(0, colon), after = token.substr(colon + 1);
    if (before.empty()) return {Fault::index_missing, token};
    if (before == "qid") return {Fault::query_id, token};
    switch (parse_index(before.data(), before.data() + before.size(), index)) {
      case IndexStatus::malformed:
        return {Fault::index_not_integer, before};
      case IndexStatus::negative:
        return {Fault::index_negative, before};
      case IndexStatus::too_large:
        return {Fault::index_too_large, before};
      case IndexStatus::good:
        break;
    }
    if (after.empty()) return {Fault::feature_without_value, token};
    switch (parse_number(after.data(), after.data() + after.size(), value)) {
      case NumberStatus::malformed:
        return {Fault::value_not_number, after};
      case NumberStatus::infinite:
        return {Fault::value_infinite, after};
      case NumberStatus::good:
        break;
    }
    if (std::abs(value) > FLT_MAX) return {Fault::value_too_large, after};
    return {};
  }

  LabelReader labels_;
  bool skip_;
  Buffer<std::uint32_t> places_;
};

}  // namespace afterwit
