#include "experts/normal_hedge.hpp"
#include "experts/player_bind.hpp"
#include "python/announced.hpp"

using namespace afterwit;

static const Announced announced("experts/normal_hedge",
                                 [](nb::module_& m) { bind_rule<NormalHedgeRule>(m, "NormalHedgeRule"); });
