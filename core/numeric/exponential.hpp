// exp, expm1, log and log1p from +, *, / and bit patterns alone: the same bits under every C library.
// Within 4 units in the last place of the true value; no errno, no rounding modes.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>

namespace afterwit {

namespace exponential {
constexpr double ln2_high = 6.93147180369123816490e-01;  // the low 32 bits are zero: k * ln2_high is exact
constexpr double ln2_low = 1.90821492927058770002e-10;

// r + r^2/2! + ... + r^13/13! for |r| <= ln(2)/2: the next term is below 2^-56 of the sum. Pairs of terms, pairs of
// pairs and so on (Estrin's order): a third of the time that term after term would wait.
inline double series(double r) {
  const double r2 = r * r, r4 = r2 * r2;
  const double a = 0.5 + r * (1.0 / 6.0), b = 1.0 / 24.0 + r * (1.0 / 120.0);
  const double c = 1.0 / 720.0 + r * (1.0 / 5040.0), d = 1.0 / 40320.0 + r * (1.0 / 362880.0);
  const double e = 1.0 / 3628800.0 + r * (1.0 / 39916800.0), f = 1.0 / 479001600.0 + r * (1.0 / 6227020800.0);
  return r + r2 * ((a + r2 * b) + r4 * ((c + r2 * d) + r4 * (e + r2 * f)));
}

// 2 atanh(s) = 2 (s + s^3/3 + ... + s^23/23) for |s| <= 3 - 2 sqrt(2), in the same order.
inline double twice_atanh(double s) {
  const double u = s * s, u2 = u * u, u4 = u2 * u2;
  const double a = 1.0 / 3.0 + u * (1.0 / 5.0), b = 1.0 / 7.0 + u * (1.0 / 9.0), c = 1.0 / 11.0 + u * (1.0 / 13.0);
  const double d = 1.0 / 15.0 + u * (1.0 / 17.0), e = 1.0 / 19.0 + u * (1.0 / 21.0);
  const double sum = (a + u2 * b) + u4 * ((c + u2 * d) + u4 * (e + u2 * (1.0 / 23.0)));
  return 2.0 * s + 2.0 * s * u * sum;
}

// The k nearest to x/ln(2), and x - k ln(2).
inline std::int64_t twos(double x) {
  const double scaled = x * 1.44269504088896338700;
  return static_cast<std::int64_t>(scaled < 0 ? scaled - 0.5 : scaled + 0.5);
}
inline double without_twos(double x, std::int64_t k) {
  return (x - static_cast<double>(k) * ln2_high) - static_cast<double>(k) * ln2_low;
}

inline double power_of_two(std::int64_t k) { return std::bit_cast<double>(static_cast<std::uint64_t>(k + 1023) << 52); }
}  // namespace exponential

inline double exp(double x) {
  using namespace exponential;
  if (!(x <= 709.782712893384)) return x != x ? x : std::numeric_limits<double>::infinity();
  if (x < -745.2) return 0.0;
  const std::int64_t k = twos(x);
  const std::int64_t half = k / 2;  // two factors, so that neither overflows nor is subnormal
  return (1.0 + series(without_twos(x, k))) * power_of_two(half) * power_of_two(k - half);
}

inline double expm1(double x) {
  using namespace exponential;
  if (x > -0.34 && x < 0.34) return series(x);
  if (!(x < 40.0)) return exp(x);  // the 1 is below half a unit in the last place
  if (x < -40.0) return -1.0;
  const std::int64_t k = twos(x);
  const double power = power_of_two(k);
  return power * series(without_twos(x, k)) + (power - 1.0);
}

inline double log(double x) {
  using namespace exponential;
  if (!(x > 0.0)) return x == 0.0 ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  if (x > std::numeric_limits<double>::max()) return x;
  std::int64_t k = 0;
  if (x < std::numeric_limits<double>::min()) {
    x *= 18014398509481984.0;  // 2^54
    k = -54;
  }
  const auto bits = std::bit_cast<std::uint64_t>(x);
  k += static_cast<std::int64_t>(bits >> 52) - 1023;
  double m = std::bit_cast<double>((bits & 0xFFFFFFFFFFFFFull) | 0x3FF0000000000000ull);
  if (m > 1.41421356237309504880) {
    m *= 0.5;
    k += 1;
  }
  const auto e = static_cast<double>(k);
  return e * ln2_high + (e * ln2_low + twice_atanh((m - 1.0) / (m + 1.0)));
}

inline double log1p(double x) {
  if (x > -0.29 && x < 0.41) return exponential::twice_atanh(x / (2.0 + x));
  return log(1.0 + x);
}

}  // namespace afterwit
