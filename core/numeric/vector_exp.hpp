// exp and expm1 without a branch, for loops that are to become vector instructions: a magic number rounds to whole
// twos, because no vector unit before AVX-512 turns doubles into 64-bit integers. Within 4 units in the last place.
#pragma once

#include <bit>
#include <cstdint>

#include "numeric/exponential.hpp"

namespace afterwit::vector {

constexpr double largest = 700.0;  // |x| of the arguments; beyond it the bits mean nothing

struct Twos {
  double power;  // 2^k for the k nearest to x/ln(2)
  double rest;   // x - k ln(2)
};

inline Twos twos(double x) {
  constexpr double magic = 6755399441055744.0;  // 1.5 * 2^52: what is added to it is rounded to a whole number
  const double shifted = x * 1.44269504088896338700 + magic;
  const double k = shifted - magic;
  return {std::bit_cast<double>((std::bit_cast<std::uint64_t>(shifted) + 1023) << 52),
          (x - k * exponential::ln2_high) - k * exponential::ln2_low};
}

// exponential::series in pairs of pairs (Estrin): fewer steps wait for one another.
inline double series(double r) {
  const double r2 = r * r, r4 = r2 * r2;
  const double a = 0.5 + r * (1.0 / 6.0), b = 1.0 / 24.0 + r * (1.0 / 120.0), c = 1.0 / 720.0 + r * (1.0 / 5040.0),
               d = 1.0 / 40320.0 + r * (1.0 / 362880.0), e = 1.0 / 3628800.0 + r * (1.0 / 39916800.0),
               f = 1.0 / 479001600.0 + r * (1.0 / 6227020800.0);
  return r + r2 * ((a + r2 * b) + r4 * ((c + r2 * d) + r4 * (e + r2 * f)));
}

inline double exp(double x) {
  const Twos two = twos(x);
  return two.power + two.power * series(two.rest);
}

inline double expm1(double x) {
  const Twos two = twos(x);
  return two.power * series(two.rest) + (two.power - 1.0);
}

}  // namespace afterwit::vector
