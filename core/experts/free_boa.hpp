// BOA for losses of any scale: one rate per expert, by the sum of its squared regrets alone.
//
//   p_{t,k} prop. to I_{t,k} eta_{t-1,k} exp(eta_{t-1,k} M_{t-1,k}),   r_{t,k} = I_{t,k} (p_t . l_t - l_{t,k}),
//   V_{t,k} = V_{t-1,k} + r_{t,k}^2,   eta_{t,k} = 1/sqrt(2.2 V_{t,k}),   M_{t,k} = M_{t-1,k} + r_{t,k} - eta_{t,k}
//   r_{t,k}^2
//
// Nothing has a unit: |eta_t r_t| is at most 1/sqrt(2.2), where x - x^2 <= ln(1 + x), whatever comes. No theorem is
// known to hold for it. Source: the package opera 1.2.2, after Wintenberger 2017 (BOA with several learning rates). An
// expert to which there has been no regret but by rounding, V below 1e-12 of the largest r^2 so far of all, has the
// rate of that one; opera's is up to e^350, which gives it all the weight, and then it has no r to learn from.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "experts/player.hpp"
#include "experts/second_order.hpp"

namespace afterwit {

struct FreeBoaRule {
  static constexpr bool sleeps = true, free = true;

  Doubles R = {}, V = {}, M = {}, B = {};
  Doubles eta = {};

  auto vectors() { return std::array{Named{"R", R}, Named{"V", V}, Named{"M", M}, Named{"B", B}}; }
  void begin(const double*, std::size_t N) { eta.resize(padded(N)); }

  static double rate(double V, double largest) {
    const double square = V >= 1e-12 * largest ? V : largest;
    return square > 0.0 ? 1.0 / std::sqrt(2.2 * square) : 1.0;
  }

  void find_rates() {
    const double largest = B.empty() ? 0.0 : *std::max_element(B.begin(), B.end());
    for (std::size_t i = 0; i < eta.size(); ++i) eta[i] = rate(V[i], largest);
  }

  void weigh(const double* q, double* w, std::size_t n) {
    find_rates();
    double most = second_order::nothing;
    for (std::size_t i = 0; i < n; ++i) {
      w[i] = eta[i] * M[i];
      most = q[i] > 0.0 && w[i] > most ? w[i] : most;
    }
    second_order::weights(w, eta.data(), q, n, most);
  }

  void among(const double* I, const double* q, double* w, std::size_t n) const {
    double most = second_order::nothing;
    for (std::size_t i = 0; i < n; ++i) most = I[i] > 0.0 && q[i] > 0.0 ? std::max(most, eta[i] * M[i]) : most;
    for (std::size_t i = 0; i < n; ++i) w[i] = I[i] > 0.0 && q[i] > 0.0 ? eta[i] * exp(eta[i] * M[i] - most) : 0.0;
  }

  void rescale(double factor) {
    for (std::size_t i = 0; i < V.size(); ++i) {
      R[i] *= factor, M[i] *= factor;
      V[i] *= factor * factor, B[i] *= factor * factor;
    }
    find_rates();
  }

  void update(double loss, const double* l, const double* I, const double* q, double* w, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) {
      const double r = I ? I[i] * (loss - l[i]) : loss - l[i];
      R[i] += r;
      V[i] += r * r;
      B[i] = q[i] > 0.0 && r * r > B[i] ? r * r : B[i];  // behind the experts r is of nobody
    }
    find_rates();
    for (std::size_t i = 0; i < n; ++i) {
      const double r = I ? I[i] * (loss - l[i]) : loss - l[i];
      M[i] += r - eta[i] * r * r;
    }
    weigh(q, w, n);
  }
};

}  // namespace afterwit
