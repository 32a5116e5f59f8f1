// The values of each column in at most 32 bins, between edges that a sample of the values gives:
//   code(x) = 2 (number of edges below x),   so that   x <= edge_e   is   code(x) <= 2 e
// (Twice, because that is where the sums of a bin are, which are two words.)
// Where the sample has at most 32 values the edges are these without the largest; else the sorted sample's values at
// k/32 of its length, k = 1..31, without repetition and below the largest. Codes depend on the order of the values
// alone. A column without edges has code 0 everywhere.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "numeric/multiversion.hpp"

namespace afterwit {

constexpr std::size_t bin_lanes = 16, most_edges = 31;

// The codes of up to sixteen columns of n rows: how many of the edges are below, counted for all columns at once.
AFTERWIT_MULTIVERSION inline void encode_lanes(const float* __restrict ranks, std::size_t columns,
                                               const float* __restrict x, std::size_t stride, std::size_t n,
                                               std::uint8_t* __restrict codes) {
  for (std::size_t i = 0; i < n; ++i) {
    float values[bin_lanes] = {};
    std::int32_t below[bin_lanes] = {};
    for (std::size_t j = 0; j < columns; ++j) values[j] = x[i * stride + j];
    for (std::size_t e = 0; e < most_edges; ++e)
      for (std::size_t j = 0; j < bin_lanes; ++j) below[j] += ranks[e * bin_lanes + j] < values[j] ? 2 : 0;
    for (std::size_t j = 0; j < columns; ++j) codes[i * stride + j] = static_cast<std::uint8_t>(below[j]);
  }
}

class Bins {
 public:
  static constexpr std::size_t most = most_edges + 1;

  std::size_t columns() const { return edges_.size() / most; }
  void reserve(std::size_t d) {
    if (d <= columns()) return;
    edges_.resize(d * most, beyond);
    ranks_.resize((d + bin_lanes - 1) / bin_lanes * bin_lanes * most, beyond);
  }
  const float* edges(std::size_t j) const { return edges_.data() + j * most; }
  std::size_t count(std::size_t j) const {
    return static_cast<std::size_t>(std::find(edges(j), edges(j) + most, beyond) - edges(j));
  }

  // The edges of column j from a sample, which is sorted on the way.
  void set(std::size_t j, std::vector<float>& sample) {
    find_edges(j, sample);
    set_ranks(j);
  }
  // For reading; whether they are in order is for `sound`.
  void set(std::size_t j, std::span<const float> edges) {
    std::fill_n(std::copy(edges.begin(), edges.end(), edges_.data() + j * most), most - edges.size(), beyond);
    set_ranks(j);
  }
  bool sound() const {
    for (std::size_t j = 0; j < columns(); ++j) {
      const float *first = edges(j), *last = first + count(j);
      if (last == first + most || !std::all_of(first, last, [](float v) { return std::isfinite(v); })) return false;
      if (std::adjacent_find(first, last, [](float a, float b) { return !(a < b); }) != last) return false;
    }
    return true;
  }

  // The codes of the first d columns of n rows; those of a row are `stride` apart from the next.
  void encode(const float* x, std::size_t d, std::size_t stride, std::size_t n, std::uint8_t* codes) const {
    const std::size_t known = std::min(d, columns());
    for (std::size_t j = 0; j < known; j += bin_lanes)
      encode_lanes(ranks_.data() + j * most, std::min(bin_lanes, known - j), x + j, stride, n, codes + j);
    for (std::size_t i = 0; i < n; ++i) std::fill(codes + i * stride + known, codes + i * stride + d, std::uint8_t{0});
  }

 private:
  static constexpr float beyond = std::numeric_limits<float>::infinity();

  // As `edges_`, but of sixteen columns the first edges, then the second ones.
  void set_ranks(std::size_t j) {
    float* ranks = ranks_.data() + j / bin_lanes * bin_lanes * most + j % bin_lanes;
    for (std::size_t e = 0; e < most; ++e) ranks[e * bin_lanes] = edges(j)[e];
  }
  void find_edges(std::size_t j, std::vector<float>& sample) {
    sort(sample);
    float* edges = edges_.data() + j * most;
    std::fill_n(edges, most, beyond);
    std::size_t found = 0;
    const float largest = sample.back();
    for (std::size_t i = 0; i < sample.size() && sample[i] < largest; ++i) {
      if (found > 0 && sample[i] == edges[found - 1]) continue;
      if (found == most - 1) return at_shares(sample, edges);
      edges[found++] = sample[i];
    }
  }
  static void at_shares(const std::vector<float>& sorted, float* edges) {
    std::fill_n(edges, most, beyond);
    std::size_t found = 0;
    for (std::size_t k = 1; k < most; ++k) {
      const float v = sorted[k * sorted.size() / most];
      if (v < sorted.back() && (found == 0 || v > edges[found - 1])) edges[found++] = v;
    }
  }
  // By bytes, from the lowest to the highest, of bit patterns that are in the order of the numbers.
  void sort(std::vector<float>& sample) {
    const std::size_t n = sample.size();
    keys_.resize(2 * n);
    std::array<std::array<std::uint32_t, 256>, 4> starts{};
    for (std::size_t i = 0; i < n; ++i) {
      const auto bits = std::bit_cast<std::uint32_t>(sample[i] + 0.0f);
      keys_[i] = bits ^ ((bits >> 31) != 0 ? 0xFFFFFFFFu : 0x80000000u);
      for (std::size_t byte = 0; byte < 4; ++byte) ++starts[byte][keys_[i] >> 8 * byte & 255u];
    }
    std::uint32_t *from = keys_.data(), *to = keys_.data() + n;
    for (std::size_t byte = 0; byte < 4; ++byte) {
      auto& start = starts[byte];
      if (start[from[0] >> 8 * byte & 255u] == n) continue;  // the same in all
      std::uint32_t below = 0;
      for (auto& count : start) below += std::exchange(count, below);
      for (std::size_t i = 0; i < n; ++i) to[start[from[i] >> 8 * byte & 255u]++] = from[i];
      std::swap(from, to);
    }
    for (std::size_t i = 0; i < n; ++i)
      sample[i] = std::bit_cast<float>(from[i] ^ ((from[i] >> 31) != 0 ? 0x80000000u : 0xFFFFFFFFu));
  }

  std::vector<float> edges_;  // 32 of each column, infinite where there is none; at most 31 are finite
  std::vector<float> ranks_;
  std::vector<std::uint32_t> keys_;
};

}  // namespace afterwit
