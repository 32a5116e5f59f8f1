// Quantile (pinball) loss: tau (y - p) below the label, (1 - tau)(p - y) above it; at the kink the derivative is 0.
#pragma once

#include "losses/loss.hpp"

namespace afterwit {

class Quantile final : public LossOf<Quantile> {
 public:
  explicit Quantile(double tau) : tau_(tau) {}

  double value(double p, double y) const override { return p < y ? tau_ * (y - p) : (1.0 - tau_) * (p - y); }
  double derivative(double p, double y) const override { return p < y ? -tau_ : p > y ? 1.0 - tau_ : 0.0; }
  // The prediction moves at constant speed until it meets the label.
  double invariant(const Point& at, double step, double a) const override {
    const double distance = (at.y - at.p) / a;
    const double slope = derivative(at.p, at.y);
    const double travel = -slope * step;
    return (slope > 0.0 ? travel < distance : travel > distance) ? distance : travel;
  }
  std::optional<Kink> kink(double p, double y) const override { return Kink{y - p, -1.0, tau_ - 1.0, tau_}; }

 private:
  double tau_;
};

}  // namespace afterwit
