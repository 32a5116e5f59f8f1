// Exponential weights for a bandit, which sees the loss of the arm alone that it drew.
//
//   p_{t,i} prop. to exp(-eta Lh_{t-1,i}),   i_t drawn from p_t,   Lh_{t,i} += 1{i = i_t} l_{t,i_t}/p_{t,i_t}
//   eta = sqrt(2 ln N/(T (1 + N sqrt(e))))
//
// Algorithm 24 has s_{t,i} = Lh_{t,i} - (the player's loss), and so the same weights, as its potential is exponential.
// Without a horizon, epoch m = 1, 2, ... has 2^m rounds, begins with Lh = 0, and is tuned for T = 2^m. A draw depends
// on the seed and the number of the round alone. Source: Luo 2016, Algorithm 24, Theorems 20 and 21; errata 50, 28.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "numeric/exponential.hpp"
#include "numeric/keyed.hpp"

namespace afterwit {

class Exp3 {
 public:
  using Doubles = std::vector<double>;
  static constexpr std::uint64_t most_rounds = std::uint64_t{1} << 53;
  static constexpr double root_e = 1.6487212707001282;

  // `rate`, or 0: the best one for `horizon` rounds, or 0: epochs that double.
  Exp3(std::size_t arms, std::uint64_t seed, double rate, std::uint64_t horizon)
      : losses(arms), seed_(seed), given_(rate), horizon_(horizon) {}

  double rate() const {
    if (given_ != 0.0) return given_;
    const auto N = static_cast<double>(losses.size());
    const std::uint64_t T = horizon_ != 0 ? horizon_ : std::bit_floor(rounds + 2);
    return std::sqrt(2.0 * log(N) / (static_cast<double>(T) * (1.0 + N * root_e)));
  }

  void weights(double* p) const {
    const double eta = rate(), least = *std::min_element(losses.begin(), losses.end());
    double sum = 0.0;
    for (std::size_t i = 0; i < losses.size(); ++i) sum += p[i] = exp(-eta * (losses[i] - least));
    for (std::size_t i = 0; i < losses.size(); ++i) p[i] /= sum;
  }

  // The first arm whose weights up to it sum to more than x; rounding may leave the sum below x, and then it is the
  // last one with a weight.
  std::size_t draw(const double* p) const {
    const double x = keyed_uniform(seed_, rounds);
    std::size_t last = 0;
    double sum = 0.0;
    for (std::size_t i = 0; i < losses.size(); ++i) {
      if (p[i] > 0.0) last = i;
      if ((sum += p[i]) > x) return i;
    }
    return last;
  }

  // The arm was drawn from p, and lost this.
  void update(const double* p, std::size_t arm, double loss) {
    losses[arm] += loss / p[arm];
    rounds = std::min(rounds + 1, most_rounds);
    if (given_ == 0.0 && horizon_ == 0 && std::has_single_bit(rounds + 2)) std::fill(losses.begin(), losses.end(), 0.0);
  }

  Doubles losses;  // Lh
  std::uint64_t rounds = 0;

 private:
  std::uint64_t seed_;
  double given_;
  std::uint64_t horizon_;
};

}  // namespace afterwit
