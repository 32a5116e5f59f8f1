// What stands before the first bar of a line of Vowpal Wabbit's text: label, weight, base and tag.
#pragma once

#include <algorithm>
#include <cfloat>
#include <string_view>

#include "numeric/number.hpp"
#include "text/faults.hpp"
#include "text/labels.hpp"
#include "text/values.hpp"

namespace afterwit {

struct VwHeader {
  double y = 0;
  double weight = 1;
  std::string_view tag{};
};

inline Fault read_weight(std::string_view token, double& weight) {
  const NumberStatus status = parse_number(token.data(), token.data() + token.size(), weight);
  if (status == NumberStatus::malformed) return Fault::weight_not_number;
  if (weight < 0 || (status == NumberStatus::infinite && token[0] == '-')) return Fault::weight_negative;
  return status == NumberStatus::infinite || weight > FLT_MAX ? Fault::weight_too_large : Fault::none;
}

inline Fault read_base(std::string_view token) {
  double base = 0;
  const NumberStatus status = parse_number(token.data(), token.data() + token.size(), base);
  return status == NumberStatus::good && base == 0 ? Fault::none : Fault::base_not_zero;
}

inline Fault read_vw_label(std::string_view token, LabelReader& labels, double& y) {
  if (token.find(':') != token.npos) return Fault::label_of_several;
  if (token == "shared") return Fault::label_shared;
  return labels.read(token, y);
}

// [p, bar); the bar is the first one of the line. The classes may have grown although there is a problem.
inline Problem read_vw_header(const char* p, const char* bar, LabelReader& labels, VwHeader& header) {
  int words = 0;
  for (;;) {
    p = std::find_if_not(p, bar, is_blank);
    if (p == bar) break;
    const char* end = std::find_if(p, bar, is_blank);
    const std::string_view word(p, static_cast<std::size_t>(end - p));
    p = std::find_if_not(end, bar, is_blank);
    if (end == bar || (p == bar && word[0] == '\'')) {
      header.tag = word[0] == '\'' ? word.substr(1) : word;
      break;
    }
    Fault fault = Fault::word_before_bar;
    if (words == 0) fault = read_vw_label(word, labels, header.y);
    if (words == 1) fault = read_weight(word, header.weight);
    if (words == 2) fault = read_base(word);
    if (fault != Fault::none) return {fault, word};
    ++words;
  }
  if (words == 0 && labels.kind() != LabelKind::none) return {Fault::label_missing, {bar, 1}};
  return {};
}

}  // namespace afterwit
