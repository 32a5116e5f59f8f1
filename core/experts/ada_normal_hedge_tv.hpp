// AdaNormalHedge.TV: small regret on every interval of rounds.
//
//   p_{t,i} prop. to sum_{tau in S_t} tau^-2 w(R_{[tau,t-1],i}, C_{[tau,t-1],i}),   r_{t,i} = p_t . l_t - l_{t,i},
//   R_{[tau,t],i} = r_{tau,i} + ... + r_{t,i},   C_{[tau,t],i} = |r_{tau,i}| + ... + |r_{t,i}|
//
// AdaNormalHedge over sleeping experts (tau, i), of which (tau, i) awakes in round tau and then loses what i loses. S_t
// is {1, ..., t}, or O(log t) of them. In a round: predict with S_t, update all of it, drop those not in S_{t+1}, add
// t + 1. Source: Luo 2016, section 2.3.3; errata 32, 33.
#pragma once

#include <array>
#include <cstdint>

#include "experts/ada_normal_hedge.hpp"
#include "experts/player.hpp"
#include "experts/working_set.hpp"

namespace afterwit {

struct AdaNormalHedgeTVRule {
  static constexpr bool sleeps = false;

  bool exact;
  double t = 0.0;
  AdaNormalHedgeRule all = {};  // R and C, a row of padded experts for each tau
  std::vector<std::uint64_t> births = {};
  Doubles q_all = {}, w_all = {};

  auto vectors() { return all.vectors(); }
  auto numbers() { return std::array{Named{"rounds", t}}; }

  // How many rows there are after t rounds; 0 where t cannot be a number of rounds.
  std::size_t copies() const {
    if (!(t >= 0.0 && t < (exact ? 0x1p32 : 0x1p52))) return 0;
    const std::uint64_t next = static_cast<std::uint64_t>(t) + 1;
    return exact ? next : alive(next, false).size();
  }

  void begin(const double* q, std::size_t N) {
    const std::size_t n = padded(N);
    births = alive(static_cast<std::uint64_t>(t) + 1, exact);
    all.R.resize(births.size() * n), all.C.resize(births.size() * n);
    q_all.clear();
    for (const std::uint64_t tau : births) add_prior(tau, q, n);
    all.begin(q_all.data(), q_all.size());
  }

  void weigh(const double*, double* w, std::size_t n) {
    w_all.resize(q_all.size());
    all.weigh(q_all.data(), w_all.data(), w_all.size());
    std::fill_n(w, n, 0.0);
    for (std::size_t row = 0; row < births.size(); ++row) tally(w_all.data() + row * n, w, n);
  }

  void rescale(double factor) { all.rescale(factor); }

  void update(double loss, const double* l, const double*, const double* q, double* w, std::size_t n) {
    for (std::size_t row = 0; row < births.size(); ++row)
      normal::move<1, false>(loss, l, nullptr, all.R.data() + row * n, all.C.data() + row * n, n);
    t += 1.0;
    const std::uint64_t next = static_cast<std::uint64_t>(t) + 1;
    if (!exact) bury(next, n);
    births.push_back(next);
    all.R.resize(births.size() * n, 0.0), all.C.resize(births.size() * n, 0.0);
    add_prior(next, q, n);
    weigh(q, w, n);
  }

 private:
  void add_prior(std::uint64_t tau, const double* q, std::size_t n) {
    const double share = 1.0 / (static_cast<double>(tau) * static_cast<double>(tau));
    for (std::size_t i = 0; i < n; ++i) q_all.push_back(q[i] * share);
  }

  void bury(std::uint64_t next, std::size_t n) {
    std::size_t kept = 0;
    for (std::size_t row = 0; row < births.size(); ++row) {
      if (!survives(births[row], next)) continue;
      if (kept < row) {
        births[kept] = births[row];
        for (Doubles* v : {&all.R, &all.C, &q_all}) std::copy_n(v->data() + row * n, n, v->data() + kept * n);
      }
      ++kept;
    }
    births.resize(kept);
    for (Doubles* v : {&all.R, &all.C, &q_all}) v->resize(kept * n);
  }
};

}  // namespace afterwit
