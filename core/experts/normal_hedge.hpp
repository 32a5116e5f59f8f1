// NormalHedge of Chaudhuri, Freund and Hsu: no rate; each round a search for the scale c.
//
//   p_{t,i} prop. to [R_{t-1,i}]_+ exp([R_{t-1,i}]_+^2 / c),   c such that sum_i exp([R_{t-1,i}]_+^2 / c) = N e
//
// with R = -s; uniform while no R is above 0. The factor 1/c of the source is common to all.
// Source: Luo 2016, Table 2.1 (Chaudhuri et al. 2009); errata 23, 24.
//
// With x = [R]_+^2/max and k = max/c the condition is h(k) = ln sum_i exp(k x_i) - ln N - 1 = 0, where h is convex and
// increasing and h(1 + ln N) >= 0: Newton's steps from there go down to the root and never beyond it, so they end on
// every input, and no exponent is above 1 + ln N.
#pragma once

#include <array>
#include <cmath>

#include "experts/player.hpp"
#include "numeric/exponential.hpp"
#include "numeric/vector_exp.hpp"

namespace afterwit {

namespace normal_hedge {

inline double squares(const double* __restrict R, const double* __restrict q, double* __restrict x, std::size_t n) {
  double most = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    x[i] = q[i] > 0.0 && R[i] > 0.0 ? R[i] : 0.0;
    most = x[i] > most ? x[i] : most;
  }
  if (most > 0.0)
    for (std::size_t i = 0; i < n; ++i) x[i] = x[i] / most * (x[i] / most);
  return most;
}

// The sums of e^(k x) and of x e^(k x) over the n entries of x, padding included: e^0 = 1 each there.
inline void sums(const double* __restrict x, std::size_t n, double k, double* whole, double* slope) {
  const double twos = k * vector::per_ln2;
  double sum[lanes] = {}, sloped[lanes] = {};
  for (std::size_t i = 0; i < n; i += lanes)
    for (std::size_t j = 0; j < lanes; ++j) {
      const double e = vector::exp2(twos * x[i + j]);
      sum[j] += e;
      sloped[j] += x[i + j] * e;
    }
  *whole = add_lanes(sum);
  *slope = add_lanes(sloped);
}

inline void weights(const double* __restrict R, const double* __restrict q, const double* __restrict x,
                    double* __restrict w, std::size_t n, double k) {
  const double twos = k * vector::per_ln2;
  for (std::size_t i = 0; i < n; ++i) {
    const double own = R[i] > 0.0 ? R[i] : 0.0;
    w[i] = q[i] * own * vector::exp2(twos * x[i]);
  }
}

}  // namespace normal_hedge

struct NormalHedgeRule {
  static constexpr bool sleeps = false;

  Doubles R = {}, x = {};
  double N = 0.0;

  auto vectors() { return std::array{Named{"R", R}}; }
  void begin(const double*, std::size_t experts) { N = static_cast<double>(experts); }

  double root(std::size_t n) const {
    const double logs = 1.0 + log(N), padding = static_cast<double>(n) - N;
    double k = logs;
    for (int step = 0; step < 200; ++step) {
      double whole, slope;
      normal_hedge::sums(x.data(), n, k, &whole, &slope);
      whole -= padding;
      const double next = k - (log(whole) - logs) * whole / slope;
      if (!(next < k * (1.0 - 1e-15)) || !(next > 0.0)) break;
      k = next;
    }
    return k;
  }

  void weigh(const double* q, double* w, std::size_t n) {
    x.resize(n);
    if (normal_hedge::squares(R.data(), q, x.data(), n) == 0.0) return void(std::copy(q, q + n, w));
    normal_hedge::weights(R.data(), q, x.data(), w, n, root(n));
  }

  void rescale(double factor) {
    for (double& r : R) r *= factor;
  }

  void update(double loss, const double* l, const double*, const double* q, double* w, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) R[i] += loss - l[i];
    weigh(q, w, n);
  }
};

}  // namespace afterwit
