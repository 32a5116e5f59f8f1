// The last rows, and the nearest of them: every column counts in units of its deviation.
//   D_i = sum_j ((x_j - x_ij)/sd_j)^2   over the columns with sd_j > 0, which is of all rows so far, this one included
//   w_i = h_i exp(-2 D_i/D_k)   for the k nearest rows, or all if there are fewer; D_k is the largest of their D_i, and
//                               the exponents are 0 if it is 0;   h_i is the row's importance
//   learn   the row takes the next slot of a ring of n = max(64, min(window, floor(16384/d))), d the columns
// When a new column makes n smaller, the last n rows stay, the oldest in the first slot. A new column is 0 in the rows
// that are kept, and adds nothing to D in the row that brings it. Of rows at the same distance the one in the smaller
// slot is the nearer.
//
// The D_i are sums of floats, column after column for many rows side by side, so that they have the same bits with
// vectors of any width. They are within some 1e-6 of their size, and of two rows whose distances differ by less than
// that either may be taken for the nearer.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cfloat>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "dense/columns.hpp"
#include "numeric/aligned.hpp"
#include "numeric/counts.hpp"
#include "numeric/multiversion.hpp"
#include "numeric/state.hpp"
#include "numeric/vector_exp.hpp"

namespace afterwit {

namespace neighbours {

constexpr std::size_t most = 64;   // neighbours
constexpr std::size_t block = 32;  // rows; loops over so many become vectors, and their sums stay in registers
constexpr float infinite = std::numeric_limits<float>::infinity();

// Whether a difference might overflow, or a variance lose places as a float.
AFTERWIT_MULTIVERSION inline bool is_odd(const double* variance, std::size_t d) {
  std::uint64_t odd = 0;
  for (std::size_t j = 0; j < d; ++j) {
    const double own = variance[j] > 0.0 ? variance[j] : 1.0;
    odd |= own > 0x1p+120 ? 1 : own < 0x1p-120 ? 1 : 0;
  }
  return odd != 0;
}

// For each column a power of two, 1 where it is not odd, and a factor: (unit x_j - unit x_ij) factor is
// (x_j - x_ij)/sd_j.
template <bool odd>
AFTERWIT_MULTIVERSION void scale(const double* __restrict variance, std::size_t d, float* __restrict factor,
                                 float* __restrict unit) {
  for (std::size_t j = 0; j < d; ++j) {
    const double own = variance[j] > 0.0 ? variance[j] : 1.0;
    const double power = !odd ? 1.0 : own > 0x1p+120 ? 0x1p-80 : own < 0x1p-120 ? 0x1p+100 : 1.0;
    if (odd) unit[j] = static_cast<float>(power);
    const float inverse = 1.0f / std::sqrt(static_cast<float>(own * power * power));
    factor[j] = variance[j] > 0.0 ? inverse : 0.0f;
  }
}

struct Scaled {
  const float *x, *factor, *unit;
  std::size_t d;
};
struct Kept {
  const float* x;     // blocks of rows, in a block column by column
  const float* away;  // 0, or infinite in a slot that has no row
  std::size_t blocks, columns;
};

// All distances, and for each place in a block the least.
template <bool odd>
AFTERWIT_MULTIVERSION void measure(const Scaled& row, const Kept& rows, float* __restrict distance,
                                   float* __restrict least) {
  const Scaled at = row;
  const Kept kept = rows;
  float low[block];
  for (std::size_t l = 0; l < block; ++l) low[l] = infinite;
  for (std::size_t b = 0; b < kept.blocks; ++b) {
    float sum[block];
    for (std::size_t l = 0; l < block; ++l) sum[l] = kept.away[b * block + l];
    const float* __restrict others = kept.x + b * block * kept.columns;
    for (std::size_t j = 0; j < at.d; ++j) {
      const float unit = odd ? at.unit[j] : 1.0f, x = at.x[j] * unit, factor = at.factor[j];
      for (std::size_t l = 0; l < block; ++l) {
        const float gap = (x - others[j * block + l] * unit) * factor;
        sum[l] += gap * gap;
      }
    }
    for (std::size_t l = 0; l < block; ++l) {
      distance[b * block + l] = sum[l];
      low[l] = sum[l] < low[l] ? sum[l] : low[l];
    }
  }
  for (std::size_t l = 0; l < block; ++l) least[l] = low[l];
}

// The k-th smallest of the least distances, which are of different rows: few rows but the k nearest are as near. They
// are not negative, and so ordered as their bits.
AFTERWIT_MULTIVERSION inline float bound(const float* least, std::size_t k) {
  std::int32_t own[block], smaller[block] = {};
  std::memcpy(own, least, sizeof own);
  for (std::size_t i = 0; i < block; ++i)
    for (std::size_t l = 0; l < block; ++l) smaller[l] += own[i] < own[l];
  std::int32_t out = k > block ? std::bit_cast<std::int32_t>(infinite) : 0;
  for (std::size_t l = 0; l < block; ++l) out = std::max(out, smaller[l] < static_cast<std::int32_t>(k) ? own[l] : 0);
  return std::bit_cast<float>(out);
}

// A bit for each place in a block.
constexpr auto places = [] {
  std::array<std::uint32_t, block> out{};
  for (std::size_t l = 0; l < block; ++l) out[l] = std::uint32_t{1} << l;
  return out;
}();

// Which distances of each block are at most `end`, and finite.
AFTERWIT_MULTIVERSION inline void mark(const float* __restrict distance, std::size_t blocks, float end,
                                       std::uint32_t* __restrict marks) {
  const float last = end < FLT_MAX ? end : FLT_MAX;
  for (std::size_t b = 0; b < blocks; ++b) {
    std::uint32_t out = 0;
    for (std::size_t l = 0; l < block; ++l) out |= distance[b * block + l] <= last ? places[l] : 0;
    marks[b] = out;
  }
}

// The k nearest so far, the nearest first: the bits of a distance, and behind them the slot.
struct Nearest {
  explicit Nearest(std::size_t k) : k(k) { std::fill_n(keys, k, ~std::uint64_t{0}); }

