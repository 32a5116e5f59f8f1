#include "linear/normalized_adagrad.hpp"
#include "linear/rule_bind.hpp"

using namespace afterwit;

static const Announced announced("linear/normalized_adagrad", [](nb::module_& m) {
  bind_linear_rule<NormalizedAdaGradRule, double>(m, "NormalizedAdaGradRule", "rate"_a);
});
