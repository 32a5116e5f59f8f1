// The features met so far as the columns of a dense row, in the order met, and what is known of each column:
//   rms_j               root mean square of the values that are not 0, this row's included; never 0
//   mean_j, variance_j  over all rows, this one included; where a row does not have the feature its value is 0
// A row counts once whatever its importance. What is beyond the first `width` features is left out.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "learners/targets.hpp"
#include "numeric/counts.hpp"
#include "numeric/multiversion.hpp"
#include "numeric/state.hpp"
#include "rows/row.hpp"

namespace afterwit {

// A row without its intercept. Columns that this row brings anew are the last ones.
struct DenseRow {
  const float* x;
  std::size_t d;
  std::size_t known;      // columns of rows that were learned; one that is new must not move the prediction
  bool intercept;         // whether there is a constant beside the columns
  double rows;            // so far, this one included
  double nonzeros;        // how many values of a row are not 0, in the mean over these
  double known_nonzeros;  // the same without this row
  // The constant 1, or 0 without an intercept, then x_j/rms_j cut to +-20, and room up to a multiple of eight.
  const double* z;
  const double* mean;      // where they are wanted
  const double* variance;  // where they are wanted
};

AFTERWIT_MULTIVERSION inline void add_to_moments(const float* __restrict x, std::size_t d, double rows,
                                                 const double* __restrict mean, const double* __restrict spread,
                                                 double* __restrict mean_now, double* __restrict spread_now,
                                                 double* __restrict variance) {
  for (std::size_t j = 0; j < d; ++j) {
    const double value = x[j], gap = value - mean[j], now = mean[j] + gap / rows;
    mean_now[j] = now;
    spread_now[j] = spread[j] + gap * (value - now);
    variance[j] = spread_now[j] / rows;
  }
}

// z of a row that has a value in each of the d columns, by the counts and squares without it; these with it.
AFTERWIT_MULTIVERSION inline void put_in_units(const float* __restrict x, std::size_t d, const double* __restrict count,
                                               const double* __restrict square, double* __restrict z) {
  for (std::size_t j = 0; j < d; ++j) {
    const double own = x[j], ratio = own / std::sqrt(square[j] + (own * own - square[j]) / (count[j] + 1.0));
    const double low = ratio < -20.0 ? -20.0 : ratio;
    z[j] = low > 20.0 ? 20.0 : low;
  }
}
AFTERWIT_MULTIVERSION inline void add_to_squares(const float* __restrict x, std::size_t d, double* __restrict count,
                                                 double* __restrict square) {
  for (std::size_t j = 0; j < d; ++j) {
    const double own = x[j];
    count[j] += 1.0;
    square[j] += (own * own - square[j]) / count[j];
  }
}

class Columns {
 public:
  static constexpr std::size_t most = 1 << 14;

  Columns(std::size_t width, bool intercept, bool moments)
      : width_(width), intercept_(intercept), moments_(moments), places_(64, empty), z_(8) {
    z_[0] = intercept ? 1.0 : 0.0;
  }

  std::size_t size() const { return slots_.size(); }  // of the rows that were learned
  std::size_t width() const { return width_; }
  // Whether a row that was learned, or the one that was looked at last, had more features than there are columns.
  bool too_wide() const { return left_out_ > 0.0; }
  bool leaves_out() const { return leaves_out_; }
  const std::vector<std::uint32_t>& slots() const { return slots_; }

  // Changes nothing but what `learn` keeps of the row.
  DenseRow look(const Row& row) {
    leaves_out_ = false;
    if (!see_whole(row)) see(row);
    const std::size_t d = slots_.size() + new_.size();
    if (moments_)
      add_to_moments(x_.data(), d, rows_ + 1.0, mean_.data(), spread_.data(), mean_now_.data(), spread_now_.data(),
                     variance_.data());
    const double nonzeros = (nonzeros_ + static_cast<double>(met_.size())) / (rows_ + 1.0);
    const double before = rows_ > 0.0 ? nonzeros_ / rows_ : 0.0;
    return {x_.data(), d,      slots_.size(), intercept_,       rows_ + 1.0,
            nonzeros,  before, z_.data(),     mean_now_.data(), variance_.data()};
  }

