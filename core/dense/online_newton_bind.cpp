#include "dense/class_newton.hpp"
#include "dense/dense_bind.hpp"
#include "dense/online_newton.hpp"

using namespace afterwit;

static const Announced announced("dense/online_newton", [](nb::module_& m) {
  bind_dense_rule<OnlineNewton, ClassNewton, double, double, bool>(m, "online_newton_rule", "penalty"_a, "walk"_a,
                                                                   "fades"_a);
});
