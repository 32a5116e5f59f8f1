// A growing array of plain values whose new places are not set to zero first: they are about to be written.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>

namespace afterwit {

template <class T>
class Buffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Buffer() = default;
  explicit Buffer(T first) { push_back(first); }

  std::size_t size() const { return size_; }
  std::size_t capacity() const { return capacity_; }
  bool empty() const { return size_ == 0; }
  T* data() { return values_.get(); }
  const T* data() const { return values_.get(); }
  T& operator[](std::size_t i) { return values_[i]; }
  const T& operator[](std::size_t i) const { return values_[i]; }
  const T& back() const { return values_[size_ - 1]; }

  void reserve(std::size_t capacity) {
    if (capacity <= capacity_) return;
    capacity = capacity < 2 * capacity_ ? 2 * capacity_ : capacity;
    T* grown = static_cast<T*>(std::realloc(values_.get(), capacity * sizeof(T)));
    if (grown == nullptr) throw std::bad_alloc();
    static_cast<void>(values_.release());
    values_.reset(grown);
    capacity_ = capacity;
  }
  void push_back(T value) {
    if (size_ == capacity_) reserve(size_ < 8 ? 16 : 2 * size_);
    values_[size_++] = value;
  }
  // Places behind the old size are whatever was written there.
  void resize(std::size_t size) {
    reserve(size);
    size_ = size;
  }

 private:
  struct Free {
    void operator()(T* p) const { std::free(p); }
  };
  std::unique_ptr<T[], Free> values_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace afterwit
