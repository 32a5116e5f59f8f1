// Quantile (pinball) loss: tau (y - p) below the label, (1 - tau)(p - y) above it; at the kink the derivative is 0.
#pragma once

namespace afterwit {

struct Quantile {
  double tau;

  double value(double p, double y) const { return p < y ? tau * (y - p) : (1.0 - tau) * (p - y); }
  double derivative(double p, double y) const { return p < y ? -tau : p > y ? 1.0 - tau : 0.0; }
  // The prediction moves at constant speed until it meets the label.
  double invariant(double p, double y, double step, double a) const {
    const double distance = (y - p) / a;
    const double slope = derivative(p, y);
    const double travel = -slope * step;
    return (slope > 0.0 ? travel < distance : travel > distance) ? distance : travel;
  }
};

}  // namespace afterwit
