#include "experts/ada_normal_hedge.hpp"
#include "experts/player_bind.hpp"
#include "python/announced.hpp"

using namespace afterwit;

static const Announced announced("experts/ada_normal_hedge", [](nb::module_& m) {
  bind_rule<AdaNormalHedgeRule>(m, "AdaNormalHedgeRule");
  bind_rule<NormalHedgeDTRule>(m, "NormalHedgeDTRule");
});
