#include "experts/ada_normal_hedge_tv.hpp"
#include "experts/player_bind.hpp"
#include "python/announced.hpp"

using namespace afterwit;
using namespace nanobind::literals;

static const Announced announced("experts/ada_normal_hedge_tv", [](nb::module_& m) {
  bind_rule<AdaNormalHedgeTVRule, bool>(m, "AdaNormalHedgeTVRule", "exact"_a);
});
