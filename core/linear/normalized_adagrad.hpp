// AdaGrad, normalised and with the importance-invariant step: Vowpal Wabbit's default update, as ERRATA B45 has it.
//   p = sum_i w_i x_i, clipped;   g = loss'(p, y);   nothing changes if h g = 0
//   G_i += h g^2 x_i^2;   s'_i = max(s_i, |x_i|);   w_i *= s_i/s'_i;   N += h (x_i/s'_i)^2
//   W += h;   rho_i = 1/(s'_i sqrt(G_i));   mu = sqrt(W/N);   a = mu sum_i x_i^2 rho_i
//   w_i += mu u x_i rho_i,   u = the loss's invariant step of size eta h at rate a
// Rescaling a feature changes no prediction. The loss says where the clip is: logistic at +-50, squared at the range of
// the labels and 0, where the label of this row widens the range for its gradient only, never for its prediction.
// Kept per feature: w, q = sqrt(G), s.
#pragma once

#include <array>
#include <cfloat>
#include <cmath>

#include "linear/adagrad.hpp"

namespace afterwit {

struct NormalizedAdaGradRule : PlainRule {
  static constexpr std::size_t words = 3;  // w, q, s
  static constexpr bool adapts = true;
  struct Totals {
    double W = 0.0;
    double N = 0.0;
    double lowest = 0.0;
    double highest = 0.0;
  };
  static constexpr std::array<const char*, 4> fields{"W", "N", "lowest", "highest"};

  double eta = 0.5;

  static double predict(const Totals& totals, const Loss& loss, double sum) {
    return loss.clipped(sum, totals.lowest, totals.highest);
  }

  static bool begin(Totals& totals, const Loss& loss, double sum, double y, double h, Descent& d) {
    totals.lowest = y < totals.lowest ? y : totals.lowest;
    totals.highest = y > totals.highest ? y : totals.highest;
    const double g = loss.derivative(predict(totals, loss, sum), y, d.at);
    d.c = h * g * g;
    d.root = std::fabs(g) * std::sqrt(h);
    return !loss.is_negligible(std::fabs(g));
  }
  static bool grows(const float* cell, std::size_t stride, float x) { return std::fabs(x) > cell[2 * stride]; }
  static void grow(float* cell, std::size_t stride, float x) {
    const float s = cell[2 * stride], larger = std::fabs(x) > s ? std::fabs(x) : s;
    cell[0] = finite_float(static_cast<double>(cell[0]) * (static_cast<double>(s) / static_cast<double>(larger)));
    cell[2 * stride] = larger;
  }
  static bool single(const float* cell, std::size_t stride, float x, const Descent& d, float& q, float& rho) {
    const bool good = adapt_single(cell[stride], static_cast<float>(d.root), x, q);
    const float below = cell[2 * stride] * q;
    rho = 1.0f / below;
    return good & (below >= 1e-30f) & (below <= 1e30f);
  }
  static void precise(const float* cell, std::size_t stride, float x, const Descent& d, float& q, double& rho) {
    q = adapted_root(cell[stride], d.c, x);
    rho = 1.0 / (static_cast<double>(cell[2 * stride]) * static_cast<double>(q));
  }
  // (x/s')^2, which waits for no gradient; s' is never 0.
  static double share(const float* cell, std::size_t stride, float x) {
    const float size = std::fabs(x), s = cell[2 * stride], larger = size > s ? size : s;
    const auto scaled = static_cast<double>(size / (larger > FLT_MIN ? larger : FLT_MIN));
    return scaled * scaled;
  }
  static double rate(float x, double rho) { return static_cast<double>(x) * rho * static_cast<double>(x); }
  static void count(Totals& totals, double h, double n, Descent& d) {
    totals.W += h;
    totals.N += h * n;
    const double ratio = totals.W / totals.N;  // may be above the largest double
    d.mu = ratio <= 1e300 ? std::sqrt(ratio) : std::sqrt(totals.W) / std::sqrt(totals.N);
  }
  double step(const Totals&, const Loss& loss, const Descent& d, double, double h, double a) const {
    return a == 0.0 ? 0.0 : d.mu * loss.invariant(d.at, eta * h, d.mu * a);
  }
  static bool sound(const Totals& totals) {
    return totals.W >= 0.0 && totals.N >= 0.0 && totals.lowest <= 0.0 && totals.highest >= 0.0;
  }
};

}  // namespace afterwit
