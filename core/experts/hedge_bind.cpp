#include "experts/hedge.hpp"
#include "experts/player_bind.hpp"
#include "python/announced.hpp"

using namespace afterwit;
using namespace nanobind::literals;

static const Announced announced("experts/hedge", [](nb::module_& m) {
  bind_rule<HedgeRule, double, double, double>(m, "HedgeRule", "rate"_a, "horizon"_a, "eps"_a);
});
