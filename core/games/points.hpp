// Points with labels y = -1 or +1, as z_i = y_i x_i: a separator is a w with w . z_i > 0 for every i. Zeros are not
// kept, and where the columns of a point follow one another they are not looked at: a dense point is a run of numbers.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "numeric/keyed.hpp"
#include "numeric/lanes.hpp"

namespace afterwit {

class Points {
 public:
  using Doubles = std::vector<double>;
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  // Row i has the columns and values from starts[i] to starts[i + 1], each column once and in their order.
  Points(std::span<const std::uint32_t> columns, std::span<const double> values, std::span<const std::int64_t> starts,
         std::span<const double> y, std::size_t width)
      : width_(width) {
    if (starts.empty() || starts.front() != 0 || static_cast<std::size_t>(starts.back()) != values.size() ||
        columns.size() != values.size() || y.size() + 1 != starts.size())
      throw std::invalid_argument("starts does not fit columns, values and labels");
    columns_.reserve(values.size()), values_.reserve(values.size()), starts_.reserve(starts.size());
    for (std::size_t i = 0; i < y.size(); ++i) {
      if (starts[i] > starts[i + 1]) throw std::invalid_argument("starts goes down at row " + std::to_string(i + 1));
      for (auto k = static_cast<std::size_t>(starts[i]); k < static_cast<std::size_t>(starts[i + 1]); ++k) {
        if (columns[k] >= width) throw std::invalid_argument("a column is beyond the width");
        if (values[k] == 0.0) continue;
        columns_.push_back(columns[k]), values_.push_back(y[i] * values[k]);
      }
      starts_.push_back(values_.size());
      const std::size_t n = nonzeros(i);
      const bool run = n > 0 && last_column(i) - columns_[starts_[i]] + 1 == n;
      first_.push_back(run ? static_cast<std::ptrdiff_t>(columns_[starts_[i]]) : -1);
      longest_ = std::max(longest_, std::sqrt(square(values_.data() + starts_[i], n)));
    }
  }

  std::size_t size() const { return first_.size(); }
  std::size_t width() const { return width_; }
  std::size_t nonzeros() const { return values_.size(); }
  std::size_t nonzeros(std::size_t i) const { return starts_[i + 1] - starts_[i]; }
  double longest() const { return longest_; }

  // Two points of which one is z and the other -z, or one that is 0, twice; or `none`. No w separates them.
  std::pair<std::size_t, std::size_t> conflict() const {
    std::unordered_map<std::uint64_t, std::vector<std::size_t>> met;
    for (std::size_t i = 0; i < size(); ++i) {
      if (nonzeros(i) == 0) return {i, i};
      auto& alike = met[key(i)];
      for (std::size_t other : alike)
        if (opposite(i, other)) return {other, i};
      // Of equal points one is enough: the list of a key is no longer than its collisions.
      if (std::none_of(alike.begin(), alike.end(), [&](std::size_t other) { return equal(i, other, 1.0); }))
        alike.push_back(i);
    }
    return {none, none};
  }

  // w . z_i. Its terms go to sixteen lanes in turn, whether the columns are a run or not.
  double dot(std::size_t i, const double* w) const {
    const double* x = values_.data() + starts_[i];
    const std::size_t n = nonzeros(i);
    const std::uint32_t* at = columns_.data() + starts_[i];
    const double* run = first_[i] < 0 ? nullptr : w + first_[i];
    Eight sum[2] = {};
    double some[2][lanes];
    for (std::size_t k = 0; k < n; k += lanes) {
      const double *a = x + k, *b = run + (run ? k : 0);
      const std::size_t left = std::min(lanes, n - k);
      if (!run) {
        for (std::size_t l = 0; l < left; ++l) some[1][l] = w[at[k + l]];
        b = some[1];
      }
      if (left < lanes) {
        for (std::size_t l = 0; l < lanes; ++l) some[0][l] = l < left ? a[l] : 0.0;
        for (std::size_t l = 0; l < lanes; ++l) some[1][l] = l < left ? b[l] : 0.0;
        a = some[0], b = some[1];
      }
      for (std::size_t h = 0; h < 2; ++h) {
        Eight one, other;
        load(a + 8 * h, one), load(b + 8 * h, other);
        sum[h] += one * other;
      }
    }
    return add_lanes(sum);
  }

  // w += a z_i
  void add(std::size_t i, double a, double* __restrict w) const {
    const double* __restrict x = values_.data() + starts_[i];
    const std::size_t n = nonzeros(i);
    if (first_[i] >= 0) {
      double* __restrict run = w + first_[i];
      for (std::size_t k = 0; k < n; ++k) run[k] += a * x[k];
      return;
    }
    const std::uint32_t* at = columns_.data() + starts_[i];
    for (std::size_t k = 0; k < n; ++k) w[at[k]] += a * x[k];
  }

  Doubles margins(const double* w) const {
    Doubles all(size());
    for (std::size_t i = 0; i < size(); ++i) all[i] = dot(i, w);
    return all;
  }

  double least_margin(const double* w) const {
    double least = size() > 0 ? dot(0, w) : 0.0;
    for (std::size_t i = 1; i < size(); ++i) least = std::min(least, dot(i, w));
    return least;
  }

  static double square(const double* x, std::size_t n) {
    double sum = 0.0;
    for (std::size_t k = 0; k < n; ++k) sum += x[k] * x[k];
    return sum;
  }

 private:
  std::size_t last_column(std::size_t i) const { return columns_[starts_[i + 1] - 1]; }

  // The same for z and -z.
  std::uint64_t key(std::size_t i) const {
    const double sign = values_[starts_[i]] < 0.0 ? -1.0 : 1.0;
    std::uint64_t key = nonzeros(i);
    for (std::size_t k = starts_[i]; k < starts_[i + 1]; ++k)
      key = scrambled(key + columns_[k]) ^ std::bit_cast<std::uint64_t>(sign * values_[k]);
    return scrambled(key);
  }

  bool equal(std::size_t i, std::size_t j, double sign) const {
    if (nonzeros(i) != nonzeros(j)) return false;
    for (std::size_t k = 0; k < nonzeros(i); ++k)
      if (columns_[starts_[i] + k] != columns_[starts_[j] + k] ||
          values_[starts_[i] + k] != sign * values_[starts_[j] + k])
        return false;
    return true;
  }
  bool opposite(std::size_t i, std::size_t j) const { return equal(i, j, -1.0); }

  std::size_t width_;
  double longest_ = 0.0;
  std::vector<std::uint32_t> columns_;
  Doubles values_;
  std::vector<std::size_t> starts_ = {0};
  std::vector<std::ptrdiff_t> first_;  // the first column of a run; -1 where columns are left out
};

}  // namespace afterwit
