// The Optimistic Perceptron: a separator and a distribution over the points play against each other.
//
//   p_0 = (1/n, ..., 1/n),   xt_t = sum_i p_{t,i} y_i x_i,   xt_{-1} = xt_0,   w_0 = 0
//   w_t = w_{t-1} + 2 xt_{t-1} - xt_{t-2}
//   p_{t,i} prop. to p_{t-1,i} exp(-y_i w_t . x_i / r^2),   r the length of the longest point
//
// With S_{t,i} = sum_{s<=t} y_i w_s . x_i, p_{t,i} is proportional to exp(-S_{t,i}/r^2), and the mean of w_1, ..., w_t
// separates where every S_{t,i} is above 0. One pass over the points makes a round: their weights are taken beside the
// smallest S met so far, and where a smaller one is met what was summed up shrinks.
//
// Where a w of length 1 has margins of gamma or more, the mean separates within floor(r sqrt(2 ln n)/gamma) + 1 rounds.
// Scaling all points by c scales w_t by c and leaves p_t as it is, so that the theorem's (1 + 2 r^2 ln n)/(2 gamma) may
// be taken at the best scale. For any p the length of sum_i p_i y_i x_i is at least gamma: here for the mean of p_1 to
// p_t. Source: Hanashiro, Abernethy 2020, Algorithm 1, Theorems 1 to 3; errata 43, 46, 48.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <utility>

#include "games/points.hpp"
#include "numeric/multiversion.hpp"
#include "numeric/vector_exp.hpp"

namespace afterwit {

class OptimisticPerceptron {
 public:
  using Doubles = Points::Doubles;

  explicit OptimisticPerceptron(std::shared_ptr<const Points> points)
      : points_(std::move(points)),
        w_(width()),
        sum_(width()),
        pseudo_(width()),
        before_(width()),
        next_(width()),
        S_(points_->size()) {
    const double even = 1.0 / static_cast<double>(points_->size());
    for (std::size_t i = 0; i < points_->size(); ++i) points_->add(i, even, pseudo_.data());
    before_ = pseudo_;
  }

  // Until there were so many rounds in all, about so many numbers were touched, or for the first time the mean, or the
  // last w, separates; false in the first case.
  bool advance(std::uint64_t most, std::uint64_t numbers) {
    for (std::uint64_t touched = 0; touched < numbers; touched += 2 * points_->nonzeros() + 1) {
      if (rounds >= most) return false;
      if (round()) break;
    }
    return true;
  }

  std::uint64_t rounds = 0;
  std::uint64_t mean_round = 0, last_round = 0;  // the first in which it separated, or 0

  // Vectors added and inner products: 2n + 3 a round, and n for the first pseudoexample.
  double operations() const {
    const auto n = static_cast<double>(points_->size());
    return n + (2.0 * n + 3.0) * static_cast<double>(rounds);
  }

  const Doubles& last() const { return w_; }
  const Doubles& sum() const { return sum_; }

  // No w of length 1 has a margin above this: |xt_1 + ... + xt_t|/t.
  double margin_at_most() const {
    double square = 0.0;
    for (std::size_t k = 0; k < width(); ++k) {
      const double x = w_[k] + pseudo_[k] - before_[k];
      square += x * x;
    }
    return rounds == 0 ? points_->longest() : std::sqrt(square) / static_cast<double>(rounds);
  }

 private:
  static constexpr std::size_t block = 32;  // points that stay in the cache between the two looks at them
  static constexpr double deepest = -50.0;  // what has less than e^-50 of a weight changes no digit of a sum

  std::size_t width() const { return points_->width(); }

  // True if for the first time something separates.
  bool round() {
    for (std::size_t k = 0; k < width(); ++k) w_[k] += 2.0 * pseudo_[k] - before_[k];
    for (std::size_t k = 0; k < width(); ++k) sum_[k] += w_[k];
    double least_margin, least_sum;
    play(least_margin, least_sum);
    ++rounds;
    // A sum of many margins may be off by more than the margin: what is told was looked at.
    const bool last = last_round == 0 && least_margin > 0.0;
    const bool mean = mean_round == 0 && least_sum > 0.0 && points_->least_margin(sum_.data()) > 0.0;
    if (last) last_round = rounds;
    if (mean) mean_round = rounds;
    return last || mean;
  }

  AFTERWIT_MULTIVERSION __attribute__((flatten)) void play(double& least_margin, double& least_sum) {
    const std::size_t n = points_->size();
    const double rate = 1.0 / (points_->longest() * points_->longest());
    double total = 0.0, beside = 0.0;
    std::fill(next_.begin(), next_.end(), 0.0);
    for (std::size_t first = 0; first < n; first += block) {
      const std::size_t end = std::min(first + block, n);
      double q[block], least = 0.0;
      for (std::size_t i = first; i < end; ++i) {
        const double margin = points_->dot(i, w_.data());
        S_[i] += margin;
        least_margin = i == 0 || margin < least_margin ? margin : least_margin;
        least = i == first || S_[i] < least ? S_[i] : least;
      }
      if (first == 0) {
        beside = least_sum = least;
      } else if (least < beside) {
        const double factor = shrunk((least - beside) * rate);
        total *= factor;
        for (double& x : next_) x *= factor;
        beside = least_sum = least;
      }
      for (std::size_t i = first; i < end; ++i) q[i - first] = shrunk((beside - S_[i]) * rate);
      for (std::size_t i = first; i < end; ++i) {
        if (q[i - first] == 0.0) continue;
        total += q[i - first];
        points_->add(i, q[i - first], next_.data());
      }
    }
    for (double& x : next_) x /= total;
    before_.swap(pseudo_);
    pseudo_.swap(next_);
  }

  static double shrunk(double x) { return x < deepest ? 0.0 : vector::exp(x < deepest ? 0.0 : x); }

  std::shared_ptr<const Points> points_;
  Doubles w_, sum_, pseudo_, before_, next_, S_;
};

}  // namespace afterwit
