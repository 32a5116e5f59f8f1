// The module afterwit._core: everything that a *_bind.cpp has announced, room after room.
#include <nanobind/nanobind.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "python/announced.hpp"

namespace nb = nanobind;
using namespace afterwit;

namespace {

// Lower rooms first: what a signature names must be there.
constexpr std::array<std::string_view, 15> rooms = {"python",  "rows",     "text",  "losses",  "regret",
                                                    "convex",  "learners", "dense", "experts", "linear",
                                                    "bandits", "games",    "trees", "panel",   "learning"};

// When a binding's turn comes, whatever the order of linking.
std::pair<std::size_t, std::string_view> turn(const Binding& binding) {
  const std::string_view name = binding.name, room = name.substr(0, name.find('/'));
  const auto found = std::find(rooms.begin(), rooms.end(), room);
  if (found == rooms.end()) throw std::logic_error("`" + std::string(room) + "` is not among the rooms of the module");
  return {static_cast<std::size_t>(found - rooms.begin()), name};
}

// What was freed and the allocator keeps: after loading modules, some megabytes.
void give_back_memory() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

}  // namespace

NB_MODULE(_core, m) {
  m.doc() = "The native core of afterwit.";
  m.attr("version") = AFTERWIT_VERSION;
  nb::set_leak_warnings(false);  // a model that some cache holds until the interpreter ends is no fault of its user
  m.def("give_back_memory", &give_back_memory, "Gives freed memory back to the system, where the allocator can.");
  auto& all = bindings();
  std::sort(all.begin(), all.end(), [](const Binding& a, const Binding& b) { return turn(a) < turn(b); });
  for (const Binding& binding : all) binding.bind(m);
}
