// One tree from rows in bins, slopes g_i and curvatures h_i: Newton's step of boosting, Chen, Guestrin 2016, (5)-(7).
//   a node is split where
//     G_L^2/(H_L + penalty) + G_R^2/(H_R + penalty) - G^2/(H + penalty)
//   is largest, if above 0, with at least so many rows on each side; the first largest, columns and edges in order
// G and H are sums over the rows of a node. Slopes and curvatures are rounded to 30 bits below the largest of them and
// added as integers: the sums are exact, so that their order cannot matter, the histogram of a child is that of its
// parent less that of its sibling, and two columns that part the rows alike are a tie. What a leaf is worth is for the
// owner.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "dense/bins.hpp"
#include "dense/tree.hpp"
#include "numeric/lanes.hpp"
#include "numeric/multiversion.hpp"

namespace afterwit {

// Slope, and curvature above the number of rows: both sums in one addition.
using SlopeSums = long long __attribute__((vector_size(16)));
constexpr int count_bits = 16;
constexpr int slope_bits = 30;
constexpr std::size_t most_tree_rows = std::size_t{1} << 15;  // sums stay below 2^46, beside the count below 2^62

AFTERWIT_MULTIVERSION inline double largest_size(const double* __restrict values, std::size_t n) {
  double most[lanes] = {};
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes)
    for (std::size_t l = 0; l < lanes; ++l) {
      const double v = values[i + l], size = v < 0.0 ? -v : v;
      most[l] = size > most[l] ? size : most[l];
    }
  for (; i < n; ++i) {
    const double size = values[i] < 0.0 ? -values[i] : values[i];
    most[i % lanes] = size > most[i % lanes] ? size : most[i % lanes];
  }
  return largest_lane(most);
}

// The power of two that brings numbers up to `largest` to slope_bits bits. (Never below 2^-900: then all are 0.)
inline double unit_of(double largest) {
  const int exponent = std::max(static_cast<int>(std::bit_cast<std::uint64_t>(largest) >> 52) - 1022, -900);
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent - slope_bits + 1023) << 52);
}

// To the nearest integer, of ties the even one: what is added to the magic number is rounded.
AFTERWIT_MULTIVERSION inline void round_slopes(const double* __restrict g, const double* __restrict h, std::size_t n,
                                               double per_g, double per_h, SlopeSums* __restrict out) {
  constexpr double magic = 6755399441055744.0;  // 1.5 * 2^52
  constexpr auto zero = std::bit_cast<std::int64_t>(magic);
  auto* words = reinterpret_cast<std::int64_t*>(out);
  for (std::size_t i = 0; i < n; ++i) {
    words[2 * i] = std::bit_cast<std::int64_t>(g[i] * per_g + magic) - zero;
    words[2 * i + 1] = ((std::bit_cast<std::int64_t>(h[i] * per_h + magic) - zero) << count_bits) + 1;
  }
}

class TreeGrowth {
 public:
  TreeGrowth(double penalty, std::size_t least_rows) : penalty_(penalty), least_rows_(least_rows) {}

  // Grows a tree for the rows 0..n-1 over `columns` (at most 32, ascending), whose codes are in rows `stride` apart,
  // and calls `end` with each leaf, its rows, G and H.
  template <class End>
  Splits grow(std::span<const double> g, std::span<const double> h, std::span<const std::uint32_t> columns,
              const Bins& bins, const std::uint8_t* codes, std::size_t stride, const End& end) {
    const std::size_t n = g.size();
    unit_g_ = unit_of(largest_size(g.data(), n));
    unit_h_ = unit_of(largest_size(h.data(), n));
    whole_penalty_ = penalty_ / unit_h_;
    slopes_.resize(n);
    round_slopes(g.data(), h.data(), n, 1.0 / unit_g_, 1.0 / unit_h_, slopes_.data());
    set_columns(columns, bins, codes, stride, n);
    tree_ = {};
    rows_.resize(n);
    others_.resize(n);
    SlopeSums all{};
    for (std::size_t i = 0; i < n; ++i) {
      rows_[i] = static_cast<std::uint32_t>(i);
      all += slopes_[i];
    }
    add_rows({rows_.data(), n}, sums_.data());
    grow_node({0, 0, 0, n, all}, sums_.data(), end);
    return tree_;
  }

 private:
  struct Node {
    std::size_t k, level, begin, end;
    SlopeSums sums;
    std::size_t rows() const { return end - begin; }
  };
  struct Split {
    double gain = 0.0;
    std::size_t column = 0, edge = 0;
    SlopeSums left{};
  };
  static constexpr long long count_mask = (1LL << count_bits) - 1;
  static std::size_t count(const SlopeSums& sums) { return static_cast<std::size_t>(sums[1] & count_mask); }

  bool can_split(const Node& node) const { return node.level < Splits::depth && node.rows() >= 2 * least_rows_; }

