#include <memory>
#include <stdexcept>
#include <vector>

#include "games/cyclic_perceptron.hpp"
#include "games/optimistic_perceptron.hpp"
#include "python/announced.hpp"
#include "python/arrays.hpp"
#include "python/lock.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace afterwit;

namespace {

// The points never change, so that any thread may look at them; a search is known to the call alone that began it.
struct PyPoints {
  std::shared_ptr<const Points> points;
};

nb::object conflict(const PyPoints& self) {
  std::pair<std::size_t, std::size_t> found;
  {
    const WithoutGil unlocked;
    found = self.points->conflict();
  }
  if (found.first == Points::none) return nb::none();
  return nb::make_tuple(found.first, found.second);
}

Out<double> margins(const PyPoints& self, In<double> w) {
  if (w.shape(0) != self.points->width()) throw std::invalid_argument("w must have one entry per column");
  std::vector<double> all;
  {
    const WithoutGil unlocked;
    all = self.points->margins(w.data());
  }
  return to_numpy(std::move(all));
}

template <class Algorithm>
nb::class_<Algorithm> bind_search(nb::module_& m, const char* name, const char* words) {
  return nb::class_<Algorithm>(m, name, words)
      .def(
          "__init__",
          [](Algorithm* self, const PyPoints& points) {
            if (points.points->size() == 0) throw std::invalid_argument("there are no points, expected one or more");
            std::unique_ptr<Algorithm> made;
            {
              const WithoutGil unlocked;
              made = std::make_unique<Algorithm>(points.points);
            }
            new (self) Algorithm(std::move(*made));
          },
          "points"_a)
      .def(
          "advance",
          [](Algorithm& self, std::uint64_t rounds, std::uint64_t numbers) {
            const WithoutGil unlocked;
            return self.advance(rounds, numbers);
          },
          "rounds"_a, "numbers"_a,
          "Goes on until there were so many rounds (then false), so many numbers were touched, or something separates.")
      .def_ro("rounds", &Algorithm::rounds)
      .def_prop_ro("operations", &Algorithm::operations)
      .def_prop_ro("margin_at_most", &Algorithm::margin_at_most)
      .def(
          "last", [](const Algorithm& self) { return to_numpy(std::vector<double>(self.last())); }, nb::rv_policy::move,
          "The last w.");
}

}  // namespace

static const Announced announced("games", [](nb::module_& m) {
  nb::class_<PyPoints>(m, "Points", "Points with labels -1 and +1 that a separator is sought for.")
      .def(
          "__init__",
          [](PyPoints* self, In<std::uint32_t> columns, In<double> values, In<std::int64_t> starts, In<double> y,
             std::size_t width) {
            std::shared_ptr<const Points> made;
            {
              const WithoutGil unlocked;
              made = std::make_shared<Points>(
                  std::span(columns.data(), columns.shape(0)), std::span(values.data(), values.shape(0)),
                  std::span(starts.data(), starts.shape(0)), std::span(y.data(), y.shape(0)), width);
            }
            new (self) PyPoints{std::move(made)};
          },
          "columns"_a, "values"_a, "starts"_a, "y"_a, "width"_a)
      .def_prop_ro("longest", [](const PyPoints& self) { return self.points->longest(); })
      .def("conflict", &conflict, "Two points that no w separates, or one that is zero twice; or None.")
      .def("margins", &margins, "w"_a, nb::rv_policy::move, "y_i w . x_i of every point.");
  bind_search<OptimisticPerceptron>(m, "OptimisticPerceptronGame", "Algorithm 1, going on.")
      .def_ro("mean_round", &OptimisticPerceptron::mean_round)
      .def_ro("last_round", &OptimisticPerceptron::last_round)
      .def(
          "sum", [](const OptimisticPerceptron& self) { return to_numpy(std::vector<double>(self.sum())); },
          nb::rv_policy::move, "w_1 + ... + w_t.");
  bind_search<CyclicPerceptron>(m, "CyclicPerceptronPasses", "Passes over the points, going on.")
      .def_ro("visits", &CyclicPerceptron::visits)
      .def_ro("separates", &CyclicPerceptron::separates);
});
