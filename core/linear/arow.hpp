// Adaptive regularisation of weights: a weight and its variance S for every feature, at first 1.
//   beta = 1/(sum_i S_i x_i^2 + r/h),   w_i += beta e S_i x_i,   S_i -= beta (S_i x_i)^2
//   e = y max(0, 1 - y w . x), or for numbers y - w . x
// Crammer et al. 2009, Figure 1, with the diagonal of Sigma; for numbers Vaits, Crammer 2011. Their theorems are about
// the whole matrix. The word kept is v = 1/S - 1, so that zeros are S = 1 and the update adds what is positive:
//   1/S'_i = 1/S_i + h x_i^2/(r + h (V - S_i x_i^2)),   V = sum_i S_i x_i^2
//
// The normalised form, not published, has x_i/s_i for x_i, s_i the largest |x_i| in the rows that moved it; labels that
// are numbers clip its predictions to their range with 0.
#pragma once

#include <array>
#include <cmath>

#include "linear/kernel.hpp"
#include "linear/scaled.hpp"

namespace afterwit {

struct ArowDescent {
  double step, V, h, r;

  // False where there is no error.
  bool begin(double p, double variances, double y, double weight, double noise, bool numbers) {
    const double e = numbers ? y - p : y * p < 1.0 ? y * (1.0 - y * p) : 0.0;
    *this = {weight * e / (weight * variances + noise), variances, weight, noise};
    return e != 0.0;
  }
  template <class Number>
  void move(Number& w, Number& v, double x) const {
    const double S = 1.0 / (1.0 + static_cast<double>(v)), own = S * x * x, others = V > own ? V - own : 0.0;
    put(w, static_cast<double>(w) + step * S * x);
    put(v, static_cast<double>(v) + h * (x * x) / (r + h * others));
  }
};

struct ArowRule : PlainRule {
  static constexpr std::size_t words = 2, sums = 2;  // w, v; w x, S x^2
  struct Totals {
    double t = 0.0;  // rows with an error
  };
  static constexpr std::array<const char*, 1> fields{"t"};
  using Descent = ArowDescent;

  double r = 1.0;
  bool numbers = false;  // labels are numbers, not one of two

  template <class Number>
  static std::array<double, 2> look(const Number* cell, float x) {
    const double value = x;
    return {static_cast<double>(cell[0]) * value, value * value / (1.0 + static_cast<double>(cell[1]))};
  }
  template <class Sums>
  bool begin(Totals& totals, const Loss&, const Sums& sums, double y, double h, Descent& d) const {
    if (!d.begin(sums[0], sums[1], y, h, r, numbers)) return false;
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

struct NormalizedArowRule : PlainRule {
  static constexpr std::size_t words = 3, sums = 2;  // w and v in units of x/s, s
  using Totals = LabelRange;
  static constexpr auto fields = LabelRange::fields;
  using Descent = ArowDescent;

  double r = 1.0;
  bool numbers = false;

  template <class Number>
  static std::array<double, 2> look(const Number* cell, float x) {
    const double scaled = x / larger(cell[2], x);
    return {static_cast<double>(cell[0]) * scaled, scaled * scaled / (1.0 + static_cast<double>(cell[1]))};
  }
  template <class Sums>
  double predict(const Totals& totals, const Loss&, const Sums& sums) const {
    return numbers ? totals.clipped(sums[0]) : sums[0];
  }
  template <class Sums>
  bool begin(Totals& totals, const Loss&, const Sums& sums, double y, double h, Descent& d) const {
    if (numbers) totals.widen(y);
    return d.begin(sums[0], sums[1], y, h, r, numbers);
  }
  static void step(const Totals&, const Loss&, Descent&, double, double) {}
  template <class Number>
  static void move(Number* cell, float x, const Descent& d, double) {
    cell[2] = larger(cell[2], x);
    d.move(cell[0], cell[1], static_cast<double>(x / cell[2]));
  }
  template <class Number>
  static double weight(const Totals&, const Number* cell) {
    return per_scale(cell[0], cell[2]);
  }
  static bool sound(const Totals& totals) { return totals.sound(); }
};

}  // namespace afterwit
