// The 2-norm algorithm: no rate, no horizon, no exponential.
//
//   p_{t,i} prop. to [s_{t-1,i} - 1]_-^2 - [s_{t-1,i} + 1]_-^2,   s_{t,i} = s_{t-1,i} + l_{t,i} - p_t . l_t
//
// which is 0 for s >= 1, (s - 1)^2 for -1 <= s <= 1 and -4s below.
// Source: Luo 2016, Algorithm 3 with Lemma 1, Table 2.1; errata 22 (some s <= 0 always remains).
#pragma once

#include <array>

#include "experts/player.hpp"

namespace afterwit {

inline void two_norm_weights(const double* __restrict s, const double* __restrict q, double* __restrict w,
                             std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    const double down = s[i] - 1.0, square = down < 0.0 ? down * down : 0.0;
    w[i] = q[i] * (s[i] < -1.0 ? -4.0 * s[i] : square);
  }
}

inline void add_differences(double loss, const double* __restrict l, double* __restrict s, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) s[i] += l[i] - loss;
}

struct TwoNormRule {
  static constexpr bool sleeps = false;

  Doubles s = {};
  double t = 0.0;

  auto vectors() { return std::array{Named{"s", s}}; }
  auto numbers() { return std::array{Named{"rounds", t}}; }
  void begin(const double*, std::size_t) {}
  void weigh(const double* q, double* w, std::size_t n) { two_norm_weights(s.data(), q, w, n); }

  void rescale(double factor) {
    for (double& each : s) each *= factor;
  }

  void update(double loss, const double* l, const double*, const double* q, double* w, std::size_t n) {
    t += 1.0;
    add_differences(loss, l, s.data(), n);
    weigh(q, w, n);
  }
};

}  // namespace afterwit
