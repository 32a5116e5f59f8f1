// A vector of doubles that begins where a cache line does, so that no eight of them lie across two.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

namespace afterwit {

template <class T>
struct Aligned {
  using value_type = T;
  static constexpr std::size_t line = 64;

  Aligned() = default;
  template <class U>
  Aligned(const Aligned<U>&) {}
  // Behind the plain memory's own beginning, which is noted before it: memory that the library aligns is not given back
  // as plain memory is, and a million experts would need twice of it.
  T* allocate(std::size_t n) {
    void* plain = ::operator new(n * sizeof(T) + line);
    void** begin = reinterpret_cast<void**>((reinterpret_cast<std::uintptr_t>(plain) / line + 1) * line);
    begin[-1] = plain;
    return reinterpret_cast<T*>(begin);
  }
  void deallocate(T* p, std::size_t) { ::operator delete(reinterpret_cast<void**>(p)[-1]); }
  template <class U>
  bool operator==(const Aligned<U>&) const {
    return true;
  }
};

using Doubles = std::vector<double, Aligned<double>>;

}  // namespace afterwit
