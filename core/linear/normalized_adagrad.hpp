// AdaGrad, normalised and with the importance-invariant step: Vowpal Wabbit's default update, as errata 11 has it.
//   p = sum_i w_i x_i, clipped;   g = loss'(p, y);   nothing changes if h g = 0
//   G_i += h g^2 x_i^2;   s'_i = max(s_i, |x_i|);   w_i *= s_i/s'_i;   N += h (x_i/s'_i)^2
//   W += h;   rho_i = 1/(s'_i sqrt(G_i));   mu = sqrt(W/N);   a = mu sum_i x_i^2 rho_i
//   w_i += mu u x_i rho_i,   u = the loss's invariant step of size eta h at rate a
// Rescaling a feature changes no prediction. The clip is to +-50 for logistic loss and to the range of the labels and 0
// for squared loss; the label of this row widens the range for its gradient only, never for its prediction.
// Kept per feature: w, q = sqrt(G), s.
#pragma once

#include <array>
#include <cfloat>
#include <cmath>

#include "linear/adagrad.hpp"
#include "linear/scaled.hpp"

namespace afterwit {

// In a pool w is kept in units of s and q^2 = H in those of 1/s^2:
//   H times ratio^2 when s grows, then H += h g^2 xs^2;   rho = 1/sqrt(H);   mu = sqrt(t/N);   v = mu sum xs^2 rho
//   w += mu rho xs u,   u = the loss's invariant step of size eta h at rate v
struct PooledAdaGrad : PlainPooled {
  static constexpr std::size_t words = 2;  // w, H
  static constexpr bool adapts = true;
  struct Descent {
    double square;  // h g'^2
    double u;
    Slope slope;
  };

  double eta = 0.5;

  template <class Sums>
  static bool begin(const ToldRow& row, const Sums& sums, Descent& d) {
    d.slope = Slope(row, sums[0]);
    const double g = d.slope.derivative();
    d.square = row.h * g * g;
    return row.now.N > 0.0;
  }
  template <class Number>
  static double adapt(Number* cell, const Seen<Number>& seen, const Descent& d, Number& rho) {
    const Number H = cell[1] * (seen.ratio * seen.ratio) + static_cast<Number>(d.square) * (seen.xs * seen.xs);
    cell[1] = H < Number{1e30} ? H : Number{1e30};
    rho = cell[1] > Number{1e-30} ? Number{1} / std::sqrt(cell[1]) : Number{0};
    return static_cast<double>(seen.xs * seen.xs * rho);
  }
  void step(const ToldRow& row, Descent& d, double rate) const {
    const double k = std::sqrt(row.now.t / row.now.N);
    d.u = k * d.slope.invariant(eta * row.h, k * rate);
  }
  template <class Number>
  static void move(Number* cell, const Seen<Number>& seen, const Descent& d, Number rho) {
    put(cell[0], static_cast<double>(cell[0]) + d.u * static_cast<double>(seen.xs * rho));
  }
};

struct NormalizedAdaGradRule : PlainRule {
  static constexpr std::size_t words = 3, sums = 2;  // w, q, s
  static constexpr bool adapts = true;
  struct Totals {
    double W = 0.0;
    double N = 0.0;
    LabelRange labels;
  };
  static constexpr std::array<const char*, 4> fields{"W", "N", "lowest", "highest"};
  struct Descent {
    double root, c;  // |g| sqrt(h) and g^2 h
    double mu;
    Loss::Point at;  // where the gradient was taken
    double step;
  };

  double eta = 0.5;

  // w x, and (x/s')^2, which waits for no gradient; s' is never 0.
  template <class Number>
  static std::array<double, 2> look(const Number* cell, float x) {
    const double scaled = x / larger(cell[2], x);
    return {static_cast<double>(cell[0]) * static_cast<double>(x), scaled * scaled};
  }
  template <class Sums>
  static double predict(const Totals& totals, const Loss& loss, const Sums& sums) {
    return loss.clipped(sums[0], totals.labels.lowest, totals.labels.highest);
  }
  template <class Sums>
  static bool begin(Totals& totals, const Loss& loss, const Sums& sums, double y, double h, Descent& d) {
    totals.labels.widen(y);
    const double g = loss.derivative(predict(totals, loss, sums), y, d.at);
    d.c = h * g * g;
    d.root = std::fabs(g) * std::sqrt(h);
    if (loss.is_negligible(std::fabs(g))) return false;
    totals.W += h;
    totals.N += h * sums[1];
    const double ratio = totals.W / totals.N;  // may be above the largest double
    d.mu = ratio <= 1e300 ? std::sqrt(ratio) : std::sqrt(totals.W) / std::sqrt(totals.N);
    return true;
  }
  template <class Number>
  static bool grows(const Number* cell, float x) {
    return std::fabs(x) > cell[2];
  }
  template <class Number>
  static void grow(Number* cell, float x) {
    const Number s = larger(cell[2], x);
    put(cell[0], static_cast<double>(cell[0]) * (static_cast<double>(cell[2]) / static_cast<double>(s)));
    cell[2] = s;
  }
  template <class Number>
  static bool adapt(Number* cell, float x, const Descent& d, float& rho) {
    const bool good = adapt_single(cell[1], static_cast<float>(d.root), x);
    const float below = cell[2] * cell[1];
    rho = 1.0f / below;
    return good & (below >= 1e-30f) & (below <= 1e30f);
  }
  template <class Number>
  static double adapt_precisely(Number* cell, float x, const Descent& d) {
    put(cell[1], adapted_root(cell[1], d.c, x));
    return 1.0 / (static_cast<double>(cell[2]) * static_cast<double>(cell[1]));
  }
  static double rate(float x, double rho) { return static_cast<double>(x) * rho * static_cast<double>(x); }
  void step(const Totals&, const Loss& loss, Descent& d, double h, double a) const {
    d.step = a == 0.0 ? 0.0 : d.mu * loss.invariant(d.at, eta * h, d.mu * a);
  }
  PooledAdaGrad pooled() const { return {{}, eta}; }
  static bool pools(const Loss& loss) { return is_smooth(loss); }
  static bool sound(const Totals& totals) { return totals.W >= 0.0 && totals.N >= 0.0 && totals.labels.sound(); }
};

}  // namespace afterwit