  // The row that was looked at last stays.
  void learn() {
    if (whole_) {
      add_to_squares(x_.data(), met_.size(), count_.data(), square_.data());
    } else {
      for (const std::uint32_t j : met_) {
        const double x = x_[j];
        count_[j] += 1.0;
        square_[j] += (x * x - square_[j]) / count_[j];
      }
    }
    slots_.insert(slots_.end(), new_.begin(), new_.end());
    new_.clear();
    nonzeros_ += static_cast<double>(met_.size());
    rows_ += 1.0;
    left_out_ += static_cast<double>(leaves_out_);
    if (moments_) {
      mean_.swap(mean_now_);
      spread_.swap(spread_now_);
    }
  }

  // The column of a slot, or size() where it has none.
  std::size_t find(std::uint32_t slot) const {
    for (std::size_t h = home(slot); places_[h] != empty; h = (h + 1) & (places_.size() - 1))
      if (slot_at(places_[h]) == slot) return std::min<std::size_t>(places_[h], size());
    return size();
  }
  double rms(std::size_t j) const { return std::sqrt(square_[j]); }

  void visit(State& state) {
    forget_look();
    state.number("rows", rows_);
    state.number("left_out", left_out_);
    double d = static_cast<double>(slots_.size());
    state.number("columns", d);
    const bool possible = is_count(d) && d <= static_cast<double>(width_);
    if (!possible) d = 0.0;
    const Shape shape{"column", static_cast<std::size_t>(d), 1, 1};
    state.expect("slots", shape);
    std::vector<double> slots(slots_.begin(), slots_.end());
    slots.resize(shape.rows);
    make_room(shape.rows);
    state.numbers("slots", slots.data(), shape);
    state.numbers("count", count_.data(), shape);
    state.numbers("square", square_.data(), shape);
    if (moments_) {
      state.numbers("mean", mean_.data(), shape);
      state.numbers("spread", spread_.data(), shape);
    }
    take(slots);
    sound_slots_ = sound_slots_ && possible;
  }
  // Whether learning can lead to it, with features in the first `slots` slots.
  bool sound(std::size_t slots) const {
    const auto number = [](double v) { return std::isfinite(v); };
    const auto size = [](double v) { return std::isfinite(v) && v >= 0.0; };
    const std::size_t d = slots_.size();
    return sound_slots_ && is_count(rows_) && is_count(left_out_) && left_out_ <= rows_ &&
           std::all_of(slots_.begin(), slots_.end(), [slots](std::uint32_t slot) { return slot < slots; }) &&
           std::all_of(count_.begin(), count_.begin() + static_cast<std::ptrdiff_t>(d),
                       [this](double v) { return is_count(v) && v >= 1.0 && v <= rows_; }) &&
           std::all_of(square_.begin(), square_.begin() + static_cast<std::ptrdiff_t>(d), size) &&
           std::all_of(mean_.begin(), mean_.begin() + static_cast<std::ptrdiff_t>(moments_ ? d : 0), number) &&
           std::all_of(spread_.begin(), spread_.begin() + static_cast<std::ptrdiff_t>(moments_ ? d : 0), size);
  }

 private:
  static constexpr std::uint32_t empty = 0xFFFFFFFFu;

  // A row that has a value in each of the columns, in their order; false if it is none.
  bool see_whole(const Row& row) {
    const std::size_t d = slots_.size();
    if (row.size - intercept_ != d || std::find(row.x, row.x + d, 0.0f) != row.x + d ||
        !std::equal(slots_.begin(), slots_.end(), row.slots))
      return false;
    if (!whole_ || met_.size() != d) {
      forget_look();
      for (std::uint32_t j = 0; j < d; ++j) met_.push_back(j);
      whole_ = true;
    }
    std::copy_n(row.x, d, x_.begin());
    put_in_units(row.x, d, count_.data(), square_.data(), z_.data() + 1);
    return true;
  }
  void see(const Row& row) {
    forget_look();
    const std::size_t n = row.size - intercept_;
    for (std::size_t i = 0; i < n; ++i) {
      if (row.x[i] == 0.0f) continue;
      const std::uint32_t j = place(row.slots[i]);
      if (j == empty) {
        leaves_out_ = true;
        continue;
      }
      x_[j] = row.x[i];
      met_.push_back(j);
      const double x = row.x[i], count = count_[j] + 1.0, square = square_[j] + (x * x - square_[j]) / count;
      const double ratio = x / std::sqrt(square);
      z_[j + 1] = ratio < -20.0 ? -20.0 : ratio > 20.0 ? 20.0 : ratio;
    }
  }

