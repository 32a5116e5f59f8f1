// Boosted trees over a window of the last W rows: every now and then one more tree for the rows that are kept, and
// beyond M trees, or as many as there may be of so few rows, the oldest goes.
//   predict   m = offset + b + sum of the trees' leaves;   numbers before the first tree: the labels' mean
//   learn     slot t mod W gets x, Y_i, h_i, F_i = m;  t += 1;  if t >= next: build, next = t + max(2, min(t, W)/32)
//   build     F_i -= the oldest tree's leaf, if there are enough (dense/forest.hpp);   b and all F_i += -(share) G/(H +
//   5), share 1 before the
//             first tree and .3 later;   one tree of dense/tree_growth.hpp over min(d, 32) columns;   F_i += its leaf
// with G = sum g_i, H = sum h'_i, logistic: g = h_i (q - Y_i), h' = h_i max(q (1 - q), 1e-6), q = 1/(1 + exp(-F_i)),
// Y_i in {0, 1}; numbers: g = h_i (F_i - Y_i), h' = h_i, and b steps by the mean, -G/H. The importance of a row thus
// multiplies its slope and curvature in every build, for as long as it is kept. A leaf has the value -rate G/(H + 5);
// a node that is split leaves 2 rows on each side. dense/tree_window.hpp has the rows, their bins and the draw of the
// columns. No theorem; the tree's step is that of Chen, Guestrin 2016, the rolling window is not published.
#pragma once

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "dense/columns.hpp"
#include "dense/forest.hpp"
#include "dense/tree.hpp"
#include "dense/tree_growth.hpp"
#include "dense/tree_window.hpp"
#include "numeric/counts.hpp"
#include "numeric/lanes.hpp"
#include "numeric/multiversion.hpp"
#include "numeric/state.hpp"
#include "numeric/vector_exp.hpp"

namespace afterwit {

AFTERWIT_MULTIVERSION inline void squared_slopes(const double* __restrict margins, const double* __restrict labels,
                                                 const double* __restrict weights, std::size_t n, double* __restrict g,
                                                 double* __restrict h) {
  for (std::size_t i = 0; i < n; ++i) {
    g[i] = weights[i] * (margins[i] - labels[i]);
    h[i] = weights[i];
  }
}
AFTERWIT_MULTIVERSION inline void logistic_slopes(const double* __restrict margins, const double* __restrict labels,
                                                  const double* __restrict weights, std::size_t n, double* __restrict g,
                                                  double* __restrict h) {
  for (std::size_t i = 0; i < n; ++i) {
    const double m = margins[i], cut = m < -600.0 ? -600.0 : m > 600.0 ? 600.0 : m;  // where exp is defined
    const double q = 1.0 / (1.0 + vector::exp(-cut)), c = q * (1.0 - q);
    g[i] = weights[i] * (q - labels[i]);
    h[i] = weights[i] * (c > 1e-6 ? c : 1e-6);
  }
}
AFTERWIT_MULTIVERSION inline double sum_of(const double* __restrict values, std::size_t n) {
  double sum[lanes] = {};
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes)
    for (std::size_t l = 0; l < lanes; ++l) sum[l] += values[i + l];
  for (; i < n; ++i) sum[i % lanes] += values[i];
  return add_lanes(sum);
}
AFTERWIT_MULTIVERSION inline void add_held(double* values, std::size_t n, double step) {
  for (std::size_t i = 0; i < n; ++i) {
    const double m = values[i] + step;
    values[i] = m < -most_margin ? -most_margin : m > most_margin ? most_margin : m;
  }
}

class RollingTrees {
 public:
  static constexpr bool moments = false;
  static constexpr std::size_t most_trees = 4096, most_window = most_tree_rows;
  static constexpr double penalty = 5.0;

  RollingTrees(std::size_t trees, std::size_t window, double rate, std::uint64_t seed, bool numbers)
      : window_(window, seed), forest_(trees), growth_(penalty, 2), rate_(rate), numbers_(numbers) {}

  void reserve(std::size_t) {}

  double predict(const DenseRow& row, const Targets& targets, double offset = 0.0) {
    margin_ = held(offset + b_ + sum_of_leaves(TreeWindow::some(row.x, row.d)));
    return numbers_ && forest_.builds() == 0.0 ? targets.mean : margin_;
  }

