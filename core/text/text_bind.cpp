#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>

#include "numeric/number.hpp"
#include "python/announced.hpp"
#include "text/faults.hpp"
#include "text/parser_bind.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace afterwit {
namespace {

double number_in(nb::bytes text) {
  double value = 0;
  switch (parse_number(text.c_str(), text.c_str() + text.size(), value)) {
    case NumberStatus::malformed:
      throw std::invalid_argument("not a decimal literal");
    case NumberStatus::infinite:
      throw std::overflow_error("above the largest double");
    case NumberStatus::good:
      break;
  }
  return value;
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
      .value("cell_infinite", Fault::cell_infinite)
      .value("cell_no_date", Fault::cell_no_date)
      .value("json_no_object", Fault::json_no_object)
      .value("json_no_key", Fault::json_no_key)
      .value("json_no_colon", Fault::json_no_colon)
      .value("json_no_value", Fault::json_no_value)
      .value("json_no_comma", Fault::json_no_comma)
      .value("json_comma_too_many", Fault::json_comma_too_many)
      .value("json_not_closed", Fault::json_not_closed)
      .value("json_more_behind", Fault::json_more_behind)
      .value("json_word", Fault::json_word)
      .value("json_number", Fault::json_number)
      .value("json_control", Fault::json_control)
      .value("json_escape", Fault::json_escape)
      .value("json_surrogate", Fault::json_surrogate)
      .value("json_too_deep", Fault::json_too_deep)
      .value("json_key_twice", Fault::json_key_twice)
      .value("json_nested_twice", Fault::json_nested_twice)
      .value("json_array_mixed", Fault::json_array_mixed)
      .value("json_array_nested", Fault::json_array_nested)
      .value("json_array_unread", Fault::json_array_unread)
      .value("label_nested", Fault::label_nested);
  nb::class_<BadLine>(
      m, "BadLine",
      "A bad line: its number and column from 1, its token as a slice of the data; of a CSV, in which field (from 0) "
      "of how many; of JSON, the name of the value.")
      .def_ro("fault", &BadLine::fault)
      .def_ro("line", &BadLine::line)
      .def_ro("column", &BadLine::column)
      .def_ro("offset", &BadLine::offset)
      .def_ro("length", &BadLine::length)
      .def_ro("field", &BadLine::field)
      .def_ro("fields", &BadLine::fields)
      .def_ro("name", &BadLine::name);
}

}  // namespace
}  // namespace afterwit

static const afterwit::Announced announced("text", [](nb::module_& m) {
  using namespace afterwit;
  m.def("parse_number", &number_in, "text"_a, "The double nearest to a decimal literal.");
  bind_faults(m);
  nb::class_<Parsed>(m, "Parsed", "Rows, how far the data was read, and what was wrong with it.")
      .def_ro("keys", &Parsed::keys, nb::rv_policy::reference)
      .def_ro("values", &Parsed::values, nb::rv_policy::reference)
      .def_ro("starts", &Parsed::starts, nb::rv_policy::reference)
      .def_ro("y", &Parsed::y, nb::rv_policy::reference)
      .def_ro("weight", &Parsed::weight, nb::rv_policy::reference, "None where all are 1, in VW text.")
      .def_ro("groups", &Parsed::groups, nb::rv_policy::reference)
      .def_ro("names", &Parsed::names)
      .def_ro("ids", &Parsed::ids, "The text of each column of ids, row by row.")
      .def_ro("consumed", &Parsed::consumed)
      .def_ro("lines", &Parsed::lines)
      .def_ro("skipped", &Parsed::skipped)
      .def_ro("stopped", &Parsed::stopped, "At the last of the bad lines.")
      .def_ro("bad_lines", &Parsed::bad_lines);
});
