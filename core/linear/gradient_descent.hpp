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
  static constexpr std::size_t words = 1;
  struct Totals {
    double t = 0.0;
    double scale = 1.0;
    double square = 0.0;  // |v|^2
  };
  static constexpr std::array<const char*, 3> fields{"t", "scale", "square"};

  static constexpr double smallest = 1e-20;  // scale, before the stored values take it in
  double eta = 0.5;
  double U = std::numeric_limits<double>::infinity();

  static double scale(const Totals& totals) { return totals.scale; }
  static double predict(const Totals& totals, const Loss&, double sum) { return totals.scale * sum; }

  static bool begin(Totals& totals, const Loss& loss, double sum, double y, double h, Descent& d) {
    totals.t += 1.0;
    d.c = h * loss.derivative(totals.scale * sum, y);
    return d.c != 0.0;
  }
  double step(const Totals& totals, const Loss&, const Descent& d, double, double, double) const {
    return -eta / (std::sqrt(totals.t) * totals.scale) * d.c;  // what does not wait for the gradient comes first
  }
  static double move(float* cell, double x, double step, double) {
    const double before = cell[0];
    cell[0] = finite_float(before + step * x);
    const double after = cell[0];
    return after * after - before * before;
  }
  bool end(Totals& totals, double growth) const {
    if (U > std::numeric_limits<double>::max()) return false;
    totals.square += growth;
    const double norm = totals.scale * std::sqrt(totals.square > 0.0 ? totals.square : 0.0);
    if (norm > U) totals.scale *= U / norm;
    return totals.scale < smallest;
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
