// Adaptive regularisation of weights: a weight and its variance S for every feature, at first 1.
//   beta = 1/(sum_i S_i x_i^2 + r/h),   w_i += beta e S_i x_i,   S_i -= beta (S_i x_i)^2
//   e = y max(0, 1 - y w . x), or for numbers y - w . x
// Crammer et al. 2009, Figure 1, with the diagonal of Sigma; for numbers Vaits, Crammer 2011. Their theorems are about
// the whole matrix. It is the step of linear/variances.hpp with g = -e h/r and c = h/r.
//
// The normalised form, not published, has x_i/s_i for x_i, s_i the largest |x_i| in the rows that moved it; labels that
// are numbers clip its predictions to their range with 0.
#pragma once

#include <array>
#include <cmath>

#include "linear/kernel.hpp"
#include "linear/pooled.hpp"
#include "linear/scaled.hpp"
#include "linear/variances.hpp"

namespace afterwit {

struct ArowRule : PlainRule {
  static constexpr std::size_t words = 2, sums = 2;  // w, v; w x, S x^2
  struct Totals {
    double t = 0.0;  // rows with an error
  };
  static constexpr std::array<const char*, 1> fields{"t"};
  using Descent = VarianceStep;

  double r = 1.0;
  bool numbers = false;  // labels are numbers, not one of two

  template <class Number>
  static std::array<double, 2> look(const Number* cell, float x) {
    return VarianceStep::look(cell[0], cell[1], x);
  }
  static double error(double p, double y, bool numbers) {
    return numbers ? y - p : y * p < 1.0 ? y * (1.0 - y * p) : 0.0;
  }
  template <class Sums>
  bool begin(Totals& totals, const Loss&, const Sums& sums, double y, double h, Descent& d) const {
    const double e = error(sums[0], y, numbers);
    if (e == 0.0) return false;
    totals.t += 1.0;
    d = {-e * (h / r), h / r, sums[1], 1.0};
    return true;
  }
  static void step(const Totals&, const Loss&, Descent&, double, double) {}
  template <class Number>
  static void move(Number* cell, float x, const Descent& d, double) {
    d.move(cell[0], cell[1], x);
  }
  static bool sound(const Totals& totals) { return is_count(totals.t); }
};

// In a pool x_i/s_i is xs, and numbers are about the mean of the labels.
struct PooledArow : PlainPooled {
  static constexpr std::size_t words = 2, sums = 2;  // w, v; w xs, S xs^2
  using Descent = VarianceStep;

  double r = 1.0;

  template <class Number>
  static std::array<double, 2> look(const Number* cell, const Seen<Number>& seen) {
    return VarianceStep::look(cell[0], cell[1], seen.xs);
  }
  template <class Sums>
  bool begin(const ToldRow& row, const Sums& sums, Descent& d) const {
    const double e = row.numbers ? row.y - row.before.mean - sums[0] : row.y * std::max(0.0, 1.0 - row.y * sums[0]);
    d = {-e * (row.h / r), row.h / r, sums[1], 1.0};
    return e != 0.0;
  }
  template <class Number>
  static void move(Number* cell, const Seen<Number>& seen, const Descent& d, Number) {
    d.move(cell[0], cell[1], seen.xs);
  }
};

struct NormalizedArowRule : PlainRule {
  static constexpr std::size_t words = 3, sums = 2;  // w and v in units of x/s, s
  using Totals = LabelRange;
  static constexpr auto fields = LabelRange::fields;
  using Descent = VarianceStep;

  double r = 1.0;
  bool numbers = false;

  template <class Number>
  static std::array<double, 2> look(const Number* cell, float x) {
    return VarianceStep::look(cell[0], cell[1], x / larger(cell[2], x));
  }
  template <class Sums>
  double predict(const Totals& totals, const Loss&, const Sums& sums) const {
    return numbers ? totals.clipped(sums[0]) : sums[0];
  }
  template <class Sums>
  bool begin(Totals& totals, const Loss&, const Sums& sums, double y, double h, Descent& d) const {
    if (numbers) totals.widen(y);
    const double e = ArowRule::error(sums[0], y, numbers);
    d = {-e * (h / r), h / r, sums[1], 1.0};
    return e != 0.0;
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
  PooledArow pooled() const { return {{}, r}; }
  static bool pools(const Loss&) { return true; }
  static bool sound(const Totals& totals) { return totals.sound(); }
};

}  // namespace afterwit
