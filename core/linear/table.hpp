// The weight table: one contiguous run of floats per slot, zero until touched. Untouched pages cost no memory. Before
// the first run is one of its own, 0, 1, 1, ..., for the features of value 0 that fill up a row (Row::nothing): nothing
// moves it.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

namespace afterwit {

class Table {
 public:
  Table(std::size_t slots, std::size_t stride) : slots_(slots), stride_(stride), cells_(allocate(slots, stride)) {}

  float* run(std::size_t slot) { return cells_.get() + (slot + 1) * stride_; }
  const float* run(std::size_t slot) const { return cells_.get() + (slot + 1) * stride_; }
  std::size_t slots() const { return slots_; }
  std::size_t stride() const { return stride_; }

  void grow(std::size_t slots) {
    if (slots <= slots_) return;
    std::size_t capacity = slots_ < 64 ? 64 : slots_;
    while (capacity < slots) capacity *= 2;
    auto cells = allocate(capacity, stride_);
    std::memcpy(cells.get(), cells_.get(), (slots_ + 1) * stride_ * sizeof(float));
    cells_ = std::move(cells);
    slots_ = capacity;
  }

 private:
  struct Free {
    void operator()(float* p) const { std::free(p); }
  };
  using Cells = std::unique_ptr<float[], Free>;

  static Cells allocate(std::size_t slots, std::size_t stride) {
    auto* p = static_cast<float*>(std::calloc((slots + 1) * stride, sizeof(float)));
    if (p == nullptr) throw std::bad_alloc();
    for (std::size_t i = 1; i < stride; ++i) p[i] = 1.0f;
    return Cells(p);
  }

  std::size_t slots_, stride_;
  Cells cells_;
};

}  // namespace afterwit
