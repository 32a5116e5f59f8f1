// Python mappings into rows: {"price": 3.5} is the feature `price`, {"city": "Rome"} is `city=Rome` with value 1, a
// nested mapping is a namespace. None is a missing value.
//
// A call into Python, such as a value's own `__float__`, may change the mapping or let another thread change it. What
// is borrowed from a mapping is therefore used before such a call, or owned.
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "python/arrays.hpp"
#include "rows/names.hpp"
#include "rows/words.hpp"

namespace afterwit {

namespace nb = nanobind;

// Appends the features of mappings; keeps the names, too, when asked.
class MappingReader {
 public:
  explicit MappingReader(bool keep_names, bool keep_groups = false, std::vector<std::string> text = {})
      : keep_names_(keep_names), keep_groups_(keep_groups), text_columns_(std::move(text)) {}
  ~MappingReader() {
    forget_row();
    for (Known& known : known_) Py_XDECREF(known.name);
  }
  MappingReader(const MappingReader&) = delete;
  MappingReader& operator=(const MappingReader&) = delete;

  std::vector<std::uint64_t> keys;
  std::vector<double> values;
  std::vector<std::string> names;
  std::vector<std::uint64_t> groups;

  void clear() {
    forget_row();
    keys.clear();
    values.clear();
    names.clear();
    groups.clear();
  }

  void add(PyObject* dict) { add_level(dict, no_namespace, {}); }

  // The features of one mapping in place of all others, which most often has the names of the one before.
  void read(PyObject* dict) {
    if (read_again(dict)) return;
    std::swap(keys, keys_before_);
    clear();
    add(dict);
    if (keys == keys_before_) remember_row(dict);
  }

 private:
  // Numbers under the names of the row before, in their order: the keys are there already. Where a parser makes the
  // rows, as of JSON, the names are other objects that spell the same.
  bool read_again(PyObject* dict) {
    if (row_.empty() || row_.size() != static_cast<std::size_t>(PyDict_Size(dict))) return false;
    PyObject *key, *value;
    Py_ssize_t position = 0;
    for (std::size_t i = 0; i < row_.size() && PyDict_Next(dict, &position, &key, &value); ++i)
      if (!(key == row_[i].object || spells(key, row_[i].text)) || !plain_number(value, values[i])) return false;
    return true;
  }
  static bool spells(PyObject* name, std::string_view bytes) {
    Py_ssize_t size;
    const char* own = PyUnicode_CheckExact(name) ? PyUnicode_AsUTF8AndSize(name, &size) : nullptr;
    if (own != nullptr) return same_bytes({own, static_cast<std::size_t>(size)}, bytes);
    PyErr_Clear();
    return false;
  }
  void remember_row(PyObject* dict) {
    PyObject *key, *value;
    Py_ssize_t position = 0;
    while (PyDict_Next(dict, &position, &key, &value)) {
      const std::size_t i = row_.size();
      // A name whose value is None may be one that no text spells: it had no key.
      Py_ssize_t size;
      const char* bytes = i < keys.size() && PyUnicode_CheckExact(key) ? PyUnicode_AsUTF8AndSize(key, &size) : nullptr;
      if (bytes == nullptr) PyErr_Clear();
      const std::string_view name(bytes == nullptr ? "" : bytes, bytes == nullptr ? 0 : static_cast<std::size_t>(size));
      if (bytes == nullptr || key_of_name(name) != keys[i]) return forget_row();
      Py_INCREF(key);
      row_.push_back({key, name});
    }
    if (row_.size() != keys.size()) forget_row();
  }
  void forget_row() {
    for (const Name& name : row_) Py_DECREF(name.object);
    row_.clear();
  }

  void add_level(PyObject* dict, std::uint64_t space, std::string_view space_name) {
    PyObject *key, *value;
    Py_ssize_t position = 0;
    const bool plain = !keep_names_ && !keep_groups_ && space == no_namespace;
    const Py_ssize_t size = PyDict_Size(dict);
    double number;
    while (PyDict_Next(dict, &position, &key, &value)) {
      if (plain && PyUnicode_CheckExact(key) && plain_number(value, number)) {
        keys.push_back(known_key(key));
        values.push_back(number);
        continue;
      }
      if (value == Py_None) continue;
      const nb::object own_key = nb::borrow(key), own_value = nb::borrow(value);
      if (PyUnicode_Check(key))
        add_feature(text(key), value, space, space_name);
      else if (PyLong_Check(key) && !PyBool_Check(key))
        add_feature(text(spelled(key).ptr()), value, space, space_name);
      else
        fail("a feature's name is ", key, "; expected a string or a whole number");
      if (PyDict_Size(dict) != size) throw std::runtime_error("a row changed while it was read; give a copy of it");
    }
  }

