// Newton's steps with a diagonal in place of the matrix: a Kalman filter that takes features for independent.
//   den = 1 + h c sum_i P_i x_i^2,   w_i -= h g P_i x_i/den,   P_i -= h c (P_i x_i)^2/den,   P_i = p0 at first
// g is the slope and c the curvature of logistic loss or of half the squared loss. c is at least 1/1000: a sure and
// wrong prediction would make a step of any length otherwise. Hazan et al. 2007 have the step and a theorem with the
// whole matrix, Penny, Roberts 1999 the filter of logistic regression; the diagonal has no theorem. It is the step of
// linear/variances.hpp.
//
// The normalised form, not published, has x_i/rms_i cut to +-20 for x_i, rms_i the root mean square of x_i in the rows
// that have it; then P_i grows by p0/10000, up to p0, so that it never stops learning. Predictions are clipped as the
// loss says.
#pragma once

#include <array>
#include <cfloat>
#include <cmath>

#include "linear/kernel.hpp"
#include "linear/pooled.hpp"
#include "linear/scaled.hpp"
#include "linear/variances.hpp"

namespace afterwit {

struct DiagonalNewtonRule : PlainRule {
  static constexpr std::size_t words = 2, sums = 2;  // w, v; w x, x^2/(1 + v)
  struct Totals {
    double t = 0.0;  // rounds
  };
  static constexpr std::array<const char*, 1> fields{"t"};
  using Descent = VarianceStep;

  double p0 = 1.0;
  bool squared = false;  // the loss

  template <class Number>
  static std::array<double, 2> look(const Number* cell, float x) {
    return VarianceStep::look(cell[0], cell[1], x);
  }
  // At the margin m, where `share` is sum_i x_i^2/(1 + v_i).
  static Descent descent(const Loss& loss, double m, double share, double y, double h, double p0, bool squared) {
    const double half = squared ? 0.5 : 1.0, c = half * loss.curvature(m, y);
    return {h * (half * loss.derivative(m, y)), h * (c > 0.001 ? c : 0.001), share, p0};
  }
  template <class Sums>
  bool begin(Totals& totals, const Loss& loss, const Sums& sums, double y, double h, Descent& d) const {
    d = descent(loss, sums[0], sums[1], y, h, p0, squared);
    totals.t += 1.0;
    return true;
  }
  static void step(const Totals&, const Loss&, Descent&, double, double) {}
  template <class Number>
  static void move(Number* cell, float x, const Descent& d, double) {
    d.move(cell[0], cell[1], x);
  }
  static bool sound(const Totals& totals) { return is_count(totals.t); }
};

// In a pool x_i/rms_i is xr, and numbers are about the mean of the labels.
struct PooledDiagonalNewton : PlainPooled {
  static constexpr std::size_t words = 2, sums = 2;  // w and v in units of x/rms
  using Descent = VarianceStep;

  double p0 = 1.0;

  template <class Number>
  static std::array<double, 2> look(const Number* cell, const Seen<Number>& seen) {
    return VarianceStep::look(cell[0], cell[1], seen.xr);
  }
  template <class Sums>
  bool begin(const ToldRow& row, const Sums& sums, Descent& d) const {
    if (row.numbers) {
      d = {row.h * (row.before.mean + sums[0] - row.y), row.h, sums[1], p0};
    } else {
      const double g = Slope(row, sums[0]).g, p = std::fabs(g), c = std::max(p * (1.0 - p), 0.001);
      d = {row.h * g, row.h * c, sums[1], p0};
    }
    return true;
  }
  template <class Number>
  static void move(Number* cell, const Seen<Number>& seen, const Descent& d, Number) {
    d.move(cell[0], cell[1], seen.xr);
    if (seen.x != Number{0}) Descent::walk(cell[1]);
  }
  template <class Number>
  static double weight(const PoolTotals&, const Targets&, const Number* cell, double, double rms) {
    return per_scale(cell[0], rms);
  }
};

struct NormalizedDiagonalNewtonRule : PlainRule {
  static constexpr std::size_t words = 4, sums = 2;  // w and v in units of x/rms, rms, rows met
  using Totals = LabelRange;
  static constexpr auto fields = LabelRange::fields;
  using Descent = VarianceStep;
  static constexpr double most_met = 0x1p24;

  double p0 = 1.0;
  bool squared = false;

  // The root mean square with this value; never 0.
  template <class Number>
  static double size(const Number* cell, double x) {
    const double rms = cell[2], square = rms * rms + (x * x - rms * rms) / (static_cast<double>(cell[3]) + 1.0);
    const double root = std::sqrt(square > 0.0 ? square : 0.0);
    return root > FLT_MIN ? root : FLT_MIN;
  }
  static double scaled(double x, double size) {
    const double ratio = x / size;
    return ratio < -20.0 ? -20.0 : ratio > 20.0 ? 20.0 : ratio;
  }
  template <class Number>
  static std::array<double, 2> look(const Number* cell, float x) {
    return VarianceStep::look(cell[0], cell[1], scaled(x, size(cell, x)));
  }
  template <class Sums>
  static double predict(const Totals& totals, const Loss& loss, const Sums& sums) {
    return loss.clipped(sums[0], totals.lowest, totals.highest);
  }
  template <class Sums>
  bool begin(Totals& totals, const Loss& loss, const Sums& sums, double y, double h, Descent& d) const {
    totals.widen(y);
    d = DiagonalNewtonRule::descent(loss, squared ? sums[0] : predict(totals, loss, sums), sums[1], y, h, p0, squared);
    return true;
  }
  static void step(const Totals&, const Loss&, Descent&, double, double) {}
  template <class Number>
  static void move(Number* cell, float x, const Descent& d, double) {
    if (x == 0.0f) return;
    const double rms = size(cell, x), met = static_cast<double>(cell[3]) + 1.0;
    d.move(cell[0], cell[1], scaled(x, rms));
    Descent::walk(cell[1]);
    put(cell[2], rms);
    put(cell[3], met < most_met ? met : most_met);
  }
  template <class Number>
  static double weight(const Totals&, const Number* cell) {
    return per_scale(cell[0], cell[2]);
  }
  PooledDiagonalNewton pooled() const { return {{}, p0}; }
  static bool pools(const Loss& loss) { return is_smooth(loss); }
  static bool sound(const Totals& totals) { return totals.sound(); }
};

}  // namespace afterwit
