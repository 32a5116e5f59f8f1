#include <stdexcept>
#include <vector>

#include "bandits/exp3.hpp"
#include "python/announced.hpp"
#include "python/arrays.hpp"
#include "python/lock.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace afterwit;

namespace {

using Matrix = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

std::vector<double> weights(const Exp3& self) {
  std::vector<double> p(self.losses.size());
  self.weights(p.data());
  return p;
}

// Rounds of losses in [0, 1]: which arms were drawn, from which weights.
nb::tuple run(Exp3& self, Matrix losses, bool keep) {
  const std::size_t T = losses.shape(0), N = losses.shape(1);
  if (N != self.losses.size()) throw std::invalid_argument("losses must have one column per arm");
  std::vector<std::int64_t> arms(T);
  std::vector<double> p(N), all(keep ? T * N : 0);
  {
    const WithoutGil unlocked;
    for (std::size_t t = 0; t < T; ++t) {
      self.weights(p.data());
      const std::size_t arm = self.draw(p.data());
      arms[t] = static_cast<std::int64_t>(arm);
      if (keep) std::copy(p.begin(), p.end(), all.begin() + static_cast<std::ptrdiff_t>(t * N));
      self.update(p.data(), arm, losses.data()[t * N + arm]);
    }
  }
  return nb::make_tuple(to_numpy(std::move(arms)), to_numpy(std::move(all), keep ? T : 0, N));
}

}  // namespace

static const Announced announced("bandits", [](nb::module_& m) {
  nb::class_<Exp3>(m, "Exp3Rule", "Exponential weights for a bandit. Who uses it holds a lock.")
      .def(nb::init<std::size_t, std::uint64_t, double, std::uint64_t>(), "arms"_a, "seed"_a, "rate"_a, "horizon"_a)
      .def("clone", [](const Exp3& self) { return Exp3(self); })
      .def_ro("rounds", &Exp3::rounds)
      .def_prop_ro("rate", &Exp3::rate)
      .def(
          "losses", [](const Exp3& self) { return to_numpy(std::vector<double>(self.losses)); }, nb::rv_policy::move,
          "The estimated losses of this epoch.")
      .def(
          "weights", [](const Exp3& self) { return to_numpy(weights(self)); }, nb::rv_policy::move)
      .def("draw", [](const Exp3& self) { return self.draw(weights(self).data()); })
      .def(
          "update",
          [](Exp3& self, std::size_t arm, double loss) {
            if (arm >= self.losses.size()) throw std::invalid_argument("there is no such arm");
            self.update(weights(self).data(), arm, loss);
          },
          "arm"_a, "loss"_a)
      .def("run", &run, "losses"_a, "keep"_a, "The arms that were drawn, and all weights or none.")
      .def(
          "set",
          [](Exp3& self, In<double> losses, std::uint64_t rounds) {
            if (losses.shape(0) != self.losses.size())
              throw std::invalid_argument("losses must have one entry per arm");
            self.losses.assign(losses.data(), losses.data() + losses.shape(0));
            self.rounds = rounds;
          },
          "losses"_a, "rounds"_a);
});
