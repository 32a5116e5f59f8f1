// Domains, and what all players over them have in common. A rule has bindings of its own: NAME_bind.cpp.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "convex/point_bind.hpp"
#include "numeric/counts.hpp"
#include "python/announced.hpp"
#include "python/arrays.hpp"
#include "python/state.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace afterwit;

namespace {

using Matrix = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

Doubles vector_in(const PyDomain& self, const In<double>& w) {
  const std::size_t d = size_of(self.domain);
  if (w.shape(0) != d) throw std::invalid_argument("there must be one number per coordinate");
  Doubles out(padded(d));
  std::copy_n(w.data(), d, out.begin());
  return out;
}

Out<double> point_of(const double* w, std::size_t d) { return to_numpy(std::vector<double>(w, w + d)); }

Out<double> project(const PyDomain& self, In<double> w) {
  Doubles out = vector_in(self, w);
  std::visit([&](const auto& domain) { domain.project(out.data()); }, self.domain);
  return point_of(out.data(), size_of(self.domain));
}

Out<double> least(const PyDomain& self, In<double> linear) {
  const Doubles L = vector_in(self, linear);
  Doubles out(L.size());
  std::visit([&](const auto& domain) { domain.least(L.data(), out.data()); }, self.domain);
  return point_of(out.data(), size_of(self.domain));
}

bool holds(const PyDomain& self, In<double> w) {
  const Doubles point = vector_in(self, w);
  return std::visit([&](const auto& domain) { return domain.holds(point.data()); }, self.domain);
}

PyPointPlayer copied(const PyPointPlayer& self) {
  const Locked locked(*self.mutex);
  return {self.player->clone()};
}

Out<double> play(const PyPointPlayer& self) {
  const Locked locked(*self.mutex);
  return point_of(self.player->point(), self.player->size());
}

// (what, row, column, value).
nb::tuple fault_of(const BadRound& fault) {
  return nb::make_tuple(fault.what == BadRound::What::gradient ? "gradient" : "unbounded", fault.row, fault.column,
                        fault.value);
}

std::optional<nb::tuple> update(PyPointPlayer& self, In<double> gradient, double curvature) {
  const Locked locked(*self.mutex);
  if (gradient.shape(0) != self.player->size()) throw std::invalid_argument("there must be one number per coordinate");
  BadRound fault;
  {
    const WithoutGil unlocked;
    fault = self.player->run({gradient.data(), 1, curvature, false}, nullptr, nullptr);
  }
  if (fault) return fault_of(fault);
  return {};
}

// (None, losses, points or None), or a fault alone, whose row was not played.
nb::tuple run(PyPointPlayer& self, Matrix losses, double curvature, bool keep) {
  const Locked locked(*self.mutex);
  const std::size_t rows = losses.shape(0), d = self.player->size();
  if (losses.shape(1) != d) throw std::invalid_argument("there must be one number per coordinate");
  std::vector<double> loss(rows), points(keep ? rows * d : 0);
  BadRound fault;
  {
    const WithoutGil unlocked;
    fault = self.player->run({losses.data(), rows, curvature, true}, loss.data(), keep ? points.data() : nullptr);
  }
  if (fault) return nb::make_tuple(fault_of(fault));
  nb::object kept = nb::none();
  if (keep) kept = nb::cast(to_numpy(std::move(points), rows, d));
  return nb::make_tuple(nb::none(), to_numpy(std::move(loss)), kept);
}

nb::dict state(PyPointPlayer& self) {
  const Locked locked(*self.mutex);
  StateWriter out;
  self.player->visit(out);
  return out.written();
}

// Refuses what no game leads to.
class PointReader final : public StateReader {
 public:
  using StateReader::numbers;
  using StateReader::StateReader;
  void number(const char* name, double& value) override {
    StateReader::number(name, value);
    const std::string_view which = name;
    check(name, value >= 0.0 && value <= most && (which != "rounds" || is_count(value)) &&
                    (which != "curvature" || value == 0.0 || value >= 1e-38));
  }
  void numbers(const char* name, double* first, const Shape& shape) override {
    StateReader::numbers(name, first, shape);
    for (std::size_t i = 0; i < shape.count; ++i) check(name, std::fabs(first[i]) <= most);
  }

 private:
  static constexpr double most = 1e250;

  static void check(const char* name, bool possible) {
    if (!possible)
      throw std::invalid_argument(std::string("the state's `") + name + "` has a number that no game leads to");
  }
};

void set_state(PyPointPlayer& self, const nb::dict& state) {
  const Locked locked(*self.mutex);
  auto player = self.player->clone();
  PointReader reader(state);
  player->visit(reader);
  if (!player->refresh()) throw std::invalid_argument("the state's point is outside the domain");
  self.player = std::move(player);
}

}  // namespace

static const Announced announced("convex", [](nb::module_& m) {
  nb::class_<PyDomain>(m, "Domain", "A convex set of points.")
      .def_static(
          "reals", [](std::size_t size) { return PyDomain{Reals{size}}; }, "size"_a)
      .def_static(
          "ball", [](double radius, std::size_t size) { return PyDomain{Ball{size, radius}}; }, "radius"_a, "size"_a)
      .def_static(
          "box",
          [](std::vector<double> low, std::vector<double> high) {
            if (low.size() != high.size()) throw std::invalid_argument("there must be two edges per coordinate");
            const std::size_t d = low.size();
            return PyDomain{Box{d, std::move(low), std::move(high)}};
          },
          "low"_a, "high"_a)
      .def_static(
          "simplex", [](std::size_t size) { return PyDomain{Simplex{size}}; }, "size"_a)
      .def("project", &project, "point"_a)
      .def("least", &least, "linear"_a)
      .def("holds", &holds, "point"_a);
  nb::class_<PyPointPlayer>(m, "PointPlayer", "A point of a convex domain, played by some rule.")
      .def("clone", &copied)
      .def("play", &play)
      .def("update", &update, "gradient"_a, "curvature"_a = 0.0)
      .def("run", &run, "losses"_a, "curvature"_a = 0.0, "keep"_a = false)
      .def("state", &state)
      .def("set_state", &set_state, "state"_a)
      .def_prop_ro("size", [](const PyPointPlayer& self) { return self.player->size(); });
});
