// Values of features: numbers that fit a float.
#pragma once

#include <cfloat>
#include <cmath>
#include <cstdint>
#include <string_view>

#include "text/digits.hpp"
#include "text/faults.hpp"
#include "text/number.hpp"

namespace afterwit {

inline bool is_blank(char c) { return c == ' ' || c == '\t'; }

// [p, end) as a value: 0.123, 12, and whatever else is a number. Reads end[-8 .. 0).
inline bool read_plain_value(const char* p, const char* end, double& value) {
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
