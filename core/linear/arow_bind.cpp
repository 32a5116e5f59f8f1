#include "linear/arow.hpp"
#include "linear/rule_bind.hpp"

using namespace afterwit;

static const Announced announced("linear/arow", [](nb::module_& m) {
  bind_linear_rule<ArowRule, double, bool>(m, "ArowRule", "noise"_a, "numbers"_a);
  bind_linear_rule<NormalizedArowRule, double, bool>(m, "NormalizedArowRule", "noise"_a, "numbers"_a);
});
