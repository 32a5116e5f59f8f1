// The weight table: one run of numbers per slot, learner after learner, zero until touched. Untouched pages cost no
// memory. No run lies across more cache lines than it must. Before the first run is one of its own, 0, 1, 1, ... for
// each learner, for the features of value 0 that fill up a row (Row::nothing): nothing moves it.
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

template <class Number>
class Table {
 public:
  // Room for so many learners of `room` numbers each. A table of `several` learners has runs for the slots alone that
  // were touched, in the order of their first touch: such runs are so long that untouched ones share pages with others.
  // All the rest see one run of zeros, at place 0.
  Table(std::size_t slots, std::size_t room, std::size_t learners, bool several)
      : slots_(slots),
        room_(room),
        stride_(whole(room * learners)),
        sparse_(several),
        places_(several ? slots : 0),
        cells_(size(several ? 1 : slots)) {
    for (std::size_t i = 0; i < stride_; ++i) (run(0) - stride_)[i] = i % room == 0 ? Number{0} : Number{1};
  }

  std::size_t slots() const { return slots_; }
  std::size_t learners() const { return stride_ / room_; }  // for which there is room
  std::size_t stride() const { return stride_; }
  bool sparse() const { return sparse_; }
  bool touched(std::size_t slot) const { return !sparse_ || places_[slot] != 0; }
  std::uint32_t place(std::size_t slot) const { return sparse_ ? places_[slot] : static_cast<std::uint32_t>(slot); }
  Number* run(std::size_t place) { return cells_.begin() + lead() + place * stride_; }
  const Number* run(std::size_t place) const { return cells_.begin() + lead() + place * stride_; }

  void touch(std::size_t slot) {
    if (touched(slot)) return;
    if (size(last_ + 2) > cells_.size()) cells_.grow(size(doubled(0, last_ + 2)));
    places_[slot] = ++last_;
  }
  void grow(std::size_t slots) {
    if (slots <= slots_) return;
    slots_ = doubled(slots_, slots);
    if (sparse_)
      places_.grow(slots_);
    else
      cells_.grow(size(slots_));
  }
  // Room for more learners, where there are several.
  void widen(std::size_t learners) {
    Table wider(1, room_, learners, true);
    wider.cells_.grow(wider.size(last_ + 1));
    for (std::size_t place = 1; place <= last_; ++place) std::copy_n(run(place), stride_, wider.run(place));
    stride_ = wider.stride_;
    cells_ = std::move(wider.cells_);
  }

 private:
  static constexpr std::size_t line = 64 / sizeof(Number);

  // Up to a power of two within a cache line, and whole lines beyond.
  static std::size_t whole(std::size_t numbers) {
    std::size_t size = 1;
    while (size < numbers && size < line) size *= 2;
    return std::max(size, (numbers + line - 1) / line * line * (numbers > line));
  }
  std::size_t lead() const { return (stride_ + line - 1) / line * line; }
  std::size_t size(std::size_t runs) const { return lead() + runs * stride_; }

  std::size_t slots_, room_, stride_;
  bool sparse_;
  Zeros<std::uint32_t> places_;  // 0, or the number of a slot's run
  Zeros<Number> cells_;
  std::uint32_t last_ = 0;
};

}  // namespace afterwit