  // The columns' codes beside one another, if they are not yet.
  void set_columns(std::span<const std::uint32_t> columns, const Bins& bins, const std::uint8_t* codes,
                   std::size_t stride, std::size_t n) {
    columns_ = columns;
    bins_ = &bins;
    edges_.clear();
    for (const std::uint32_t j : columns) edges_.push_back(bins.count(j));
    sums_.resize((Splits::depth + 1) * columns.size() * Bins::most);
    codes_ = codes;
    stride_ = stride;
    if (columns.empty() || columns.back() + 1 == columns.size()) return;
    chosen_.resize(n * columns.size());
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t c = 0; c < columns.size(); ++c) chosen_[i * columns.size() + c] = codes[i * stride + columns[c]];
    codes_ = chosen_.data();
    stride_ = columns.size();
  }

  std::size_t cells() const { return columns_.size() * Bins::most; }

  void add_rows(std::span<const std::uint32_t> rows, SlopeSums* sums) const {
    std::fill_n(sums, cells(), SlopeSums{});
    const std::size_t width = columns_.size();
    for (const std::uint32_t row : rows) {
      const std::uint8_t* codes = codes_ + row * stride_;
      const SlopeSums slope = slopes_[row];
      std::size_t c = 0;
      for (; c + 8 <= width; c += 8) add_eight(codes + c, slope, sums + c * Bins::most);
      for (; c < width; ++c) sums[c * Bins::most + codes[c]] += slope;
    }
  }
  // To eight columns; their codes are read as one word.
  static void add_eight(const std::uint8_t* codes, SlopeSums slope, SlopeSums* sums) {
    std::uint64_t word;
    std::memcpy(&word, codes, sizeof word);
    for (std::size_t c = 0; c < 8; ++c) sums[c * Bins::most + (word >> 8 * c & 255u)] += slope;
  }

  // `sums` are the node's own, and behind them is room for those of its children.
  template <class End>
  void grow_node(const Node& node, SlopeSums* sums, const End& end) {
    const Split split = can_split(node) ? best_split(node, sums) : Split{};
    if (!(split.gain > 0.0)) return end_in_leaf(node, end);
    tree_.nodes[node.k] = {bins_->edges(columns_[split.column])[split.edge], columns_[split.column]};
    const std::size_t middle = part_rows(node, split);
    const Node left{2 * node.k + 1, node.level + 1, node.begin, middle, split.left};
    const Node right{2 * node.k + 2, node.level + 1, middle, node.end, node.sums - split.left};
    const bool left_is_smaller = left.rows() <= right.rows();
    const Node &smaller = left_is_smaller ? left : right, &larger = left_is_smaller ? right : left;
    SlopeSums* room = sums + cells();
    if (can_split(larger)) {
      add_rows({rows_.data() + smaller.begin, smaller.rows()}, room);
      for (std::size_t i = 0; i < cells(); ++i) sums[i] -= room[i];
    }
    grow_node(smaller, room, end);
    grow_node(larger, sums, end);
  }

  double score(double g, double h) const { return g * g / (h + whole_penalty_); }
  double score(const SlopeSums& sums) const {
    return score(static_cast<double>(sums[0]), static_cast<double>(sums[1] >> count_bits));
  }
  Split best_split(const Node& node, const SlopeSums* sums) const {
    Split best;
    const std::size_t rows = node.rows(), least = least_rows_;
    const double whole = score(node.sums);
    for (std::size_t c = 0; c < columns_.size(); ++c, sums += Bins::most) {
      SlopeSums left{};
      for (std::size_t e = 0; e < edges_[c]; ++e) {
        if (sums[e][1] == 0) continue;  // no row: as the edge before
        left += sums[e];
        if (count(left) < least) continue;
        if (count(left) + least > rows) break;
        const double gain = score(left) + score(node.sums - left) - whole;
        if (gain > best.gain) best = {gain, c, e, left};
      }
    }
    return best;
  }

  // The rows that go left before those that go right, both in their order.
  std::size_t part_rows(const Node& node, const Split& split) {
    std::uint32_t* left = rows_.data() + node.begin;
    std::uint32_t* right = others_.data();
    for (std::size_t i = node.begin; i < node.end; ++i) {
      const std::uint32_t row = rows_[i];
      const bool goes_left = codes_[row * stride_ + split.column] <= split.edge;
      *left = row;
      *right = row;
      left += goes_left;
      right += !goes_left;
    }
    std::copy(others_.data(), right, left);
    return static_cast<std::size_t>(left - rows_.data());
  }

  template <class End>
  void end_in_leaf(const Node& node, const End& end) const {
    end(Splits::leftmost_leaf(node.k, node.level),
        std::span<const std::uint32_t>(rows_.data() + node.begin, node.rows()),
        static_cast<double>(node.sums[0]) * unit_g_, static_cast<double>(node.sums[1] >> count_bits) * unit_h_);
  }

  double penalty_;
  std::size_t least_rows_;
  double unit_g_ = 1.0, unit_h_ = 1.0, whole_penalty_ = 0.0;  // the penalty in units of h
  Splits tree_;
  std::span<const std::uint32_t> columns_;
  const Bins* bins_ = nullptr;
  const std::uint8_t* codes_ = nullptr;
  std::size_t stride_ = 0;
  std::vector<std::size_t> edges_;            // how many, of each of the columns
  std::vector<std::uint8_t> chosen_;          // their codes, where they are not all columns
  std::vector<SlopeSums> slopes_;             // of the rows
  std::vector<SlopeSums> sums_;               // of the bins, one node per level
  std::vector<std::uint32_t> rows_, others_;  // node after node
};

}  // namespace afterwit
