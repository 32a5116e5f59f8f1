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
#include <cfloat>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
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
constexpr long long count_mask = (1LL << count_bits) - 1;
constexpr std::size_t most_tree_rows = std::size_t{1} << 15;  // sums stay below 2^46, beside the count below 2^62

// (Sizes are in the order of their bits, and the largest of integers is found lane by lane.)
AFTERWIT_MULTIVERSION inline double largest_size(const double* values, std::size_t n) {
  std::int64_t most = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const auto size = std::bit_cast<std::int64_t>(values[i]) & std::int64_t{0x7FFFFFFFFFFFFFFF};
    most = size > most ? size : most;
  }
  return std::bit_cast<double>(most);
}

// The power of two that brings numbers up to `largest` to slope_bits bits. (Never below 2^-900: then all are 0.)
inline double unit_of(double largest) {
  const int exponent = std::max(static_cast<int>(std::bit_cast<std::uint64_t>(largest) >> 52) - 1022, -900);
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent - slope_bits + 1023) << 52);
}

// To the nearest integer, of ties the even one: what is added to this number is rounded.
constexpr double rounding = 6755399441055744.0;  // 1.5 * 2^52
AFTERWIT_MULTIVERSION inline void round_slopes(const double* __restrict g, const double* __restrict h, std::size_t n,
                                               double per_g, double per_h, SlopeSums* __restrict out) {
  constexpr auto zero = std::bit_cast<std::int64_t>(rounding);
  auto* words = reinterpret_cast<std::int64_t*>(out);
  for (std::size_t i = 0; i < n; ++i) {
    words[2 * i] = std::bit_cast<std::int64_t>(g[i] * per_g + rounding) - zero;
    words[2 * i + 1] = ((std::bit_cast<std::int64_t>(h[i] * per_h + rounding) - zero) << count_bits) + 1;
  }
}

// So many that a loop over them has no rest.
inline std::size_t in_eights(std::size_t count) { return (count + 7) / 8 * 8; }

// The sums of all bins up to each, column after column; of no more bins than have edges behind them, in eights.
inline void accumulate(SlopeSums* sums, std::span<const std::uint8_t> edges) {
  for (const std::size_t count : edges) {
    SlopeSums all{};
    for (std::size_t e = 0; e < in_eights(count); ++e) sums[e] = all += sums[e];
    sums += Bins::most;
  }
}
inline void subtract(SlopeSums* sums, const SlopeSums* others, std::span<const std::uint8_t> edges) {
  for (const std::size_t count : edges) {
    for (std::size_t e = 0; e < in_eights(count); ++e) sums[e] -= others[e];
    sums += Bins::most;
    others += Bins::most;
  }
}

struct EdgeLimits {
  double G, H, penalty, whole, fewest, most;
};
struct BestEdge {
  double gain = 0.0;
  std::size_t place = 0;  // column * Bins::most + edge
};

// A whole number below 2^51: no vector unit before AVX-512 converts them.
inline double whole_number(std::int64_t v) {
  return std::bit_cast<double>(v + std::bit_cast<std::int64_t>(rounding)) - rounding;
}

// The gains of a column's edges as bits, 0 where there is none, and the largest of them: numbers above 0 are in the
// order of their bits, and the largest of integers is found lane by lane.
inline std::int64_t gains_of(const long long* __restrict left, std::size_t count, const EdgeLimits& is,
                             std::int64_t* __restrict gains) {
  std::int64_t most = 0;
  for (std::size_t e = 0; e < count; ++e) {
    const std::int64_t h = left[2 * e + 1];
    const double GL = whole_number(left[2 * e]), HL = whole_number(h >> count_bits), GR = is.G - GL, HR = is.H - HL;
    const double gain = GL * GL / (HL + is.penalty) + GR * GR / (HR + is.penalty) - is.whole;
    const auto rows = whole_number(h & count_mask);
    const double kept = gain > 0.0 ? gain : 0.0, enough = rows >= is.fewest ? kept : 0.0;
    const auto bits = std::bit_cast<std::int64_t>(rows <= is.most ? enough : 0.0);
    gains[e] = bits;
    most = bits > most ? bits : most;
  }
  return most;
}

