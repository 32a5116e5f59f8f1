// Zeros that cost no memory until something is written to their page.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <utility>

namespace afterwit {

template <class T>
class Zeros {
 public:
  explicit Zeros(std::size_t size) : size_(size), values_(static_cast<T*>(std::calloc(size, sizeof(T)))) {
    if (values_ == nullptr && size > 0) throw std::bad_alloc();
  }
  std::size_t size() const { return size_; }
  T& operator[](std::size_t i) { return values_[i]; }
  const T& operator[](std::size_t i) const { return values_[i]; }
  T* begin() { return values_.get(); }
  T* end() { return values_.get() + size_; }
  const T* begin() const { return values_.get(); }

  // Keeps what there is; only to more.
  void grow(std::size_t size) {
    Zeros more(size);
    if (size_ > 0) std::memcpy(more.begin(), begin(), size_ * sizeof(T));
    *this = std::move(more);
  }

 private:
  struct Free {
    void operator()(T* p) const { std::free(p); }
  };
  std::size_t size_;
  std::unique_ptr<T[], Free> values_;
};

}  // namespace afterwit
