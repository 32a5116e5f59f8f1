// Hinge loss [1 - y p]_+, y = -1 or +1; at the kink the derivative is 0.
#pragma once

namespace afterwit {

struct Hinge {
  double value(double p, double y) const { return y * p < 1.0 ? 1.0 - y * p : 0.0; }
  double derivative(double p, double y) const { return y * p < 1.0 ? -y : 0.0; }
  // The margin moves at unit speed until it meets the kink.
  double invariant(double p, double y, double step, double a) const {
    const double distance = value(p, y) / a;
    return y * (distance < step ? distance : step);
  }
};

}  // namespace afterwit
