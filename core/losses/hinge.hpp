// Hinge loss [1 - y p]_+, y = -1 or +1; at the kink the derivative is 0.
#pragma once

#include "losses/loss.hpp"

namespace afterwit {

class Hinge final : public LossOf<Hinge> {
 public:
  double value(double p, double y) const override { return y * p < 1.0 ? 1.0 - y * p : 0.0; }
  double derivative(double p, double y) const override { return y * p < 1.0 ? -y : 0.0; }
  // The margin moves at unit speed until it meets the kink.
  double invariant(const Point& at, double step, double a) const override {
    const double distance = value(at.p, at.y) / a;
    return at.y * (distance < step ? distance : step);
  }
  std::optional<Kink> kink(double p, double y) const override { return Kink{1.0 - y * p, -y, 0.0, 1.0}; }
};

}  // namespace afterwit
