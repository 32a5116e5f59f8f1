// Python mappings into rows: {"price": 3.5} is the feature `price`, {"city": "Rome"} is `city=Rome` with value 1, a
// nested mapping is a namespace, a list or tuple is each of its words or numbers (rows/cells.hpp has the rule). None
// is a missing value.
//
// A call into Python, such as a value's own `__float__`, may change the mapping or let another thread change it. What
// is borrowed from a mapping is therefore used before such a call, or owned.
#pragma once

#include <nanobind/nanobind.h>

#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "python/arrays.hpp"
#include "rows/cells.hpp"
#include "rows/dates.hpp"
#include "rows/names.hpp"

namespace afterwit {

namespace nb = nanobind;

// Appends the features of mappings; keeps the names, too, when asked.
class MappingReader {
 public:
  explicit MappingReader(bool keep_names, bool keep_groups = false, CellRules rules = {})
      : keep_names_(keep_names),
        keep_groups_(keep_groups),
        cells_(std::move(rules)),
        reads_all_(cells_.kept.empty() && cells_.ignored.empty()),
        plain_numbers_(!keep_names && !keep_groups && reads_all_ && cells_.numbers_are_plain()) {}
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
    double* number = values.data();
    for (const Name& name : row_) {
      if (!PyDict_Next(dict, &position, &key, &value) || !(key == name.object || spells(key, name.text)) ||
          !plain_number(value, *number++))
        return false;
    }
    return true;
  }
  static bool spells(PyObject* name, const std::string_view& bytes) {
    if (!PyUnicode_CheckExact(name)) return false;
    Py_ssize_t size;
    const char* own = PyUnicode_AsUTF8AndSize(name, &size);
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
    const bool plain = plain_numbers_ && space == no_namespace;
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

  // Takes a feature that has its whole name.
  auto push_made() {
    return [this](std::uint64_t key, double value, auto name) {
      keys.push_back(key);
      values.push_back(value);
      if (keep_groups_) groups.push_back(group_);
      if (keep_names_) names.push_back(name());
    };
  }

  void add_feature(std::string_view name, PyObject* value, std::uint64_t space, std::string_view space_name) {
    const bool is_column = space == no_namespace;
    if (!reads_all_ && is_column && !cells_.reads(namespace_hash(name))) return;
    group_ = keep_groups_ && is_column ? namespace_hash(name) : space;
    const CellUse use = is_column ? cells_.use(name) : CellUse::plain;
    const bool is_number = PyFloat_Check(value) || PyLong_Check(value);
    if (is_number && (use == CellUse::plain || cells_.rules == 1)) {
      push(key_of_name(name, space), number(name, value), name, space_name);
    } else if (PyDict_Check(value)) {
      if (!is_column) fail("a namespace inside a namespace: ", value, "; expected numbers or words in it");
      const std::string space_copy(name);
      add_level(value, namespace_hash(name), space_copy);
    } else if (cells_.rules != 1 && (PyList_Check(value) || PyTuple_Check(value))) {
      add_array(name, value, use, space, space_name);
    } else if (PyUnicode_Check(value) && use == CellUse::plain) {
      if (cells_.rules != 1 && text(value).empty()) return;
      joined_.assign(name);
      joined_ += '=';
      joined_ += text(value);
      push(key_of_name(joined_, space), 1.0, joined_, space_name);
    } else if (PyUnicode_Check(value) && use == CellUse::date) {
      Moment moment;
      if (text(value).empty()) return;
      if (!read_date(text(value), moment)) fail_date(name, value);
      add_moment(cell(name, use, space_name), moment);
    } else if (PyUnicode_Check(value)) {
      cell(name, use, space_name).word(text(value), push_made());
    } else if (cells_.rules == 1) {
      push(key_of_name(name, space), number(name, value), name, space_name);
    } else {
      add_object(name, value, is_number, use, space, space_name);
    }
  }

  // A NumPy array of one dimension.
  static bool is_vector(nb::handle value) {
    return PySequence_Check(value.ptr()) && nb::hasattr(value, "tolist") && nb::hasattr(value, "ndim") &&
           nb::cast<int>(value.attr("ndim")) == 1;
  }

  // Words are each a category, numbers each a feature of its place; in a column of words both are words.
  void add_array(std::string_view name, PyObject* array, CellUse use, std::uint64_t space,
                 std::string_view space_name) {
    if (use == CellUse::date) fail_date(name, array);
    const Py_ssize_t size = PySequence_Size(array);
    bool words = false, numbers = false;
    for (Py_ssize_t i = 0; i < size; ++i) {
      const nb::object owned = nb::steal(PySequence_GetItem(array, i));  // which may be shorter by now
      if (!owned.is_valid()) throw nb::python_error();
      PyObject* element = owned.ptr();
      if (element == Py_None) continue;
      const bool inner = PyDict_Check(element) || PyList_Check(element) || PyTuple_Check(element);
      if (inner || (!PyUnicode_Check(element) && !PyFloat_Check(element) && is_vector(element)))
        fail("the array `" + std::string(name) + "` has ", element, " in it; expected numbers or words");
      if (PyUnicode_Check(element) || use != CellUse::plain) {
        add_feature(name, element, space, space_name);
      } else {
        const std::string own = placed(name, static_cast<std::size_t>(i));
        push(key_of_name(own, space), number(own, element), own, space_name);
      }
      (PyUnicode_Check(element) ? words : numbers) = true;
      if (words && numbers && use == CellUse::plain)
        fail("the array `" + std::string(name) + "` has words and numbers, such as ", element,
             "; expected the one or the other (numbers that are words: name it in `categorical`)");
    }
  }

  // A number of a class of its own, a date, or a number in a column of words.
  void add_object(std::string_view name, PyObject* value, bool is_number, CellUse use, std::uint64_t space,
                  std::string_view space_name) {
    const bool known = is_number || nb::handle(value).type().is(real_);
    Moment moment;
    if (!known && is_vector(value)) {
      const nb::object list = nb::handle(value).attr("tolist")();
      return add_array(name, list.ptr(), use, space, space_name);
    }
    if (!known) {
      const Time time = read_time(value, moment);
      if (time == Time::missing) return;
      if (time == Time::outside) fail_date(name, value);
      if (time == Time::good) return add_moment(cell(name, use, space_name), moment);
    }
    if (use == CellUse::date) fail_date(name, value);
    if (use == CellUse::plain) {
      push(key_of_name(name, space), number(name, value), name, space_name);
      return;
    }
    const bool is_boolean = PyBool_Check(value) || (!is_number && kind_of(value) == 'b');
    if (is_boolean || !PyIndex_Check(value)) {
      const double x = number(name, value);
      if (std::isnan(x)) fail("feature `" + std::string(name) + "` is ", value, "; expected a number or a word");
      CellFeatures& features = cell(name, use, space_name);
      return is_boolean ? features.boolean(x != 0.0, push_made()) : features.number(x, push_made());
    }
    const nb::object whole = nb::steal(PyNumber_Index(value));
    if (!whole.is_valid()) throw nb::python_error();
    const nb::object digits = spelled(whole.ptr());
    cell(name, use, space_name).word(text(digits.ptr()), push_made());
  }

  enum class Time { none, missing, good, outside };

  // A `date` or `datetime`, also pandas' Timestamp and NaT, or NumPy's datetime64.
  Time read_time(PyObject* value, Moment& moment) {
    if (!date_class_.is_valid()) date_class_ = nb::module_::import_("datetime").attr("date");
    if (nb::isinstance(value, date_class_))
      return read_datetime(value, moment) ? (in_years(moment) ? Time::good : Time::outside) : Time::missing;
    if (kind_of(value) != 'M') return Time::none;
    const nb::handle at(value);
    const auto count = [&](const char* unit) {
      return nb::cast<std::int64_t>(nb::int_(at.attr("astype")(unit).attr("view")("i8")));
    };
    if (nb::cast<bool>(nb::bool_(nb::module_::import_("numpy").attr("isnat")(at)))) return Time::missing;
    moment = moment_of(count("M8[h]"), 24);
    const bool midnight = nb::cast<bool>(nb::bool_(at.attr("astype")("M8[D]").equal(at)));
    if (!midnight && moment.hour < 0) moment.hour = 0;
    return in_years(moment) ? Time::good : Time::outside;
  }

  // False for NaT.
  static bool read_datetime(nb::handle value, Moment& moment) {
    using namespace std::chrono;
    if (PyFloat_Check(nb::object(value.attr("year")).ptr())) return false;
    const auto part = [&](const char* name) { return nb::cast<int>(value.attr(name)); };
    const year_month_day date(year(part("year")), month(static_cast<unsigned>(part("month"))),
                              day(static_cast<unsigned>(part("day"))));
    std::int64_t seconds = 0;
    bool more = false;
    if (nb::hasattr(value, "hour")) {
      seconds = part("hour") * 3600 + part("minute") * 60 + part("second");
      std::int64_t micros = part("microsecond");
      const nb::object offset = value.attr("utcoffset")();
      if (!offset.is_none()) {
        seconds -= nb::cast<std::int64_t>(offset.attr("days")) * 86400 + nb::cast<std::int64_t>(offset.attr("seconds"));
        micros -= nb::cast<std::int64_t>(offset.attr("microseconds"));
      }
      if (micros < 0) micros += 1000000, --seconds;
      more = micros != 0 || (nb::hasattr(value, "nanosecond") && part("nanosecond") != 0);
    }
    moment = moment_of(sys_days(date), seconds, more);
    return true;
  }

  void add_moment(CellFeatures& features, const Moment& moment) { features.moment(moment, push_made()); }

  // What the cells of a name become; a few are kept, as names may be made anew in every row.
  CellFeatures& cell(std::string_view name, CellUse use, std::string_view space_name) {
    if (cells_known_.size() == 256) cells_known_.clear();
    const auto place = std::pair(std::string(space_name), std::string(name));
    return cells_known_.try_emplace(place, place.second, use, cells_.rules, place.first).first->second;
  }

  void push(std::uint64_t key, double value, std::string_view name, std::string_view space_name) {
    keys.push_back(key);
    values.push_back(value);
    if (keep_groups_) groups.push_back(group_);
    if (keep_names_)
      names.push_back(space_name.empty() ? std::string(name) : std::string(space_name) + "^" + std::string(name));
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
      fail("feature `" + std::string(name) + "` is ", value, advice(value));
    if (!PySequence_Check(value)) real_ = nb::borrow(kind);  // the next array may be of complex numbers
    return number;
  }

  const char* advice(PyObject* value) const {
    if (cells_.rules == 1) return "; expected a number, a word or a mapping";
    const nb::object datetime = nb::module_::import_("datetime");
    if (kind_of(value) == 'm' || nb::isinstance(value, datetime.attr("timedelta")))
      return ", a span of time; give it as a number, such as its seconds";
    if (nb::isinstance(value, datetime.attr("time")))
      return ", a time of day; give it as a number, such as its hours, or with its date";
    return "; expected a number, a word, a date or a mapping";
  }

  [[noreturn]] static void fail_date(std::string_view name, PyObject* value) {
    fail("feature `" + std::string(name) + "` is ", value,
         "; expected a date such as 2026-05-01 or 2026-05-01T17:45:00+02:00, of the years 1 to 9999");
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
  CellRules cells_;
  bool reads_all_;      // no group is left out
  bool plain_numbers_;  // a number is its key and its value, and nothing else is kept
  std::map<std::pair<std::string, std::string>, CellFeatures> cells_known_;
  nb::object date_class_;
  std::uint64_t group_ = 0;
  std::string joined_;
};

}  // namespace afterwit
