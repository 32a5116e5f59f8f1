// Squared loss (p - y)^2.
#pragma once

#include "losses/loss.hpp"
#include "numeric/exponential.hpp"

namespace afterwit {

class Squared final : public LossOf<Squared> {
 public:
  Squared() : LossOf({.to_labels = true}, 0.0) {}

  double value(double p, double y) const override { return (p - y) * (p - y); }
  double derivative(double p, double y) const override { return 2.0 * (p - y); }
  double curvature(double, double) const override { return 2.0; }
  // The invariant step: u = (y - p)(1 - exp(-2 eta h a))/a (errata 11); see losses/loss.hpp.
  double invariant(const Point& at, double step, double a) const override {
    return (at.p - at.y) * expm1(-2.0 * step * a) / a;
  }
};

}  // namespace afterwit