// `left` are sums up to each edge. Behind the last edge all rows are on the left: no split.
AFTERWIT_MULTIVERSION __attribute__((flatten)) inline BestEdge best_edge(const SlopeSums* left,
                                                                         std::span<const std::uint8_t> edges,
                                                                         const SlopeSums& all, double penalty,
                                                                         std::size_t least) {
  const auto G = static_cast<double>(all[0]), H = static_cast<double>(all[1] >> count_bits);
  const EdgeLimits limits{G,
                          H,
                          penalty,
                          G * G / (H + penalty),
                          static_cast<double>(least),
                          static_cast<double>((all[1] & count_mask) - static_cast<long long>(least))};
  std::int64_t best = 0, gains[Bins::most];
  std::size_t place = 0;
  for (std::size_t c = 0; c < edges.size(); ++c) {
    const auto* words = reinterpret_cast<const long long*>(left + c * Bins::most);
    const std::int64_t most = gains_of(words, in_eights(edges[c]), limits, gains);
    if (most <= best) continue;
    best = most;
    place = c * Bins::most + static_cast<std::size_t>(std::find(gains, gains + Bins::most, most) - gains);
  }
  return {std::bit_cast<double>(best), place};
}

class TreeGrowth {
 public:
  TreeGrowth(double penalty, std::size_t least_rows) : penalty_(penalty), least_rows_(least_rows) {}

  // Grows a tree for the rows 0..n-1 over `columns` (at most 32, ascending), whose codes are in rows `stride` apart,
  // writes the leaf of each row, and calls `end` with each leaf, its G and H.
  template <class End>
  Splits grow(std::span<const double> g, std::span<const double> h, std::span<const std::uint32_t> columns,
              const Bins& bins, const std::uint8_t* codes, std::size_t stride, std::uint8_t* leaves, const End& end) {
    const std::size_t n = g.size();
    unit_g_ = unit_of(largest_size(g.data(), n));
    unit_h_ = unit_of(largest_size(h.data(), n));
    whole_penalty_ = penalty_ / unit_h_;
    slopes_.resize(n);
    round_slopes(g.data(), h.data(), n, 1.0 / unit_g_, 1.0 / unit_h_, slopes_.data());
    set_columns(columns, bins, codes, stride, n);
    tree_ = {};
    gains_ = {};
    leaves_ = leaves;
    rows_.resize(n);
    others_.resize(n);
    SlopeSums all{};
    for (std::size_t i = 0; i < n; ++i) {
      rows_[i] = static_cast<std::uint16_t>(i);
      all += slopes_[i];
    }
    add_rows({rows_.data(), n}, sums_.data());
    grow_node({0, 0, 0, n, all}, sums_.data(), end);
    return tree_;
  }
  // Of the nodes of the tree that was grown last, 0 where they are not split.
  const Splits::Gains& gains() const { return gains_; }

 private:
  struct Node {
    std::size_t k, level, begin, end;
    SlopeSums sums;
    std::size_t rows() const { return end - begin; }
  };
  struct Split {
    std::size_t column, edge;
  };

  bool can_split(const Node& node) const { return node.level < Splits::depth && node.rows() >= 2 * least_rows_; }

