// Squared loss (p - y)^2.
#pragma once

#include "numeric/exponential.hpp"

namespace afterwit {

struct Squared {
  double value(double p, double y) const { return (p - y) * (p - y); }
  double derivative(double p, double y) const { return 2.0 * (p - y); }
  double curvature(double, double) const { return 2.0; }
  // The invariant step: u = (y - p)(1 - exp(-2 eta h a))/a (errata 11); see losses/loss.hpp.
  double invariant(double p, double y, double step, double a) const { return (p - y) * expm1(-2.0 * step * a) / a; }
};

}  // namespace afterwit
