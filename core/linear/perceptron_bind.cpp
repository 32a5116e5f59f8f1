#include "linear/perceptron.hpp"
#include "linear/rule_bind.hpp"

using namespace afterwit;

static const Announced announced("linear/perceptron",
                                 [](nb::module_& m) { bind_linear_rule<PerceptronRule>(m, "PerceptronRule"); });
