#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "text/svmlight.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace afterwit {
namespace {

LabelKind label_kind(const std::string& name) {
  if (name == "real") return LabelKind::real;
  if (name == "binary") return LabelKind::binary;
  if (name == "class") return LabelKind::classes;
  throw std::invalid_argument("kind is `" + name + "`, expected `real`, `binary` or `class`");
}

struct Parsed {
  Out<std::uint64_t> keys;
  Out<double> values;
  Out<std::int64_t> starts;
  Out<double> y;
  std::int64_t consumed, lines, skipped;
  std::vector<BadLine> bad_lines;
};

// A parser that works without the GIL, behind a lock of its own.
class Parser {
 public:
  Parser(const std::string& kind, const std::vector<std::string>& classes, bool skip)
      : parser_(LabelReader(label_kind(kind), classes), skip) {}

  Parsed parse(nb::bytes data, std::size_t offset, bool final, std::int64_t max_rows) {
    if (offset > data.size()) throw std::invalid_argument("offset lies behind the data");
    const char *begin = data.c_str() + offset, *end = data.c_str() + data.size();
    SvmlightParser::Result result;
    {
      nb::gil_scoped_release without_gil;
      const std::lock_guard alone(mutex_);
      result = parser_.parse(begin, end, final, max_rows);
    }
    for (BadLine& bad : result.bad_lines) bad.offset += static_cast<std::int64_t>(offset);
    Rows& rows = result.rows;
    return {to_numpy(std::move(rows.keys)),
            to_numpy(std::move(rows.values)),
            to_numpy(std::move(rows.starts)),
            to_numpy(std::move(rows.y)),
            result.consumed,
            result.lines,
            result.skipped,
            std::move(result.bad_lines)};
  }

  std::vector<ClassName> classes() const {
    const std::lock_guard alone(mutex_);
    return parser_.classes();
  }

  std::size_t class_count() const {
    const std::lock_guard alone(mutex_);
    return parser_.classes().size();
  }

 private:
  SvmlightParser parser_;
  mutable std::mutex mutex_;
};

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
      .value("weight_missing", Fault::weight_missing)
      .value("weight_not_number", Fault::weight_not_number)
      .value("weight_negative", Fault::weight_negative)
      .value("weight_too_large", Fault::weight_too_large)
      .value("record_too_short", Fault::record_too_short)
      .value("record_too_long", Fault::record_too_long)
      .value("record_too_large", Fault::record_too_large)
      .value("quote_not_closed", Fault::quote_not_closed)
      .value("text_after_quote", Fault::text_after_quote)
      .value("text_not_utf8", Fault::text_not_utf8)
      .value("query_id", Fault::query_id)
      .value("feature_without_colon", Fault::feature_without_colon)
      .value("feature_without_value", Fault::feature_without_value)
      .value("index_missing", Fault::index_missing)
      .value("index_negative", Fault::index_negative)
      .value("index_not_integer", Fault::index_not_integer)
      .value("index_too_large", Fault::index_too_large)
      .value("value_not_number", Fault::value_not_number)
      .value("value_infinite", Fault::value_infinite)
      .value("value_too_large", Fault::value_too_large);
  nb::class_<BadLine>(m, "BadLine", "A bad line: its number and column from 1, and its token as a slice of the data.")
      .def_ro("fault", &BadLine::fault)
      .def_ro("line", &BadLine::line)
      .def_ro("column", &BadLine::column)
      .def_ro("offset", &BadLine::offset)
      .def_ro("length", &BadLine::length);
}

}  // namespace
}  // namespace afterwit

void bind_svmlight(nb::module_& m) {
  using namespace afterwit;
  bind_faults(m);
  nb::class_<Parsed>(m, "Parsed", "Rows, how far the data was read, and what was wrong with it.")
      .def_ro("keys", &Parsed::keys, nb::rv_policy::reference)
      .def_ro("values", &Parsed::values, nb::rv_policy::reference)
      .def_ro("starts", &Parsed::starts, nb::rv_policy::reference)
      .def_ro("y", &Parsed::y, nb::rv_policy::reference)
      .def_ro("consumed", &Parsed::consumed)
      .def_ro("lines", &Parsed::lines)
      .def_ro("skipped", &Parsed::skipped)
      .def_ro("bad_lines", &Parsed::bad_lines);
  nb::class_<Parser>(m, "SvmlightParser", "Parses svmlight text piece by piece.")
      .def(nb::init<const std::string&, const std::vector<std::string>&, bool>(), "kind"_a, "classes"_a, "skip"_a)
      .def("parse", &Parser::parse, "data"_a, "offset"_a, "final"_a, "max_rows"_a,
           "Whole lines of data[offset:] (and the rest if final), at most max_rows rows.")
      .def_prop_ro("classes", &Parser::classes, "The classes in order of their codes.")
      .def_prop_ro("class_count", &Parser::class_count);
}
