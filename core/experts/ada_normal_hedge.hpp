// AdaNormalHedge: no rate, any prior q, confidences I in [0, 1], experts that sleep or come late.
//
//   p_{t,i} prop. to q_i I_{t,i} w(R_{t-1,i}, C_{t-1,i}),   r_{t,i} = I_{t,i} (p_t . l_t - l_{t,i}),
//   R_{t,i} = R_{t-1,i} + r_{t,i},   C_{t,i} = C_{t-1,i} + |r_{t,i}|^d,
//   w(R, C) = (Phi(R + 1, C + 1) - Phi(R - 1, C + 1))/2,   Phi(R, C) = exp([R]_+^2 / 3C)
//
// with d = 1. d = 0 (and 0^0 = 1 for who is awake) is NormalHedge.DT, whose s is -R and whose t is C + 1.
// Source: 004 Algorithm 6, Eq. (2.8), Theorems 4 and 6; NormalHedge.DT: Table 2.1, Corollary 2, end of section 2.3.1;
// ERRATA E26, E40, E42, E44. A round in which an expert sleeps leaves it as it is, for d = 0 as well, so that one that
// comes late is one that has slept: Lemma 3 holds with r = 0 and the same C.
//
// 2w = e^b (e^(a-b) - 1) with a = [R+1]_+^2/3(C+1), b = [R-1]_+^2/3(C+1); a - b is 4R/3(C+1) exactly where R >= 1. Who
// has R <= -1 gets 0 and costs no exponential: the others are packed together first.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

#include "experts/player.hpp"
#include "numeric/pack.hpp"
#include "numeric/vector_exp.hpp"

namespace afterwit {

namespace normal {

// One round of R and C, for everybody.
template <int d, bool rated>
AFTERWIT_MULTIVERSION void move(double loss, const double* __restrict l, const double* __restrict I,
                                double* __restrict R, double* __restrict C, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    const double r = rated ? I[i] * (loss - l[i]) : loss - l[i];
    R[i] += r;
    if (d == 1)
      C[i] += r < 0.0 ? -r : r;
    else
      C[i] += !rated || I[i] > 0.0 ? 1.0 : 0.0;
  }
}

// Who has a weight among some experts, packed together and filled up to whole blocks.
struct Packed {
  static constexpr std::size_t most = 1024;
  std::size_t size = 0;
  std::uint8_t marks[most / 8];
  double R[most + lanes], C[most + lanes], q[most + lanes];

  void fill(const double* all_R, const double* all_C, const double* all_q, std::size_t n) {
    size = pack(all_R, -1.0, all_q, all_C, n, marks, R, q, C);
    for (std::size_t k = size; k < padded(size); ++k) R[k] = 0.0, C[k] = 0.0, q[k] = 0.0;
  }
};

struct Largest {
  double a = 0.0, a_b = 0.0;
};

inline double third_of(double C) { return 1.0 / (3.0 * (C + 1.0)); }

// R and C become a - b and b; the largest of what the exponentials will get. `shared` is third_of(C) where that is the
// same for all: one division for everybody.
template <bool together>
AFTERWIT_MULTIVERSION Largest exponents(double* __restrict Rs, double* __restrict Cs, std::size_t m, double shared) {
  double most_a[lanes] = {}, most_a_b[lanes] = {};
  for (std::size_t i = 0; i < m; i += lanes)
    for (std::size_t k = 0; k < lanes; ++k) {
      const double R = Rs[i + k], third = together ? shared : third_of(Cs[i + k]), down = R > 1.0 ? R - 1.0 : 0.0;
      const double b = down * down * third;
      const double a_b = (R >= 1.0 ? 4.0 * R : (R + 1.0) * (R + 1.0)) * third;
      most_a[k] = a_b + b > most_a[k] ? a_b + b : most_a[k];
      most_a_b[k] = a_b > most_a_b[k] ? a_b : most_a_b[k];
      Rs[i + k] = a_b;
      Cs[i + k] = b;
    }
  Largest out;
  for (std::size_t k = 0; k < lanes; ++k) out = {std::max(out.a, most_a[k]), std::max(out.a_b, most_a_b[k])};
  return out;
}

// q e^b (e^(a-b) - 1). Where all a - b are small, which they soon are, e^(a-b) - 1 is its series, with the same bits.
template <bool small>
AFTERWIT_MULTIVERSION void weights(double* __restrict a_b, const double* __restrict b, const double* __restrict q,
                                   std::size_t m) {
  for (std::size_t i = 0; i < m; ++i)
    a_b[i] = q[i] * (vector::exp(b[i]) * (small ? vector::series(a_b[i]) : vector::expm1(a_b[i])));
}

// ln(2 q w) (ERRATA E42).
inline double log_weight(double R, double C, double q) {
  const double third = third_of(C), down = R > 1.0 ? R - 1.0 : 0.0;
  const double a_b = (R >= 1.0 ? 4.0 * R : (R + 1.0) * (R + 1.0)) * third;
  return log(q) + down * down * third + (a_b < 40.0 ? log(expm1(a_b)) : a_b);
}

// All weights by logarithms, up to a common factor.
inline void weights_by_logs(const double* R, const double* C, const double* q, double* w, std::size_t n) {
  constexpr double nothing = -std::numeric_limits<double>::infinity();
  double largest = nothing;
  for (std::size_t i = 0; i < n; ++i) {
    w[i] = R[i] > -1.0 && q[i] > 0.0 ? log_weight(R[i], C[i], q[i]) : nothing;
    largest = w[i] > largest ? w[i] : largest;
  }
  for (std::size_t i = 0; i < n; ++i) w[i] = w[i] > nothing ? exp(w[i] - largest) : 0.0;
}

}  // namespace normal

