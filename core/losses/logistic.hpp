// Logistic loss ln(1 + exp(-y p)), y = -1 or +1.
#pragma once

#include <cmath>

#include "numeric/exponential.hpp"

namespace afterwit {

struct Logistic {
  double value(double p, double y) const {
    const double z = -y * p;
    return z > 0.0 ? z + log1p(exp(-z)) : log1p(exp(z));
  }
  double derivative(double p, double y) const {
    const double z = y * p;
    const double e = exp(z > 0.0 ? -z : z);
    return -y * ((z > 0.0 ? e : 1.0) / (1.0 + e));
  }
  double curvature(double p, double) const {
    const double e = exp(-std::fabs(p));
    return e / ((1.0 + e) * (1.0 + e));
  }
  // The margin grows by the root d of f(d) = d + e^(y p) (e^d - 1) - step a, which is omega + ln omega = ... of ERRATA
  // B45 with ln omega = y p + d, free of its cancellation. From the root with e^d to its second order, or from a bound
  // above the root, Newton's steps while they are large, then Halley's, each of which triples the digits.
  double invariant(double p, double y, double step, double a) const {
    const double k = step * a, z = y * p;
    const double e = exp(z);
    const bool far = z < -700.0 || (z < 0.0 && k > 1e100);  // where k/e would leave the range of a double
    double d = k / (1.0 + e);
    if (!(d > 0.0)) return 0.0;  // e may be infinite
    if (d > 1.0) {
      const double other = !far ? log1p(k / e) : k > 1.0 ? log(k) - z : d;
      if (other < d) d = other;
    } else {
      d *= 2.0 / (1.0 + std::sqrt(1.0 + 2.0 * d * (e / (1.0 + e))));
    }
    for (int i = 0; i < 50; ++i) {
      const double grown = far ? exp(z + d) - e : e * expm1(d);
      const double f = d + grown - k, slope = 1.0 + e + grown;
      const double newton = f / slope;
      const double move = newton > 0.5 ? newton : newton / (1.0 - 0.5 * newton * ((e + grown) / slope));
      d -= move;
      if (!(std::fabs(move) > 1e-3 * (d < 1.0 ? d : 1.0)))
        break;  // the next would be below 1e-10; weights have 24 bits
    }
    return y * d / a;
  }
};

}  // namespace afterwit
