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

namespace afterwit {

class Bins {
 public:
  static constexpr std::size_t most = 32;

  std::size_t columns() const { return edges_.size() / most; }
  void reserve(std::size_t d) {
    if (d > columns()) edges_.resize(d * most, beyond);
  }
  const float* edges(std::size_t j) const { return edges_.data() + j * most; }
  std::size_t count(std::size_t j) const {
    return static_cast<std::size_t>(std::find(edges(j), edges(j) + most, beyond) - edges(j));
  }

  // The edges of column j from a sample, which is sorted on the way.
  void set(std::size_t j, std::vector<float>& sample) {
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
  // For reading; whether they are in order is for `sound`.
  void set(std::size_t j, std::span<const float> edges) {
    std::fill_n(std::copy(edges.begin(), edges.end(), edges_.data() + j * most), most - edges.size(), beyond);
  }
  bool sound() const {
    for (std::size_t j = 0; j < columns(); ++j) {
      const float *first = edges(j), *last = first + count(j);
      if (last == first + most || !std::all_of(first, last, [](float v) { return std::isfinite(v); })) return false;
      if (std::adjacent_find(first, last, [](float a, float b) { return !(a < b); }) != last) return false;
    }
    return true;
  }

  // The codes of the first d columns of a row.
  void encode(const float* x, std::size_t d, std::uint8_t* codes) const {
    const std::size_t known = std::min(d, columns());
    for (std::size_t j = 0; j < known; ++j) codes[j] = code(edges(j), x[j]);
    std::fill(codes + known, codes + d, std::uint8_t{0});
  }

 private:
  static constexpr float beyond = std::numeric_limits<float>::infinity();

  static std::uint8_t code(const float* edges, float x) {
    std::uint32_t k = 0;
    for (const std::uint32_t step : {16u, 8u, 4u, 2u, 1u}) k += edges[k + step - 1] < x ? step : 0;
    return static_cast<std::uint8_t>(2 * k);
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
  std::vector<std::uint32_t> keys_;
};

}  // namespace afterwit