  // A list that is not long is gone through to its end, because where the key belongs cannot be foreseen.
  void add(float distance, std::size_t slot) {
    std::uint64_t key = std::uint64_t{std::bit_cast<std::uint32_t>(distance)} << 32 | slot;
    if (key > keys[k - 1]) return;
    size += size < k;
    if (k <= block) {
      for (std::size_t i = 0; i < k; ++i) {
        const std::uint64_t other = keys[i];
        keys[i] = std::min(key, other);
        key = std::max(key, other);
      }
    } else {
      std::size_t i = size - 1;
      for (; i > 0 && key < keys[i - 1]; --i) keys[i] = keys[i - 1];
      keys[i] = key;
    }
  }
  float distance(std::size_t i) const { return std::bit_cast<float>(static_cast<std::uint32_t>(keys[i] >> 32)); }
  std::size_t slot(std::size_t i) const { return static_cast<std::uint32_t>(keys[i]); }

  std::size_t k, size = 0;
  std::uint64_t keys[most];
};

}  // namespace neighbours

class NearestRows {
 public:
  static constexpr std::size_t most_kept = 16384, least_window = 64;  // numbers, rows

  NearestRows(std::size_t neighbours, std::size_t window) : k_(neighbours), window_(window) {}

  void reserve(std::size_t d) {
    if (d <= factor_.size()) return;
    factor_.resize(d);
    unit_.resize(d);
  }

  // take(y_i, w_i) for each of the k nearest, the nearest first; how many there are.
  template <class Take>
  std::size_t find(const DenseRow& row, Take take) {
    widen(row.known);
    if (size_ == 0) return 0;
    const bool odd = neighbours::is_odd(row.variance, row.known);
    (odd ? neighbours::scale<true> : neighbours::scale<false>)(row.variance, row.known, factor_.data(), unit_.data());
    const neighbours::Scaled scaled{row.x, factor_.data(), unit_.data(), row.known};
    const neighbours::Kept kept{x_.data(), away_.data(), blocks_of(size_), columns_};
    float least[neighbours::block];
    (odd ? neighbours::measure<true> : neighbours::measure<false>)(scaled, kept, distance_.data(), least);
    neighbours::mark(distance_.data(), kept.blocks, neighbours::bound(least, k_), marks_.data());
    neighbours::Nearest nearest(k_);
    for (std::size_t b = 0; b < kept.blocks; ++b)
      for (std::uint32_t rest = marks_[b]; rest != 0; rest &= rest - 1) {
        const std::size_t slot = b * neighbours::block + static_cast<std::size_t>(std::countr_zero(rest));
        nearest.add(distance_[slot], slot);
      }
    const double last = nearest.size > 0 ? nearest.distance(nearest.size - 1) : 0.0;
    const double rate = last > 0.0 ? -2.0 / last : 0.0;
    for (std::size_t i = 0; i < nearest.size; ++i)
      take(labels_[nearest.slot(i)], importances_[nearest.slot(i)] * vector::exp(rate * nearest.distance(i)));
    return nearest.size;
  }

  void learn(const DenseRow& row, double label, double h) {
    widen(row.d);
    const std::size_t slot = next_;
    if (slot == size_) make_room(slot + 1);
    float* to = place(slot);
    for (std::size_t j = 0; j < columns_; ++j) to[j * neighbours::block] = j < row.d ? row.x[j] : 0.0f;
    labels_[slot] = label;
    importances_[slot] = std::clamp(h, least_importance, most_importance);
    next_ = slot + 1 == window_of(columns_) ? 0 : slot + 1;
  }

