// The svmlight format: `label index:value index:value ... # comment`, one row a line.
//
// Spaces and tabs separate; a line may end in CR LF; blank lines and lines of comment alone are no rows.
#pragma once

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "numeric/digits.hpp"
#include "numeric/number.hpp"
#include "rows/rows.hpp"
#include "text/faults.hpp"
#include "text/labels.hpp"
#include "text/values.hpp"

namespace afterwit {

class Svmlight {
 public:
  static constexpr bool kBarDelimits = false;

  explicit Svmlight(LabelReader labels) : labels_(std::move(labels)) {}

  const std::vector<ClassName>& classes() const { return labels_.classes(); }

  // One line of the form `label index:value ...`; returns the delimiter behind it, or 0 and changes nothing.
  std::size_t read_plain_line(const char* text, const char* p, const std::uint32_t* places, std::size_t next,
                              Rows& rows) {
    const char* label_end = text + places[next];
    double y = 0;
    const std::size_t known = labels_.classes().size();
    if (*label_end == ':' || label_end == p || std::find(p, label_end, '#') != label_end ||
        labels_.read({p, static_cast<std::size_t>(label_end - p)}, y) != Fault::none)
      return 0;
    std::uint64_t* key = rows.keys.data();
    double* value = rows.values.data();
    const char* start = label_end;
    DigitPairs pairs;
    for (;;) {
      ++next;
      if (*start != ' ') {
        if (*start == '\r' && start[1] == '\n') ++start, ++next;
        if (*start == '\n') break;
        if (*start != '\t') return give_up(known);
      }
      const char* colon = text + places[next];
      const auto digits = static_cast<unsigned>(colon - start - 1);
      if (*colon != ':' || digits - 1 >= 8) {
        if (digits != 0 || *colon == ':') return give_up(known);
        start = colon;  // nothing between two delimiters
        continue;
      }
      const char* stop = text + places[++next];
      if (!pairs.read(colon, digits, stop, *key, *value) &&
          (!read_digits(colon, digits, *key) || !read_plain_value(colon + 1, stop, *value)))
        return give_up(known);
      ++key, ++value;
      start = stop;
    }
    if (!pairs.all_digits()) return give_up(known);
    rows.keys.resize(static_cast<std::size_t>(key - rows.keys.data()));
    rows.values.resize(static_cast<std::size_t>(value - rows.values.data()));
    rows.end_row(y);
    return next;
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

 private:
  static bool ends_token(char c) { return is_blank(c) || c == '#'; }

  static std::string_view token_at(const char* p, const char* end) {
    return {p, static_cast<std::size_t>(std::find_if(p, end, ends_token) - p)};
  }

  std::size_t give_up(std::size_t known) {
    labels_.shrink(known);
    return 0;
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
    return {read_value(after, value), after};
  }

  LabelReader labels_;
};

}  // namespace afterwit
