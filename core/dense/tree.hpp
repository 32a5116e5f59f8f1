// A tree of depth five over the columns of a row, as a heap:
//   k = 0, five times k = 2k + 1 + [x_f(k) > threshold(k)], then leaf k - 31
// A node that is not split goes left.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace afterwit {

struct Splits {
  static constexpr std::size_t depth = 5, inner = (1 << depth) - 1, outer = 1 << depth;
  static constexpr float none = std::numeric_limits<float>::infinity();  // the threshold of a node that is not split
  struct alignas(8) Node {
    float threshold = none;
    std::uint32_t feature = 0;
  };
  std::array<Node, inner> nodes{};
  using Gains = std::array<float, inner>;  // of splits; nobody asks for them in passing, and they are kept apart

  static std::size_t leftmost_leaf(std::size_t k, std::size_t level) {
    return ((k + 1) << (depth - level)) - 1 - inner;
  }
  std::uint32_t below(std::uint32_t k, const float* x) const {
    const Node& node = nodes[k];
    return 2 * k + 1 + static_cast<std::uint32_t>(x[node.feature] > node.threshold);
  }
};

struct Tree : Splits {
  std::array<float, outer> leaves{};
};

// Eight trees for a row, or eight rows for a tree, side by side: else each step would wait for the one before.
constexpr std::size_t abreast = 8;

// Calls `end` with the number of each tree and the leaf in which the row ends there; `count` is a multiple of eight.
template <class AnyTree, class End>
inline void each_tree(const AnyTree* trees, std::size_t count, const float* x, const End& end) {
  for (std::size_t first = 0; first < count; first += abreast) {
    std::uint32_t k[abreast] = {};
    for (std::size_t level = 0; level < Splits::depth; ++level)
      for (std::size_t i = 0; i < abreast; ++i) k[i] = trees[first + i].below(k[i], x);
    for (std::size_t i = 0; i < abreast; ++i) end(first + i, k[i] - Splits::inner);
  }
}

// Calls `end` with each of n rows and the leaf in which it ends.
template <class End>
inline void each_row(const Splits& tree, const float* x, std::size_t stride, std::size_t n, const End& end) {
  std::size_t row = 0;
  for (; row + abreast <= n; row += abreast) {
    std::uint32_t k[abreast] = {};
    for (std::size_t level = 0; level < Splits::depth; ++level)
      for (std::size_t i = 0; i < abreast; ++i) k[i] = tree.below(k[i], x + (row + i) * stride);
    for (std::size_t i = 0; i < abreast; ++i) end(row + i, k[i] - Splits::inner);
  }
  for (; row < n; ++row) {
    std::uint32_t k = 0;
    for (std::size_t level = 0; level < Splits::depth; ++level) k = tree.below(k, x + row * stride);
    end(row, k - Splits::inner);
  }
}

}  // namespace afterwit
