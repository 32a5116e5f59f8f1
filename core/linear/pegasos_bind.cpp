#include "linear/pegasos.hpp"
#include "linear/rule_bind.hpp"

using namespace afterwit;

static const Announced announced("linear/pegasos", [](nb::module_& m) {
  bind_linear_rule<PegasosRule, double>(m, "PegasosRule", "strength"_a);
});
