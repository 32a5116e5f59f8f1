// NumPy arrays in and out of the core: the only header, with *_bind.cpp, that knows Python.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "text/buffer.hpp"

namespace afterwit {

namespace nb = nanobind;

// A read-only contiguous vector from Python, converted (by a copy) when it has another dtype.
template <class T>
using In = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Out = nb::ndarray<nb::numpy, T, nb::ndim<1>>;
template <class T>
using Out2 = nb::ndarray<nb::numpy, T, nb::ndim<2>>;

// Hands a vector over to NumPy without a copy.
template <class T>
Out<T> to_numpy(std::vector<T>&& values) {
  auto* owner = new std::vector<T>(std::move(values));
  nb::capsule free(owner, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return Out<T>(owner->data(), {owner->size()}, free);
}

template <class T>
Out<T> to_numpy(Buffer<T>&& values) {
  auto* owner = new Buffer<T>(std::move(values));
  nb::capsule free(owner, [](void* p) noexcept { delete static_cast<Buffer<T>*>(p); });
  return Out<T>(owner->data(), {owner->size()}, free);
}

template <class T>
Out2<T> to_numpy(std::vector<T>&& values, std::size_t rows, std::size_t columns) {
  auto* owner = new std::vector<T>(std::move(values));
  nb::capsule free(owner, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return Out2<T>(owner->data(), {rows, columns}, free);
}

}  // namespace afterwit