  // The key of a plain `str`, which may be the very object that came with a row before. Of those that were not known
  // one in eight is kept: where names are made anew in every row, to keep and to free them takes longer than to hash.
  std::uint64_t known_key(PyObject* name) {
    const auto address = reinterpret_cast<std::uintptr_t>(name);
    Known& known = known_[(address >> 4 ^ address >> 12) % known_.size()];
    if (known.name == name) return known.key;
    const std::uint64_t key = key_of_name(text(name));
    if (++unknown_ % 8 != 0) return key;
    Py_INCREF(name);
    Py_XDECREF(std::exchange(known, {name, key}).name);
    return key;
  }

  void add_feature(std::string_view name, PyObject* value, std::uint64_t space, std::string_view space_name) {
    group_ = keep_groups_ && space == no_namespace ? namespace_hash(name) : space;
    if (PyFloat_Check(value) || PyLong_Check(value)) {
      push(key_of_name(name, space), number(name, value), name, space_name);
    } else if (PyUnicode_Check(value) && is_text(name, space)) {
      const std::string column(name);
      for_each_word(text(value),
                    [&](std::string_view word) { push(key_of_name(word, namespace_hash(column)), 1.0, word, column); });
    } else if (PyUnicode_Check(value)) {
      joined_.assign(name);
      joined_ += '=';
      joined_ += text(value);
      push(key_of_name(joined_, space), 1.0, joined_, space_name);
    } else if (PyDict_Check(value)) {
      if (space != no_namespace) fail("a namespace inside a namespace: ", value, "; expected numbers or words in it");
      const std::string space_copy(name);
      add_level(value, namespace_hash(name), space_copy);
    } else {
      push(key_of_name(name, space), number(name, value), name, space_name);
    }
  }

  void push(std::uint64_t key, double value, std::string_view name, std::string_view space_name) {
    keys.push_back(key);
    values.push_back(value);
    if (keep_groups_) groups.push_back(group_);
    if (keep_names_)
      names.push_back(space_name.empty() ? std::string(name) : std::string(space_name) + "^" + std::string(name));
  }

  bool is_text(std::string_view name, std::uint64_t space) const {
    return space == no_namespace && std::find(text_columns_.begin(), text_columns_.end(), name) != text_columns_.end();
  }

  static std::string_view text(PyObject* string) {
    Py_ssize_t size;
    const char* bytes = PyUnicode_AsUTF8AndSize(string, &size);
    if (bytes == nullptr) throw nb::python_error();
    return {bytes, static_cast<std::size_t>(size)};
  }

  static nb::object spelled(PyObject* number) {
    nb::object digits = nb::steal(PyObject_Str(number));
    if (!digits.is_valid()) throw nb::python_error();
    return digits;
  }

  double number(std::string_view name, PyObject* value) {
    double number;
    if (plain_number(value, number)) return number;
    const nb::handle kind = nb::handle(value).type();
    if (!(kind.is(real_) ? any_number(value, number) : real_number(value, number)))
      fail("feature `" + std::string(name) + "` is ", value, "; expected a number, a word or a mapping");
    if (!PySequence_Check(value)) real_ = nb::borrow(kind);  // the next array may be of complex numbers
    return number;
  }

  [[noreturn]] static void fail(const std::string& before, PyObject* value, const char* after) {
    nb::object shown = nb::steal(PyObject_Repr(value));
    if (!shown.is_valid()) throw nb::python_error();
    const auto whole = nb::cast<std::string>(shown);
    std::size_t size = whole.size() < 60 ? whole.size() : 60;
    while (size < whole.size() && (whole[size] & 0xC0) == 0x80) --size;  // not in the middle of a character
    throw nb::type_error((before + "`" + whole.substr(0, size) + "`" + after).c_str());
  }

  // Names that are remembered are owned, so that no other can have their address and their text stays. They are of no
  // class of their own: to let them go calls nothing in Python.
  struct Known {
    PyObject* name = nullptr;
    std::uint64_t key = 0;
  };
  struct Name {
    PyObject* object;
    std::string_view text;
  };
  std::array<Known, 256> known_;
  std::uint64_t unknown_ = 0;
  std::vector<Name> row_;  // of the last row, one per key, or none
  std::vector<std::uint64_t> keys_before_;
  nb::object real_;  // a class of numbers that are not complex: to look again would take longer than the number
  bool keep_names_;
  bool keep_groups_;
  std::vector<std::string> text_columns_;
  std::uint64_t group_ = 0;
  std::string joined_;
};

}  // namespace afterwit
