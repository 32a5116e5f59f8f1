// Logistic loss ln(1 + exp(-y p)), y = -1 or +1.
#pragma once

#include <cfloat>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "losses/loss.hpp"
#include "numeric/exponential.hpp"
#include "numeric/multiversion.hpp"
#include "numeric/vector_exp.hpp"
#include "numeric/vector_log.hpp"
#include "numeric/wright.hpp"

namespace afterwit {

class Logistic final : public LossOf<Logistic> {
 public:
  // A loss that vanishes beside 1 in single precision changes nothing, as in Vowpal Wabbit: otherwise a row of outliers
  // that is already right would still rescale the weights.
  Logistic() : LossOf({-50.0, 50.0}, 0x1p-24) {}

  double value(double p, double y) const override {
    const double z = -y * p;
    return std::fabs(z) <= vector::largest_exp ? near(z) : z > 0.0 ? z : exp(z);
  }
  void values(const double* p, const double* y, std::size_t n, double* out) const override {
    if (!all_near(p, y, n, out)) LossOf::values(p, y, n, out);
  }
  double derivative(double p, double y) const override {
    Point at;
    return derivative(p, y, at);
  }
  // e is e^(y p), which derivative and invariant step share.
  double derivative(double p, double y, Point& at) const override {
    const double z = y * p;
    at = {p, y, std::fabs(z) <= vector::largest_exp ? vector::exp(z) : exp(z)};
    return -y / (1.0 + at.e);
  }
  double curvature(double p, double) const override {
    const double e = exp(-std::fabs(p));
    return e / ((1.0 + e) * (1.0 + e));
  }
  bool is_log_loss() const override { return true; }

  // The margin grows by the root d of d + e^(y p) (e^d - 1) = step a, which is omega + ln omega = ... of errata 11
  // with ln omega = y p + d. Where d is small that cancels, and the power series of d in step a / (1 + e^(y p)) is at
  // hand.
  double invariant(const Point& at, double step, double a) const override {
    const double k = step * a, z = at.y * at.p, e = at.e, share = 1.0 / (1.0 + e), first = k * share;
    if (!(first > 0.0)) return 0.0;  // e may be infinite
    const double c = (e + z) + k;
    const double d = first < 1.0 / 128.0                       ? small_growth(first, e * share)
                     : c >= Wright::least && c <= Wright::most ? Wright::log_omega(c) - z
                                                               : large_growth(k, z, e, first);
    const double per_a = 1.0 / a;  // while d is being found
    return per_a <= DBL_MAX ? at.y * d * per_a : at.y * d / a;
  }

 private:
  // The values of all rows at once; false where one of them is too far from 0 for that.
  AFTERWIT_MULTIVERSION static bool all_near(const double* __restrict p, const double* __restrict y, std::size_t n,
                                             double* __restrict out) {
    std::uint64_t far = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double z = -y[i] * p[i];
      far |= static_cast<std::uint64_t>(!(std::fabs(z) <= vector::largest_exp));
      out[i] = near(z);
    }
    return far == 0;
  }

  // The inverse of d + s (d^2/2! + d^3/3! + ...) up to the fifth power: the next is below 1e-11 of it.
  static double small_growth(double x, double s) {
    const double a = s / 2.0, b = s / 6.0, c = s / 24.0, d = s / 120.0, aa = a * a;
    const double fourth = a * (5.0 * (b - aa)) - c, fifth = aa * (14.0 * aa - 21.0 * b) + 6.0 * a * c + 3.0 * b * b - d;
    const double x2 = x * x;
    return x + x2 * ((x * (2.0 * aa - b) - a) + x2 * (fourth + x * fifth));
  }

  // From a bound above the root, Newton's steps while they are large, then Halley's, each of which triples the digits.
  static double large_growth(double k, double z, double e, double d) {
    const bool far = z < -700.0 || (z < 0.0 && k > 1e100);  // where k/e would leave the range of a double
    const double other = !far ? log1p(k / e) : k > 1.0 ? log(k) - z : d;
    if (other < d) d = other;
    for (int i = 0; i < 50; ++i) {
      const double grown = far ? exp(z + d) - e : e * expm1(d);
      const double f = d + grown - k, slope = 1.0 + e + grown;
      const double newton = f / slope;
      const double move = newton > 0.5 ? newton : newton / (1.0 - 0.5 * newton * ((e + grown) / slope));
      d -= move;
      if (!(std::fabs(move) > 1e-3 * (d < 1.0 ? d : 1.0)))
        break;  // the next would be below 1e-10; weights have 24 bits
    }
    return d;
  }

  static double near(double z) { return (z > 0.0 ? z : 0.0) + vector::log1p_of_unit(vector::exp(z > 0.0 ? -z : z)); }
};

}  // namespace afterwit
