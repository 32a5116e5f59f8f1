// log1p without a branch, for loops that are to become vector instructions. Within 4 units in the last place.
#pragma once

#include "numeric/exponential.hpp"

namespace afterwit::vector {

// For -1/2 <= x <= 1/2. Below -1/4 it is ln(2 (1 + x)) - ln(2): the argument of atanh is then between -1/7 and 1/5,
// where the next term of the series is below 2^-60 of the sum.
inline double log1p(double x) {
  const bool low = x < -0.25;
  const double y = low ? 2.0 * x + 1.0 : x, whole = exponential::twice_atanh(y / (2.0 + y));
  return low ? (whole - exponential::ln2_low) - exponential::ln2_high : whole;
}

// For 0 <= x <= 1. Above sqrt(2) - 1 it is ln((1 + x)/2) + ln(2).
inline double log1p_of_unit(double x) {
  const bool high = x > 0.41421356237309503;
  const double whole = exponential::twice_atanh((high ? x - 1.0 : x) / (high ? x + 3.0 : x + 2.0));
  return high ? exponential::ln2_high + (exponential::ln2_low + whole) : whole;
}

}  // namespace afterwit::vector
