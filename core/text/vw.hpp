// Vowpal Wabbit's text format, one row a line:
//
//   label [weight [base]] ['tag] |namespace[:scale] name[:value] ... |namespace ...
//
// A word right before the first bar is a tag, too. Names are bytes; one that is a number is that feature's index.
// Spaces and tabs separate; a line may end in CR LF; blank lines are no rows. A base other than 0, and labels of
// several actions or lines, are refused.
#pragma once

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rows/names.hpp"
#include "rows/rows.hpp"
#include "text/columns_met.hpp"
#include "text/faults.hpp"
#include "text/labels.hpp"
#include "text/values.hpp"
#include "text/vw_header.hpp"
#include "text/vw_namespaces.hpp"

namespace afterwit {

class VwText {
 public:
  static constexpr bool kBarDelimits = true;

  // With `keep_tags` the tag of each row is its id.
  VwText(LabelReader labels, bool keep_names, bool keep_groups, bool keep_tags = false)
      : labels_(std::move(labels)), keep_names_(keep_names), keep_groups_(keep_groups), keep_tags_(keep_tags) {}

  const std::vector<ClassName>& classes() const { return labels_.classes(); }
  std::optional<ColumnsMet> columns_met() const { return namespaces_.all(); }

  // Any line without an error; names are kept by `read_line` alone.
  std::size_t read_plain_line(const char* text, const char* p, const std::uint32_t* places, std::size_t next,
                              Rows& rows) {
    if (keep_names_) return 0;
    const std::size_t known = labels_.classes().size();
    VwHeader header;
    const char* first_end = text + places[next];
    if (first_end[0] == ' ' && first_end[1] == '|' && first_end != p && *p != '\'') {  // a label alone
      if (read_vw_label({p, static_cast<std::size_t>(first_end - p)}, labels_, header.y) != Fault::none) return 0;
      ++next;
    } else {
      while (text[places[next]] != '|')
        if (text[places[next++]] == '\n') return 0;
      if (read_vw_header(p, text + places[next], labels_, header).fault != Fault::none) return give_up(known, rows);
    }
    Cursor now{text + places[next], next, rows.keys.data(), rows.values.data()};
    while (*now.at == '|') {
      const char* name = now.at + 1;
      now.at = text + places[++now.next];
      const std::string_view space_name(name, static_cast<std::size_t>(now.at - name));
      const std::uint64_t space = namespace_of(space_name);
      double scale = 1;
      if (*now.at == ':') {
        const char* number = now.at + 1;
        now.at = text + places[++now.next];
        if (!read_plain_value(number, now.at, scale)) return give_up(known, rows);
      }
      const std::uint64_t* first = now.key;
      if (!read_plain_features(text, places, space, scale, now)) return give_up(known, rows);
      meet(space_name, space, first != now.key);
      if (keep_groups_)
        for (; first != now.key; ++first) rows.groups.push_back(space);
    }
    rows.keys.resize(static_cast<std::size_t>(now.key - rows.keys.data()));
    rows.values.resize(static_cast<std::size_t>(now.value - rows.values.data()));
    end_row(header, rows);
    return now.next + 1;
  }

  Problem read_line(const char* p, const char* end, Rows& rows) {
    p = std::find_if_not(p, end, is_blank);
    if (p == end) return {};
    const char* bar = std::find(p, end, '|');
    if (bar == end) return {Fault::bar_missing, {p, static_cast<std::size_t>(std::find_if(p, end, is_blank) - p)}};
    const std::size_t known = labels_.classes().size();
    VwHeader header;
    Problem problem = read_vw_header(p, bar, labels_, header);
    while (problem.fault == Fault::none && bar != end) problem = read_namespace(bar, end, rows);
    if (problem.fault != Fault::none) {
      give_up(known, rows);
      return problem;
    }
    end_row(header, rows);
    return {};
  }

 private:
  void end_row(const VwHeader& header, Rows& rows) {
    rows.end_row(header.y, header.weight);
    namespaces_.end_row();
    if (!keep_tags_) return;
    rows.ids.resize(1);
    rows.ids[0].emplace_back(header.tag);
  }

