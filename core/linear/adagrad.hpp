// AdaGrad with a rate of its own for every feature.
//   G_i += g_i^2,   w_i -= eta g_i / sqrt(G_i),   g = h loss'(w . x) x
// Duchi et al. 2011; Luo 2016, section 4.6; bound: errata 10. The word kept is q = sqrt(G), which has the range of g
// itself: G would underflow for |g| < 1e-22 and overflow for |g| > 1e19.
#pragma once

#include <array>
#include <cfloat>
#include <cmath>

#include "linear/kernel.hpp"
#include "linear/pooled.hpp"

namespace afterwit {

// sqrt(q^2 + c x^2) as it is stored: never zero, so that a step can divide by it.
inline double adapted_root(double q, double c, double x) {
  const double root = std::sqrt(q * q + c * (x * x));
  return root < FLT_MIN ? static_cast<double>(FLT_MIN) : root;
}

// The same in single precision; whether it may be: what was squared away is nothing beside what is left.
inline bool adapt_single(float& q, float root_of_c, float x) {
  const float g = root_of_c * x, square = q * q + g * g;
  q = std::sqrt(square);
  return (square >= 1e-30f) & (square <= 1e30f);
}

// In a pool, with slopes in units of the labels:   q^2 += (h g x)^2,   w -= eta unit h g x/sqrt(1e-8 + q^2)
struct PooledPlainAdaGrad : PlainPooled {
  static constexpr std::size_t words = 2;  // w, q
  struct Descent {
    double g, rate;
  };

  double eta = 0.2;

  template <class Number>
  static std::array<double, 1> look(const Number* cell, const Seen<Number>& seen) {
    return {static_cast<double>(cell[0]) * static_cast<double>(seen.x)};
  }
  template <class Sums>
  bool begin(const ToldRow& row, const Sums& sums, Descent& d) const {
    d = {row.h * Slope(row, sums[0]).g, eta * row.unit()};
    return d.g != 0.0;
  }
  template <class Number>
  static void move(Number* cell, const Seen<Number>& seen, const Descent& d, Number) {
    const double q = cell[1], pull = d.g * static_cast<double>(seen.x), square = q * q + pull * pull;
    put(cell[0], static_cast<double>(cell[0]) - d.rate * pull / std::sqrt(1e-8 + square));
    put(cell[1], std::sqrt(square));
  }
  template <class Number>
  static double weight(const PoolTotals&, const Targets&, const Number* cell, double, double) {
    return static_cast<double>(cell[0]);
  }
};

struct AdaGradRule : PlainRule {
  static constexpr std::size_t words = 2;  // w, q
  static constexpr bool adapts = true;
  struct Totals {
    double t = 0.0;  // rounds with a gradient
  };
  static constexpr std::array<const char*, 1> fields{"t"};
  struct Descent {
    double root, c;  // |g| and g^2, g without x
    double step;
  };

  double eta = 0.5;

  template <class Sums>
  bool begin(Totals& totals, const Loss& loss, const Sums& sums, double y, double h, Descent& d) const {
    const double g = h * loss.derivative(sums[0], y);
    d = {std::fabs(g), g * g, -eta * g};
    if (g == 0.0) return false;
    totals.t += 1.0;
    return true;
  }
  template <class Number>
  static bool adapt(Number* cell, float x, const Descent& d, float& f) {
    const bool good = adapt_single(cell[1], static_cast<float>(d.root), x);
    f = 1.0f / cell[1];
    return good;
  }
  template <class Number>
  static double adapt_precisely(Number* cell, float x, const Descent& d) {
    put(cell[1], adapted_root(cell[1], d.c, x));
    return 1.0 / static_cast<double>(cell[1]);
  }
  static double rate(float, double) { return 0.0; }
  static void step(const Totals&, const Loss&, Descent&, double, double) {}
  PooledPlainAdaGrad pooled() const { return {{}, eta}; }
  static bool pools(const Loss& loss) { return is_smooth(loss); }
  static bool sound(const Totals& totals) { return is_count(totals.t); }
};

}  // namespace afterwit
