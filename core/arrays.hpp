// NumPy arrays, and names, in and out of the core.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "text/buffer.hpp"
#include "text/rows.hpp"

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

// The features of parsed rows.
using Keys = std::variant<Out<std::uint32_t>, Out<std::uint64_t>>;
using Values = std::variant<Out<float>, Out<double>>;
inline Keys keys_of(Kept& kept) {
  if (kept.wide) return to_numpy(std::move(kept.wide_keys));
  return to_numpy(std::move(kept.narrow_keys));
}
inline Values values_of(Kept& kept) {
  if (kept.packed) return to_numpy(std::move(kept.singles));
  return to_numpy(std::move(kept.doubles));
}

// Names as bytes. One that was not UTF-8 in its file comes escaped; its bytes are kept beside.
struct NameViews {
  std::vector<std::string_view> views;
  std::vector<nb::bytes> unescaped;
};

inline NameViews views_of(const std::optional<nb::list>& names) {
  NameViews out;
  if (!names) return out;
  out.views.reserve(names->size());
  for (nb::handle name : *names) {
    Py_ssize_t size;
    if (const char* bytes = PyUnicode_AsUTF8AndSize(name.ptr(), &size)) {
      out.views.emplace_back(bytes, static_cast<std::size_t>(size));
      continue;
    }
    PyErr_Clear();
    nb::object bytes = nb::steal(PyUnicode_AsEncodedString(name.ptr(), "utf-8", "surrogateescape"));
    if (!bytes.is_valid()) throw nb::python_error();
    out.unescaped.push_back(nb::cast<nb::bytes>(bytes));
    out.views.emplace_back(out.unescaped.back().c_str(), out.unescaped.back().size());
  }
  return out;
}

inline nb::object text_of(std::string_view name) {
  return nb::steal(PyUnicode_DecodeUTF8(name.data(), static_cast<Py_ssize_t>(name.size()), "surrogateescape"));
}

}  // namespace afterwit
