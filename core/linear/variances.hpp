// A weight w and its variance P for every feature, at first p0, as if features were independent: what AROW and Newton's
// steps with a diagonal share. After a row with slope g and curvature c of its loss, both times its weight,
//   w_i -= g P_i x_i/(1 + c V),   1/P'_i = 1/P_i + c x_i^2/(1 + c (V - P_i x_i^2)),   V = sum_i P_i x_i^2
// which is P_i -= c (P_i x_i)^2/(1 + c V). The word kept is v = p0/P - 1, so that zeros are P = p0 and the update adds
// what is positive. (V - P_i x_i^2 cancels where the square of one feature is above 1e15 times all others.)
#pragma once

#include <array>

#include "linear/cells.hpp"

namespace afterwit {

struct VarianceStep {
  double step, V, p0, c;  // step is g/(1 + c V)

  VarianceStep() = default;
  // `share` is V/p0.
  VarianceStep(double g, double c, double share, double p0) : V(p0 * share), p0(p0), c(c) { step = g / (1.0 + c * V); }

  // What a feature adds to the prediction and to `share`.
  static std::array<double, 2> look(double w, double v, double x) { return {w * x, x * x / (1.0 + v)}; }

  template <class Number>
  void move(Number& w, Number& v, double x) const {
    const double P = p0 / (1.0 + static_cast<double>(v)), own = P * x * x, others = V > own ? V - own : 0.0;
    put(w, static_cast<double>(w) - step * P * x);
    put(v, static_cast<double>(v) + p0 * c * (x * x) / (1.0 + c * others));
  }
  // P grows by p0/10000, up to p0.
  template <class Number>
  static void walk(Number& v) {
    const double shrunk = 1.0 + static_cast<double>(v), walked = shrunk / (1.0 + shrunk / 10000.0) - 1.0;
    put(v, walked > 0.0 ? walked : 0.0);
  }
};

}  // namespace afterwit
