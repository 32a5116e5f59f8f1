// Boosted trees over a window of the last W rows for several classes: a tree has one structure for all of them, and in
// each leaf a value for each.
//   predict   m_c = b_c + sum of the trees' leaves,   p = softmax(m)
//   learn     slot t mod W gets x, y_i, h_i, F_i = m;  t += 1;  if t >= next: build, next = t + max(4, min(t, W)/32)
//   build     F_ic -= the oldest tree's leaf, if there are M;   b_c and all F_ic += -(share) G_c/(H_c + 20 (C -
//   1)/C^2),
//             share .5 before the first tree and .3 later;   signs r_c in {-1, +1}, keyed by the seed and its number;
//             the structure is that of dense/tree_growth.hpp for g_i = h_i sum_c r_c (p_ic - [y_i = c]) and
//             h'_i = h_i max(1 - (sum_c r_c p_ic)^2, 1e-6), with a penalty of 20 and 5 rows on each side;
//             leaves v_c = -rate G_c/(H_c + 20 (C - 1)/C^2),   F_ic += v_c
// with p_i = softmax(F_i), G_c = sum h_i (p_ic - [y_i = c]), H_c = sum h_i p_ic (1 - p_ic), over all rows or those of a
// leaf. h'_i is h_i times the variance of r under p_i. Signs that are all the same have no slopes: that of class
// (number of the build) mod C is turned then. A class that comes late has 0 in b, in the kept rows and in all leaves.
// With one class there is nothing to build. The first build is at 16 rows; dense/tree_window.hpp has the rows, their
// bins and the draw of the columns. Neither these structures nor the rolling window are published.
#pragma once

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "dense/class_table.hpp"
#include "dense/columns.hpp"
#include "dense/forest.hpp"
#include "dense/tree.hpp"
#include "dense/tree_growth.hpp"
#include "dense/tree_window.hpp"
#include "numeric/aligned.hpp"
#include "numeric/counts.hpp"
#include "numeric/keyed.hpp"
#include "numeric/multiversion.hpp"
#include "numeric/softmax.hpp"
#include "numeric/state.hpp"
#include "numeric/vector_exp.hpp"

