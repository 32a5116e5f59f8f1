#include <memory>
#include <stdexcept>
#include <utility>

#include "experts/delayed.hpp"
#include "experts/player_bind.hpp"
#include "python/announced.hpp"

using namespace nanobind::literals;
using namespace afterwit;

namespace {

PyPlayer delayed(const nb::list& players, std::size_t turn, double low, double high) {
  Delayed::Players copies;
  for (const nb::handle each : players) copies.push_back(nb::cast<const PyPlayer&>(each).player->clone());
  if (turn >= copies.size()) throw std::invalid_argument("the state's `turn` is not that of one of its players");
  for (const auto& each : copies)
    if (each->size() != copies[0]->size()) throw std::invalid_argument("the players have not the same experts");
  return {std::make_unique<Delayed>(std::move(copies), turn, low, high)};
}

// All players that take turns, copied.
nb::list players(PyPlayer& self) {
  const Locked locked(*self.mutex);
  nb::list out;
  for (auto& each : player_as<Delayed>(self, "the player is not one that takes turns").copies())
    out.append(nb::cast(PyPlayer{std::move(each)}));
  return out;
}

void pass(PyPlayer& self, std::size_t rounds) {
  const Locked locked(*self.mutex);
  self.player->pass(rounds);
}

}  // namespace

static const Announced announced("experts/delayed", [](nb::module_&) {
  player_class()
      .def_static("delayed", &delayed, "players"_a, "turn"_a, "low"_a, "high"_a)
      .def_prop_ro("turns", [](const PyPlayer& self) { return self.player->turns(); })
      .def("players", &players)
      .def("skip", &pass, "rounds"_a);
});
