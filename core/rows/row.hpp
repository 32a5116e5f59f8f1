// One row as the learners see it: distinct slots with non-zero float values, in order of first appearance, the
// intercept last. Features that meet in one slot are added in double, in order of appearance, and rounded again.
#pragma once

#include <bit>
#include <cfloat>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "numeric/lanes.hpp"
#include "rows/features.hpp"
#include "rows/plain_row.hpp"

namespace afterwit {

// Filled up to a multiple of 16 with zeros in the slot `nothing`, which is -1 as a signed number.
struct Row {
  static constexpr std::uint32_t nothing = 0xFFFFFFFFu;
  const std::uint32_t* slots;
  const float* x;
  std::size_t size;
};

class RowBuilder {
 public:
  // The row of n hashed features; false when a merged value is too large for a float.
  template <class Key, class Value>
  bool hashed(const Key* keys, const Value* values, std::size_t n, const Features& features) {
    size_ = n + features.intercept();
    const std::size_t padded = (size_ + lanes - 1) / lanes * lanes;
    if (x_.size() < padded || slots_.size() < padded) {
      x_.resize(padded);
      slots_.resize(padded);
    }
    RowFacts look{};
    if (features.seed() == 0) look = plain_row(keys, values, n, features.bits(), slots_.data(), x_.data());
    key_bits_ = look.key_bits;
    distinct_ = look.in_range && (look.ascends || !two_meet(slots_.data(), n));
    if (!distinct_) {
      clear();
      key_bits_ = 0;
      for (std::size_t i = 0; i < n; ++i) {
        const auto key = static_cast<std::uint64_t>(keys[i]);
        key_bits_ |= static_cast<float>(values[i]) == 0.0f ? 0 : key;
        add(features.hashed_slot(key), static_cast<double>(values[i]));
      }
      return finish(features);
    }
    for (std::size_t i = n; i < padded; ++i) slots_[i] = Row::nothing, x_[i] = 0.0f;
    if (features.intercept()) {
      slots_[n] = features.intercept_slot();
      x_[n] = 1.0f;
    }
    return true;
  }
  // The same with other values under the keys of the last hashed row. False, and nothing is built, where two of those
  // keys may meet or a value is 0, as small as 0 for a float, not finite or so large that sums of it may not fit.
  bool refill(const double* values, std::size_t n) {
    if (!distinct_) return false;
    constexpr auto least = std::bit_cast<std::uint64_t>(double{FLT_MIN}), most = std::bit_cast<std::uint64_t>(1e26);
    bool odd = false;
    for (std::size_t i = 0; i < n; ++i) {
      const auto size = std::bit_cast<std::uint64_t>(std::fabs(values[i]));  // ordered as the number, below NaN
      odd |= size - least > most - least;
      x_[i] = static_cast<float>(values[i]);
    }
    return !odd;
  }
  void clear() {
    slots_.clear();
    sums_.clear();
    ascending_ = true;
  }
  void add(std::uint32_t slot, double value) {
    if (!slots_.empty() && slot <= slots_.back()) ascending_ = false;
    slots_.push_back(slot);
    sums_.push_back(static_cast<double>(static_cast<float>(value)));
  }
  // False when a merged value is too large for a float.
  bool finish(const Features& features) {
    if (!ascending_) merge();
    x_.resize(slots_.size() + 1);
    slots_.resize(slots_.size() + 1);
    std::size_t n = 0;
    bool fits = true;
    for (std::size_t i = 0; i < sums_.size(); ++i) {
      const double value = sums_[i];
      fits = fits && std::fabs(value) <= FLT_MAX;
      slots_[n] = slots_[i];
      x_[n] = static_cast<float>(value);
      n += std::fabs(value) >= FLT_MIN;  // what is zero, or too small for a float, is not there
    }
    if (features.intercept()) {
      slots_[n] = features.intercept_slot();
      x_[n++] = 1.0f;
    }
    size_ = n;
    const std::size_t padded = (n + lanes - 1) / lanes * lanes;
    x_.resize(n);
    slots_.resize(n);
    x_.resize(padded, 0.0f);
    slots_.resize(padded, Row::nothing);
    return fits;
  }
  // Slots from `first` on become slot 0 with the value 0.
  void silence(std::uint32_t first) {
    for (std::size_t i = 0; i < size_; ++i)
      if (slots_[i] >= first) slots_[i] = 0, x_[i] = 0.0f;
  }
  // The keys of the last hashed row whose value was not 0, their bits together.
  std::uint64_t key_bits() const { return key_bits_; }
  Row row() const { return {slots_.data(), x_.data(), size_}; }