  static bool ends_token(char c) { return is_blank(c) || c == '|'; }

  static std::string_view token_at(const char* p, const char* end) {
    return {p, static_cast<std::size_t>(std::find_if(p, end, ends_token) - p)};
  }
  static std::uint64_t namespace_of(std::string_view name) {
    return name.empty() ? no_namespace : namespace_hash(name);
  }
  void meet(std::string_view name, std::uint64_t space, bool has_features) {
    if (has_features || !name.empty()) namespaces_.meet(name, space);
  }

  std::size_t give_up(std::size_t known, Rows& rows) {
    labels_.shrink(known);
    rows.drop_row();
    namespaces_.drop_row();
    return 0;
  }

  // Where a plain line is being read: at the delimiter `at`, number `next` among the places; key and value are written
  // next.
  struct Cursor {
    const char* at;
    std::size_t next;
    std::uint64_t* key;
    double* value;
  };

  // The features up to a bar or the end of the line. The cursor goes in and out by value: it stays in registers.
  static bool read_plain_features(const char* text, const std::uint32_t* places, std::uint64_t space, double scale,
                                  Cursor& cursor) {
    auto [at, next, key, value] = cursor;
    for (;;) {
      if (!is_blank(*at)) {
        if (*at == '\r' && at[1] == '\n') ++at, ++next;
        if (*at == '\n' || *at == '|') break;
        return false;
      }
      const char* name = at + 1;
      const char* behind = text + places[++next];
      at = behind;
      if (behind == name) continue;  // nothing between two delimiters
      double x = scale;
      if (*behind == ':') {
        at = text + places[++next];
        if (!read_plain_value(behind + 1, at, x)) return false;
        if (scale != 1 && std::abs(x *= scale) > FLT_MAX) return false;
      }
      *key++ = key_in_text({name, static_cast<std::size_t>(behind - name)}, space);
      *value++ = x;
    }
    cursor = {at, next, key, value};
    return true;
  }

  // From a bar to the next one or the end.
  Problem read_namespace(const char*& p, const char* end, Rows& rows) {
    const std::string_view token = token_at(++p, end), name = token.substr(0, token.find(':'));
    double scale = 1;
    if (name.size() != token.size()) {
      const std::string_view number = token.substr(name.size() + 1);
      const Fault fault = read_value(number, scale);
      if (fault == Fault::value_not_number) return {Fault::scale_not_number, number.empty() ? token : number};
      if (fault != Fault::none) return {Fault::scale_too_large, number};
    }
    const std::uint64_t space = namespace_of(name);
    p += token.size();
    for (bool has_features = false;; has_features = true) {
      p = std::find_if_not(p, end, is_blank);
      if (p == end || *p == '|') {
        meet(name, space, has_features);
        return {};
      }
      const std::string_view feature = token_at(p, end);
      const Problem problem = read_feature(feature, name, space, scale, rows);
      if (problem.fault != Fault::none) return problem;
      p += feature.size();
    }
  }

  Problem read_feature(std::string_view token, std::string_view space_name, std::uint64_t space, double scale,
                       Rows& rows) const {
    const std::string_view name = token.substr(0, token.find(':'));
    if (name.empty()) return {Fault::name_missing, token};
    double value = scale;
    if (name.size() != token.size()) {
      const std::string_view number = token.substr(name.size() + 1);
      if (number.empty()) return {Fault::feature_without_value, token};
      if (const Fault fault = read_value(number, value); fault != Fault::none) return {fault, number};
      value *= scale;
      if (std::abs(value) > FLT_MAX) return {Fault::scaled_value_too_large, number};
    }
    rows.add(key_of_name(name, space), value);
    if (keep_groups_) rows.groups.push_back(space);
    if (keep_names_) rows.names.push_back(space_name.empty() ? std::string(name) : joined(space_name, name));
    return {};
  }

  static std::string joined(std::string_view space_name, std::string_view name) {
    return std::string(space_name).append("^").append(name);
  }

  LabelReader labels_;
  VwNamespaces namespaces_{};
  bool keep_names_;
  bool keep_groups_;
  bool keep_tags_;
};

}  // namespace afterwit
