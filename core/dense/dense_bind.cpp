#include "dense/dense_bind.hpp"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "dense/class_learner.hpp"
#include "python/arrays.hpp"
#include "python/lock.hpp"
#include "python/state.hpp"

using namespace afterwit;

namespace {

struct PyClassLearner {
  DenseSettings settings;
  std::size_t classes;
  bool intercept;
  ClassLearner learner;
  std::unique_ptr<Lock> mutex = std::make_unique<Lock>();

  PyClassLearner(const DenseRule& rule, std::size_t classes, bool intercept)
      : settings(rule.settings()),
        classes(classes),
        intercept(intercept),
        learner(rule.settings(), classes, intercept) {}
};

void check_row(const In<float>& x) {
  if (!std::all_of(x.data(), x.data() + x.shape(0), [](float v) { return std::isfinite(v); }))
    throw std::invalid_argument("the row has a value that is not finite");
}

Out<double> predict(PyClassLearner& self, const In<float>& x) {
  const LockedBriefly locked(*self.mutex);
  check_row(x);
  std::vector<double> p(self.learner.classes());
  self.learner.predict(x.data(), x.shape(0), p.data());
  return to_numpy(std::move(p));
}

void learn(PyClassLearner& self, const In<float>& x, std::size_t y, double h) {
  const LockedBriefly locked(*self.mutex);
  check_row(x);
  if (!(h >= 0.0 && h <= FLT_MAX)) throw std::invalid_argument("the weight is not a number from 0 to 3.4e38");
  self.learner.learn(x.data(), x.shape(0), y, h);
}

nb::dict state(PyClassLearner& self) {
  const LockedBriefly locked(*self.mutex);
  StateWriter writer;
  self.learner.visit(writer);
  return writer.written();
}

void set_state(PyClassLearner& self, const nb::dict& state) {
  const LockedBriefly locked(*self.mutex);
  ClassLearner learned(self.settings, self.classes, self.intercept);
  StateReader reader(state);
  learned.visit(reader);
  if (!learned.sound()) throw std::invalid_argument("the state is not such as learning leads to");
  self.learner = std::move(learned);
}

}  // namespace

static const Announced announced("dense", [](nb::module_& m) {
  nb::class_<DenseRule, LearningRule>(m, "DenseRule");
  nb::class_<PyClassLearner>(m, "ClassLearner",
                             "One learner over columns for several classes, as panels seat them: entry j of a row is "
                             "feature j, classes are 0, 1, ...")
      .def(nb::init<const DenseRule&, std::size_t, bool>(), "rule"_a, "classes"_a = 0, "intercept"_a = true)
      .def("predict", &predict, "x"_a, "The probabilities of the classes met so far.")
      .def("learn", &learn, "x"_a, "y"_a, "weight"_a = 1.0)
      .def("state", &state)
      .def("set_state", &set_state, "state"_a);
});
