// A vector of doubles that begins where a cache line does, so that no eight of them lie across two.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace afterwit {

template <class T>
struct FromLine {
  using value_type = T;
  static constexpr std::align_val_t line{64};

  FromLine() = default;
  template <class U>
  FromLine(const FromLine<U>&) {}
  T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), line)); }
  void deallocate(T* p, std::size_t) { ::operator delete(p, line); }
  template <class U>
  bool operator==(const FromLine<U>&) const {
    return true;
  }
};

using Doubles = std::vector<double, FromLine<double>>;

}  // namespace afterwit
