// Which features tests can ask for, and a row of them: a feature has a number here, in the order in which they came.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "numeric/counts.hpp"
#include "numeric/state.hpp"
#include "rows/row.hpp"

namespace afterwit {

class Tested {
 public:
  static constexpr std::uint32_t none = 0xFFFFFFFFu;

  Tested() : places_(64, none) {}

  std::size_t size() const { return slots_.size(); }
  std::uint32_t slot(std::size_t j) const { return slots_[j]; }
  const float* x() const { return x_.data(); }
  // The least and the greatest value of feature j in the rows that were learned, and 0.
  double low(std::size_t j) const { return low_[j]; }
  double high(std::size_t j) const { return high_[j]; }

  // The number of a feature's slot, a new one if it has none.
  std::uint32_t add(std::uint32_t slot) {
    const std::uint32_t found = find(slot);
    if (found != none) return found;
    slots_.push_back(slot);
    x_.push_back(0.0f);
    low_.push_back(0.0f);
    high_.push_back(0.0f);
    if (2 * slots_.size() > places_.size()) {
      index(4 * slots_.size());
    } else {
      std::size_t h = home(slot);
      while (places_[h] != none) h = (h + 1) & (places_.size() - 1);
      places_[h] = static_cast<std::uint32_t>(slots_.size() - 1);
    }
    return static_cast<std::uint32_t>(slots_.size() - 1);
  }

  // Makes the values of a row those of x; what is not in it is 0.
  void take(const Row& row) {
    for (const std::uint32_t j : met_) x_[j] = 0.0f;
    met_.clear();
    for (std::size_t i = 0; i < row.size; ++i) {
      const std::uint32_t j = row.x[i] == 0.0f ? none : find(row.slots[i]);
      if (j == none) continue;
      x_[j] = row.x[i];
      met_.push_back(j);
    }
  }
  // The same of a row that is learned, whose features get numbers; all but the intercept's.
  void meet(const Row& row, std::uint32_t intercept) {
    for (std::size_t i = 0; i < row.size; ++i)
      if (row.x[i] != 0.0f && row.slots[i] != intercept) add(row.slots[i]);
    take(row);
    for (const std::uint32_t j : met_) {
      low_[j] = std::min(low_[j], x_[j]);
      high_[j] = std::max(high_[j], x_[j]);
    }
  }
  // The features of that row.
  const std::vector<std::uint32_t>& met() const { return met_; }

  std::size_t bytes() const { return slots_.capacity() * 16 + places_.capacity() * 4; }

  void visit(State& state) {
    double size = static_cast<double>(slots_.size());
    state.number("features", size);
    const bool possible = is_count(size) && size < 0x1p32;
    const Shape shape{"feature", possible ? static_cast<std::size_t>(size) : 0, 1, 1};
    state.expect("slots", shape);
    std::vector<double> slots(slots_.begin(), slots_.end());
    slots.resize(shape.rows);
    low_.resize(shape.rows);
    high_.resize(shape.rows);
    state.numbers("slots", slots.data(), shape);
    state.numbers("low", low_.data(), shape);
    state.numbers("high", high_.data(), shape);
    put(slots);
    sound_ = sound_ && possible;
  }
  // Whether learning can lead to it, with features in the first `slots` slots.
  bool sound(std::size_t slots) const {
    return sound_ && std::all_of(slots_.begin(), slots_.end(), [slots](std::uint32_t slot) { return slot < slots; }) &&
           std::all_of(low_.begin(), low_.end(), [](float v) { return std::isfinite(v) && v <= 0.0f; }) &&
           std::all_of(high_.begin(), high_.end(), [](float v) { return std::isfinite(v) && v >= 0.0f; });
  }

 private:
  std::size_t home(std::uint32_t slot) const { return (slot * 2654435769u >> 7) & (places_.size() - 1); }
  std::uint32_t find(std::uint32_t slot) const {
    for (std::size_t h = home(slot); places_[h] != none; h = (h + 1) & (places_.size() - 1))
      if (slots_[places_[h]] == slot) return places_[h];
    return none;
  }
  void index(std::size_t least) {
    std::size_t capacity = 64;
    while (capacity < least) capacity *= 2;
    places_.assign(capacity, none);
    for (std::uint32_t j = 0; j < slots_.size(); ++j) {
      std::size_t h = home(slots_[j]);
      while (places_[h] != none) h = (h + 1) & (capacity - 1);
      places_[h] = j;
    }
  }
  void put(const std::vector<double>& slots) {
    slots_.clear();
    sound_ = true;
    for (const double slot : slots) {
      const bool possible = is_count(slot) && slot < 0x1p32 - 1.0;
      sound_ = sound_ && possible;
      slots_.push_back(possible ? static_cast<std::uint32_t>(slot) : 0);
    }
    std::vector<std::uint32_t> sorted = slots_;
    std::sort(sorted.begin(), sorted.end());
    sound_ = sound_ && std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
    if (sound_) index(2 * slots_.size());
    met_.clear();
    x_.assign(slots_.size(), 0.0f);
  }

  std::vector<std::uint32_t> slots_;   // of the features
  std::vector<std::uint32_t> places_;  // from slot to number, by open addressing
  std::vector<std::uint32_t> met_;     // features of the row in x that are not 0
  std::vector<float> x_, low_, high_;
  bool sound_ = true;
};

}  // namespace afterwit