  void learn(const DenseRow& row, const Targets&, const Targets&, double y, double h, double = 0.0) {
    const std::size_t slot = window_.learn(row, numbers_ ? y : y > 0.0 ? 1.0 : 0.0, h);
    margins_.resize(rows());
    margins_[slot] = margin_;
    if (window_.t() < next_) return;
    build();
    next_ = window_.t() + std::max(2.0, static_cast<double>(rows() / 32));
  }

  std::vector<std::pair<const char*, double>> holds() const { return window_.holds(forest_); }
  void add_gains(std::vector<double>& columns) const { forest_.add_gains(columns); }

  void visit(State& state, std::size_t d) {
    state.number("next_build", next_);
    state.number("intercept", b_);
    window_.visit(state, d);
    margins_.resize(rows());
    state.numbers("margins", margins_.data(), {"row", rows(), 1, 1});
    forest_.visit(state, window_.columns());
    forest_.grade(window_.bins());
    const std::size_t count = forest_.size();
    state.numbers("leaves", count > 0 ? forest_.data()->leaves.data() : nullptr,
                  {"leaf of a tree", count, Tree::outer, sizeof(Tree) / sizeof(float)});
  }

  bool sound() const {
    const double t = window_.t(), most_step = std::max(8.0, static_cast<double>(window_.window() / 32));
    const auto margin = [](double v) { return std::abs(v) <= 2.0 * most_margin; };  // a leaf on top of it
    const auto label = [this](double v) { return numbers_ ? std::abs(v) <= FLT_MAX : v == 0.0 || v == 1.0; };
    const auto& trees = forest_.trees();
    return window_.sound(label) && forest_.sound() && is_count(next_) && next_ > t && next_ <= t + most_step &&
           forest_.builds() <= t && margin(b_) && std::all_of(margins_.begin(), margins_.end(), margin) &&
           std::all_of(trees.begin(), trees.end(), [](const Tree& tree) {
             return std::all_of(tree.leaves.begin(), tree.leaves.end(), [](float v) { return std::isfinite(v); });
           });
  }

 private:
  std::size_t rows() const { return window_.rows(); }

  double sum_of_leaves(const float* x) {
    const Tree* trees = forest_.data();
    double sum[abreast] = {};
    forest_.each_tree(x, [&](std::size_t i, std::size_t leaf) { sum[i % abreast] += trees[i].leaves[leaf]; });
    return ((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7]));
  }

  void build() {
    if (window_.refresh_bins()) forest_.grade(window_.bins());
    if (forest_.full(rows(), window_.window())) {
      const Tree& oldest = forest_.trees().front();
      each_row(oldest, window_.x(), window_.stride(), rows(),
               [&](std::size_t row, std::size_t leaf) { margins_[row] -= oldest.leaves[leaf]; });
      forest_.drop_oldest();
    }
    move_intercept();
    slopes();
    Tree tree;
    // (Huge slopes over a small curvature cannot leave the numbers of a leaf.)
    const auto end = [&](std::size_t leaf, double G, double H) {
      constexpr double most = FLT_MAX;
      tree.leaves[leaf] = static_cast<float>(std::clamp(-rate_ * G / (H + penalty), -most, most));
    };
    leaf_.resize(rows());
    static_cast<Splits&>(tree) = growth_.grow(g_, h_, window_.draw_columns(forest_.builds()), window_.bins(),
                                              window_.codes(), window_.stride(), leaf_.data(), end);
    for (std::size_t i = 0; i < rows(); ++i) margins_[i] += tree.leaves[leaf_[i]];
    forest_.add(tree, growth_.gains());
  }
  void slopes() {
    g_.resize(rows());
    h_.resize(rows());
    (numbers_ ? squared_slopes : logistic_slopes)(margins_.data(), window_.labels(), window_.importances(), rows(),
                                                  g_.data(), h_.data());
  }
  void move_intercept() {
    slopes();
    const double G = sum_of(g_.data(), rows()), H = sum_of(h_.data(), rows());
    const double step = -G / (H + (numbers_ ? 0.0 : penalty)) * (forest_.builds() == 0.0 ? 1.0 : 0.3);
    b_ = held(b_ + step);
    add_held(margins_.data(), rows(), step);
  }

  TreeWindow window_;
  Forest<Tree> forest_;
  TreeGrowth growth_;
  double rate_;
  bool numbers_;
  double next_ = 8.0;  // rows at the next build
  double b_ = 0.0;
  std::vector<double> margins_;
  double margin_ = 0.0;  // of the row that was predicted last

  std::vector<double> g_, h_;
  std::vector<std::uint8_t> leaf_;  // of each row
};

}  // namespace afterwit
