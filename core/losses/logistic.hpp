// Logistic loss ln(1 + exp(-y p)), y = -1 or +1.
#pragma once

#include "numeric/exponential.hpp"

namespace afterwit {

struct Logistic {
  double value(double p, double y) const {
    const double z = -y * p;
    return z > 0.0 ? z + log1p(exp(-z)) : log1p(exp(z));
  }
  double derivative(double p, double y) const {
    const double z = y * p;
    return z > 0.0 ? -y * (exp(-z) / (1.0 + exp(-z))) : -y / (1.0 + exp(z));
  }
  // The margin grows by the root d of d + e^(y p) (e^d - 1) = step a, which is omega + ln omega = ... of ERRATA B45
  // with ln omega = y p + d, free of its cancellation. Both starting bounds lie above the root and the left-hand side
  // is convex, so Newton's steps fall to it.
  double invariant(double p, double y, double step, double a) const {
    const double k = step * a, z = y * p;
    const double e = exp(z);
    const bool far = z < -700.0 || (z < 0.0 && k > 1e100);  // where k/e would leave the range of a double
    double d = k / (1.0 + e);
    const double other = !far ? log1p(k / e) : k > 1.0 ? log(k) - z : d;
    if (other < d) d = other;
    for (int i = 0; i < 50; ++i) {
      const double grown = far ? exp(z + d) - e : e * expm1(d);
      const double next = d - (d + grown - k) / (1.0 + e + grown);
      if (!(next < d)) break;
      d = next;
    }
    return y * d / a;
  }
};

}  // namespace afterwit
