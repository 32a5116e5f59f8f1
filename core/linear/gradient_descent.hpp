// Projected online gradient descent.
//   w'_{t+1} = w_t - (eta/sqrt t) h_t loss'(w_t . x_t) x_t
//   w_{t+1}  = the nearest point to w'_{t+1} with |w| <= U
// Cesa-Bianchi 2023, "Projected OGD", Eq. (7). U = infinity does not project. The weights are stored as v with w =
// scale v, so that a projection costs O(1); |w|^2 is kept from the changes of the stored values themselves.
#pragma once

#include <array>
#include <cmath>
#include <limits>

#include "linear/kernel.hpp"

namespace afterwit {

struct GradientDescentRule : PlainRule {
  static constexpr bool measures = true;
  struct Totals {
    double t = 0.0;
    double scale = 1.0;
    double square = 0.0;  // |v|^2
  };
  static constexpr std::array<const char*, 3> fields{"t", "scale", "square"};

  static constexpr double smallest = 1e-20;  // scale, before the stored values take it in
  double eta = 0.5;
  double U = std::numeric_limits<double>::infinity();

  template <class Sums>
  static double predict(const Totals& totals, const Loss&, const Sums& sums) {
    return totals.scale * sums[0];
  }
  template <class Sums>
  bool begin(Totals& totals, const Loss& loss, const Sums& sums, double y, double h, Descent& d) const {
    totals.t += 1.0;
    const double c = h * loss.derivative(totals.scale * sums[0], y);
    d.step = -eta / (std::sqrt(totals.t) * totals.scale) * c;  // what does not wait for the gradient comes first
    return c != 0.0;
  }
  static void step(const Totals&, const Loss&, Descent&, double, double) {}
  bool end(Totals& totals, double growth) const {
    if (U > std::numeric_limits<double>::max()) return false;
    totals.square += growth;
    const double norm = totals.scale * std::sqrt(totals.square > 0.0 ? totals.square : 0.0);
    if (norm > U) totals.scale *= U / norm;
    return totals.scale < smallest;
  }
  template <class Number>
  static double weight(const Totals& totals, const Number* cell) {
    return totals.scale * static_cast<double>(cell[0]);
  }
  static bool sound(const Totals& totals) {
    return is_count(totals.t) && totals.scale >= smallest && totals.scale <= 1.0;
  }
  static void rescaled(Totals& totals, double square) {
    totals.scale = 1.0;
    totals.square = square;
  }
};

}  // namespace afterwit
