// Newton's steps with the whole matrix: a Kalman filter whose state, the weights, may walk at random.
//   z = (1, x_j/rms_j cut to +-20),   m = w . z,   k = P z,   den = f + c z . k
//   w -= g k/den,   P = (P - (c/den) k k')/f,   P = I/lambda and w = 0 at first
//   then P_jj += rho/lambda where P_jj < 1/lambda; f = 1, or t/(t + 1), where rounds long ago fade
// g is the slope and c the curvature of logistic loss, at least 1/1000, or of half the squared loss about the mean of
// the labels so far; importance h multiplies both. Hazan et al. 2007 have the step and its theorem for features as they
// come; Penny, Roberts 1999 the filter for logistic regression. With f < 1 the entries of P that no row reaches grow:
// a variance above 10000/lambda is cut there, with its row and column.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "dense/columns.hpp"
#include "dense/newton_matrix.hpp"
#include "numeric/aligned.hpp"
#include "numeric/sigmoid.hpp"
#include "numeric/state.hpp"

namespace afterwit {

class OnlineNewton {
 public:
  static constexpr bool moments = false;
  static constexpr std::size_t constant = std::numeric_limits<std::size_t>::max();

  OnlineNewton(double lambda, double rho, bool fades, bool numbers) : matrix_(lambda, rho, fades), numbers_(numbers) {
    reserve(0);
  }

  void reserve(std::size_t d) {
    matrix_.reserve(d + 1);
    w_.resize(matrix_.room());
  }

  double predict(const DenseRow& row, const Targets& targets) {
    m_ = dot(w_.data(), row.z, row.d + 1);
    return numbers_ ? targets.mean + m_ : m_;
  }

  void learn(const DenseRow& row, const Targets& before, const Targets&, double y, double h) {
    const std::size_t n = row.d + 1;
    double g, c;
    if (numbers_) {
      g = before.mean + m_ - y;
      c = 1.0;
    } else {
      const double p = sigmoid(std::clamp(m_, -50.0, 50.0));
      g = y > 0.0 ? p - 1.0 : p;
      c = std::max(p * (1.0 - p), 0.001);
    }
    matrix_.step(row.z, n, h * c, w_.data(), -g / c);
  }

  double weight(std::size_t j, double rms) const { return j == constant ? w_[0] : rms > 0.0 ? w_[j + 1] / rms : 0.0; }

  void visit(State& state, std::size_t d) {
    state.numbers("w", w_.data(), {"column and the constant", d + 1, 1, 1});
    matrix_.visit(state, d + 1);
    d_ = d + 1;
  }
  bool sound() const {
    return matrix_.sound() && std::all_of(w_.begin(), w_.begin() + static_cast<std::ptrdiff_t>(d_),
                                          [](double v) { return std::isfinite(v); });
  }

 private:
  NewtonMatrix matrix_;
  bool numbers_;
  double m_ = 0.0;     // of the row that was looked at last, without the mean of the labels
  std::size_t d_ = 0;  // columns and the constant of a state that was visited last
  Doubles w_;
};

}  // namespace afterwit
