// Zeros that cost no memory until something is written to their page. They begin where a cache line does. Many of them
// are asked from the system: `calloc` writes zeros to memory that was in use before.
#pragma once

#include <sys/mman.h>

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
  explicit Zeros(std::size_t size) : size_(size), memory_(nullptr, Free{size * sizeof(T) + line}) {
    const std::size_t bytes = memory_.get_deleter().bytes;
    if (bytes >= many) {
      void* pages = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      if (pages != MAP_FAILED) memory_.reset(pages);
    } else {
      memory_.reset(std::calloc(bytes, 1));
    }
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
  static constexpr std::size_t line = 64, many = 1 << 18;
  struct Free {
    std::size_t bytes;
    void operator()(void* p) const { bytes >= many ? static_cast<void>(munmap(p, bytes)) : std::free(p); }
  };
  std::uintptr_t first() const { return (reinterpret_cast<std::uintptr_t>(memory_.get()) + line - 1) / line * line; }

  std::size_t size_;
  std::unique_ptr<void, Free> memory_;
};

}  // namespace afterwit
