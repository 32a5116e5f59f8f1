// The weight table: one contiguous run of floats per slot, zero until touched. Untouched pages cost no memory. Before
// the first run is one of its own, 0, 1, 1, ..., for the features of value 0 that fill up a row (Row::nothing): nothing
// moves it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "numeric/zeros.hpp"

namespace afterwit {

// At least `wanted`, by doubling: so that who grows one by one copies each thing a few times in all.
inline std::size_t doubled(std::size_t size, std::size_t wanted) {
  size = std::max<std::size_t>(size, 64);
  while (size < wanted) size *= 2;
  return size;
}

class Table {
 public:
  Table(std::size_t slots, std::size_t stride) : slots_(slots), stride_(stride), cells_((slots + 1) * stride) {
    for (std::size_t i = 1; i < stride; ++i) cells_[i] = 1.0f;
  }

  float* run(std::size_t slot) { return cells_.begin() + (slot + 1) * stride_; }
  const float* run(std::size_t slot) const { return cells_.begin() + (slot + 1) * stride_; }
  std::size_t slots() const { return slots_; }
  std::size_t stride() const { return stride_; }
  static bool touched(std::size_t) { return true; }

  void grow(std::size_t slots) {
    if (slots <= slots_) return;
    slots_ = doubled(slots_, slots);
    cells_.grow((slots_ + 1) * stride_);
  }

 private:
  std::size_t slots_, stride_;
  Zeros<float> cells_;
};

// The same for many learners, whose runs are so long that untouched ones share pages with others: only a slot that was
// touched has a run of its own, in the order of their first touch. All the rest see one run of zeros.
class TouchedTable {
 public:
  TouchedTable(std::size_t slots, std::size_t stride) : places_(slots), runs_(1, stride) {}

  const float* run(std::size_t slot) const { return runs_.run(places_[slot]); }
  float* run(std::size_t slot) { return runs_.run(places_[slot]); }  // of one that was touched
  std::size_t slots() const { return places_.size(); }
  bool touched(std::size_t slot) const { return places_[slot] != 0; }

  void touch(std::size_t slot) {
    if (touched(slot)) return;
    runs_.grow(last_ + 2);
    places_[slot] = ++last_;
  }
  void grow(std::size_t slots) {
    if (slots > places_.size()) places_.grow(doubled(places_.size(), slots));
  }
  // Each of the `words` pieces of a run from `before` cells to `after`.
  void widen(std::size_t words, std::size_t before, std::size_t after) {
    Table wider(runs_.slots(), words * after);
    for (std::size_t place = 1; place <= last_; ++place)
      for (std::size_t word = 0; word < words; ++word)
        std::copy_n(runs_.run(place) + word * before, before, wider.run(place) + word * after);
    runs_ = std::move(wider);
  }

 private:
  Zeros<std::uint32_t> places_;  // 0, or the number of a slot's run
  Table runs_;
  std::uint32_t last_ = 0;
};

}  // namespace afterwit
