// Zeros that cost no memory until something is written to their page. They begin where a cache line does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <utility>

namespace afterwit {

template <class T>
class Zeros {
 public:
  explicit Zeros(std::size_t size) : size_(size), memory_(std::calloc(size * sizeof(T) + line, 1)) {
    if (memory_ == nullptr) throw std::bad_alloc();
  }
  std::size_t size() const { return size_; }
  T& operator[](std::size_t i) { return begin()[i]; }
  const T& operator[](std::size_t i) const { return begin()[i]; }
  T* begin() { return reinterpret_cast<T*>(first()); }
  T* end() { return begin() + size_; }
  const T* begin() const { return reinterpret_cast<const T*>(first()); }

  // Keeps what there is; only to more.
  void grow(std::size_t size) {
    Zeros more(size);
    if (size_ > 0) std::memcpy(more.begin(), begin(), size_ * sizeof(T));
    *this = std::move(more);
  }

 private:
  static constexpr std::size_t line = 64;
  struct Free {
    void operator()(void* p) const { std::free(p); }
  };
  std::uintptr_t first() const { return (reinterpret_cast<std::uintptr_t>(memory_.get()) + line - 1) / line * line; }

  std::size_t size_;
  std::unique_ptr<void, Free> memory_;
};

}  // namespace afterwit
