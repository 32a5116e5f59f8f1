#include <nanobind/stl/variant.h>

#include <stdexcept>

#include "losses/loss.hpp"
#include "python/announced.hpp"
#include "python/arrays.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace afterwit;

namespace {

template <class F>
Out<double> each(In<double> p, In<double> y, F f) {
  if (p.shape(0) != y.shape(0)) throw std::invalid_argument("p and y must have the same length");
  std::vector<double> out(p.shape(0));
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = f(p.data()[i], y.data()[i]);
  return to_numpy(std::move(out));
}

template <class L>
nb::class_<L> bind_loss(nb::module_& m, const char* name) {
  return nb::class_<L>(m, name)
      .def("value", &L::value, "p"_a, "y"_a, "The loss of predicting p where the label is y.")
      .def(
          "value",
          [](const L& l, In<double> p, In<double> y) {
            return each(p, y, [&](double a, double b) { return l.value(a, b); });
          },
          "p"_a, "y"_a)
      .def("derivative", &L::derivative, "p"_a, "y"_a, "The derivative in p; at a kink, a subderivative.")
      .def(
          "derivative",
          [](const L& l, In<double> p, In<double> y) {
            return each(p, y, [&](double a, double b) { return l.derivative(a, b); });
          },
          "p"_a, "y"_a)
      .def("invariant", &L::invariant, "p"_a, "y"_a, "step"_a, "a"_a,
           "The importance-invariant step: (p(step) - p)/a along p' = -a loss'(p).");
}

template <double (*f)(double)>
Out<double> map(In<double> x) {
  std::vector<double> out(x.shape(0));
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = f(x.data()[i]);
  return to_numpy(std::move(out));
}

}  // namespace

static const afterwit::Announced announced("losses", [](nb::module_& m) {
  bind_loss<Squared>(m, "Squared").def(nb::init<>());
  bind_loss<Logistic>(m, "Logistic").def(nb::init<>());
  bind_loss<Hinge>(m, "Hinge").def(nb::init<>());
  bind_loss<Absolute>(m, "Absolute").def(nb::init<>());
  bind_loss<Quantile>(m, "Quantile")
      .def(
          "__init__", [](Quantile* self, double tau) { new (self) Quantile{tau}; }, "tau"_a)
      .def_ro("tau", &Quantile::tau);

  m.def("exp", &map<afterwit::exp>, "x"_a, "The core's own exponential.");
  m.def("expm1", &map<afterwit::expm1>, "x"_a);
  m.def("log", &map<afterwit::log>, "x"_a);
  m.def("log1p", &map<afterwit::log1p>, "x"_a);
});
