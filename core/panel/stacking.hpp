// Newton's steps over the members' predictions (the step of dense/online_newton.hpp): the margin is w . z with
//   z_i = m_i cut to +-8 and a constant 1;   numbers: z_i = (p_i - y_1)/s, y_1 the first label and s their range
// where w = (1/K, ..., 1/K, 0) and P = I/lambda at first. A variance grows by rho/lambda in each round while it is
// below 1/lambda. Margins are cut to +-30; numbers are y_1 + s w . z within the range.
#pragma once

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstddef>
#include <memory>
#include <vector>

#include "numeric/aligned.hpp"
#include "numeric/exponential.hpp"
#include "numeric/rank_one.hpp"
#include "numeric/sigmoid.hpp"
#include "panel/combiner.hpp"

namespace afterwit {

// Several classes: z_ic = ln max(p_ic, 1e-6) less its mean over c, p = softmax(sum_i w_i z_ic), and with zbar = sum_c
// p_c z_c
//   S = f S + h (sum_c p_c z_c z_c' - zbar zbar'),   w -= (S + lambda I)^-1 h sum_c (p_c - [c = y]) z_c
// where w = 1/K at first and f = .999 where it walks, 1 otherwise. An importance beyond 1e6 counts as that: the
// rounding of S must stay below lambda.
class ClassStacking final : public ClassCombiner {
 public:
  ClassStacking(double lambda, double f) : lambda_(lambda), f_(f) {}

  void seat(std::size_t members) override {
    K_ = members;
    w_.assign(K_, 1.0 / static_cast<double>(K_));
    S_.assign(K_ * K_, 0.0);
    root_.assign(K_ * K_, 0.0), step_.assign(K_, 0.0), mean_.assign(K_, 0.0);
  }
  void look(const ClassVoices& voices, double* p) override {
    scale(voices);
    std::copy(p_.begin(), p_.end(), p);
  }
  void learn(const ClassVoices& voices, std::size_t y, double h) override {
    const std::size_t C = voices.classes;
    h = std::min(h, 1e6);
    for (std::size_t i = 0; i < K_; ++i) {
      const double* z = z_.data() + i * C;
      mean_[i] = 0.0;
      for (std::size_t c = 0; c < C; ++c) mean_[i] += p_[c] * z[c];
      step_[i] = h * (mean_[i] - z[y]);
    }
    for (std::size_t i = 0; i < K_; ++i)
      for (std::size_t j = 0; j <= i; ++j) {
        double sum = 0.0;
        for (std::size_t c = 0; c < C; ++c) sum += p_[c] * (z_[i * C + c] * z_[j * C + c]);
        S_[i * K_ + j] = f_ * S_[i * K_ + j] + h * (sum - mean_[i] * mean_[j]);
      }
    solve();
    for (std::size_t i = 0; i < K_; ++i) w_[i] -= step_[i];
  }

  void visit(State& state) override {
    state.numbers("w", w_.data(), {"member", K_, 1, 1});
    state.numbers("S", S_.data(), {"pair of members", K_, K_, K_});
  }
  bool sound() const override {
    const auto is_finite = [](double v) { return std::isfinite(v) && std::fabs(v) < 1e100; };
    for (std::size_t i = 0; i < K_; ++i)
      if (!(S_[i * K_ + i] >= -1e-3)) return false;
    return std::all_of(w_.begin(), w_.end(), is_finite) && std::all_of(S_.begin(), S_.end(), is_finite);
  }
  void append_weights(std::vector<double>& out) const override { out.insert(out.end(), w_.begin(), w_.end()); }

 private:
  void scale(const ClassVoices& voices) {
    const std::size_t C = voices.classes;
    z_.assign(K_ * C, 0.0);
    p_.assign(C, 0.0);
    for (std::size_t i = 0; i < K_; ++i) {
      if (voices.sleeps(i)) continue;
      double* z = z_.data() + i * C;
      double mean = 0.0;
      for (std::size_t c = 0; c < C; ++c) mean += z[c] = log(std::max(voices.of(i)[c], 1e-6));
      mean /= static_cast<double>(C);
      for (std::size_t c = 0; c < C; ++c) p_[c] += w_[i] * (z[c] -= mean);
    }
    const double most = *std::max_element(p_.begin(), p_.end());
    double sum = 0.0;
    for (double& p : p_) sum += p = exp(std::max(p - most, -60.0));
    for (double& p : p_) p /= sum;
  }
  // step = (S + lambda I)^-1 step, by Cholesky's root of the lower half.
  void solve() {
    for (std::size_t i = 0; i < K_; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        double sum = S_[i * K_ + j] + (i == j ? lambda_ : 0.0);
        for (std::size_t k = 0; k < j; ++k) sum -= root_[i * K_ + k] * root_[j * K_ + k];
        root_[i * K_ + j] = i == j ? std::sqrt(std::max(sum, 1e-3 * lambda_)) : sum / root_[j * K_ + j];
      }
      for (std::size_t k = 0; k < i; ++k) step_[i] -= root_[i * K_ + k] * step_[k];
      step_[i] /= root_[i * K_ + i];
    }
    for (std::size_t i = K_; i-- > 0;) {
      for (std::size_t k = i + 1; k < K_; ++k) step_[i] -= root_[k * K_ + i] * step_[k];
      step_[i] /= root_[i * K_ + i];
    }
  }

