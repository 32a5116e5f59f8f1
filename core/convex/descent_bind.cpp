#include "convex/descent.hpp"
#include "convex/point_bind.hpp"
#include "python/announced.hpp"

using namespace afterwit;
using namespace nanobind::literals;

static const Announced announced("convex/descent", [](nb::module_& m) {
  m.def(
      "descent",
      [](const PyDomain& domain, double rate, double strength, bool falls) {
        return player_of(Descent{rate, strength, falls}, domain);
      },
      "domain"_a, "rate"_a, "strength"_a = 0.0, "falls"_a = false,
      "Steps of rate, rate/sqrt(t) or, without a rate, 1/(strength t).");
});
