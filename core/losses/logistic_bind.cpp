#include <nanobind/nanobind.h>

#include <memory>

#include "losses/logistic.hpp"
#include "losses/loss_bind.hpp"
#include "python/announced.hpp"

namespace nb = nanobind;
using namespace afterwit;

static const afterwit::Announced announced("losses/logistic", [](nb::module_& m) {
  m.def("logistic", [] { return PyLoss{std::make_shared<Logistic>()}; });
});
