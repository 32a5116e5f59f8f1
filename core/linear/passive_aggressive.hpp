// Passive-aggressive learning, PA-I: where a row has a loss, the smallest change that leaves none, but no step above C.
//   w_{t+1} = w_t + u x,   u = the loss's invariant step of size C h at rate |x|^2
// which with hinge loss is y min(C h, loss/|x|^2) and solves w_{t+1} = argmin |w - w_t|^2/2 + C h loss(w . x).
// Crammer et al. 2006, section 3; their Theorem 4 counts mistakes, and Kulis, Bartlett 2010 bound the regret of any
// such implicit step: |u|^2/(2 C) + (C/2) sum_t |g_t|^2.
//
// The normalised form, not published, has x_i/s_i for x_i, s_i the largest |x_i| in the rows that moved it, and for
// labels that are numbers C times their range with 0, to which predictions are clipped.
#pragma once

#include <array>
#include <cmath>

#include "linear/kernel.hpp"
#include "linear/pooled.hpp"
#include "linear/scaled.hpp"

namespace afterwit {

struct PassiveAggressiveRule : PlainRule {
  static constexpr std::size_t sums = 2;  // w x, x^2
  struct Totals {
    double t = 0.0;  // rows that moved it
  };
  static constexpr std::array<const char*, 1> fields{"t"};

  double C = 1.0;

  template <class Number>
  static std::array<double, 2> look(const Number* cell, float x) {
    const double value = x;
    return {static_cast<double>(cell[0]) * value, value * value};
  }
  template <class Sums>
  bool begin(Totals& totals, const Loss& loss, const Sums& sums, double y, double h, Descent& d) const {
    Loss::Point at;
    if (loss.derivative(sums[0], y, at) == 0.0 || sums[1] == 0.0) return false;
    totals.t += 1.0;
    d.step = loss.invariant(at, C * h, sums[1]);
    return true;
  }
  static void step(const Totals&, const Loss&, Descent&, double, double) {}
  static bool sound(const Totals& totals) { return is_count(totals.t); }
};

// In a pool x_i/s_i is xs, and numbers are about the mean of the labels: w += u xs with e = y - mean - m, or y max(0, 1
// - y m),   u = the sign of e times min(C h unit, |e|/|xs|^2)
struct PooledPassiveAggressive : PlainPooled {
  double C = 0.1;

  template <class Sums>
  bool begin(const ToldRow& row, const Sums& sums, Descent& d) const {
    const double e = row.numbers ? row.y - row.before.mean - sums[0] : row.y * std::max(0.0, 1.0 - row.y * sums[0]);
    if (e == 0.0 || !(row.squares > 0.0)) return false;
    d.u = std::copysign(std::min(C * row.h * row.unit(), std::fabs(e) / row.squares), e);
    return true;
  }
};

struct NormalizedPassiveAggressiveRule : PlainRule {
  static constexpr std::size_t words = 2, sums = 2;  // w in units of x/s, s
  using Totals = LabelRange;
  static constexpr auto fields = LabelRange::fields;

  double C = 1.0;
  bool numbers = false;  // labels are numbers, not one of two

  template <class Number>
  static std::array<double, 2> look(const Number* cell, float x) {
    const double scaled = x / larger(cell[1], x);
    return {static_cast<double>(cell[0]) * scaled, scaled * scaled};
  }
  template <class Sums>
  double predict(const Totals& totals, const Loss&, const Sums& sums) const {
    return numbers ? totals.clipped(sums[0]) : sums[0];
  }
  template <class Sums>
  bool begin(Totals& totals, const Loss& loss, const Sums& sums, double y, double h, Descent& d) const {
    if (numbers) totals.widen(y);
    Loss::Point at;
    if (loss.derivative(sums[0], y, at) == 0.0 || sums[1] == 0.0) return false;
    d.step = loss.invariant(at, C * h * (numbers ? totals.range() : 1.0), sums[1]);
    return true;
  }
  static void step(const Totals&, const Loss&, Descent&, double, double) {}
  template <class Number>
  static void move(Number* cell, float x, const Descent& d, double) {
    const Number s = larger(cell[1], x);
    const double scaled = x / s;
    put(cell[0], static_cast<double>(cell[0]) + d.step * scaled);
    cell[1] = s;
  }
  template <class Number>
  static double weight(const Totals&, const Number* cell) {
    return per_scale(cell[0], cell[1]);
  }
  PooledPassiveAggressive pooled() const { return {{}, C}; }
  static bool pools(const Loss& loss) { return loss.kink(0.0, 1.0).has_value(); }
  static bool sound(const Totals& totals) { return totals.sound(); }
};

}  // namespace afterwit
