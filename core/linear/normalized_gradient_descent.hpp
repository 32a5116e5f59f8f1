// Gradient descent, normalised and with the importance-invariant step: algorithm NG of Ross et al. 2013.
//   p = sum_i w_i x_i, clipped;   g = loss'(p, y);   nothing changes if h g = 0
//   s'_i = max(s_i, |x_i|);   w_i *= (s_i/s'_i)^2;   N += h (x_i/s'_i)^2;   W += h;   k = W/N;   a = k sum_i
//   (x_i/s'_i)^2 w_i += k u x_i/s'_i^2,   u = the loss's invariant step of size eta h at rate a (Karampatziakis,
//   Langford 2011)
// Their step is g itself, here with a rate that does not fall: it never stops learning. Rescaling a feature changes no
// prediction. Clipped as in linear/normalized_adagrad.hpp.
#pragma once

#include <array>
#include <cmath>

#include "linear/kernel.hpp"
#include "linear/pooled.hpp"
#include "linear/scaled.hpp"

namespace afterwit {

// In a pool w is kept in units of s:   w times ratio when s grows;   v = k |xs|^2;   w += k xs u
struct PooledGradientDescent : PlainPooled {
  double eta = 0.1;

  template <class Number>
  static std::array<double, 1> look(const Number* cell, const Seen<Number>& seen) {
    return {static_cast<double>(cell[0] * seen.ratio) * static_cast<double>(seen.xs)};
  }
  template <class Sums>
  bool begin(const ToldRow& row, const Sums& sums, Descent& d) const {
    if (!(row.now.N > 0.0)) return false;
    const double k = row.now.t / row.now.N;
    d.u = k * Slope(row, sums[0]).invariant(eta * row.h, k * row.squares);
    return true;
  }
  template <class Number>
  static void move(Number* cell, const Seen<Number>& seen, const Descent& d, Number) {
    put(cell[0], static_cast<double>(cell[0] * seen.ratio) + d.u * static_cast<double>(seen.xs));
  }
};

struct NormalizedGradientDescentRule : PlainRule {
  static constexpr std::size_t words = 2, sums = 2;  // w, s
  struct Totals {
    double W = 0.0;
    double N = 0.0;
    LabelRange labels;
  };
  static constexpr std::array<const char*, 4> fields{"W", "N", "lowest", "highest"};

  double eta = 0.1;

  template <class Number>
  static std::array<double, 2> look(const Number* cell, float x) {
    const double scaled = x / larger(cell[1], x);
    return {static_cast<double>(cell[0]) * static_cast<double>(x), scaled * scaled};
  }
  template <class Sums>
  static double predict(const Totals& totals, const Loss& loss, const Sums& sums) {
    return loss.clipped(sums[0], totals.labels.lowest, totals.labels.highest);
  }
  template <class Sums>
  bool begin(Totals& totals, const Loss& loss, const Sums& sums, double y, double h, Descent& d) const {
    totals.labels.widen(y);
    Loss::Point at;
    const double g = loss.derivative(predict(totals, loss, sums), y, at);
    if (loss.is_negligible(std::fabs(g))) return false;
    totals.W += h;
    totals.N += h * sums[1];
    const double k = totals.N > 0.0 ? totals.W / totals.N : 0.0, a = k * sums[1];
    d.step = a > 0.0 ? k * loss.invariant(at, eta * h, a) : 0.0;
    return true;
  }
  static void step(const Totals&, const Loss&, Descent&, double, double) {}
  template <class Number>
  static bool grows(const Number* cell, float x) {
    return std::fabs(x) > cell[1];
  }
  template <class Number>
  static void grow(Number* cell, float x) {
    const Number s = larger(cell[1], x);
    const double ratio = static_cast<double>(cell[1]) / static_cast<double>(s);
    put(cell[0], static_cast<double>(cell[0]) * (ratio * ratio));
    cell[1] = s;
  }
  template <class Number>
  static void move(Number* cell, float x, const Descent& d, double) {
    if (x == 0.0f) return;
    const double s = cell[1];
    put(cell[0], static_cast<double>(cell[0]) + d.step * (static_cast<double>(x) / s) / s);
  }
  PooledGradientDescent pooled() const { return {{}, eta}; }
  static bool pools(const Loss& loss) { return is_smooth(loss); }
  static bool sound(const Totals& totals) { return totals.W >= 0.0 && totals.N >= 0.0 && totals.labels.sound(); }
};

}  // namespace afterwit
