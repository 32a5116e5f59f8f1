#include <nanobind/nanobind.h>

#include <memory>

#include "losses/hinge.hpp"
#include "losses/loss_bind.hpp"
#include "python/announced.hpp"

namespace nb = nanobind;
using namespace afterwit;

static const afterwit::Announced announced("losses/hinge", [](nb::module_& m) {
  m.def("hinge", [] { return PyLoss{std::make_shared<Hinge>()}; });
});