namespace afterwit {

namespace class_trees {

constexpr std::size_t block = 8;  // rows; their numbers lie side by side, class after class

// What is known of a block of rows; the importance is 0 where there is no row.
struct Block {
  double importance[block];
  double label[block];
};
// The margins, or probabilities, of blocks of rows.
struct Kept {
  std::size_t blocks, classes, stride;
};

inline void softmax_block(const double* __restrict F, std::size_t classes, double* __restrict p) {
  double most[block], sum[block] = {};
  for (std::size_t l = 0; l < block; ++l) most[l] = F[l];
  for (std::size_t c = 1; c < classes; ++c)
    for (std::size_t l = 0; l < block; ++l) most[l] = F[c * block + l] > most[l] ? F[c * block + l] : most[l];
  for (std::size_t c = 0; c < classes; ++c)
    for (std::size_t l = 0; l < block; ++l) {
      const double gap = F[c * block + l] - most[l];
      p[c * block + l] = vector::exp(gap > -100.0 ? gap : -100.0);
      sum[l] += p[c * block + l];
    }
  for (std::size_t l = 0; l < block; ++l) sum[l] = 1.0 / sum[l];
  for (std::size_t c = 0; c < classes; ++c)
    for (std::size_t l = 0; l < block; ++l) p[c * block + l] *= sum[l];
}

// p_i, and G_c and H_c, each in as many sums as a block has rows.
AFTERWIT_MULTIVERSION __attribute__((flatten)) inline void all_slopes(const Kept& kept, const Block* __restrict rows,
                                                                      const double* __restrict F, double* __restrict p,
                                                                      double* __restrict G, double* __restrict H) {
  const std::size_t classes = kept.classes;
  for (std::size_t i = 0; i < classes * block; ++i) G[i] = H[i] = 0.0;
  for (std::size_t b = 0; b < kept.blocks; ++b) {
    const Block& row = rows[b];
    double* __restrict own = p + b * classes * block;
    softmax_block(F + b * kept.stride, classes, own);
    for (std::size_t c = 0; c < classes; ++c) {
      const auto code = static_cast<double>(c);
      for (std::size_t l = 0; l < block; ++l) {
        const double q = own[c * block + l];
        G[c * block + l] += row.importance[l] * (row.label[l] == code ? q - 1.0 : q);
        H[c * block + l] += row.importance[l] * (q * (1.0 - q));
      }
    }
  }
}

// Moves the margins by the steps; p_i, and the slopes and curvatures along the signs.
AFTERWIT_MULTIVERSION __attribute__((flatten)) inline void signed_slopes(const Kept& kept, const Block* __restrict rows,
                                                                         const double* __restrict steps,
                                                                         const double* __restrict signs,
                                                                         double* __restrict F, double* __restrict p,
                                                                         double* __restrict g, double* __restrict h) {
  const std::size_t classes = kept.classes;
  for (std::size_t b = 0; b < kept.blocks; ++b) {
    const Block& row = rows[b];
    double* __restrict margins = F + b * kept.stride;
    double* __restrict own = p + b * classes * block;
    for (std::size_t c = 0; c < classes; ++c)
      for (std::size_t l = 0; l < block; ++l) {
        const double m = margins[c * block + l] + steps[c];
        margins[c * block + l] = m < -most_margin ? -most_margin : m > most_margin ? most_margin : m;
      }
    softmax_block(margins, classes, own);
    double mean[block] = {}, sign[block] = {};
    for (std::size_t c = 0; c < classes; ++c) {
      const auto code = static_cast<double>(c);
      for (std::size_t l = 0; l < block; ++l) {
        mean[l] += signs[c] * own[c * block + l];
        sign[l] = row.label[l] == code ? signs[c] : sign[l];
      }
    }
    for (std::size_t l = 0; l < block; ++l) {
      const double variance = 1.0 - mean[l] * mean[l];
      g[b * block + l] = row.importance[l] * (mean[l] - sign[l]);
      h[b * block + l] = row.importance[l] * (variance > 1e-6 ? variance : 1e-6);
    }
  }
}

using SlopeAndCurvature = double __attribute__((vector_size(16)));

// sums[leaf * classes + c] += (h_i (p_ic - [y_i = c]), h_i p_ic (1 - p_ic)), row after row
AFTERWIT_MULTIVERSION inline void add_to_leaves(const Kept& kept, const Block* __restrict rows,
                                                const double* __restrict p, const std::uint8_t* __restrict leaves,
                                                SlopeAndCurvature* __restrict sums) {
  const std::size_t classes = kept.classes;
  for (std::size_t b = 0; b < kept.blocks; ++b) {
    const Block& row = rows[b];
    const double* __restrict own = p + b * classes * block;
    SlopeAndCurvature* to[block];
    for (std::size_t l = 0; l < block; ++l) to[l] = sums + leaves[b * block + l] * classes;
    for (std::size_t c = 0; c < classes; ++c) {
      double slope[block], curvature[block];
      for (std::size_t l = 0; l < block; ++l) {
        slope[l] = row.importance[l] * own[c * block + l];
        curvature[l] = slope[l] * (1.0 - own[c * block + l]);
      }
      for (std::size_t l = 0; l < block; ++l) to[l][c] += SlopeAndCurvature{slope[l], curvature[l]};
    }
    for (std::size_t l = 0; l < block; ++l) to[l][static_cast<std::size_t>(row.label[l])][0] -= row.importance[l];
  }
}

// F_ic += factor times the value of the row's leaf, whose values are `stride` apart
inline void add_leaves(const Kept& kept, const std::uint8_t* leaves, const float* values, std::size_t stride,
                       double factor, double* F) {
  for (std::size_t b = 0; b < kept.blocks; ++b) {
    const float* from[block];
    for (std::size_t l = 0; l < block; ++l) from[l] = values + leaves[b * block + l] * stride;
    double* margins = F + b * kept.stride;
    for (std::size_t c = 0; c < kept.classes; ++c)
      for (std::size_t l = 0; l < block; ++l) margins[c * block + l] += factor * static_cast<double>(from[l][c]);
  }
}

// m = the sum of some rows of leaves, of which there are a multiple of 4: row i goes to running sum i mod 4. Behind the
// classes there is room for as many as make a block.
AFTERWIT_MULTIVERSION inline void sum_leaves(const float* __restrict leaves, std::size_t stride, std::size_t classes,
                                             const std::uint32_t* __restrict rows, std::size_t count,
                                             double* __restrict m) {
  for (std::size_t first = 0; first < classes; first += block) {
    double sum[4][block] = {};
    for (std::size_t i = 0; i < count; i += 4)
      for (std::size_t k = 0; k < 4; ++k) {
        const float* __restrict row = leaves + rows[i + k] * stride + first;
        for (std::size_t l = 0; l < block; ++l) sum[k][l] += static_cast<double>(row[l]);
      }
    for (std::size_t l = 0; l < block; ++l) m[first + l] = (sum[0][l] + sum[1][l]) + (sum[2][l] + sum[3][l]);
  }
}

}  // namespace class_trees

class ClassTrees {
 public:
  static constexpr bool moments = false;
  static constexpr double penalty = 20.0;
  static constexpr std::size_t most_memory = std::size_t{1} << 26;  // bytes

  ClassTrees(std::size_t trees, std::size_t window, double rate, std::uint64_t seed)
      : window_(window, seed), forest_(trees), growth_(penalty, 5), rate_(rate), seed_(seed) {}

