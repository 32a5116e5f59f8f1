// Absolute loss |p - y|: twice the quantile loss at 1/2; at the kink the derivative is 0.
#pragma once

#include "losses/quantile.hpp"

namespace afterwit {

struct Absolute {
  static constexpr Quantile half{0.5};

  double value(double p, double y) const { return 2.0 * half.value(p, y); }
  double derivative(double p, double y) const { return 2.0 * half.derivative(p, y); }
  double invariant(double p, double y, double step, double a) const { return half.invariant(p, y, 2.0 * step, a); }
};

}  // namespace afterwit
