#include "experts/ml_pol.hpp"
#include "experts/player_bind.hpp"
#include "python/announced.hpp"

using namespace afterwit;

static const Announced announced("experts/ml_pol", [](nb::module_& m) {
  bind_rule<MLPolRule>(m, "MLPolRule");
  bind_rule<FreeMLPolRule>(m, "FreeMLPolRule");
});
