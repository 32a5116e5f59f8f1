#include <nanobind/nanobind.h>

#include <stdexcept>

#include "text/number.hpp"

namespace nb = nanobind;
using namespace nb::literals;

void bind_parsers(nb::module_& m);
void bind_csv(nb::module_& m);
void bind_csv_numbers(nb::module_& m);
void bind_columns(nb::module_& m);

namespace {

double parse_number(nb::bytes text) {
  double value = 0;
  switch (afterwit::parse_number(text.c_str(), text.c_str() + text.size(), value)) {
    case afterwit::NumberStatus::malformed:
      throw std::invalid_argument("not a decimal literal");
    case afterwit::NumberStatus::infinite:
      throw std::overflow_error("above the largest double");
    case afterwit::NumberStatus::good:
      break;
  }
  return value;
}

}  // namespace

void bind_text(nb::module_& m) {
  m.def("parse_number", &parse_number, "text"_a, "The double nearest to a decimal literal.");
  bind_parsers(m);
  bind_csv(m);
  bind_csv_numbers(m);
  bind_columns(m);
}
