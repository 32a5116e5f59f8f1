#include "experts/halving.hpp"
#include "experts/player_bind.hpp"
#include "python/announced.hpp"

using namespace afterwit;

static const Announced announced("experts/halving", [](nb::module_& m) { bind_rule<HalvingRule>(m, "HalvingRule"); });
