#include "experts/free_boa.hpp"
#include "experts/player_bind.hpp"
#include "python/announced.hpp"

using namespace afterwit;

static const Announced announced("experts/free_boa", [](nb::module_& m) { bind_rule<FreeBoaRule>(m, "FreeBoaRule"); });