  std::vector<std::pair<const char*, double>> holds() const {
    return {{"rows", static_cast<double>(size_)}, {"most rows", static_cast<double>(window_of(columns_))}};
  }

  // Rows are shown slot by slot.
  void visit(State& state, std::size_t d) {
    widen(d);
    double size = static_cast<double>(size_), next = static_cast<double>(next_);
    state.number("kept_rows", size);
    state.number("next_slot", next);
    const auto n = static_cast<double>(window_of(d));
    sound_parts_ = is_count(size) && size <= n && is_count(next) && (size < n ? next == size : next < n);
    const std::size_t rows = sound_parts_ ? static_cast<std::size_t>(size) : 0;
    const Shape each{"row", rows, 1, 1}, all{"row and column", rows, d, d};
    state.expect("labels", each);
    state.expect("x", all);
    std::vector<float> x(rows * d);
    for (std::size_t i = 0; i < std::min(rows, size_); ++i)
      for (std::size_t j = 0; j < d; ++j) x[i * d + j] = place(i)[j * neighbours::block];
    make_room(rows);
    next_ = sound_parts_ ? static_cast<std::size_t>(next) : 0;
    state.numbers("x", x.data(), all);
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < d; ++j) place(i)[j * neighbours::block] = x[i * d + j];
    state.numbers("labels", labels_.data(), each);
    state.numbers("importances", importances_.data(), each);
  }

  // With labels of which `label` says whether they can be.
  template <class Label>
  bool sound(const Label& label) const {
    const auto importance = [](double v) { return v >= least_importance && v <= most_importance; };
    return sound_parts_ && std::all_of(x_.begin(), x_.end(), [](float v) { return std::isfinite(v); }) &&
           std::all_of(labels_.begin(), labels_.end(), label) &&
           std::all_of(importances_.begin(), importances_.end(), importance);
  }

 private:
  using Floats = std::vector<float, Aligned<float>>;
  static constexpr double least_importance = 1e-60, most_importance = 1e60;  // so that no sum is 0 or infinite

  static std::size_t blocks_of(std::size_t rows) { return (rows + neighbours::block - 1) / neighbours::block; }
  std::size_t window_of(std::size_t d) const {
    return std::max(least_window, std::min(window_, d > 0 ? most_kept / d : window_));
  }
  float* place(std::size_t slot) {
    return x_.data() + slot / neighbours::block * (neighbours::block * columns_) + slot % neighbours::block;
  }

  // Room for n rows: twice as much each time, but never more than the window.
  void make_room(std::size_t n) {
    labels_.resize(n);
    importances_.resize(n);
    const std::size_t before = away_.size() / neighbours::block, blocks = blocks_of(n);
    if (blocks > before) {
      const std::size_t room = std::min(blocks_of(window_of(columns_)), std::max(blocks, 2 * before));
      x_.resize(room * neighbours::block * columns_);
      distance_.resize(room * neighbours::block);
      away_.resize(room * neighbours::block, neighbours::infinite);
      marks_.resize(room);
    }
    for (; size_ < n; ++size_) away_[size_] = 0.0f;
    for (; size_ > n; --size_) away_[size_ - 1] = neighbours::infinite;
  }

  // For d columns, new ones being 0 in the rows that are kept, and only as many rows as there may be then.
  void widen(std::size_t d) {
    if (d <= columns_) return;
    NearestRows wide(k_, window_);
    wide.columns_ = d;
    const bool shrinks = window_of(d) < window_of(columns_);
    const std::size_t first = shrinks && size_ == window_of(columns_) ? next_ : 0;
    const std::size_t rows = std::min(size_, window_of(d));
    wide.make_room(rows);
    for (std::size_t i = 0; i < rows; ++i) {
      const std::size_t from = (first + (size_ - rows) + i) % std::max<std::size_t>(size_, 1);
      for (std::size_t j = 0; j < columns_; ++j)
        wide.place(i)[j * neighbours::block] = place(from)[j * neighbours::block];
      wide.labels_[i] = labels_[from];
      wide.importances_[i] = importances_[from];
    }
    wide.next_ = !shrinks ? next_ : rows == window_of(d) ? 0 : rows;
    wide.reserve(factor_.size());
    *this = std::move(wide);
  }

  std::size_t k_, window_;
  std::size_t columns_ = 0, size_ = 0, next_ = 0;  // rows that are kept, and the slot of the next
  Floats x_, away_;                                // as in neighbours::Kept
  std::vector<double> labels_, importances_;
  bool sound_parts_ = true;

  Floats factor_, unit_, distance_;
  std::vector<std::uint32_t> marks_;  // of each block
};

}  // namespace afterwit
