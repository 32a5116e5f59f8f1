// How well each member of a panel has predicted, the panel itself, and who says what is usual: the mean of the numbers
// so far, or the part that each class has of them. Sums over the rows in which it was awake, each times its importance.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "losses/logistic.hpp"
#include "numeric/aligned.hpp"
#include "numeric/multiversion.hpp"
#include "numeric/sigmoid.hpp"
#include "numeric/state.hpp"
#include "panel/combiner.hpp"

namespace afterwit {

struct Score {
  double weight = 0.0;
  double loss = 0.0;    // log loss, or squared errors
  double square = 0.0;  // what the players learn: Brier loss, or squared errors in units of the range
  double errors = 0.0;
};

// What each of n predictions adds to its score.
AFTERWIT_MULTIVERSION inline void add_scores(double* __restrict weight, double* __restrict loss,
                                             double* __restrict square, double* __restrict errors,
                                             const double* __restrict m, const double* __restrict p,
                                             const double* __restrict losses, std::size_t n, double y, double h) {
  const bool positive = y > 0.5;
  for (std::size_t i = 0; i < n; ++i) {
    const double e = p[i] - y;
    weight[i] += h;
    loss[i] += h * losses[i];
    square[i] += h * (e * e);
    errors[i] += (m[i] >= 0.0) != positive ? h : 0.0;
  }
}

class Scores {
 public:
  // Of so many members, and behind them of what they together predict, and of who knows the labels so far alone.
  explicit Scores(std::size_t members) : n_(members + 2), sums_(4 * room()) {
    for (auto* each : {&m_, &p_, &losses_, &y_}) each->resize(room());
  }

  // What the members said and what became of it: a margin with its probability, or a number twice.
  void add(const Voices& voices, double m, double p, const Answer& answer) {
    const std::size_t K = voices.size;
    const double usual = answer.numbers ? answer.before.mean : (ones_ + 0.5) / (weight()[K] + 1.0);
    std::copy_n(voices.p, K, p_.begin());
    p_[K] = p;
    p_[K + 1] = usual;
    if (!answer.numbers) {
      std::copy_n(voices.m, K, m_.begin());
      m_[K] = m;
      m_[K + 1] = logit(usual);
      std::fill(y_.begin(), y_.end(), 2.0 * answer.y - 1.0);
      Logistic().values(m_.data(), y_.data(), room(), losses_.data());
      ones_ += answer.h * answer.y;
    }
    if (!answer.numbers && voices.awake == nullptr)
      return add_scores(weight(), weight() + room(), weight() + 2 * room(), weight() + 3 * room(), m_.data(), p_.data(),
                        losses_.data(), room(), answer.y, answer.h);
    const double range = answer.after.range();
    for (std::size_t i = 0; i < K + 2; ++i) {
      if (i < K && voices.sleeps(i)) continue;
      const double e = p_[i] - answer.y, scaled = range > 0.0 ? e / range : 0.0;
      if (answer.numbers)
        enter(i, answer.h, e * e, scaled * scaled, false);
      else
        enter(i, answer.h, losses_[i], e * e, (m_[i] >= 0.0) != (answer.y > 0.5));
    }
  }
  // One prediction of a row of importance h.
  void enter(std::size_t i, double h, double loss, double square, bool error) {
    double* own = sums_.data() + i;
    own[0] += h;
    own[room()] += h * loss;
    own[2 * room()] += h * square;
    own[3 * room()] += error ? h : 0.0;
  }
  std::vector<Score> all() const {
    std::vector<Score> out(n_);
    const double* own = sums_.data();
    for (std::size_t i = 0; i < n_; ++i) out[i] = {own[i], own[i + room()], own[i + 2 * room()], own[i + 3 * room()]};
    return out;
  }
  // The log losses of the row that was added last, if there are two classes, and room up to a multiple of eight.
  const double* losses() const { return losses_.data(); }

  void visit(State& state) {
    static constexpr const char* names[] = {"weights", "losses", "squares", "errors"};
    state.number("ones", ones_);
    for (std::size_t f = 0; f < 4; ++f) state.numbers(names[f], sums_.data() + f * room(), {"prediction", n_, 1, 1});
  }
  bool sound() const {
    const auto scores = all();
    return ones_ >= 0.0 && ones_ <= scores[n_ - 2].weight &&  // of the panel
           std::all_of(scores.begin(), scores.end(), [](const Score& score) {
             const double all[] = {score.weight, score.loss, score.square, score.errors};
             return std::all_of(all, all + 4, [](double v) { return std::isfinite(v) && v >= 0.0; });
           });
  }

 private:
  std::size_t room() const { return (n_ + 7) / 8 * 8; }
  double* weight() { return sums_.data(); }

  std::size_t n_;
  Doubles sums_;       // as a Score has them, each of all predictions
  double ones_ = 0.0;  // the weight of rows with y = 1, of two
  Doubles m_, p_, losses_, y_;
};

}  // namespace afterwit
