#include "linear/passive_aggressive.hpp"
#include "linear/rule_bind.hpp"

using namespace afterwit;

static const Announced announced("linear/passive_aggressive", [](nb::module_& m) {
  bind_linear_rule<PassiveAggressiveRule, double>(m, "PassiveAggressiveRule", "aggressiveness"_a);
  bind_linear_rule<NormalizedPassiveAggressiveRule, double, bool>(m, "NormalizedPassiveAggressiveRule",
                                                                  "aggressiveness"_a, "numbers"_a);
});