  // Those that have edges; their codes beside one another, if they are not yet.
  void set_columns(std::span<const std::uint32_t> columns, const Bins& bins, const std::uint8_t* codes,
                   std::size_t stride, std::size_t n) {
    bins_ = &bins;
    columns_.clear();
    edges_.clear();
    for (const std::uint32_t j : columns)
      if (const std::size_t count = bins.count(j); count > 0) {
        columns_.push_back(j);
        edges_.push_back(static_cast<std::uint8_t>(count));
      }
    sums_.resize((Splits::depth + 1) * cells());
    codes_ = codes;
    stride_ = stride;
    if (columns_.empty() || columns_.back() + 1 == columns_.size()) return;
    stride_ = columns_.size();
    chosen_.resize(n * stride_);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t c = 0; c < stride_; ++c) chosen_[i * stride_ + c] = codes[i * stride + columns_[c]];
    codes_ = chosen_.data();
  }

  std::size_t cells() const { return columns_.size() * Bins::most; }

  // The sums of the rows up to each edge.
  void add_rows(std::span<const std::uint16_t> rows, SlopeSums* sums) const {
    std::fill_n(sums, cells(), SlopeSums{});
    for (std::size_t c = 0; c < columns_.size(); c += 16) add_columns(rows, c, sums);
    accumulate(sums, edges_);
  }
  // To `most` columns from c on, or those that are left: a loop whose length is known is one without an end to test
  // for.
  template <std::size_t most = 16>
  void add_columns(std::span<const std::uint16_t> rows, std::size_t c, SlopeSums* sums) const {
    if constexpr (most > 1)
      if (columns_.size() - c < most) return add_columns<most - 1>(rows, c, sums);
    const std::uint8_t* codes = codes_ + c;
    auto* words = reinterpret_cast<long long*>(sums + c * Bins::most);
    const std::size_t stride = stride_;
    for (const std::size_t row : rows)
      add_row(codes + row * stride, slopes_[row], words, std::make_index_sequence<most>{});
  }
  template <std::size_t... c>
  static void add_row(const std::uint8_t* codes, SlopeSums slope, long long* words, std::index_sequence<c...>) {
    ((*reinterpret_cast<SlopeSums*>(words + 2 * c * Bins::most + codes[c]) += slope), ...);
  }

  // `sums` are the node's own, and behind them is room for those of its children.
  template <class End>
  void grow_node(const Node& node, SlopeSums* sums, const End& end) {
    const BestEdge best =
        can_split(node) ? best_edge(sums, edges_, node.sums, whole_penalty_, least_rows_) : BestEdge{};
    if (!(best.gain > 0.0)) return end_in_leaf(node, end);
    const Split split{best.place / Bins::most, best.place % Bins::most};
    tree_.nodes[node.k] = {bins_->edges(columns_[split.column])[split.edge], columns_[split.column]};
    gains_[node.k] = static_cast<float>(std::min(best.gain * (unit_g_ / unit_h_) * unit_g_, double{FLT_MAX}));
    const SlopeSums left_sums = sums[best.place];
    if (node.level + 1 == Splits::depth) return end_in_leaves(node, split, left_sums, end);
    const std::size_t middle = part_rows(node, split);
    const Node left{2 * node.k + 1, node.level + 1, node.begin, middle, left_sums};
    const Node right{2 * node.k + 2, node.level + 1, middle, node.end, node.sums - left_sums};
    const bool left_is_smaller = left.rows() <= right.rows();
    const Node &smaller = left_is_smaller ? left : right, &larger = left_is_smaller ? right : left;
    SlopeSums* room = sums + cells();
    if (can_split(larger)) {
      add_rows({rows_.data() + smaller.begin, smaller.rows()}, room);
      subtract(sums, room, edges_);
    }
    grow_node(smaller, room, end);
    grow_node(larger, sums, end);
  }

  // The rows that go left before those that go right, both in their order.
  std::size_t part_rows(const Node& node, const Split& split) {
    const std::uint8_t* codes = codes_ + split.column;
    std::uint16_t* left = rows_.data() + node.begin;
    std::uint16_t* right = others_.data();
    for (std::size_t i = node.begin; i < node.end; ++i) {
      const std::uint16_t row = rows_[i];
      const bool goes_left = codes[row * stride_] <= 2 * split.edge;
      *left = row;
      *right = row;
      left += goes_left;
      right += !goes_left;
    }
    std::copy(others_.data(), right, left);
    return static_cast<std::size_t>(left - rows_.data());
  }

  template <class End>
  void end_in_leaf(const Node& node, const End& end) {
    const std::size_t leaf = Splits::leftmost_leaf(node.k, node.level);
    for (std::size_t i = node.begin; i < node.end; ++i) leaves_[rows_[i]] = static_cast<std::uint8_t>(leaf);
    end_with(leaf, node.sums, end);
  }
  // Below the last split nobody asks for rows in order.
  template <class End>
  void end_in_leaves(const Node& node, const Split& split, const SlopeSums& left, const End& end) {
    const std::size_t leaf = Splits::leftmost_leaf(node.k, node.level);
    const std::uint8_t* codes = codes_ + split.column;
    for (std::size_t i = node.begin; i < node.end; ++i)
      leaves_[rows_[i]] = static_cast<std::uint8_t>(leaf + (codes[rows_[i] * stride_] > 2 * split.edge));
    end_with(leaf, left, end);
    end_with(leaf + 1, node.sums - left, end);
  }
  template <class End>
  void end_with(std::size_t leaf, const SlopeSums& sums, const End& end) const {
    end(leaf, static_cast<double>(sums[0]) * unit_g_, static_cast<double>(sums[1] >> count_bits) * unit_h_);
  }

  double penalty_;
  std::size_t least_rows_;
  double unit_g_ = 1.0, unit_h_ = 1.0, whole_penalty_ = 0.0;  // the penalty in units of h
  Splits tree_;
  Splits::Gains gains_{};
  std::uint8_t* leaves_ = nullptr;
  std::vector<std::uint32_t> columns_;
  const Bins* bins_ = nullptr;
  const std::uint8_t* codes_ = nullptr;
  std::size_t stride_ = 0;
  std::vector<std::uint8_t> edges_;           // how many, of each of the columns
  std::vector<std::uint8_t> chosen_;          // their codes, where they are not all columns
  std::vector<SlopeSums> slopes_;             // of the rows
  std::vector<SlopeSums> sums_;               // of the rows up to each edge, one node per level
  std::vector<std::uint16_t> rows_, others_;  // node after node
};

}  // namespace afterwit
