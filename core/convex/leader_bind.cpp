#include <nanobind/stl/optional.h>

#include <optional>
#include <stdexcept>

#include "convex/leader.hpp"
#include "convex/point_bind.hpp"
#include "python/announced.hpp"
#include "python/arrays.hpp"

using namespace afterwit;
using namespace nanobind::literals;

static const Announced announced("convex/leader", [](nb::module_& m) {
  m.def(
      "leader",
      [](const PyDomain& domain, double rate, bool falls, bool entropic, bool optimistic,
         std::optional<In<double>> hint) {
        Leader rule{rate, falls, entropic, optimistic};
        if (hint) {
          if (hint->shape(0) != size_of(domain.domain))
            throw std::invalid_argument("there must be one number per coordinate");
          rule.hint.assign(hint->data(), hint->data() + hint->shape(0));
        }
        return player_of(std::move(rule), domain);
      },
      "domain"_a, "rate"_a, "falls"_a = false, "entropic"_a = false, "optimistic"_a = false, "hint"_a = nb::none(),
      "The leader, regularised by 1/rate; 0 without a regulariser.");
});
