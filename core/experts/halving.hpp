// Halving: the experts that have never erred, all alike, for losses 0 and 1.
//
//   p_{t,i} = 1/|V_t| for i in V_t, else 0;   V_{t+1} = {i in V_t : l_{t,i} = 0},   V_1 everybody
//
// A round that would leave nobody is refused: the promise that one is always right is broken.
// Source: Kashima lecture 11, "Halving algorithm"; errata 14, 15.
#pragma once

#include <array>

#include "experts/player.hpp"

namespace afterwit {

struct HalvingRule {
  static constexpr bool sleeps = false;

  Doubles errors = {};

  auto vectors() { return std::array{Named{"errors", errors}}; }
  void begin(const double*, std::size_t) {}

  BadEntry refusal(const double* l, const double* w, std::size_t N) const {
    bool left = false;
    for (std::size_t i = 0; i < N; ++i) {
      if (l[i] != 0.0 && l[i] != 1.0) return {BadEntry::What::loss, 0, i, l[i]};
      left = left || (w[i] > 0.0 && l[i] == 0.0);
    }
    return left ? BadEntry{} : BadEntry{BadEntry::What::nobody, 0, 0, 0.0};
  }

  void weigh(const double* q, double* w, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) w[i] = errors[i] == 0.0 ? q[i] : 0.0;
  }

  void update(double, const double* l, const double*, const double* q, double* w, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) errors[i] += l[i];
    weigh(q, w, n);
  }
};

}  // namespace afterwit
