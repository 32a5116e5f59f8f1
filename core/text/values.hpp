// Values of features: numbers that fit a float.
#pragma once

#include <cfloat>
#include <cmath>
#include <cstdint>
#include <string_view>

#include "numeric/digits.hpp"
#include "numeric/number.hpp"
#include "text/faults.hpp"

namespace afterwit {

inline bool is_blank(char c) { return c == ' ' || c == '\t'; }

// [p, end) as a value: 0.123, 12, and whatever else is a number that fits a float. Reads end[-8 .. 0).
inline bool read_plain_value(const char* p, const char* end, double& value) {
  if (read_short_number(p, end, value)) return true;
  return parse_number(p, end, value) == NumberStatus::good && std::abs(value) <= FLT_MAX;
}

inline Fault read_value(std::string_view token, double& value) {
  switch (parse_number(token.data(), token.data() + token.size(), value)) {
    case NumberStatus::malformed:
      return Fault::value_not_number;
    case NumberStatus::infinite:
      return Fault::value_infinite;
    case NumberStatus::good:
      break;
  }
  return std::abs(value) > FLT_MAX ? Fault::value_too_large : Fault::none;
}

}  // namespace afterwit
