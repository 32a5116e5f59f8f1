// Fixed Share: exponential weights that give some of their weight to everybody after each round.
//
//   v_{t+1,i} prop. to p_{t,i} exp(-eta l_{t,i}),   p_{t+1,i} = (1 - alpha) v_{t+1,i} + alpha/N,   p_1 uniform
//
// with given rates, or alpha_t = 1/(t + 1) and eta given or eta_t = sqrt(ln(N (t + 1))/(t + 1)) in round t = 1, 2, ...
// Source: Luo 2016, Table 2.3 (Cesa-Bianchi et al. 2012); errata 30, 31; experts that sleep: Freund et al. 1997.
#pragma once

#include <array>
#include <cmath>
#include <limits>

#include "experts/player.hpp"
#include "numeric/exponential.hpp"
#include "numeric/vector_exp.hpp"

namespace afterwit {

namespace fixed_share {

// p e^(-eta (l - least)) in place of p, and the sum. Only p = 0, behind the experts, may have l below the least.
inline double lose(double* __restrict p, const double* __restrict l, std::size_t n, double eta, double least) {
  const double twos = eta * vector::per_ln2;
  double sum[lanes] = {};
  for (std::size_t i = 0; i < n; i += lanes)
    for (std::size_t k = 0; k < lanes; ++k) {
      const double y = twos * (least - l[i + k]);
      const bool alive = (y >= -vector::largest) & (y <= 0.0);
      const double v = alive ? p[i + k] * vector::exp2(alive ? y : 0.0) : 0.0;
      p[i + k] = v;
      sum[k] += v;
    }
  return add_lanes(sum);
}

}  // namespace fixed_share

struct FixedShareRule {
  static constexpr bool sleeps = true, lazy = true;

  double rate, share;  // eta and alpha; 0: tuned as it goes
  Doubles p = {};
  double t = 0.0;
  std::size_t N = 0;

  auto vectors() { return std::array{Named{"p", p}}; }
  auto numbers() { return std::array{Named{"rounds", t}}; }

  void begin(const double*, std::size_t experts) {
    N = experts;
    if (t == 0.0)
      for (std::size_t i = 0; i < N; ++i) p[i] = 1.0 / static_cast<double>(N);
  }

  void weigh(const double*, double* w, std::size_t n) { std::copy_n(p.begin(), n, w); }

  void update(double, const double* l, const double*, const double* q, double* w, std::size_t n) {
    t += 1.0;
    const auto all = static_cast<double>(N);
    const double eta = rate > 0.0 ? rate : std::sqrt(log(all * (t + 1.0)) / (t + 1.0));
    const double alpha = share > 0.0 ? share : 1.0 / (t + 1.0);
    double least = std::numeric_limits<double>::max();
    for (std::size_t i = 0; i < N; ++i) least = l[i] < least ? l[i] : least;
    const double keep = (1.0 - alpha) / fixed_share::lose(p.data(), l, n, eta, least), more = alpha / all;
    for (std::size_t i = 0; i < N; ++i) p[i] = keep * p[i] + more;
    weigh(q, w, n);
  }
};

}  // namespace afterwit
