// Who knows the labels so far alone, and every report has it beside the learner. Of a row of importance h it says, from
// the rows before:
//   numbers     their mean mu, first 0: W += h, mu += (h/W)(y - mu), S += h (y - mu before)(y - mu after)
//   labels      the one of the largest weight n_k; of equals the positive one of two, or the one that had it first
//   shares      (n_k + 1/2)/(N + K/2), N = sum n_k; K = 2 of two labels, and of several classes one more than were met:
//               all that have not come share one place (Krichevsky, Trofimov 1981)
// S/W is the variance in hindsight. A row of weight 0 is a row of no class.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "numeric/exponential.hpp"
#include "numeric/multiversion.hpp"
#include "numeric/vector_log.hpp"

namespace afterwit {

class RunningMean {
 public:
  double mean() const { return mean_; }
  double spread() const { return spread_; }  // S
  // W is the weight of the rows before.
  void add(double y, double h, double W) {
    if (!(h > 0.0)) return;
    const double before = y - mean_;
    mean_ += h / (W + h) * before;
    spread_ += h * before * (y - mean_);
  }
  void set(double mean, double spread) { mean_ = mean, spread_ = spread; }

 private:
  double mean_ = 0.0, spread_ = 0.0;
};

// Of two labels: the weight of the rows by what came and by what the learner said.
struct Cells {
  double n[4] = {0.0, 0.0, 0.0, 0.0};  // -1 as -1, -1 as +1, +1 as -1, +1 as +1

  double negative() const { return n[0] + n[1]; }
  double positive() const { return n[2] + n[3]; }
  void add(bool came, bool said, double h) { n[2 * came + said] += h; }
  bool usual() const { return positive() >= negative(); }
  double of(bool came) const { return came ? positive() : negative(); }
  double all() const { return positive() + negative(); }
};

// Of two labels: the log losses of n rows, before which labels like theirs had these weights, of all.
AFTERWIT_MULTIVERSION inline void log_losses(const double* __restrict own, const double* __restrict all, std::size_t n,
                                             double* __restrict loss) {
  for (std::size_t i = 0; i < n; ++i) loss[i] = -vector::log((own[i] + 0.5) / (all[i] + 1.0));
}

// Of one of several classes.
struct Tally {
  double came = 0.0, said = 0.0, right = 0.0;  // by label, by the learner, by both
};
constexpr std::size_t tally_fields = sizeof(Tally) / sizeof(double);

// Of all that were met, by the numbers that the ledger gives them.
class Tallies {
 public:
  static constexpr std::size_t nobody = static_cast<std::size_t>(-1);

  std::size_t usual() const { return usual_; }
  // N is the weight of the rows before.
  double log_loss(std::size_t code, double N) const {
    const double own = code < all_.size() ? all_[code].came : 0.0;
    return -log((own + 0.5) / (N + 0.5 * (met_ + 1.0)));
  }
  // A learner that knows no class says `nobody`.
  void add(std::size_t came, std::size_t said, double h) {
    if (!(h > 0.0)) return;
    const std::size_t most = said == nobody ? came : std::max(came, said);
    if (most >= all_.size()) all_.resize(most + 1);
    Tally& own = all_[came];
    met_ += own.came > 0.0 ? 0.0 : 1.0;
    own.came += h;
    if (said != nobody) all_[said].said += h;
    if (said == came) own.right += h;
    if (usual_ == nobody || own.came > all_[usual_].came) usual_ = came;
  }

  std::vector<Tally>& all() { return all_; }
  void set(std::vector<Tally> all, std::size_t usual) {
    all_ = std::move(all), usual_ = usual;
    met_ = static_cast<double>(std::count_if(all_.begin(), all_.end(), [](const Tally& t) { return t.came > 0.0; }));
  }

 private:
  std::vector<Tally> all_;
  std::size_t usual_ = nobody;
  double met_ = 0.0;
};

}  // namespace afterwit
