// The point that would have been best so far, regularised: lazy projection.
//
//   w_{t+1} = argmin_{w in S} sum_{s<=t} f_s(w) + h_{t+1} . w + R(w)/eta_{t+1}
//   f_s(w)  = g_s . (w - w_s) + (c_s/2) |w - w_s|^2
//
// g_s is the gradient at w_s, and f_s is the loss where that is linear or a square c_s/2 |w - z|^2 plus anything
// linear; c_s = 0 unless a curvature was told. R is |w|^2/2, or sum_i w_i ln w_i on the simplex; eta_t is eta or
// eta/sqrt(t), and without an eta there is no R: the leader itself. h = 0, or h_{t+1} = g_t: optimism.
// With L = sum_s g_s - c_s w_s and C = sum_s c_s the square has w_{t+1} = Pi_S(-(L + h)/(1/eta + C)).
// Source: Kashima lecture 11, "Follow-the-leader", "Follow-the-regularized-leader"; Sharan lecture 19, Theorem 1 and
// Algorithm 1; Hanashiro, Abernethy 2020, Theorem 1 (optimism); errata 5, 8, 42.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "convex/exponential_weights.hpp"
#include "convex/point_player.hpp"

namespace afterwit {

struct Leader {
  double eta;  // or 0: no regulariser
  bool falls, entropic, optimistic;
  Doubles hint = {};  // h, and before the first round the one that was given
  Doubles L = {}, q = {}, w = {}, at = {}, before = {};
  double t = 0.0, C = 0.0;
  // sum_t |g_t - h_t|^2/(2 (1/eta_t + C_t)), the norm that is dual to R's; of the leader itself the sum of
  // f_t(w_t) - f_t(w_{t+1}).
  double cost = 0.0;

  auto vectors() {
    return optimistic ? std::vector{Named{"sum", L}, Named{"hint", hint}} : std::vector{Named{"sum", L}};
  }
  auto numbers() { return std::array{Named{"rounds", t}, Named{"curvature", C}, Named{"cost", cost}}; }

  template <class D>
  void begin(const D& domain) {
    const std::size_t n = padded(domain.d);
    for (Doubles* each : {&L, &q, &w, &at, &before}) each->assign(n, 0.0);
    hint.resize(n);
    std::fill_n(q.begin(), domain.d, 1.0);
    find(domain);
  }

  // A linear loss has no least value on all of R^d.
  template <class D>
  bool unbounded(const D&, const double* g, double c) const {
    return !D::bounded && eta == 0.0 && C + c == 0.0 && largest_size(g, w.size()) > 0.0;
  }

  template <class D>
  void learn(const D& domain, const double* g, double c) {
    const std::size_t n = w.size();
    for (std::size_t i = 0; i < n; ++i) at[i] = g[i] - hint[i];
    const double size = entropic ? largest_size(at.data(), n) : norm(at.data(), n);
    if (eta > 0.0) cost += 0.5 * size / (regularity() + C + c) * size;
    if (c == 0.0)
      for (std::size_t i = 0; i < n; ++i) L[i] += g[i];
    else
      for (std::size_t i = 0; i < n; ++i) L[i] += g[i] - c * w[i];
    t += 1.0, C += c;
    if (optimistic) std::copy_n(g, n, hint.begin());
    if (eta == 0.0) before = w;
    find(domain);
    if (eta > 0.0) return;
    for (std::size_t i = 0; i < n; ++i) before[i] -= w[i];
    cost += std::max(dot(g, before.data(), n) - 0.5 * c * dot(before.data(), before.data(), n), 0.0);
  }

  template <class D>
  void find(const D& domain) {
    const std::size_t n = w.size();
    at = L;
    const double least = add_losses(at.data(), hint.data(), q.data(), n);
    if (entropic) {
      exponential_weights(at.data(), q.data(), w.data(), n, falls ? eta / std::sqrt(t + 1.0) : eta, least);
      const double sum = add(w.data(), n);
      for (std::size_t i = 0; i < n; ++i) w[i] /= sum;
      return;
    }
    const double strength = regularity() + C;
    if (strength == 0.0) return domain.least(at.data(), w.data());
    for (std::size_t i = 0; i < n; ++i) w[i] = -at[i] / strength;
    domain.project(w.data());
  }

  // 1/eta of the next round.
  double regularity() const { return eta == 0.0 ? 0.0 : falls ? std::sqrt(t + 1.0) / eta : 1.0 / eta; }
};

}  // namespace afterwit
