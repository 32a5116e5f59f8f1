// log and log1p without a branch, for loops that are to become vector instructions. Within 4 units in the last place.
#pragma once

#include <bit>
#include <cstdint>

#include "numeric/exponential.hpp"

namespace afterwit::vector {

// For normal x > 0: the bits of afterwit::log. The exponent becomes a double in the low bits of 2^52, since few CPUs
// convert 64-bit integers.
inline double log(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const double m = std::bit_cast<double>((bits & 0xFFFFFFFFFFFFFull) | 0x3FF0000000000000ull);
  const double k = std::bit_cast<double>((bits >> 52) | 0x4330000000000000ull) - (0x1p52 + 1023.0);
  const bool high = m > 1.41421356237309504880;
  const double s = high ? m * 0.5 : m, e = high ? k + 1.0 : k;
  return e * exponential::ln2_high + (e * exponential::ln2_low + exponential::twice_atanh((s - 1.0) / (s + 1.0)));
}

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