template <int d>
struct NormalRule {
  static constexpr bool sleeps = true;
  static constexpr std::array<const char*, 2> fields = {"R", "C"};
  static constexpr std::array<const char*, 0> numbers = {};

  std::vector<double> R = {}, C = {};
  bool together = false;  // all C are known to be equal
  bool tiny = false;      // some prior is so small that a weight of those who are awake may vanish without logarithms
  std::array<std::vector<double>*, 2> vectors() { return {&R, &C}; }
  std::array<double*, 0> values() { return {}; }

  void begin(const double* q, std::size_t N) {
    tiny = false;
    together = d == 0;
    for (std::size_t i = 0; i < N; ++i) {
      tiny = tiny || (q[i] > 0.0 && q[i] < 1e-100);
      together = together && C[i] == C[0];
    }
  }

  void weigh(const double* q, double* w, std::size_t n) {
    if (tiny) return normal::weights_by_logs(R.data(), C.data(), q, w, n);
    normal::Packed some;
    double largest = 0.0;
    for (std::size_t i = 0; i < n; i += normal::Packed::most) {
      const std::size_t size = std::min(normal::Packed::most, n - i);
      some.fill(R.data() + i, C.data() + i, q + i, size);
      const normal::Largest met =
          together ? normal::exponents<true>(some.R, some.C, padded(some.size), normal::third_of(C[0]))
                   : normal::exponents<false>(some.R, some.C, padded(some.size), 0.0);
      largest = std::max(largest, met.a);
      if (met.a_b < 0.34)
        normal::weights<true>(some.R, some.C, some.q, padded(some.size));
      else
        normal::weights<false>(some.R, some.C, some.q, padded(some.size));
      unpack(some.R, some.marks, size, w + i);
    }
    if (largest > vector::largest) normal::weights_by_logs(R.data(), C.data(), q, w, n);
  }

  void rescale(double factor) {
    for (double& r : R) r *= factor;
    if (d == 1)
      for (double& c : C) c *= factor;
  }

  void update(double loss, const double* l, const double* I, const double* q, double* w, std::size_t n) {
    if (I) {
      normal::move<d, true>(loss, l, I, R.data(), C.data(), n);
      together = false;
    } else {
      normal::move<d, false>(loss, l, nullptr, R.data(), C.data(), n);
    }
    weigh(q, w, n);
  }
};

using AdaNormalHedgeRule = NormalRule<1>;
using NormalHedgeDTRule = NormalRule<0>;

}  // namespace afterwit
