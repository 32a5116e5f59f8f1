// 2^y, e^x and 2^h - 2^-h without a branch, for loops that are to become vector instructions: a magic number rounds to
// whole twos, because no vector unit before AVX-512 turns doubles into 64-bit integers. Within 4 units in the last
// place. A loop that wants e^x takes 2^(x/ln 2): to split y is one exact subtraction, to split x takes two products
// more.
#pragma once

#include <bit>
#include <cstdint>

#include "numeric/exponential.hpp"

namespace afterwit::vector {

constexpr double largest = 1000.0;  // |y| of the arguments; beyond it the bits mean nothing
constexpr double per_ln2 = 1.44269504088896338700;

struct Twos {
  double power;  // 2^k for the k nearest to y
  double rest;   // y - k
};

constexpr double magic = 6755399441055744.0;  // 1.5 * 2^52: what is added to it is rounded to a whole number

inline Twos twos(double y) {
  const double shifted = y + magic;
  return {std::bit_cast<double>((std::bit_cast<std::uint64_t>(shifted) + 1023) << 52), y - (shifted - magic)};
}

// 2^f - 1 for |f| <= 1/2: f times the polynomial that is (2^f - 1)/f at the eleven Chebyshev nodes, which differs from
// it by less than 2^-54 of its value. Pairs of terms, pairs of pairs and so on (Estrin): few steps wait for one
// another.
inline double series(double f) {
  const double f2 = f * f, f4 = f2 * f2;
  const double a = 0x1.62e42fefa39efp-1 + f * 0x1.ebfbdff82c598p-3, b = 0x1.c6b08d704a0c2p-5 + f * 0x1.3b2ab6fba1ddap-7,
               c = 0x1.5d87fe78a5276p-10 + f * 0x1.430913096fd9fp-13,
               d = 0x1.ffcbfc670dcd4p-17 + f * 0x1.62bfd47773353p-20,
               e = 0x1.b524fae627834p-24 + f * 0x1.e6063f7217bc6p-28;
  return f * ((a + f2 * b) + f4 * ((c + f2 * d) + f4 * (e + f2 * 0x1.e9d3fe3952179p-32)));
}

inline double exp2(double y) {
  const Twos two = twos(y);
  return two.power + two.power * series(two.rest);
}

// e^x for |x| <= largest_exp, split the longer way: the last places do not suffer where x is large.
constexpr double largest_exp = 690.0;
inline double exp(double x) {
  const double shifted = x * per_ln2 + magic, k = shifted - magic;
  const double power = std::bit_cast<double>((std::bit_cast<std::uint64_t>(shifted) + 1023) << 52);
  const double rest = (x - k * exponential::ln2_high) - k * exponential::ln2_low;
  return power + power * series(rest * per_ln2);
}

// 2^h - 2^-h for |h| <= 1: h times the polynomial in h^2 that is (2^h - 2^-h)/h at the seven Chebyshev nodes of [0, 1].
inline double exp2_minus_exp2(double h) {
  const double u = h * h, u2 = u * u;
  const double a = 0x1.62e42fefa39efp+0 + u * 0x1.c6b08d704a0bap-4,
               b = 0x1.5d87fe78a720fp-9 + u * 0x1.ffcbfc56818bcp-16,
               c = 0x1.b525402221b65p-23 + u * 0x1.e8c683873dd94p-31;
  return h * ((a + u2 * b) + u2 * u2 * (c + u2 * 0x1.847a8d6744b55p-39));
}

}  // namespace afterwit::vector
