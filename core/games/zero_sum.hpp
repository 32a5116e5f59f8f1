// A zero-sum matrix game: x over the m rows looks one step ahead and wants much of x.A p, p over the n columns little.
//
//   x_t prop. to exp(eta_x A (p_1 + ... + p_{t-1} + p_{t-1})),   p_0 = (1/n, ..., 1/n)
//   p_t prop. to p_{t-1} exp(-eta_p A' x_t)
//   eta_x = (2/D) sqrt(ln m/ln n),   eta_p = (2/D) sqrt(ln n/ln m),   D = max A - min A
//
// For the means of x_1, ..., x_T and p_1, ..., p_T,  max_i (A p)_i - min_j (A' x)_j <= D sqrt(ln m ln n)/T.
// Both products are sums of rows, of A and of A': what has next to no weight is left out.
// Source: Hanashiro, Abernethy 2020, section 4, with entropy for both players; errata 49.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "numeric/exponential.hpp"
#include "numeric/lanes.hpp"
#include "numeric/multiversion.hpp"
#include "numeric/vector_exp.hpp"

namespace afterwit {

class ZeroSum {
 public:
  using Doubles = std::vector<double>;

  // A has m rows of n entries, both 2 or more, with max A - min A = 1.
  ZeroSum(std::span<const double> A, std::size_t m, std::size_t n)
      : row_(m, n), column_(n, m), rows_(m * row_.others), columns_(n * column_.others) {
    for (std::size_t i = 0; i < m; ++i)
      for (std::size_t j = 0; j < n; ++j) rows_[i * row_.others + j] = columns_[j * column_.others + i] = A[i * n + j];
    const double ratio = std::sqrt(log(static_cast<double>(m)) / log(static_cast<double>(n)));
    row_.rate = 2.0 * ratio, column_.rate = -2.0 / ratio;
    std::fill_n(column_.weights.begin(), n, 1.0 / static_cast<double>(n));
    combine(columns_, column_, ahead_);
  }

  // Up to so many rounds in all, until about so many numbers were touched, or until the gap is no larger than this.
  void advance(std::uint64_t most, std::uint64_t numbers, double gap) {
    for (std::uint64_t touched = 0; gaps.size() < most && touched < numbers && !(this->gap() <= gap);
         touched += 2 * rows_.size())
      round();
  }

  double gap() const { return gaps.empty() ? 1.0 : gaps.back(); }

  Doubles mean_row() const { return mean(row_); }
  Doubles mean_column() const { return mean(column_); }

  Doubles gaps;  // of the means after each round

 private:
  static constexpr double deepest = -50.0;  // what has less than e^-50 of a weight changes no digit of a sum

  struct Side {
    Side(std::size_t size, std::size_t other)
        : size(size), others((other + 7) / 8 * 8), weights(size), sum(size), payoff((size + 7) / 8 * 8) {}
    std::size_t size, others;  // the choices of this player, and of the other one, padded
    double rate = 0.0;
    Doubles weights, sum, payoff;  // of this round; of all rounds; and what each choice would have brought
  };

  AFTERWIT_MULTIVERSION __attribute__((flatten)) void round() {
    weigh(row_, ahead_);
    combine(rows_, row_, met_);
    for (std::size_t j = 0; j < column_.size; ++j) column_.payoff[j] += met_[j];
    weigh(column_, none_);
    combine(columns_, column_, ahead_);
    for (std::size_t i = 0; i < row_.size; ++i) row_.payoff[i] += ahead_[i];
    const double most =
        *std::max_element(row_.payoff.begin(), row_.payoff.begin() + static_cast<std::ptrdiff_t>(row_.size));
    const double least =
        *std::min_element(column_.payoff.begin(), column_.payoff.begin() + static_cast<std::ptrdiff_t>(column_.size));
    gaps.push_back((most - least) / static_cast<double>(gaps.size() + 1));
  }

  // weights prop. to exp(rate (payoff + ahead))
  void weigh(Side& side, const Doubles& ahead) {
    double best = 0.0, total = 0.0;
    for (std::size_t i = 0; i < side.size; ++i) {
      side.weights[i] = side.rate * (side.payoff[i] + (ahead.empty() ? 0.0 : ahead[i]));
      best = i == 0 || side.weights[i] > best ? side.weights[i] : best;
    }
    for (double& w : side.weights) {
      const double x = w - best;
      w = x < deepest ? 0.0 : vector::exp(x < deepest ? 0.0 : x);
    }
    for (const double w : side.weights) total += w;
    for (std::size_t i = 0; i < side.size; ++i) {
      side.weights[i] /= total;
      side.sum[i] += side.weights[i];
    }
  }

  // out = sum_i weights_i row_i, four rows with a weight at a time
  void combine(const Doubles& matrix, const Side& side, Doubles& out) {
    const std::size_t stride = side.others;
    out.assign(stride, 0.0);
    std::size_t some[4], count = 0;
    for (std::size_t i = 0; i < side.size; ++i) {
      if (side.weights[i] == 0.0) continue;
      some[count++] = i;
      if (count < 4) continue;
      const double *a = matrix.data() + some[0] * stride, *b = matrix.data() + some[1] * stride,
                   *c = matrix.data() + some[2] * stride, *d = matrix.data() + some[3] * stride;
      const double wa = side.weights[some[0]], wb = side.weights[some[1]], wc = side.weights[some[2]],
                   wd = side.weights[some[3]];
      double* __restrict sum = out.data();
      for (std::size_t j = 0; j < stride; ++j) sum[j] += (wa * a[j] + wb * b[j]) + (wc * c[j] + wd * d[j]);
      count = 0;
    }
    for (std::size_t k = 0; k < count; ++k) {
      const double* a = matrix.data() + some[k] * stride;
      for (std::size_t j = 0; j < stride; ++j) out[j] += side.weights[some[k]] * a[j];
    }
  }

  Doubles mean(const Side& side) const {
    Doubles out = side.sum;
    double total = 0.0;
    for (const double w : out) total += w;
    for (double& w : out) w /= total;
    return out;
  }

  Side row_, column_;
  Doubles rows_, columns_, ahead_, met_, none_;
};

}  // namespace afterwit
