#include "experts/fixed_share.hpp"
#include "experts/player_bind.hpp"
#include "python/announced.hpp"

using namespace afterwit;
using namespace nanobind::literals;

static const Announced announced("experts/fixed_share", [](nb::module_& m) {
  bind_rule<FixedShareRule, double, double>(m, "FixedShareRule", "rate"_a, "share"_a);
});
