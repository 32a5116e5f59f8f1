#include "experts/player_bind.hpp"
#include "experts/two_norm.hpp"
#include "python/announced.hpp"

using namespace afterwit;

static const Announced announced("experts/two_norm", [](nb::module_& m) { bind_rule<TwoNormRule>(m, "TwoNormRule"); });
