#include "experts/player_bind.hpp"
#include "experts/second_order.hpp"
#include "python/announced.hpp"

using namespace afterwit;

static const Announced announced("experts/second_order", [](nb::module_& m) {
  bind_rule<AdaptMLProdRule>(m, "AdaptMLProdRule");
  bind_rule<BoaRule>(m, "BoaRule");
});