  double lambda_, f_;
  std::size_t K_ = 0;
  std::vector<double> w_, S_, root_, step_, mean_;
  std::vector<double> z_, p_;  // of the row that was looked at last
};

class Stacking final : public Combiner {
 public:
  Stacking(double lambda, double rho, bool deep) : lambda_(lambda), rho_(rho), deep_(deep) {}

  std::unique_ptr<Combiner> copy() const override { return std::make_unique<Stacking>(lambda_, rho_, deep_); }
  std::unique_ptr<ClassCombiner> for_classes() const override {
    return std::make_unique<ClassStacking>(lambda_, rho_ > 0.0 ? 0.999 : 1.0);
  }
  void seat(std::size_t members, const std::vector<std::size_t>& own) override {
    members_ = members;
    looks_at_ = own;
    if (deep_) {
      looks_at_.clear();
      for (std::size_t i = 0; i < members; ++i) looks_at_.push_back(i);
    }
    n_ = looks_at_.size() + 1;
    stride_ = (n_ + 7) / 8 * 8;
    P_.assign(n_ * stride_, 0.0);
    for (std::size_t i = 0; i < n_; ++i) P_[i * stride_ + i] = 1.0 / lambda_;
    w_.assign(stride_, 1.0 / static_cast<double>(n_ - 1));
    w_[n_ - 1] = 0.0;
    z_.assign(stride_, 0.0), k_.assign(stride_, 0.0), diagonal_.assign(stride_, 1.0 / lambda_);
  }

  double look(const Voices& voices) override {
    const Targets& labels = voices.targets;
    if (voices.numbers() && !(labels.range() > 0.0)) return labels.mean;
    const double sum = scaled(voices, labels.range());
    if (!voices.numbers()) return p_ = sigmoid(std::clamp(sum, -30.0, 30.0));
    return labels.clipped(first_ + labels.range() * sum);
  }

  void learn(const Voices& voices, const Answer& answer) override {
    double g, c;
    if (answer.numbers) {
      first_ = answer.first;
      g = scaled(voices, answer.after.range()) - (answer.y - first_) / answer.after.range();
      c = 1.0;
    } else {
      g = p_ - answer.y;
      c = std::max(p_ * (1.0 - p_), 0.001);
    }
    const RankOne P{P_.data(), stride_, n_, k_.data(), diagonal_.data()};
    const auto [reach, share] = reach_of(P, z_.data(), answer.h * c, 1.0);
    if (!(reach > 0.0)) return;
    step_by(P, w_.data(), -g / c * share, share, 1.0, 1.0 / lambda_, rho_ / lambda_);
  }

  void visit(State& state) override {
    state.number("first", first_);
    state.numbers("w", w_.data(), {"member and the constant", n_, 1, 1});
    state.numbers("P", P_.data(), {"pair of members", n_, n_, stride_});
    read_diagonal(P_.data(), stride_, n_, diagonal_.data());
  }
  bool sound() const override {
    for (std::size_t i = 0; i < n_; ++i) {
      if (!std::isfinite(w_[i]) || !(P_[i * stride_ + i] >= 0.0)) return false;
      for (std::size_t j = 0; j <= i; ++j)
        if (!std::isfinite(P_[i * stride_ + j]) || P_[i * stride_ + j] != P_[j * stride_ + i]) return false;
    }
    return std::fabs(first_) <= FLT_MAX;
  }
  void append_weights(std::vector<double>& out) const override {
    const std::size_t first = out.size();
    out.resize(first + members_);
    for (std::size_t k = 0; k < looks_at_.size(); ++k) out[first + looks_at_[k]] = w_[k];
  }

 private:
  // z, and w . z
  double scaled(const Voices& voices, double range) {
    const std::size_t* i = looks_at_.data();
    if (!voices.numbers()) {
      for (std::size_t k = 0; k + 1 < n_; ++k) z_[k] = voices.cut[i[k]];
    } else {
      for (std::size_t k = 0; k + 1 < n_; ++k) z_[k] = voices.sleeps(i[k]) ? 0.0 : (voices.p[i[k]] - first_) / range;
    }
    z_[n_ - 1] = 1.0;
    return dot(w_.data(), z_.data(), n_);
  }

  double lambda_, rho_;
  bool deep_;
  std::vector<std::size_t> looks_at_;
  std::size_t members_ = 0, n_ = 0, stride_ = 0;
  double first_ = 0.0;  // of the labels that are numbers
  double p_ = 0.5;      // of the row that was looked at last, with z; of two classes
  Doubles w_, P_, z_, k_, diagonal_;
};

}  // namespace afterwit
