// Gradient descent on loss + (sigma/2)|w|^2 with steps 1/(sigma t); with hinge loss it is Pegasos.
//   w_{t+1} = w_t - (1/(sigma t)) (h_t loss'(w_t . x_t) x_t + sigma w_t),   w_1 = 0
// Cesa-Bianchi 2023, "OGD with strongly convex losses", bound (G^2/2 sigma)(1 + ln T) (errata 1). The recursion
// telescopes: w_{t+1} = v_{t+1}/(sigma t), v_{t+1} = v_t - h_t loss'(w_t . x_t) x_t, and v is what is stored.
#pragma once

#include <array>

#include "linear/kernel.hpp"

namespace afterwit {

struct PegasosRule : PlainRule {
  struct Totals {
    double t = 0.0;  // rounds done
  };
  static constexpr std::array<const char*, 1> fields{"t"};

  double sigma = 1e-4;

  double scale(const Totals& totals) const { return totals.t > 0.0 ? 1.0 / (sigma * totals.t) : 0.0; }
  template <class Sums>
  double predict(const Totals& totals, const Loss&, const Sums& sums) const {
    return scale(totals) * sums[0];
  }
  template <class Sums>
  bool begin(Totals& totals, const Loss& loss, const Sums& sums, double y, double h, Descent& d) const {
    d.step = -h * loss.derivative(scale(totals) * sums[0], y);
    totals.t += 1.0;
    return d.step != 0.0;
  }
  static void step(const Totals&, const Loss&, Descent&, double, double) {}
  template <class Number>
  double weight(const Totals& totals, const Number* cell) const {
    return scale(totals) * static_cast<double>(cell[0]);
  }
  static bool sound(const Totals& totals) { return is_count(totals.t); }
};

}  // namespace afterwit