  // The column of a slot, a new one if there is room, or `empty`.
  std::uint32_t place(std::uint32_t slot) {
    std::size_t h = home(slot);
    for (; places_[h] != empty; h = (h + 1) & (places_.size() - 1))
      if (slot_at(places_[h]) == slot) return places_[h];
    const std::size_t d = slots_.size() + new_.size();
    if (d >= width_) return empty;
    new_.push_back(slot);
    make_room(d + 1);
    if (2 * (d + 1) > places_.size())
      index(4 * (d + 1));
    else
      places_[h] = static_cast<std::uint32_t>(d);
    return static_cast<std::uint32_t>(d);
  }
  std::size_t home(std::uint32_t slot) const { return (slot * 2654435769u >> 7) & (places_.size() - 1); }
  std::uint32_t slot_at(std::uint32_t j) const { return j < slots_.size() ? slots_[j] : new_[j - slots_.size()]; }

  void make_room(std::size_t d) {
    for (auto* column : {&count_, &square_, &mean_, &spread_, &mean_now_, &spread_now_, &variance_})
      if (column->size() < d) column->resize(d);
    if (x_.size() < d) x_.resize(d), z_.resize((d + 8) / 8 * 8);
  }
  void index(std::size_t least) {
    std::size_t capacity = 64;
    while (capacity < least) capacity *= 2;
    places_.assign(capacity, empty);
    for (std::uint32_t j = 0; j < slots_.size() + new_.size(); ++j) {
      std::size_t h = home(slot_at(j));
      while (places_[h] != empty) h = (h + 1) & (capacity - 1);
      places_[h] = j;
    }
  }
  // What `look` wrote for a row, which may have been only looked at.
  void forget_look() {
    for (const std::uint32_t j : met_) x_[j] = 0.0f, z_[j + 1] = 0.0;
    met_.clear();
    whole_ = false;
    if (new_.empty()) return;
    new_.clear();
    std::fill(mean_now_.begin() + static_cast<std::ptrdiff_t>(slots_.size()), mean_now_.end(), 0.0);
    std::fill(spread_now_.begin() + static_cast<std::ptrdiff_t>(slots_.size()), spread_now_.end(), 0.0);
    index(places_.size());
  }
  void take(const std::vector<double>& slots) {
    slots_.clear();
    sound_slots_ = true;
    for (const double slot : slots) {
      const bool possible = is_count(slot) && slot < 0x1p32 - 1.0;
      sound_slots_ = sound_slots_ && possible;
      slots_.push_back(possible ? static_cast<std::uint32_t>(slot) : 0);
    }
    std::vector<std::uint32_t> sorted = slots_;
    std::sort(sorted.begin(), sorted.end());
    sound_slots_ = sound_slots_ && std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
    if (sound_slots_) index(2 * slots_.size());
    nonzeros_ = 0.0;
    for (std::size_t j = 0; j < slots_.size(); ++j) nonzeros_ += count_[j];
  }

  std::size_t width_;
  bool intercept_, moments_;
  double rows_ = 0.0;
  double nonzeros_ = 0.0;              // the sum of the counts
  double left_out_ = 0.0;              // rows that had features beyond `width`
  std::vector<std::uint32_t> slots_;   // of the columns
  std::vector<std::uint32_t> new_;     // of those that the row brings that was looked at last
  std::vector<std::uint32_t> places_;  // from slot to column, by open addressing
  std::vector<std::uint32_t> met_;     // columns of that row that are not 0
  bool whole_ = false;                 // it has a value in each column, in their order
  bool leaves_out_ = false, sound_slots_ = true;
  std::vector<float> x_;
  std::vector<double> z_;
  std::vector<double> count_, square_;  // rows with a value that is not 0, the mean of its squares
  std::vector<double> mean_, spread_;   // spread: the sum of squared gaps from the mean
  std::vector<double> mean_now_, spread_now_, variance_;
};

}  // namespace afterwit
