// Numbers, NumPy arrays, names and states, in and out of the core.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "rows/buffer.hpp"
#include "rows/rows.hpp"

namespace afterwit {

namespace nb = nanobind;

// The number that a float, int or bool is, without a call into Python; false for what takes more, such as an int of a
// class of its own.
inline bool plain_number(PyObject* value, double& number) {
  if (PyFloat_CheckExact(value)) {
    number = PyFloat_AsDouble(value);
    return true;
  }
  if (PyLong_CheckExact(value) || PyBool_Check(value)) {
    number = PyLong_AsDouble(value);
    if (number != -1.0 || !PyErr_Occurred()) return true;
    PyErr_Clear();
    return false;
  }
  if (!PyFloat_Check(value)) return false;
  number = PyFloat_AsDouble(value);
  return true;
}

// The number that Python makes of an object; false where it makes none. Any other error, such as Ctrl-C or a call that
// was refused, is the caller's.
inline bool any_number(PyObject* value, double& number) {
  number = PyFloat_AsDouble(value);
  if (number != -1.0 || !PyErr_Occurred()) return true;
  for (PyObject* none : {PyExc_TypeError, PyExc_ValueError, PyExc_OverflowError})
    if (PyErr_ExceptionMatches(none)) {
      PyErr_Clear();
      return false;
    }
  throw nb::python_error();
}

// What the `dtype` of a NumPy array or number counts: f for floats, c for complex numbers, M for dates; 0 without one.
inline char kind_of(nb::handle value) {
  const nb::object dtype = nb::getattr(value, "dtype", nb::none()), kind = nb::getattr(dtype, "kind", nb::none());
  return nb::isinstance<nb::str>(kind) ? nb::cast<nb::str>(kind).c_str()[0] : '\0';
}

// The same as `any_number`, but false for NumPy's complex numbers, of which Python would drop a part, and its dates.
inline bool real_number(PyObject* value, double& number) {
  if (plain_number(value, number)) return true;
  return std::string_view("cmM").find(kind_of(value)) == std::string_view::npos && any_number(value, number);
}

// Whether an array has masked entries, which would be used as if they were not.
inline bool is_masked(nb::handle value) {
  // Their class derives from that of arrays; to look for a mask takes as long as to read a short row.
  if (PyType_GetSlot(Py_TYPE(value.ptr()), Py_tp_base) == &PyBaseObject_Type) return false;
  const nb::object mask = nb::getattr(value, "_mask", nb::none());
  return !mask.is_none() && nb::cast<bool>(nb::bool_(mask.attr("any")()));
}

// A read-only contiguous vector from Python, converted (by a copy) when it has another dtype.
template <class T>
using In = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Out = nb::ndarray<nb::numpy, T, nb::ndim<1>>;
template <class T>
using Out2 = nb::ndarray<nb::numpy, T, nb::ndim<2>>;

// What a state keeps under a name.
template <class T>
T item(const nb::dict& state, const char* key) {
  T value;
  if (!state.contains(key) || is_masked(state[key]) || !nb::try_cast(state[key], value))
    throw std::invalid_argument(std::string("the state's `") + key + "` is missing or of the wrong type");
  return value;
}

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
inline Keys keys_of(PackedFeatures& kept) {
  if (kept.wide) return to_numpy(std::move(kept.wide_keys));
  return to_numpy(std::move(kept.narrow_keys));
}
inline Values values_of(PackedFeatures& kept) {
  if (kept.packed) return to_numpy(std::move(kept.singles));
  return to_numpy(std::move(kept.doubles));
}

// Names as bytes. One that was not UTF-8 in its file comes escaped; its bytes are kept beside. All are owned: another
// thread may change the list while the rows are learned.
struct NameViews {
  std::vector<std::string_view> views;
  std::vector<nb::bytes> unescaped;
  nb::tuple owned;
};

inline NameViews views_of(const std::optional<nb::list>& names) {
  NameViews out;
  if (!names) return out;
  out.owned = nb::tuple(*names);
  out.views.reserve(out.owned.size());
  for (nb::handle name : out.owned) {
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

// A name as it was in its file.
inline std::string bytes_of(nb::handle name) {
  nb::object encoded = nb::steal(PyUnicode_AsEncodedString(name.ptr(), "utf-8", "surrogateescape"));
  if (!encoded.is_valid()) throw nb::python_error();
  const auto bytes = nb::cast<nb::bytes>(encoded);
  return {bytes.c_str(), bytes.size()};
}

inline nb::object text_of(std::string_view name) {
  return nb::steal(PyUnicode_DecodeUTF8(name.data(), static_cast<Py_ssize_t>(name.size()), "surrogateescape"));
}

}  // namespace afterwit
