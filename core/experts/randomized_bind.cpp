#include <cstdint>
#include <memory>
#include <stdexcept>

#include "experts/player_bind.hpp"
#include "experts/randomized.hpp"
#include "python/announced.hpp"

using namespace nanobind::literals;
using namespace afterwit;

namespace {

PyPlayer randomized(const PyPlayer& player, std::uint64_t seed, bool told, double low, double high, double draws,
                    double slept) {
  check_rounds(draws, "draws");
  check_rounds(slept, "slept");
  if (slept > draws) throw std::invalid_argument("the state's `slept` is no number of rounds among `draws`");
  return {std::make_unique<Randomized>(*player.player, seed, told, low, high, draws, slept)};
}

PyPlayer inner(PyPlayer& self) {
  const Locked locked(*self.mutex);
  return {player_as<Randomized>(self, "the player is not a randomized one").inner().clone()};
}

}  // namespace

static const Announced announced("experts/randomized", [](nb::module_&) {
  player_class()
      .def_static("randomized", &randomized, "player"_a, "seed"_a, "told"_a, "low"_a, "high"_a, "draws"_a = 0.0,
                  "slept"_a = 0.0)
      .def("inner", &inner);
});
