#include <nanobind/nanobind.h>

#include <stdexcept>
#include <vector>

#include "losses/loss_bind.hpp"
#include "numeric/exponential.hpp"
#include "python/announced.hpp"
#include "python/arrays.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace afterwit;

namespace {

void check_lengths(const In<double>& p, const In<double>& y) {
  if (p.shape(0) != y.shape(0)) throw std::invalid_argument("p and y must have the same length");
}

Out<double> values(const PyLoss& self, In<double> p, In<double> y) {
  check_lengths(p, y);
  std::vector<double> out(p.shape(0));
  self.any->values(p.data(), y.data(), out.size(), out.data());
  return to_numpy(std::move(out));
}

Out<double> derivatives(const PyLoss& self, In<double> p, In<double> y) {
  check_lengths(p, y);
  std::vector<double> out(p.shape(0));
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = self.any->derivative(p.data()[i], y.data()[i]);
  return to_numpy(std::move(out));
}

double invariant(const PyLoss& self, double p, double y, double step, double a) {
  Loss::Point at;
  self.any->derivative(p, y, at);
  return self.any->invariant(at, step, a);
}

template <double (*f)(double)>
Out<double> map(In<double> x) {
  std::vector<double> out(x.shape(0));
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = f(x.data()[i]);
  return to_numpy(std::move(out));
}

}  // namespace

static const afterwit::Announced announced("losses", [](nb::module_& m) {
  nb::class_<PyLoss>(m, "Loss", "A loss of the core: one of those that have a function of their own here.")
      .def(nb::init<const PyLoss&>(), "loss"_a)
      .def(
          "value", [](const PyLoss& self, double p, double y) { return self.any->value(p, y); }, "p"_a, "y"_a,
          "The loss of predicting p where the label is y.")
      .def("value", &values, "p"_a, "y"_a)
      .def(
          "derivative", [](const PyLoss& self, double p, double y) { return self.any->derivative(p, y); }, "p"_a, "y"_a,
          "The derivative in p; at a kink, a subderivative.")
      .def("derivative", &derivatives, "p"_a, "y"_a)
      .def("invariant", &invariant, "p"_a, "y"_a, "step"_a, "a"_a,
           "The importance-invariant step: (p(step) - p)/a along p' = -a loss'(p).");

  m.def("exp", &map<afterwit::exp>, "x"_a, "The core's own exponential.");
  m.def("expm1", &map<afterwit::expm1>, "x"_a);
  m.def("log", &map<afterwit::log>, "x"_a);
  m.def("log1p", &map<afterwit::log1p>, "x"_a);
});
