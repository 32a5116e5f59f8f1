// The matrix of Newton's steps, which is symmetric, with room for ever more columns. A row z of curvature c makes
//   k = P z,   den = f + c z . k,   P = (P - (c/den) k k')/f,   P = I/lambda at first
//   then P_jj += rho/lambda where P_jj < 1/lambda; f = 1, or t/(t + 1), where rounds long ago fade
// With f < 1 the entries of P that no row reaches grow: a variance above 10000/lambda is cut there, with its row and
// column.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "numeric/aligned.hpp"
#include "numeric/counts.hpp"
#include "numeric/rank_one.hpp"
#include "numeric/state.hpp"

namespace afterwit {

class NewtonMatrix {
 public:
  NewtonMatrix(double lambda, double rho, bool fades) : lambda_(lambda), rho_(rho), fades_(fades) {}

  std::size_t room() const { return room_; }
  void reserve(std::size_t n) {
    if (n <= room_) return;
    const std::size_t before = room_;
    room_ = (std::max(n, before + before / 2) + 7) / 8 * 8;
    Doubles P(room_ * room_);
    for (std::size_t i = 0; i < room_; ++i) P[i * room_ + i] = 1.0 / lambda_;
    for (std::size_t i = 0; i < before; ++i) std::copy_n(P_.begin() + i * before, before, P.begin() + i * room_);
    P_.swap(P);
    k_.resize(room_);
    diagonal_.resize(room_);
    read_diagonal(P_.data(), room_, room_, diagonal_.data());
  }

  // Returns c/den, or less where rounding asks for it, and leaves k; that times `step` k is added to w, unless it is
  // null.
  double step(const double* z, std::size_t n, double c, double* w = nullptr, double step = 0.0) {
    t_ += 1.0;
    const double f = fades_ ? t_ / (t_ + 1.0) : 1.0;
    const RankOne P{P_.data(), room_, n, k_.data(), diagonal_.data()};
    const double share = reach_of(P, z, c, f).share;
    step_by(P, w, step * share, share, 1.0 / f, 1.0 / lambda_, rho_ / lambda_);
    if (fades_) cut(n);
    return share;
  }
  const double* k() const { return k_.data(); }

  void visit(State& state, std::size_t n) {
    const char* each = "pair of columns";
    state.number("t", t_);
    state.expect("P", {each, n, n, n});
    reserve(n);
    state.numbers("P", P_.data(), {each, n, n, room_});
    read_diagonal(P_.data(), room_, n, diagonal_.data());
    n_ = n;
  }
  bool sound() const {
    if (!is_count(t_)) return false;
    const double most = 1e9 * (1.0 + rho_) / lambda_;  // far beyond what learning leads to, rounding and all
    for (std::size_t i = 0; i < n_; ++i) {
      if (!(P_[i * room_ + i] >= 0.0)) return false;
      for (std::size_t j = 0; j <= i; ++j)
        if (!(std::fabs(P_[i * room_ + j]) <= most) || P_[i * room_ + j] != P_[j * room_ + i]) return false;
    }
    return true;
  }

 private:
  void cut(std::size_t n) {
    const double most = 10000.0 / lambda_;
    for (std::size_t j = 0; j < n; ++j) {
      if (!(diagonal_[j] > most)) continue;
      const double factor = std::sqrt(most / diagonal_[j]);
      for (std::size_t i = 0; i < n; ++i) {
        P_[j * room_ + i] *= factor;
        P_[i * room_ + j] *= factor;
      }
      diagonal_[j] = P_[j * room_ + j];
    }
  }

  double lambda_, rho_;
  bool fades_;
  double t_ = 0.0;
  std::size_t room_ = 0;  // rows of P, and between them
  std::size_t n_ = 0;     // columns of a state that was visited last
  Doubles P_, k_, diagonal_;
};

}  // namespace afterwit
