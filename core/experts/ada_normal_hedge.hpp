// AdaNormalHedge: no rate, any prior q, confidences I in [0, 1], experts that sleep or come late.
//
//   p_{t,i} prop. to q_i I_{t,i} w(R_{t-1,i}, C_{t-1,i}),   r_{t,i} = I_{t,i} (p_t . l_t - l_{t,i}),
//   R_{t,i} = R_{t-1,i} + r_{t,i},   C_{t,i} = C_{t-1,i} + |r_{t,i}|^d,
//   w(R, C) = (Phi(R + 1, C + 1) - Phi(R - 1, C + 1))/2,   Phi(R, C) = exp([R]_+^2 / 3C)
//
// with d = 1. d = 0 (and 0^0 = 1 for an expert that is awake) is NormalHedge.DT, whose s is -R and whose t is C + 1.
// Source: Luo 2016, Algorithm 6, Eq. (2.8), Theorems 4 and 6; NormalHedge.DT: Table 2.1, Corollary 2, end of section
// 2.3.1; errata 20, 22, 25, 26. A round in which an expert sleeps leaves it as it is, for d = 0 as well, so that one
// that comes late is one that has slept: Lemma 3 holds with r = 0 and the same C.
//
// 2w = e^a - e^b = e^m (e^h - e^-h) with a = [R+1]_+^2/3(C+1), b = [R-1]_+^2/3(C+1), m = (a+b)/2 = b + h, h = (a-b)/2,
// which is 4R/6(C+1) exactly where R >= 1, and below 2/3 as R <= C. An expert with R <= -1 gets 0 and, where
// there are many, costs no exponential: the others are packed together first.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include "experts/player.hpp"
#include "numeric/exponential.hpp"
#include "numeric/pack.hpp"
#include "numeric/vector_exp.hpp"

namespace afterwit {

namespace normal {

// One round of R and C, for everybody.
template <int d, bool rated>
void move(double loss, const double* __restrict l, const double* __restrict I, double* __restrict R,
          double* __restrict C, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    const double r = rated ? I[i] * (loss - l[i]) : loss - l[i];
    R[i] += r;
    if (d == 1)
      C[i] += std::abs(r);
    else
      C[i] += !rated || I[i] > 0.0 ? 1.0 : 0.0;
  }
}

// Some experts, of whom those with a weight are packed together and filled up to whole blocks.
struct Packed {
  static constexpr std::size_t most = 1024;
  std::uint8_t marks[most / 8];
  double R[most + lanes], C[most + lanes], w[most];

  std::size_t fill(const double* all_R, const double* all_C, const double* q, std::size_t n) {
    const std::size_t m = pack(all_R, -1.0, q, all_C, n, marks, R, C);
    for (std::size_t k = 0; k < lanes; ++k) R[m + k] = C[m + k] = 0.0;
    return padded(m);
  }
};

constexpr std::size_t few = 64;

// 1/6(C+1) for exponents of 2.
inline double sixth_of(double C) { return 1.0 / (6.0 / vector::per_ln2 * (C + 1.0)); }

// 2w, and the largest m. `shared` is sixth_of(C) where that is the same for all: one division for everybody.
template <bool together>
double weights(const double* __restrict Rs, const double* __restrict Cs, double* __restrict w, std::size_t size,
               double shared) {
  double largest[lanes] = {};
  for (std::size_t i = 0; i < size; i += lanes)
    for (std::size_t k = 0; k < lanes; ++k) {
      const double R = Rs[i + k], sixth = together ? shared : sixth_of(Cs[i + k]), down = R > 1.0 ? R - 1.0 : 0.0;
      const double h = (R >= 1.0 ? 4.0 * R : (R + 1.0) * (R + 1.0)) * sixth;
      const double m = 2.0 * (down * down) * sixth + h;
      largest[k] = m > largest[k] ? m : largest[k];
      w[i + k] = vector::exp2(m) * vector::exp2_minus_exp2(h);
    }
  return largest_lane(largest);
}

// 2 q w of everybody in their own places, and the largest m: where experts are few, to pack them takes longer than to
// compute the weights of those who have none.
template <bool together>
double weights_in_place(const double* __restrict Rs, const double* __restrict Cs, const double* __restrict q,
                        double* __restrict w, std::size_t size, double shared) {
  double largest[lanes] = {};
  for (std::size_t i = 0; i < size; i += lanes)
    for (std::size_t k = 0; k < lanes; ++k) {
      const bool in = (Rs[i + k] > -1.0) & (q[i + k] > 0.0);
      const double R = in ? Rs[i + k] : -1.0, sixth = together ? shared : sixth_of(Cs[i + k]);
      const double down = R > 1.0 ? R - 1.0 : 0.0, h = (R >= 1.0 ? 4.0 * R : (R + 1.0) * (R + 1.0)) * sixth;
      const double m = 2.0 * (down * down) * sixth + h;
      largest[k] = m > largest[k] ? m : largest[k];
      const double own = vector::exp2(m) * vector::exp2_minus_exp2(h);
      w[i + k] = in ? own * q[i + k] : 0.0;
    }
  return largest_lane(largest);
}

// ln(2 q w) (errata 25).
inline double log_weight(double R, double C, double q) {
  const double third = 1.0 / (3.0 * (C + 1.0)), down = R > 1.0 ? R - 1.0 : 0.0;
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

  Doubles R = {}, C = {};
  bool together = false;  // all C are known to be equal
  // Logarithms are needed: some prior is so small that a weight of those who are awake may vanish, or some R is above
  // its C, to where no game leads.
  bool odd = false;
  auto vectors() { return std::array{Named{"R", R}, Named{"C", C}}; }

  void begin(const double* q, std::size_t N) {
    odd = false;
    together = d == 0;
    for (std::size_t i = 0; i < N; ++i) {
      odd = odd || (q[i] > 0.0 && q[i] < 1e-100) || R[i] > C[i];
      together = together && C[i] == C[0];
    }
  }

  void weigh(const double* q, double* w, std::size_t n) {
    if (odd) return normal::weights_by_logs(R.data(), C.data(), q, w, n);
    const double shared = together && n > 0 ? normal::sixth_of(C[0]) : 0.0;
    const double largest = n <= normal::few ? weigh_few(q, w, n, shared) : weigh_packed(q, w, n, shared);
    if (largest > vector::largest) normal::weights_by_logs(R.data(), C.data(), q, w, n);
  }
  double weigh_few(const double* q, double* w, std::size_t n, double shared) const {
    return together ? normal::weights_in_place<true>(R.data(), C.data(), q, w, n, shared)
                    : normal::weights_in_place<false>(R.data(), C.data(), q, w, n, shared);
  }
  double weigh_packed(const double* q, double* w, std::size_t n, double shared) const {
    normal::Packed some;
    double largest = 0.0;
    for (std::size_t i = 0; i < n; i += normal::Packed::most) {
      const std::size_t size = std::min(normal::Packed::most, n - i);
      const std::size_t packed = some.fill(R.data() + i, together ? nullptr : C.data() + i, q + i, size);
      const double met = together ? normal::weights<true>(some.R, some.C, some.w, packed, shared)
                                  : normal::weights<false>(some.R, some.C, some.w, packed, 0.0);
      largest = std::max(largest, met);
      unpack(some.w, some.marks, q + i, size, w + i);
    }
    return largest;
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
