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
    while (p != end && static_cast<std::int64_t>(result.rows.size()) < max_rows) {
      const auto* newline = static_cast<const char*>(std::memchr(p, '\n', static_cast<std::size_t>(end - p)));
      if (newline == nullptr && !final) break;
      const char* stop = newline == nullptr ? end : newline;
      const Problem problem = read_line(p, stop != p && stop[-1] == '\r' ? stop - 1 : stop, result.rows);
      if (problem.fault != Fault::none) {
        if (result.bad_lines.size() < kKeptBadLines) {
          const auto length = static_cast<std::int64_t>(problem.token.size());
          const char* token = problem.token.data();
          result.bad_lines.push_back({problem.fault, result.lines + 1, token - p + 1, token - begin, length});
        }
        if (!skip_) break;
        ++result.skipped;
      }
      p = newline == nullptr ? end : newline + 1;
      ++result.lines;
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

  static bool is_blank(char c) { return c == ' ' || c == '\t'; }
  static bool ends_token(char c) { return is_blank(c) || c == '#'; }

  static std::string_view token_at(const char* p, const char* end) {
    return {p, static_cast<std::size_t>(std::find_if(p, end, ends_token) - p)};
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
      rows.keys.resize(static_cast<std::size_t>(rows.starts.back()));
      rows.values.resize(static_cast<std::size_t>(rows.starts.back()));
      return problem;
    }
    rows.y.push_back(y);
    rows.starts.push_back(static_cast<std::int64_t>(rows.keys.size()));
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
      rows.keys.push_back(index);
      rows.values.push_back(value);
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
};

}  // namespace afterwit
