// Newton's steps with the whole matrix for several classes: each has its weights, and all share one matrix.
//   z = (1, x_j/rms_j cut to +-20),   m_c = w_c . z cut to +-50,   p = softmax(m)
//   s = max((1 - sum p_c^2)/2, 1/1000),   k = P z,   den = f + h s z . k
//   w_c -= h (p_c - [c = y]) k/den,   P = (P - (h s/den) k k')/f,   w_c = 0 at first
// The matrix is that of dense/newton_matrix.hpp, lambda, rho and f as in dense/online_newton.hpp. The curvature of
// log loss is diag(p) - p p'; s is half its trace, which for two classes is the p (1 - p) of logistic loss. One P is
// thus as if all classes had the same curvature: the form is not published. A class that comes late has m_c = 0 in the
// row that brings it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "dense/class_table.hpp"
#include "dense/columns.hpp"
#include "dense/newton_matrix.hpp"
#include "numeric/multiversion.hpp"
#include "numeric/softmax.hpp"
#include "numeric/state.hpp"
#include "numeric/weighted_rows.hpp"

namespace afterwit {

// W -= share k g', one row of W per column
AFTERWIT_MULTIVERSION inline void subtract_product(double* __restrict W, std::size_t stride, std::size_t n,
                                                   double share, const double* __restrict k,
                                                   const double* __restrict g) {
  for (std::size_t j = 0; j < n; ++j) {
    const double own = share * k[j];
    double* __restrict row = W + j * stride;
    for (std::size_t c = 0; c < stride; ++c) row[c] -= g[c] * own;
  }
}

class ClassNewton {
 public:
  static constexpr bool moments = false;

  ClassNewton(double lambda, double rho, bool fades) : matrix_(lambda, rho, fades) {}

  std::size_t most_classes() const { return 2048; }  // at 1024 columns below 64 MB, also while rows move

  void reserve(std::size_t d, std::size_t classes) {
    matrix_.reserve(d + 1);
    w_.reserve(matrix_.room(), std::max(classes, classes_));
    if (classes <= classes_) return;
    classes_ = classes;
    for (auto* each : {&m_, &p_, &g_}) each->resize(w_.stride());
    softmax(m_.data(), classes, p_.data());
  }

  void predict(const DenseRow& row, double* p) {
    weighted_rows(w_.row(0), w_.stride(), row.z, row.d + 1, m_.data());
    for (std::size_t c = 0; c < classes_; ++c) m_[c] = m_[c] < -50.0 ? -50.0 : m_[c] < 50.0 ? m_[c] : 50.0;
    softmax(m_.data(), classes_, p_.data());
    std::copy_n(p_.data(), classes_, p);
  }

  void learn(const DenseRow& row, std::size_t y, double h) {
    const std::size_t n = row.d + 1;
    double squares = 0.0;
    for (std::size_t c = 0; c < classes_; ++c) squares += p_[c] * p_[c];
    const double s = std::max((1.0 - squares) / 2.0, 0.001);
    for (std::size_t c = 0; c < classes_; ++c) g_[c] = p_[c] / s;
    g_[y] = (p_[y] - 1.0) / s;
    const double share = matrix_.step(row.z, n, h * s);
    subtract_product(w_.row(0), w_.stride(), n, share, matrix_.k(), g_.data());
  }

  void visit(State& state, std::size_t d, std::size_t classes) {
    const char* each = "class of a column and of the constant";
    state.expect("w", {each, d + 1, classes, classes});
    matrix_.visit(state, d + 1);
    reserve(d, classes);
    state.numbers("w", w_.row(0), {each, d + 1, classes, w_.stride()});
    d_ = d + 1;
  }
  bool sound() const {
    for (std::size_t j = 0; j < d_; ++j)
      if (!std::all_of(w_.row(j), w_.row(j) + classes_, [](double v) { return std::isfinite(v); })) return false;
    return matrix_.sound();
  }

 private:
  NewtonMatrix matrix_;
  std::size_t classes_ = 0;
  std::size_t d_ = 0;              // columns and the constant of a state that was visited last
  ClassTable<double> w_;           // a row per column
  std::vector<double> m_, p_, g_;  // of the row that was predicted last; g: the slopes at m over the curvature
};

}  // namespace afterwit
