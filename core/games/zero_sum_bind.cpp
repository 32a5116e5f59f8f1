#include <memory>
#include <vector>

#include "games/zero_sum.hpp"
#include "python/announced.hpp"
#include "python/arrays.hpp"
#include "python/lock.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace afterwit;

using Matrix = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

static const Announced announced("games/zero_sum", [](nb::module_& m) {
  nb::class_<ZeroSum>(m, "ZeroSum", "A matrix game, going on; known to the call alone that began it.")
      .def(
          "__init__",
          [](ZeroSum* self, Matrix A) {
            if (A.shape(0) < 2 || A.shape(1) < 2) throw std::invalid_argument("both players must have a choice");
            std::unique_ptr<ZeroSum> made;
            {
              const WithoutGil unlocked;
              made = std::make_unique<ZeroSum>(std::span(A.data(), A.size()), A.shape(0), A.shape(1));
            }
            new (self) ZeroSum(std::move(*made));
          },
          "matrix"_a)
      .def(
          "advance",
          [](ZeroSum& self, std::uint64_t rounds, std::uint64_t numbers, double gap) {
            const WithoutGil unlocked;
            self.advance(rounds, numbers, gap);
          },
          "rounds"_a, "numbers"_a, "gap"_a,
          "Goes on to so many rounds in all, until about so many numbers were touched, or to this gap.")
      .def_prop_ro("gap", &ZeroSum::gap)
      .def_prop_ro("rounds", [](const ZeroSum& self) { return self.gaps.size(); })
      .def(
          "gaps", [](const ZeroSum& self) { return to_numpy(std::vector<double>(self.gaps)); }, nb::rv_policy::move,
          "That of the means after each round.")
      .def(
          "mean_row", [](const ZeroSum& self) { return to_numpy(self.mean_row()); }, nb::rv_policy::move)
      .def("mean_column", [](const ZeroSum& self) { return to_numpy(self.mean_column()); }, nb::rv_policy::move);
});
