// How well each member of a panel has predicted, the panel itself, and who says what is usual: the mean of the numbers
// so far, or the part that each class has of them. Sums over the rows in which it was awake, each times its importance.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <vector>

#include "losses/logistic.hpp"
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

class Scores {
 public:
  // Of so many members, and behind them of what they together predict, and of who knows the labels so far alone.
  explicit Scores(std::size_t members) : scores_(members + 2), m_(members + 2), losses_(members + 2), y_(members + 2) {}

  // What the members said and what became of it: a margin with its probability, or a number twice.
  void add(const Voices& voices, double m, double p, const Answer& answer) {
    const std::size_t K = voices.size;
    if (!answer.numbers) {
      std::copy_n(voices.m, K, m_.begin());
      m_[K] = m;
      m_[K + 1] = logit((ones_ + 0.5) / (scores_[K].weight + 1.0));
      std::fill(y_.begin(), y_.end(), 2.0 * answer.y - 1.0);
      Logistic().values(m_.data(), y_.data(), K + 2, losses_.data());
    }
    const double range = answer.after.range();
    const double usual = answer.numbers ? answer.before.mean : (ones_ + 0.5) / (scores_[K].weight + 1.0);
    for (std::size_t i = 0; i < K + 2; ++i) {
      if (i < K && voices.sleeps(i)) continue;
      const double said = i < K ? voices.p[i] : i == K ? p : usual;
      const double e = said - answer.y, scaled = range > 0.0 ? e / range : 0.0;
      if (answer.numbers)
        enter(i, answer.h, e * e, scaled * scaled, false);
      else
        enter(i, answer.h, losses_[i], e * e, (m_[i] >= 0.0) != (answer.y > 0.5));
    }
    if (!answer.numbers) ones_ += answer.h * answer.y;
  }
  // One prediction of a row of importance h.
  void enter(std::size_t i, double h, double loss, double square, bool error) {
    using Four = double __attribute__((vector_size(sizeof(Score))));
    Four all;
    std::memcpy(&all, &scores_[i], sizeof all);
    all += Four{h, h * loss, h * square, error ? h : 0.0};
    std::memcpy(&scores_[i], &all, sizeof all);
  }
  const std::vector<Score>& all() const { return scores_; }
  // The log losses of the row that was added last, if there are two classes.
  const double* losses() const { return losses_.data(); }

  void visit(State& state) {
    double* first = reinterpret_cast<double*>(scores_.data());
    static constexpr const char* names[] = {"weights", "losses", "squares", "errors"};
    state.number("ones", ones_);
    for (std::size_t f = 0; f < 4; ++f) state.numbers(names[f], first + f, {"prediction", scores_.size(), 1, 4});
  }
  bool sound() const {
    const double rows = scores_[scores_.size() - 2].weight;  // of the panel
    return ones_ >= 0.0 && ones_ <= rows && std::all_of(scores_.begin(), scores_.end(), [](const Score& score) {
             const double all[] = {score.weight, score.loss, score.square, score.errors};
             return std::all_of(all, all + 4, [](double v) { return std::isfinite(v) && v >= 0.0; });
           });
  }

 private:
  std::vector<Score> scores_;
  double ones_ = 0.0;  // the weight of rows with y = 1, of two
  std::vector<double> m_, losses_, y_;
};

}  // namespace afterwit
