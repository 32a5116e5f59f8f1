// The distribution that minimises L . p + (1/eta) sum_i p_i ln(p_i/q_i): p_i is proportional to q_i exp(-eta L_i).
//
// So exponential weights are what follows the leader regularised by entropy, on experts as on any simplex.
// Source: Luo 2016, section 2.1.4 (EXP); Sharan lecture 19, Example 1; Hanashiro, Abernethy 2020, appendix A.2.
#pragma once

#include <cstddef>
#include <limits>

#include "numeric/lanes.hpp"
#include "numeric/vector_exp.hpp"

namespace afterwit {

// L += l; the smallest L of those with a prior.
inline double add_losses(double* __restrict L, const double* __restrict l, const double* __restrict q, std::size_t n) {
  constexpr double most = std::numeric_limits<double>::max();
  Eight least[2] = {Eight{} + most, Eight{} + most};
  for (std::size_t i = 0; i < n; i += lanes)
    for (std::size_t h = 0; h < 2; ++h) {
      Eight loss, more, prior;
      load(L + i + 8 * h, loss);
      load(l + i + 8 * h, more);
      load(q + i + 8 * h, prior);
      loss += more;
      store(loss, L + i + 8 * h);
      loss = prior > 0.0 ? loss : Eight{} + most;
      least[h] = loss < least[h] ? loss : least[h];
    }
  return least_lane(least);
}

inline void exponential_weights(const double* __restrict L, const double* __restrict q, double* __restrict w,
                                std::size_t n, double eta, double least) {
  const double twos = -eta * vector::per_ln2;
  for (std::size_t i = 0; i < n; ++i) {
    const double y = twos * (L[i] - least);
    const bool alive = (y >= -vector::largest) & (q[i] > 0.0);  // without a prior, L may be below the least
    w[i] = alive ? q[i] * vector::exp2(alive ? y : 0.0) : 0.0;
  }
}

}  // namespace afterwit
