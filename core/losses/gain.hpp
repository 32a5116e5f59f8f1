// The loss of a portfolio that grows by the factor p: -ln p. There is no label; y is not looked at.
#pragma once

#include "numeric/exponential.hpp"

namespace afterwit {

struct Gain {
  double value(double p, double) const { return -log(p); }
  double derivative(double p, double) const { return -1.0 / p; }
};

}  // namespace afterwit
