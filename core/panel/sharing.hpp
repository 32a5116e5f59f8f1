// The mean of the members' predictions by Bayes' rule, with a share for all after each round: Fixed Share with rate 1
// and share 1/(t + 1) (experts/fixed_share.hpp) over the log losses
//   l_i = -h ln p_i(y), p_i(y) cut to [1e-6, 1 - 1e-6];   numbers: l_i = h min(20, (p_i - y)^2/(5 V))
// with V the mean of the mixture's own squared errors so far, this row's included: normal densities of that size, but
// for outliers. A member that sleeps is said to predict what the mixture does. Several classes: p_i(y) is that of y.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <vector>

#include "experts/fixed_share.hpp"
#include "numeric/exponential.hpp"
#include "numeric/multiversion.hpp"
#include "numeric/vector_exp.hpp"
#include "numeric/vector_log.hpp"
#include "panel/combiner.hpp"

namespace afterwit {

// Log losses of margins for a label y of -1 or +1 as they are where p is cut to [1e-6, 1 - 1e-6], h times. Whole
// vectors: there is room for as many numbers as the next multiple of eight.
AFTERWIT_MULTIVERSION inline void cut_losses(const double* __restrict m, const double* __restrict losses, std::size_t n,
                                             double y, double h, double* __restrict out) {
  constexpr double most = 13.815509557935018;  // ln(1e6 - 1)
  const double least = vector::log1p_of_unit(vector::exp(-most));
  for (std::size_t i = 0; i < (n + 7) / 8 * 8; ++i) {
    const double z = -y * m[i];
    out[i] = h * (z > most ? most + least : z < -most ? least : losses[i]);
  }
}

AFTERWIT_MULTIVERSION __attribute__((flatten)) inline void share(FixedShareRule& rule, const double* losses,
                                                                 double* after, std::size_t n) {
  rule.update(0.0, losses, nullptr, nullptr, after, n);
}

// Fixed Share over log losses, whatever these are of.
class LogShare {
 public:
  void seat(std::size_t members) {
    rule_.p.assign(padded(members), 0.0);
    losses.assign(padded(members), 0.0);
    weights_.assign(padded(members), 0.0);
    after_.assign(padded(members), 0.0);
    rule_.begin(nullptr, members);
  }
  // The weights of those who are awake: their sum is 1, or 0 where all sleep.
  template <class Voices>
  const std::vector<double>& play(const Voices& voices) {
    double awake = 0.0;
    for (std::size_t i = 0; i < voices.size; ++i) awake += weights_[i] = voices.sleeps(i) ? 0.0 : rule_.p[i];
    for (std::size_t i = 0; i < voices.size && awake > 0.0; ++i) weights_[i] /= awake;
    return weights_;
  }
  void learn() { share(rule_, losses.data(), after_.data(), after_.size()); }

  void visit(State& state) {
    state.number("rounds", rule_.t);
    state.numbers("p", rule_.p.data(), {"member", rule_.N, 1, 1});
  }
  bool sound() const {
    double sum = 0.0;
    for (std::size_t i = 0; i < rule_.N; ++i) {
      if (!(rule_.p[i] >= 1e-300)) return false;
      sum += rule_.p[i];
    }
    return is_count(rule_.t) && std::fabs(sum - 1.0) < 1e-6;
  }
  void append_weights(std::vector<double>& out) const {
    out.insert(out.end(), weights_.begin(), weights_.begin() + static_cast<std::ptrdiff_t>(rule_.N));
  }

  // Of an importance and the probability of what came.
  static double loss(double h, double p) { return -std::min(h, 1e6) * log(std::clamp(p, 1e-6, 1.0 - 1e-6)); }

  Doubles losses;

 private:
  FixedShareRule rule_{1.0, 0.0};
  std::vector<double> weights_;
  Doubles after_;
};

class ClassSharing final : public ClassCombiner {
 public:
  void seat(std::size_t members) override { share_.seat(members); }
  void look(const ClassVoices& voices, double* p) override {
    voices.mix(share_.play(voices), mixed_);
    std::copy(mixed_.begin(), mixed_.end(), p);
  }
  void learn(const ClassVoices& voices, std::size_t y, double h) override {
    const double own = LogShare::loss(h, mixed_[y]);
    for (std::size_t i = 0; i < voices.size; ++i)
      share_.losses[i] = voices.sleeps(i) ? own : LogShare::loss(h, voices.of(i)[y]);
    share_.learn();
  }
  void visit(State& state) override { share_.visit(state); }
  bool sound() const override { return share_.sound(); }
  void append_weights(std::vector<double>& out) const override { share_.append_weights(out); }

 private:
  LogShare share_;
  std::vector<double> mixed_;
};

class Sharing final : public Combiner {
 public:
  std::unique_ptr<Combiner> copy() const override { return std::make_unique<Sharing>(); }
  std::unique_ptr<ClassCombiner> for_classes() const override { return std::make_unique<ClassSharing>(); }
  void seat(std::size_t members, const std::vector<std::size_t>&) override { share_.seat(members); }

  double look(const Voices& voices) override {
    const std::vector<double>& weights = share_.play(voices);
    double sum = 0.0, weight = 0.0;
    for (std::size_t i = 0; i < voices.size; ++i) {
      weight += weights[i];
      sum += weights[i] * voices.p[i];
    }
    return mixed_ = weight > 0.0 ? sum : voices.nobody();
  }
  void learn(const Voices& voices, const Answer& answer) override {
    if (answer.numbers) {
      const double e = mixed_ - answer.y;
      error_weight_ += answer.h;
      error_mean_ += (e * e - error_mean_) * (answer.h / error_weight_);
    }
    if (!answer.numbers && voices.awake == nullptr) {
      cut_losses(voices.m, answer.losses, voices.size, 2.0 * answer.y - 1.0, std::min(answer.h, 1e6),
                 share_.losses.data());
    } else {
      for (std::size_t i = 0; i < voices.size; ++i)
        share_.losses[i] = loss(voices.sleeps(i) ? mixed_ : voices.p[i], answer);
    }
    share_.learn();
  }

  void visit(State& state) override {
    state.number("error_weight", error_weight_);
    state.number("error_mean", error_mean_);
    share_.visit(state);
  }
  bool sound() const override {
    const auto is_sum = [](double v) { return std::isfinite(v) && v >= 0.0; };
    return share_.sound() && is_sum(error_weight_) && is_sum(error_mean_) && error_mean_ <= 1e78;  // of floats
  }
  void append_weights(std::vector<double>& out) const override { share_.append_weights(out); }

 private:
  double loss(double p, const Answer& answer) const {
    if (!answer.numbers) return LogShare::loss(answer.h, answer.y > 0.5 ? p : 1.0 - p);
    const double e = p - answer.y, square = 0.2 * (e * e);
    return std::min(answer.h, 1e6) * (square < 20.0 * error_mean_ ? square / error_mean_ : e == 0.0 ? 0.0 : 20.0);
  }

  LogShare share_;
  double error_weight_ = 0.0, error_mean_ = 0.0;  // of its own errors, where labels are numbers: V
  double mixed_ = 0.0;
};

}  // namespace afterwit
