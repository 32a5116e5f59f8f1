#include "linear/gradient_descent.hpp"
#include "linear/rule_bind.hpp"

using namespace afterwit;

static const Announced announced("linear/gradient_descent", [](nb::module_& m) {
  bind_linear_rule<GradientDescentRule, double, double>(m, "GradientDescentRule", "rate"_a, "radius"_a);
});
