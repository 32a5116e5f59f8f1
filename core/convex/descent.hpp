// A step against the gradient, and back into the domain: greedy projection.
//
//   w_{t+1} = Pi_S(w_t - eta_t g_t),   w_1 = Pi_S(0)
//
// with eta_t = eta/sqrt(t), eta, or 1/(sigma t).
// Source: Cesa-Bianchi 2023, "Projected OGD" and "OGD with strongly convex losses" (errata 39: 1/(sigma t)); Kashima
// lecture 11, "Online gradient descent"; Hanashiro, Abernethy 2020, Theorem 2, with half the squared distance as
// divergence.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "convex/point_player.hpp"

namespace afterwit {

struct Descent {
  double eta;    // or 0: 1/sigma,
  double sigma;  // with steps that fall as 1/t
  bool falls;    // as 1/sqrt(t)
  Doubles w = {};
  double t = 0.0, squares = 0.0, largest = 0.0;  // rounds; sum and root of the largest |g|^2

  auto vectors() { return std::array{Named{"point", w}}; }
  auto numbers() { return std::array{Named{"rounds", t}, Named{"squares", squares}, Named{"largest", largest}}; }

  template <class D>
  void begin(const D& domain) {
    w.assign(padded(domain.d), 0.0);
    domain.project(w.data());
  }

  template <class D>
  void learn(const D& domain, const double* g, double) {
    const double square = dot(g, g, w.size());
    t += 1.0, squares += square, largest = std::max(largest, std::sqrt(square));
    const double step = eta == 0.0 ? 1.0 / (sigma * t) : falls ? eta / std::sqrt(t) : eta;
    add_multiple(w.data(), -step, g, w.size());
    domain.project(w.data());
  }

  template <class D>
  void find(const D&) {}
};

}  // namespace afterwit
