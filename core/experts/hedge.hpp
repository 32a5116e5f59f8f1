// Exponential weights, with a given rate, with the best one for a horizon, or restarted with doubled horizons.
//
//   p_{t,i} prop. to exp(-eta L_{t-1,i}),   eta = sqrt(2 ln(1/eps)/T)
//
// The source's s_{t,i} = L_{t,i} - (the player's loss) has the same weights. Without a horizon, epoch m = 1, 2, ... has
// 2^m rounds, begins with L = 0, and is tuned for T = 2^m; it begins after 2^m - 2 rounds.
// Source: Luo 2016, section 2.1.4 (EXP) and Table 2.1; Kashima lecture 11, "Doubling trick"; errata 16, 17, 18 (eps =
// 1: eta = 0); experts that sleep: Freund et al. 1997.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "convex/exponential_weights.hpp"
#include "experts/player.hpp"
#include "numeric/exponential.hpp"

namespace afterwit {

struct HedgeRule {
  static constexpr bool sleeps = true, lazy = true;

  double given;       // eta, or 0: the best one for
  double horizon;     // T, or 0: epochs that double, and
  double eps;         // or 0: 1/N
  double logs = 0.0;  // ln(1/eps)
  Doubles L = {};
  double t = 0.0;

  auto vectors() { return std::array{Named{"losses", L}}; }
  auto numbers() { return std::array{Named{"rounds", t}}; }
  bool doubles() const { return given == 0.0 && horizon == 0.0; }
  void begin(const double*, std::size_t N) { logs = eps > 0.0 ? -log(eps) : log(static_cast<double>(N)); }

  double rate() const {
    if (given != 0.0) return given;
    const double T = doubles() ? static_cast<double>(std::bit_floor(static_cast<std::uint64_t>(t) + 2)) : horizon;
    return std::sqrt(2.0 * logs / T);
  }

  void weigh(const double* q, double* w, std::size_t n) {
    const Doubles none(n);
    exponential_weights(L.data(), q, w, n, rate(), add_losses(L.data(), none.data(), q, n));
  }

  // Those awake may all have lost so much more than a sleeper that their weights are nothing beside its own.
  void among(const double* I, const double* q, double* w, std::size_t n) const {
    double least = std::numeric_limits<double>::max();
    for (std::size_t i = 0; i < n; ++i) least = I[i] > 0.0 && q[i] > 0.0 && L[i] < least ? L[i] : least;
    for (std::size_t i = 0; i < n; ++i) w[i] = I[i] > 0.0 ? q[i] * exp(-rate() * (L[i] - least)) : 0.0;
  }

  void rescale(double factor) {
    for (double& loss : L) loss *= factor;
  }

  void update(double, const double* l, const double*, const double* q, double* w, std::size_t n) {
    t += 1.0;
    double least = add_losses(L.data(), l, q, n);
    if (doubles() && std::has_single_bit(static_cast<std::uint64_t>(t) + 2)) {
      std::fill(L.begin(), L.end(), 0.0);
      least = 0.0;
    }
    exponential_weights(L.data(), q, w, n, rate(), least);
  }
};

}  // namespace afterwit
