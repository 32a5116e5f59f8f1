#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <stdexcept>

#include "experts/working_set.hpp"
#include "python/announced.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace afterwit;

static const Announced announced("experts/working_set", [](nb::module_& m) {
  m.def(
      "alive",
      [](std::uint64_t t, bool all) {
        if (t > 1ull << 53) throw std::invalid_argument("t is above 2^53, the largest number of a round");
        return alive(t, all);
      },
      "t"_a, "all"_a = false, "Who of those born in rounds 1, 2, ..., t is alive (errata 33).");
});