  // A build takes time for each kept row and class, and each takes memory: twice 8 bytes, in each leaf 4 bytes, and
  // half as much again, which is for classes to come.
  std::size_t most_classes() const {
    return std::min<std::size_t>(256, most_memory / (24 * window_.window() + 192 * forest_.most()));
  }

  void reserve(std::size_t, std::size_t classes) {
    if (classes <= classes_) return;
    classes_ = classes;
    F_.reserve(F_.rows(), classes);
    leaves_.reserve(leaves_.rows(), classes);
    b_.resize(classes);
    m_.resize(leaves_.stride());
  }

  void predict(const DenseRow& row, double* p) {
    rows_of_leaves_.resize(forest_.trees().size());
    forest_.each_tree(TreeWindow::some(row.x, row.d), [this](std::size_t i, std::size_t leaf) {
      rows_of_leaves_[i] = static_cast<std::uint32_t>(i * Splits::outer + leaf);
    });
    class_trees::sum_leaves(leaves_.row(0), leaves_.stride(), classes_, rows_of_leaves_.data(), rows_of_leaves_.size(),
                            m_.data());
    for (std::size_t c = 0; c < classes_; ++c) m_[c] = held(b_[c] + m_[c]);
    softmax(m_.data(), classes_, p);
  }

  void learn(const DenseRow& row, std::size_t y, double h) {
    const std::size_t slot = window_.learn(row, static_cast<double>(y), h);
    F_.reserve(blocks(), classes_);
    for (std::size_t c = 0; c < classes_; ++c) margin(slot, c) = m_[c];
    if (window_.t() < next_) return;
    if (classes_ > 1) build();
    next_ = window_.t() + std::max(4.0, static_cast<double>(window_.rows() / 32));
  }

  std::vector<std::pair<const char*, double>> holds() const { return window_.holds(forest_); }
  void add_gains(std::vector<double>& columns) const { forest_.add_gains(columns); }

  void visit(State& state, std::size_t d, std::size_t classes) {
    state.number("next_build", next_);
    window_.visit(state, d);
    forest_.visit(state, window_.columns());
    forest_.grade(window_.bins());
    const std::size_t n = window_.rows(), leaves = forest_.size() * Splits::outer;
    const Shape margins{"row and class", n, classes, classes};
    state.expect("intercepts", {"class", classes, 1, 1});
    state.expect("margins", margins);
    state.expect("leaves", {"leaf and class", leaves, classes, classes});
    reserve(d, classes);
    F_.reserve(blocks(), classes);
    leaves_.reserve(forest_.trees().size() * Splits::outer, classes);
    std::vector<double> F(n * classes);
    for (std::size_t i = 0; i < F.size(); ++i) F[i] = margin(i / classes, i % classes);
    state.numbers("intercepts", b_.data(), {"class", classes, 1, 1});
    state.numbers("margins", F.data(), margins);
    state.numbers("leaves", leaves_.row(0), {"leaf and class", leaves, classes, leaves_.stride()});
    for (std::size_t i = 0; i < F.size(); ++i) margin(i / classes, i % classes) = F[i];
    const auto possible = [](double v) { return std::abs(v) <= 2.0 * most_margin; };  // a leaf on top of it
    sound_parts_ = std::all_of(b_.begin(), b_.end(), possible) && std::all_of(F.begin(), F.end(), possible);
  }

  bool sound() const {
    const double t = window_.t(), most_step = std::max(16.0, static_cast<double>(window_.window() / 32));
    const auto label = [this](double v) { return is_count(v) && v < static_cast<double>(classes_); };
    return sound_parts_ && window_.sound(label) && forest_.sound() && forest_.builds() <= t && is_count(next_) &&
           next_ > t && next_ <= t + most_step &&
           std::all_of(leaves_.row(0), leaves_.row(leaves_.rows()), [](float v) { return std::isfinite(v); });
  }

 private:
  std::size_t blocks() const { return (window_.rows() + class_trees::block - 1) / class_trees::block; }
  double& margin(std::size_t slot, std::size_t c) {
    return F_.row(slot / class_trees::block)[c * class_trees::block + slot % class_trees::block];
  }
  // The value of a leaf, or of the step of the intercept, before its rate.
  double newton_step(double G, double H) const {
    const auto C = static_cast<double>(classes_);
    return -G / (H + penalty * (C - 1.0) / (C * C));
  }

