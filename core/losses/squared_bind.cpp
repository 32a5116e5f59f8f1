#include <nanobind/nanobind.h>

#include <memory>

#include "losses/loss_bind.hpp"
#include "losses/squared.hpp"
#include "python/announced.hpp"

namespace nb = nanobind;
using namespace afterwit;

static const afterwit::Announced announced("losses/squared", [](nb::module_& m) {
  m.def("squared", [] { return PyLoss{std::make_shared<Squared>()}; });
});
