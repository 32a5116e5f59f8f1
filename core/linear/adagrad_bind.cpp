#include "linear/adagrad.hpp"
#include "linear/rule_bind.hpp"

using namespace afterwit;

static const Announced announced("linear/adagrad", [](nb::module_& m) {
  bind_linear_rule<AdaGradRule, double>(m, "AdaGradRule", "rate"_a);
});
