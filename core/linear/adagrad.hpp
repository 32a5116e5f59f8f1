// AdaGrad with a rate of its own for every feature.
//   G_i += g_i^2,   w_i -= eta g_i / sqrt(G_i),   g = h loss'(w . x) x
// Duchi et al. 2011; Luo 2016, section 4.6; bound: errata 10. The word kept is q = sqrt(G), which has the range of g
// itself: G would underflow for |g| < 1e-22 and overflow for |g| > 1e19.
#pragma once

#include <array>
#include <cfloat>
#include <cmath>

#include "linear/kernel.hpp"

namespace afterwit {

// sqrt(q^2 + c x^2) as it is stored: never zero, so that a step can divide by it.
inline float adapted_root(float q, double c, double x) {
  const double root = std::sqrt(static_cast<double>(q) * static_cast<double>(q) + c * (x * x));
  return finite_float(root < FLT_MIN ? static_cast<double>(FLT_MIN) : root);
}

// The same in single precision; whether it may be: what was squared away is nothing beside what is left.
inline bool adapt_single(float q, float root_of_c, float x, float& root) {
  const float g = root_of_c * x, square = q * q + g * g;
  root = std::sqrt(square);
  return (square >= 1e-30f) & (square <= 1e30f);
}

struct AdaGradRule : PlainRule {
  static constexpr std::size_t words = 2;  // w, q
  static constexpr bool adapts = true;
  struct Totals {
    double t = 0.0;  // rounds with a gradient
  };
  static constexpr std::array<const char*, 1> fields{"t"};

  double eta = 0.5;

  static bool begin(Totals& totals, const Loss& loss, double sum, double y, double h, Descent& d) {
    d.g = h * loss.derivative(sum, y);
    d.root = std::fabs(d.g);
    d.c = d.g * d.g;
    if (d.g == 0.0) return false;
    totals.t += 1.0;
    return true;
  }
  static bool single(const float* cell, std::size_t stride, float x, const Descent& d, float& q, float& f) {
    const bool good = adapt_single(cell[stride], static_cast<float>(d.root), x, q);
    f = 1.0f / q;
    return good;
  }
  static void precise(const float* cell, std::size_t stride, float x, const Descent& d, float& q, double& f) {
    q = adapted_root(cell[stride], d.c, x);
    f = 1.0 / static_cast<double>(q);
  }
  static bool sound(const Totals& totals) { return is_count(totals.t); }
  double step(const Totals&, const Loss&, const Descent& d, double, double, double) const { return -eta * d.g; }
};

}  // namespace afterwit