 private:
  // A byte for every slot modulo 2^16 has the number of the last row, of 255, that has it; where two of one row meet
  // there, they may still be two slots.
  bool two_meet(const std::uint32_t* slots, std::size_t n) {
    if (marks_.empty() || row_number_ == 0xFF) {
      marks_.assign(1 << 16, 0);
      row_number_ = 0;
    }
    ++row_number_;
    unsigned meet = 0;
    for (std::size_t i = 0; i < n; ++i) {
      std::uint8_t& mark = marks_[static_cast<std::uint16_t>(slots[i])];
      meet |= static_cast<unsigned>(mark == row_number_);
      mark = row_number_;
    }
    return meet != 0 && two_are_equal(slots, n);
  }

  // Surely, by a small open-addressing table; an entry is this row's if its upper half is the row's stamp.
  bool two_are_equal(const std::uint32_t* slots, std::size_t n) {
    std::size_t capacity = met_.size() < 256 ? 256 : met_.size();
    while (capacity < 2 * n) capacity *= 2;
    if (capacity != met_.size() || met_stamp_ == 0xFFFFFFFFu) {
      met_.assign(capacity, 0);
      met_stamp_ = 0;
    }
    const std::uint64_t stamp = static_cast<std::uint64_t>(++met_stamp_) << 32;
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint64_t entry = stamp | slots[i];
      std::size_t h = (slots[i] * 2654435769u >> 7) & (capacity - 1);
      for (; met_[h] >= stamp; h = (h + 1) & (capacity - 1))
        if (met_[h] == entry) return true;
      met_[h] = entry;
    }
    return false;
  }

  // A small open-addressing table from slot to place in the row; an entry is valid when its stamp is this row's.
  void merge() {
    std::size_t capacity = places_.size() < 64 ? 64 : places_.size();
    while (capacity < 2 * slots_.size()) capacity *= 2;
    if (capacity != places_.size()) {
      places_.assign(capacity, {0, 0});
      stamp_ = 0;
    }
    ++stamp_;
    std::size_t n = 0;
    for (std::size_t i = 0; i < slots_.size(); ++i) {
      std::size_t h = (slots_[i] * 2654435769u >> 7) & (capacity - 1);
      while (places_[h].stamp == stamp_ && slots_[places_[h].place] != slots_[i]) h = (h + 1) & (capacity - 1);
      if (places_[h].stamp == stamp_) {
        sums_[places_[h].place] += sums_[i];
      } else {
        places_[h] = {stamp_, n};
        slots_[n] = slots_[i];
        sums_[n++] = sums_[i];
      }
    }
    slots_.resize(n);
    sums_.resize(n);
  }

  struct Place {
    std::uint64_t stamp;
    std::size_t place;
  };
  std::vector<std::uint32_t> slots_;
  std::vector<double> sums_;
  std::vector<float> x_;
  std::size_t size_ = 0;
  std::uint64_t key_bits_ = 0;
  bool ascending_ = true;
  bool distinct_ = false;  // the last hashed row: no two of its features met, none was 0
  std::vector<std::uint8_t> marks_;
  std::uint8_t row_number_ = 0;
  std::vector<std::uint64_t> met_;
  std::uint32_t met_stamp_ = 0;
  std::vector<Place> places_;
  std::uint64_t stamp_ = 0;
};

}  // namespace afterwit
