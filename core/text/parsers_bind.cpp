#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "python/announced.hpp"
#include "python/arrays.hpp"
#include "python/lock.hpp"
#include "text/lines.hpp"
#include "text/svmlight.hpp"
#include "text/vw.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace afterwit {
namespace {

LabelKind label_kind(const std::string& name) {
  if (name == "real") return LabelKind::real;
  if (name == "binary") return LabelKind::binary;
  if (name == "classes") return LabelKind::classes;
  if (name == "none") return LabelKind::none;
  throw std::invalid_argument("kind is `" + name + "`, expected `real`, `binary`, `classes` or `none`");
}

struct Parsed {
  Keys keys;
  Values values;
  Out<std::int64_t> starts;
  Out<double> y;
  std::optional<Out<double>> weight;
  std::optional<Out<std::uint64_t>> groups;
  std::optional<nb::list> names;
  std::int64_t consumed, lines, skipped;
  std::vector<BadLine> bad_lines;
};

// Names are bytes; what is not UTF-8 is escaped as Python does for file names.
nb::list to_list(const std::vector<std::string>& names) {
  nb::list out;
  for (const std::string& name : names) {
    nb::object shown =
        nb::steal(PyUnicode_DecodeUTF8(name.data(), static_cast<Py_ssize_t>(name.size()), "surrogateescape"));
    if (!shown.is_valid()) throw nb::python_error();
    out.append(shown);
  }
  return out;
}

// A parser that works without the GIL, behind a lock of its own.
template <class Format>
class Parser {
 public:
  Parser(Format format, bool skip, bool packed, bool keep_names = false, bool keep_groups = false)
      : parser_(std::move(format), skip, packed), keep_names_(keep_names), keep_groups_(keep_groups) {}

  Parsed parse(const In<std::uint8_t>& data, std::size_t offset, bool final, std::int64_t max_rows) {
    if (offset > data.size()) throw std::invalid_argument("offset lies behind the data");
    if (max_rows < 0) throw std::invalid_argument("max_rows is negative");
    const char* text = reinterpret_cast<const char*>(data.data());
    const char *begin = text + offset, *end = text + data.size();
    ParsedLines result;
    {
      const WithoutGil without_gil;
      const std::lock_guard locked(mutex_);
      result = parser_.parse(begin, end, final, max_rows);
    }
    for (BadLine& bad : result.bad_lines) bad.offset += static_cast<std::int64_t>(offset);
    Rows& rows = result.rows;
    Parsed parsed{keys_of(rows.kept),
                  values_of(rows.kept),
                  to_numpy(std::move(rows.starts)),
                  to_numpy(std::move(rows.y)),
                  {},
                  {},
                  {},
                  result.consumed,
                  result.lines,
                  result.skipped,
                  std::move(result.bad_lines)};
    if (!rows.weight.empty()) parsed.weight = to_numpy(std::move(rows.weight));
    if (keep_groups_) parsed.groups = to_numpy(std::move(rows.groups));
    if (keep_names_) parsed.names = to_list(rows.names);
    return parsed;
  }

  std::vector<ClassName> classes() const {
    const std::lock_guard locked(mutex_);
    return parser_.classes();
  }

  std::size_t class_count() const {
    const std::lock_guard locked(mutex_);
    return parser_.classes().size();
  }