  void build() {
    if (window_.refresh_bins()) forest_.grade(window_.bins());
    const std::size_t n = window_.rows();
    set_blocks();
    const class_trees::Kept kept{blocks(), classes_, F_.stride()};
    if (forest_.full(n, window_.window())) {
      each_row(forest_.trees().front(), window_.x(), window_.stride(), n,
               [this](std::size_t row, std::size_t leaf) { leaf_[row] = static_cast<std::uint8_t>(leaf); });
      class_trees::add_leaves(kept, leaf_.data(), leaves_.row(0), leaves_.stride(), -1.0, F_.row(0));
      forest_.drop_oldest();
      leaves_.drop_first(Splits::outer);
    }
    find_steps(kept);
    draw_signs();
    class_trees::signed_slopes(kept, rows_.data(), steps_.data(), signs_.data(), F_.row(0), p_.data(), g_.data(),
                               h_.data());
    const Splits tree =
        growth_.grow({g_.data(), n}, {h_.data(), n}, window_.draw_columns(forest_.builds()), window_.bins(),
                     window_.codes(), window_.stride(), leaf_.data(), [](std::size_t, double, double) {});
    forest_.add(tree, growth_.gains());
    leaves_.reserve(forest_.trees().size() * Splits::outer, classes_);
    float* leaves = leaves_.row((forest_.size() - 1) * Splits::outer);
    set_leaves(kept, leaves);
    class_trees::add_leaves(kept, leaf_.data(), leaves, leaves_.stride(), 1.0, F_.row(0));
  }
  // Room for a build, and the rows in blocks.
  void set_blocks() {
    const std::size_t n = window_.rows(), all = blocks() * class_trees::block;
    rows_.assign(blocks(), {});
    for (std::size_t i = 0; i < n; ++i) {
      class_trees::Block& row = rows_[i / class_trees::block];
      row.importance[i % class_trees::block] = window_.importances()[i];
      row.label[i % class_trees::block] = window_.labels()[i];
    }
    leaf_.assign(all, 0);
    p_.resize(all * classes_);
    g_.resize(all);
    h_.resize(all);
    G_.resize(classes_ * class_trees::block);
    H_.resize(classes_ * class_trees::block);
    steps_.resize(classes_);
    signs_.resize(classes_);
  }
  void find_steps(const class_trees::Kept& kept) {
    const auto sum = [](const double* all) {
      return ((all[0] + all[4]) + (all[2] + all[6])) + ((all[1] + all[5]) + (all[3] + all[7]));
    };
    class_trees::all_slopes(kept, rows_.data(), F_.row(0), p_.data(), G_.data(), H_.data());
    const double share = forest_.builds() == 0.0 ? 0.5 : 0.3;
    for (std::size_t c = 0; c < classes_; ++c) {
      steps_[c] = share * newton_step(sum(&G_[c * class_trees::block]), sum(&H_[c * class_trees::block]));
      b_[c] = held(b_[c] + steps_[c]);
    }
  }
  // (The draws of the columns have other keys.)
  void draw_signs() {
    const auto build = static_cast<std::uint64_t>(forest_.builds());
    const std::uint64_t key = (std::uint64_t{1} << 62) + build * 256;
    double sum = 0.0;
    for (std::size_t c = 0; c < classes_; ++c) {
      signs_[c] = keyed_uniform(seed_, key + c) < 0.5 ? -1.0 : 1.0;
      sum += signs_[c];
    }
    if (std::fabs(sum) == static_cast<double>(classes_)) signs_[static_cast<std::size_t>(build % classes_)] *= -1.0;
  }
  // (Huge slopes over a small curvature cannot leave the numbers of a leaf.)
  void set_leaves(const class_trees::Kept& kept, float* leaves) {
    sums_.assign(2 * Splits::outer * classes_, 0.0);
    class_trees::add_to_leaves(kept, rows_.data(), p_.data(), leaf_.data(),
                               reinterpret_cast<class_trees::SlopeAndCurvature*>(sums_.data()));
    constexpr double most = FLT_MAX;
    for (std::size_t leaf = 0; leaf < Splits::outer; ++leaf)
      for (std::size_t c = 0; c < classes_; ++c) {
        const double* sum = &sums_[2 * (leaf * classes_ + c)];
        leaves[leaf * leaves_.stride() + c] =
            static_cast<float>(std::clamp(rate_ * newton_step(sum[0], sum[1]), -most, most));
      }
  }

  TreeWindow window_;
  Forest<Splits> forest_;
  TreeGrowth growth_;
  double rate_;
  std::uint64_t seed_;
  double next_ = 16.0;  // rows at the next build
  std::size_t classes_ = 0;
  std::vector<double> b_;
  ClassTable<double, class_trees::block> F_;  // a row per block of rows
  ClassTable<float> leaves_;                  // a row per leaf, tree after tree
  std::vector<double> m_;                     // of the row that was predicted last
  bool sound_parts_ = true;

  std::vector<std::uint32_t> rows_of_leaves_;
  std::vector<class_trees::Block> rows_;
  std::vector<std::uint8_t> leaf_;  // of each row
  Doubles p_, g_, h_, G_, H_, sums_;
  std::vector<double> steps_, signs_;
};

}  // namespace afterwit
