#include "linear/normalized_gradient_descent.hpp"
#include "linear/rule_bind.hpp"

using namespace afterwit;

static const Announced announced("linear/normalized_gradient_descent", [](nb::module_& m) {
  bind_linear_rule<NormalizedGradientDescentRule, double>(m, "NormalizedGradientDescentRule", "rate"_a);
});
