// Absolute loss |p - y|: twice the quantile loss at 1/2; at the kink the derivative is 0.
#pragma once

#include "losses/quantile.hpp"

namespace afterwit {

class Absolute final : public LossOf<Absolute> {
 public:
  double value(double p, double y) const override { return 2.0 * half_.value(p, y); }
  double derivative(double p, double y) const override { return 2.0 * half_.derivative(p, y); }
  double invariant(const Point& at, double step, double a) const override { return half_.invariant(at, 2.0 * step, a); }
  std::optional<Kink> kink(double p, double y) const override { return Kink{y - p, -1.0, -1.0, 1.0}; }

 private:
  Quantile half_{0.5};
};

}  // namespace afterwit
