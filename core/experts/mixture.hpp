// A mixture of forecasts by any player over the forecasters, which learns their losses or the linearisation of the
// mixture's own (the gradient trick).
//
//   m_t = p_t . f_t,   l_{t,i} = h_t loss'(m_t, y_t) f_{t,i}   or   h_t loss(f_{t,i}, y_t),
//   E_t = max(E_{t-1}, max_i l_{t,i} - min_i l_{t,i}),   the player learns (l_{t,i} - min_j l_{t,j})/E_t in [0, 1]
//
// over the i that are awake: whose f_{t,i} is not NaN; h_t is the importance of the round. By convexity
// loss(m_t, y_t) - loss(u . f_t, y_t) <= loss'(m_t, y_t)(m_t - u . f_t) = p_t . l_t - u . l_t for every distribution u,
// and where l are the losses loss(m_t, y_t) <= p_t . l_t: the player's regret, times E, bounds that of the mixture.
// What is subtracted is the same for all, and no regret changes. E_0 is a bound on the spread, and then stays, or 0.
// When E grows, sums that the rule keeps of losses become what they would be had the new E been known from the
// beginning. Players that take turns have an E each: none knows what the others saw.
// Source: Luo 2016, section 2.3 (regret to any u); Cesa-Bianchi, Lugosi 2006, section 2.5 (linearisation).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "experts/player.hpp"
#include "losses/loss.hpp"

namespace afterwit {

// What came of some rounds: the mixture's forecasts, NaN where nobody was awake, and its weights where they are kept.
struct Mixed {
  std::vector<double> forecast, weights;
};

// Whether the player can learn every one of the rows: it has a form for experts that sleep, or none sleeps.
inline bool takes_all(const Player& player, const double* F, std::size_t rows) {
  if (player.refuses()) return false;
  const double* end = F + rows * player.size();
  return player.sleeps() || std::find_if(F, end, [](double f) { return std::isnan(f); }) == end;
}

// The losses l in [0, 1] of the experts with the forecasts f, NaN for those that sleep, where the mixture forecast m,
// NaN if all sleep. E grows with them, and the player's sums are told in the new unit.
inline void scaled_losses(Player& player, const Loss& loss, bool gradient, const double* f, double m, double y,
                          double h, double& E, double* l) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const std::size_t N = player.size();
  const double slope = std::isnan(m) ? 0.0 : loss.derivative(m, y);
  double least = infinity, most = -infinity;
  for (std::size_t i = 0; i < N; ++i) {
    l[i] = std::isnan(f[i]) ? f[i] : h * (gradient ? slope * f[i] : loss.value(f[i], y));
    least = l[i] < least ? l[i] : least;
    most = l[i] > most ? l[i] : most;
  }
  if (most - least > E) {
    if (E > 0.0) player.rescale(E / (most - least));
    E = most - least;
  }
  for (std::size_t i = 0; i < N; ++i) l[i] = E > 0.0 ? (l[i] - least) / E : l[i] - l[i];  // a NaN stays one
}

// The forecasts are finite or NaN and so moderate that no loss overflows. A round with h = 0 is only forecast; a null h
// is 1 in every round. E has one number for each player that takes turns. A row that the player does not take is a
// fault, and player and E are then of no use.
inline BadEntry run_mixture(Player& player, const Loss& loss, bool gradient, const double* F, const double* y,
                            const double* h, std::size_t rows, bool keep, double* E, Mixed& out) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const std::size_t N = player.size();
  std::vector<double> p(N), I(N), l(N);
  out.forecast.reserve(rows), out.weights.reserve(keep ? rows * N : 0);
  for (std::size_t t = 0; t < rows; ++t) {
    const double* f = F + t * N;
    bool all = true;
    for (std::size_t i = 0; i < N; ++i) {
      I[i] = std::isnan(f[i]) ? 0.0 : 1.0;
      all = all && I[i] == 1.0;
    }
    player.play(all ? nullptr : I.data(), p.data());
    double m = 0.0;
    bool somebody = false;
    for (std::size_t i = 0; i < N; ++i)
      if (p[i] > 0.0) somebody = true, m += p[i] * f[i];
    out.forecast.push_back(somebody ? m : nan);
    if (keep) out.weights.insert(out.weights.end(), p.begin(), p.end());
    const double importance = h ? h[t] : 1.0;
    if (importance == 0.0) {
      player.pass(1);
      continue;
    }
    scaled_losses(player, loss, gradient, f, out.forecast.back(), y[t], importance, E[player.turn()], l.data());
    if (BadEntry fault = player.run({l.data(), nullptr, 1}, {})) {
      fault.row = t;
      return fault;
    }
    if (!somebody) player.pass(1);  // to a player, a round with nobody awake is none
  }
  return {};
}

}  // namespace afterwit
