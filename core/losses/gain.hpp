// The loss of a portfolio that grows by the factor p: -ln p. There is no label; y is not looked at.
#pragma once

#include <cmath>

#include "losses/loss.hpp"
#include "numeric/exponential.hpp"

namespace afterwit {

class Gain final : public LossOf<Gain> {
 public:
  double value(double p, double) const override { return -log(p); }
  double derivative(double p, double) const override { return -1.0 / p; }
  double curvature(double p, double) const override { return 1.0 / (p * p); }
  // p^2 grows at the rate 2 a.
  double invariant(const Point& at, double step, double a) const override {
    return 2.0 * step / (at.p + std::sqrt(at.p * at.p + 2.0 * step * a));
  }
};

}  // namespace afterwit
