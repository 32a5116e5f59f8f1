#include <nanobind/nanobind.h>

#include <stdexcept>

#include "numeric/number.hpp"
#include "python/announced.hpp"

namespace nb = nanobind;
using namespace nb::literals;

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

static const afterwit::Announced announced("text", [](nb::module_& m) {
  m.def("parse_number", &parse_number, "text"_a, "The double nearest to a decimal literal.");
});