 private:
  LineParser<Format> parser_;
  bool keep_names_;
  bool keep_groups_;
  mutable std::mutex mutex_;
};

using SvmlightParser = Parser<Svmlight>;
using VwParser = Parser<VwText>;
using Words = std::vector<std::string>;

template <class Format>
nb::class_<Parser<Format>> bind_parser(nb::module_& m, const char* name, const char* text) {
  using P = Parser<Format>;
  return nb::class_<P>(m, name, text)
      .def("parse", &P::parse, "data"_a.noconvert(), "offset"_a, "final"_a, "max_rows"_a,
           "Whole lines of data[offset:] (and the rest if final), at most max_rows rows.")
      .def_prop_ro("classes", &P::classes, "The classes in order of their codes.")
      .def_prop_ro("class_count", &P::class_count);
}

void bind_faults(nb::module_& m) {
  nb::enum_<Fault>(m, "Fault", "What is wrong with a line.")
      .value("label_missing", Fault::label_missing)
      .value("label_not_number", Fault::label_not_number)
      .value("label_infinite", Fault::label_infinite)
      .value("label_not_binary", Fault::label_not_binary)
      .value("label_not_integer", Fault::label_not_integer)
      .value("label_too_large", Fault::label_too_large)
      .value("label_not_utf8", Fault::label_not_utf8)
      .value("label_unknown", Fault::label_unknown)
      .value("label_shared", Fault::label_shared)
      .value("label_of_several", Fault::label_of_several)
      .value("weight_not_number", Fault::weight_not_number)
      .value("weight_negative", Fault::weight_negative)
      .value("weight_too_large", Fault::weight_too_large)
      .value("base_not_zero", Fault::base_not_zero)
      .value("word_before_bar", Fault::word_before_bar)
      .value("bar_missing", Fault::bar_missing)
      .value("scale_not_number", Fault::scale_not_number)
      .value("scale_too_large", Fault::scale_too_large)
      .value("weight_missing", Fault::weight_missing)
      .value("record_too_short", Fault::record_too_short)
      .value("record_too_long", Fault::record_too_long)
      .value("record_too_large", Fault::record_too_large)
      .value("quote_not_closed", Fault::quote_not_closed)
      .value("text_after_quote", Fault::text_after_quote)
      .value("text_not_utf8", Fault::text_not_utf8)
      .value("query_id", Fault::query_id)
      .value("feature_without_colon", Fault::feature_without_colon)
      .value("feature_without_value", Fault::feature_without_value)
      .value("name_missing", Fault::name_missing)
      .value("index_missing", Fault::index_missing)
      .value("index_negative", Fault::index_negative)
      .value("index_not_integer", Fault::index_not_integer)
      .value("index_too_large", Fault::index_too_large)
      .value("value_not_number", Fault::value_not_number)
      .value("value_infinite", Fault::value_infinite)
      .value("value_too_large", Fault::value_too_large)
      .value("scaled_value_too_large", Fault::scaled_value_too_large)
      .value("cell_infinite", Fault::cell_infinite);
  nb::class_<BadLine>(m, "BadLine", "A bad line: its number and column from 1, and its token as a slice of the data.")
      .def_ro("fault", &BadLine::fault)
      .def_ro("line", &BadLine::line)
      .def_ro("column", &BadLine::column)
      .def_ro("offset", &BadLine::offset)
      .def_ro("length", &BadLine::length);
}

}  // namespace
}  // namespace afterwit

static const afterwit::Announced announced("text/lines", [](nb::module_& m) {
  using namespace afterwit;
  bind_faults(m);
  nb::class_<Parsed>(m, "Parsed", "Rows, how far the data was read, and what was wrong with it.")
      .def_ro("keys", &Parsed::keys, nb::rv_policy::reference)
      .def_ro("values", &Parsed::values, nb::rv_policy::reference)
      .def_ro("starts", &Parsed::starts, nb::rv_policy::reference)
      .def_ro("y", &Parsed::y, nb::rv_policy::reference)
      .def_ro("weight", &Parsed::weight, nb::rv_policy::reference, "None where all are 1.")
      .def_ro("groups", &Parsed::groups, nb::rv_policy::reference)
      .def_ro("names", &Parsed::names)
      .def_ro("consumed", &Parsed::consumed)
      .def_ro("lines", &Parsed::lines)
      .def_ro("skipped", &Parsed::skipped)
      .def_ro("bad_lines", &Parsed::bad_lines);
  bind_parser<Svmlight>(m, "SvmlightParser", "Parses svmlight text piece by piece.")
      .def(
          "__init__",
          [](SvmlightParser* self, const std::string& kind, const Words& classes, bool skip, bool packed) {
            new (self) SvmlightParser(Svmlight(LabelReader(label_kind(kind), classes)), skip, packed);
          },
          "kind"_a, "classes"_a, "skip"_a, "packed"_a = false);
  bind_parser<VwText>(m, "VwParser", "Parses Vowpal Wabbit's text piece by piece.")
      .def(
          "__init__",
          [](VwParser* self, const std::string& kind, const Words& classes, bool skip, bool names, bool groups,
             bool packed) {
            LabelReader labels(label_kind(kind), classes);
            new (self) VwParser(VwText(std::move(labels), names, groups), skip, packed, names, groups);
          },
          "kind"_a, "classes"_a, "skip"_a, "names"_a = false, "groups"_a = false, "packed"_a = false);
});
