// The weight table: one run of numbers per slot, learner after learner, zero until touched. Untouched pages cost no
// memory. No run lies across more cache lines than it must. A run of its own, 0, 1, 1, ... for each learner, is for the
// features of value 0 that fill up a row (Row::nothing): nothing moves it.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

#include "numeric/zeros.hpp"
#include "rows/row.hpp"

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
  // Room for so many learners of `room` numbers each, behind `head` numbers that they share. A table of `several`
  // learners has runs for the slots alone that were touched, in the order of their first touch: such runs are so long
  // that untouched ones share pages with others. All the rest see one run of zeros.
  Table(std::size_t slots, std::size_t room, std::size_t learners, bool several, std::size_t head = 0)
      : slots_(slots),
        head_(head),
        room_(room),
        stride_(whole(head + room * learners, several)),
        sparse_(several),
        places_(several ? slots : 0),
        cells_(size(several ? 2 : slots)) {
    Number* run = begin() + (static_cast<std::ptrdiff_t>(static_cast<std::int32_t>(nothing())) << shift());
    for (std::size_t i = 0; i < stride_; ++i) run[i] = i >= head && (i - head) % room == 0 ? Number{0} : Number{1};
  }

  std::size_t slots() const { return slots_; }
  std::size_t learners() const { return (stride_ - head_) / room_; }  // for which there is room
  std::size_t numbers() const { return cells_.size(); }
  bool sparse() const { return sparse_; }
  bool touched(std::size_t slot) const { return !sparse_ || places_[slot] != 0; }

  // The run of a slot begins 2^shift times its place behind `begin`: a shift is quicker than a product.
  Number* begin() { return cells_.begin() + lead(); }
  const Number* begin() const { return cells_.begin() + lead(); }
  unsigned shift() const { return sparse_ ? unit : static_cast<unsigned>(std::countr_zero(stride_)); }
  std::uint32_t place(std::size_t slot) const {
    return !sparse_ ? static_cast<std::uint32_t>(slot) : places_[slot] != 0 ? places_[slot] : of_run(1);
  }
  std::uint32_t nothing() const { return sparse_ ? 0 : Row::nothing; }
  Number* run(std::size_t slot) { return begin() + (std::size_t{place(slot)} << shift()); }
  const Number* run(std::size_t slot) const { return begin() + (std::size_t{place(slot)} << shift()); }

  void touch(std::size_t slot) {
    if (touched(slot)) return;
    const std::uint32_t place = of_run(last_ + 1);
    if (size(last_ + 2) > cells_.size()) cells_.grow(size(doubled(0, last_ + 2)));
    places_[slot] = place;
    ++last_;
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
    Table wider(slots_, room_, learners, true, head_);
    wider.cells_.grow(wider.size(last_ + 1));
    for (std::size_t run = 2; run <= last_; ++run)
      std::copy_n(begin() + run * stride_, stride_, wider.begin() + run * wider.stride_);
    for (std::uint32_t& place : places_)
      if (place != 0) place = wider.of_run(place / of_run(1));
    stride_ = wider.stride_;
    cells_ = std::move(wider.cells_);
  }

 private:
  static constexpr std::size_t line = 64 / sizeof(Number);
  static constexpr unsigned unit = 2;

  // Up to a power of two within a cache line, and whole lines beyond.
  static std::size_t whole(std::size_t numbers, bool several) {
    if (numbers > line) return (numbers + line - 1) / line * line;
    return std::max(std::bit_ceil(numbers), several ? std::size_t{1} << unit : std::size_t{1});
  }
  std::uint32_t of_run(std::size_t run) const {
    const std::size_t place = run * stride_ >> unit;
    if (place > INT32_MAX) throw std::bad_alloc();  // 32 GB
    return static_cast<std::uint32_t>(place);
  }
  std::size_t lead() const { return sparse_ ? 0 : (stride_ + line - 1) / line * line; }
  std::size_t size(std::size_t runs) const { return lead() + runs * stride_; }

  std::size_t slots_, head_, room_, stride_;
  bool sparse_;
  Zeros<std::uint32_t> places_;  // 0, or the place of a slot's run
  Zeros<Number> cells_;
  std::size_t last_ = 1;  // the last run that is in use: run 0 is that of `nothing`, run 1 that of the untouched
};

}  // namespace afterwit
