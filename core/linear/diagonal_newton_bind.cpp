#include "linear/diagonal_newton.hpp"
#include "linear/rule_bind.hpp"

using namespace afterwit;

static const Announced announced("linear/diagonal_newton", [](nb::module_& m) {
  bind_linear_rule<DiagonalNewtonRule, double, bool>(m, "DiagonalNewtonRule", "variance"_a, "squared"_a);
  bind_linear_rule<NormalizedDiagonalNewtonRule, double, bool>(m, "NormalizedDiagonalNewtonRule", "variance"_a,
                                                               "squared"_a);
});
