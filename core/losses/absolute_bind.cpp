#include <nanobind/nanobind.h>

#include <memory>

#include "losses/absolute.hpp"
#include "losses/loss_bind.hpp"
#include "python/announced.hpp"

namespace nb = nanobind;
using namespace afterwit;

static const afterwit::Announced announced("losses/absolute", [](nb::module_& m) {
  m.def("absolute", [] { return PyLoss{std::make_shared<Absolute>()}; });
});
