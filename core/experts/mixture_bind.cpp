#include <nanobind/stl/optional.h>

#include <optional>
#include <stdexcept>
#include <utility>

#include "experts/mixture.hpp"
#include "experts/player_bind.hpp"
#include "losses/loss_bind.hpp"
#include "python/announced.hpp"
#include "python/arrays.hpp"

using namespace nanobind::literals;
using namespace afterwit;

namespace {

// (None, forecasts, weights, the scales after), or a fault alone; then nothing has changed.
nb::tuple mixed(PyPlayer& self, Matrix forecasts, In<double> y, std::optional<In<double>> weight, const PyLoss& loss,
                bool gradient, In<double> scale, bool keep) {
  const Locked locked(*self.mutex);
  const std::size_t rows = forecasts.shape(0), n = self.player->size();
  if (forecasts.shape(1) != n || y.shape(0) != rows || (weight && weight->shape(0) != rows))
    throw std::invalid_argument("there must be one forecast per expert, and one label and weight per row");
  if (scale.shape(0) != self.player->turns()) throw std::invalid_argument("there must be one scale per turn");
  std::vector<double> E(scale.data(), scale.data() + scale.shape(0));
  Mixed out;
  BadEntry fault;
  {
    const WithoutGil unlocked;
    // A call that may fail in some row plays with a copy.
    auto copy = takes_all(*self.player, forecasts.data(), rows) ? nullptr : self.player->clone();
    Player& player = copy ? *copy : *self.player;
    fault = run_mixture(player, *loss.any, gradient, forecasts.data(), y.data(), weight ? weight->data() : nullptr,
                        rows, keep, E.data(), out);
    if (copy && !fault) self.player = std::move(copy);
  }
  if (fault) return nb::make_tuple(fault_of(fault));
  nb::object weights = nb::none();
  if (keep) weights = nb::cast(to_numpy(std::move(out.weights), rows, n));
  return nb::make_tuple(nb::none(), to_numpy(std::move(out.forecast)), weights, to_numpy(std::move(E)));
}

}  // namespace

static const Announced announced("experts/mixture", [](nb::module_&) {
  player_class().def("mix", &mixed, "forecasts"_a, "y"_a, "weight"_a.none(), "loss"_a, "gradient"_a, "scale"_a,
                     "keep"_a = false);
});
