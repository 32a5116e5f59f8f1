#include <nanobind/nanobind.h>

#include <memory>

#include "losses/loss_bind.hpp"
#include "losses/quantile.hpp"
#include "python/announced.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace afterwit;

static const afterwit::Announced announced("losses/quantile", [](nb::module_& m) {
  m.def("quantile", [](double tau) { return PyLoss{std::make_shared<Quantile>(tau)}; }, "tau"_a);
});
