#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "experts/leading_history.hpp"
#include "experts/player_bind.hpp"
#include "python/announced.hpp"
#include "python/arrays.hpp"

using namespace nanobind::literals;
using namespace afterwit;

namespace {

PyPlayer leading_history(const PyPlayer& base, const PyPlayer* master, double rate, bool exact, double low,
                         double high) {
  const Player* own = master ? master->player.get() : nullptr;
  return {std::make_unique<LeadingHistory>(*base.player, own, rate, exact, low, high)};
}

LeadingHistory& history_of(PyPlayer& self) {
  return player_as<LeadingHistory>(self, "the player is not one that follows the leading history");
}

// (copies, shares, master or None), all copied.
nb::tuple memory(PyPlayer& self) {
  const Locked locked(*self.mutex);
  const LeadingHistory::Memory& memory = history_of(self).memory();
  nb::list copies;
  for (const auto& copy : memory.copies) copies.append(nb::cast(PyPlayer{copy->clone()}));
  nb::object master = nb::none();
  if (memory.master) master = nb::cast(PyPlayer{memory.master->clone()});
  return nb::make_tuple(copies, to_numpy(std::vector<double>(memory.shares.begin(), memory.shares.end())), master);
}

void set_memory(PyPlayer& self, double rounds, const nb::list& copies, In<double> shares, const PyPlayer* master) {
  const Locked locked(*self.mutex);
  LeadingHistory::Memory memory{{}, {shares.data(), shares.data() + shares.shape(0)}, nullptr, rounds};
  for (const nb::handle copy : copies) memory.copies.push_back(nb::cast<const PyPlayer&>(copy).player->clone());
  if (master) memory.master = master->player->clone();
  if (!history_of(self).remember(std::move(memory)))
    throw std::invalid_argument("the state's `copies` or `shares` are not those of its round");
}

}  // namespace

static const Announced announced("experts/leading_history", [](nb::module_&) {
  player_class()
      .def_static("leading_history", &leading_history, "base"_a, "master"_a.none(), "rate"_a, "exact"_a, "low"_a,
                  "high"_a)
      .def("memory", &memory)
      .def("set_memory", &set_memory, "rounds"_a, "copies"_a, "shares"_a, "master"_a.none());
});
