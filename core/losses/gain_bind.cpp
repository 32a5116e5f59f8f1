#include <nanobind/nanobind.h>

#include <memory>

#include "losses/gain.hpp"
#include "losses/loss_bind.hpp"
#include "python/announced.hpp"

namespace nb = nanobind;
using namespace afterwit;

static const afterwit::Announced announced("losses/gain", [](nb::module_& m) {
  m.def("gain", [] { return PyLoss{std::make_shared<Gain>()}; });
});
