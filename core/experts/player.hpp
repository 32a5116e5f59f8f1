// One round of any rule over N experts. The rule keeps unnormalised weights w >= 0 of its state; the rest is shared:
//
//   p_i = I_i w_i / sum_j I_j w_j,   loss = p . l,   then the rule learns l, the loss and the confidences I in [0, 1]
//
// (Luo 2016, Eq. (2.8); all I_i = 1 where no confidence is given). When all awake weights are 0, p is proportional to
// q_i I_i, q the prior; when nobody with a prior is awake, p = 0 and nothing is learned (errata 22).
//
// A Rule is a struct that can be copied, with
//   sleeps                       whether it has a form for experts that sleep or speak with confidence
//   vectors()                    what it keeps per expert, by name; 0 is how an expert begins
//   begin(q, N)                  called when the experts are others, or others of them
//   weigh(q, w, n)               w from its state
//   update(loss, l, I, q, w, n)  one round, and the next w; I is null when everybody is wholly awake
// and, where it needs them,
//   numbers()                    what it keeps beside, by name: all are numbers of rounds
//   copies()                     how many rows of experts a vector has, by its numbers; begin makes it so long
//   refusal(l, w, N)             the fault of a round whose losses it refuses, or none
//   among(I, q, w, n)            w of the awake alone, if weights may vanish beside those of sleepers
//   rescale(factor)              multiplies its sums of losses or regrets, told in another unit from now on
// Vectors over experts are padded to n, a multiple of 16, with q = 0, so that w = 0 there; l and I are 0 there.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <vector>

#include "numeric/aligned.hpp"
#include "numeric/lanes.hpp"
#include "numeric/multiversion.hpp"
#include "numeric/state.hpp"

namespace afterwit {

inline std::size_t padded(std::size_t n) { return (n + lanes - 1) / lanes * lanes; }

// The first entry of a call that is wrong.
struct BadEntry {
  enum class What { none, loss, missing, confidence, asleep, nobody };
  What what = What::none;
  std::size_t row = 0, column = 0;
  double value = 0.0;
};

// What came of some rounds: the player's loss in each, its weights where they are kept, and per expert, over all rounds
// and weighed by confidence, the loss and the regret to it.
struct Rounds {
  std::vector<double> loss, weights;
  std::vector<double> total, regret;
};

struct Mix {
  double weight = 0.0, loss = 0.0;  // sum_i I_i w_i and sum_i I_i w_i l_i
};

// One round with everybody awake: the losses in [low, high] as losses l in [0, 1], and the mix. Of `given`, n numbers
// are losses and `readable` may be read. False if some loss is not there; l is then of no use.
inline bool open(const double* __restrict given, std::size_t readable, const double* __restrict w, double* __restrict l,
                 std::size_t n, double low, double high, double scale, Mix& out) {
  const Eight zero = {}, place = {0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0};
  Eight weight[2] = {}, loss[2] = {}, least[2] = {zero + low, zero + low}, most[2] = {zero + low, zero + low};
  for (std::size_t i = 0; i < n; i += lanes) {
    double last[lanes];
    const double* from = given + i;
    if (i + lanes > readable) {
      for (std::size_t k = 0; k < lanes; ++k) last[k] = i + k < n ? given[i + k] : low;
      from = last;
    }
    for (std::size_t h = 0; h < 2; ++h) {
      Eight x, own;
      load(from + 8 * h, x);
      if (i + lanes > n) x = place + static_cast<double>(i + 8 * h) < static_cast<double>(n) ? x : zero + low;
      load(w + i + 8 * h, own);
      least[h] = x < least[h] ? x : least[h];
      most[h] = x > most[h] ? x : most[h];
      x = (x - low) * scale;
      store(x, l + i + 8 * h);
      weight[h] += own;
      loss[h] += own * x;
    }
  }
  out = {add_lanes(weight), add_lanes(loss)};
  // A NaN is neither below nor above, but in the sum.
  return least_lane(least) >= low && largest_lane(most) <= high && !std::isnan(out.loss);
}

inline Mix mix(const double* __restrict w, const double* __restrict l, const double* __restrict I, std::size_t n) {
  Eight weight[2] = {}, loss[2] = {};
  for (std::size_t i = 0; i < n; i += lanes)
    for (std::size_t h = 0; h < 2; ++h) {
      Eight own, x, more;
      load(w + i + 8 * h, own);
      load(l + i + 8 * h, x);
      load(I + i + 8 * h, more);
      own *= more;
      weight[h] += own;
      loss[h] += own * x;
    }
  return {add_lanes(weight), add_lanes(loss)};
}

inline void tally(const double* __restrict given, double* __restrict total, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) total[i] += given[i];
}

class Player {
 public:
  Player(double low, double high) : low_(low), high_(high), scale_(1.0 / (high - low)) {}
  virtual ~Player() = default;

  virtual std::unique_ptr<Player> clone() const = 0;
  virtual void add(const std::vector<double>& q) = 0;
  virtual void remove(std::size_t i) = 0;
  // p, n numbers; I may be null.
  virtual void play(const double* I, double* p) const = 0;
  // Row after row of losses and, unless it is null, of confidences. A wrong row is a fault, and it and those after it
  // are not played. `told`, if it is given, has a loss for each row that the rule is told as the player's own.
  virtual BadEntry run(const double* losses, const double* confidence, std::size_t rows, bool keep, Rounds& out,
                       const double* told = nullptr) = 0;

  // Before a round whose losses are told in another unit, the earlier ones become `factor` times what they were, where
  // the player has sums of them. The weights of this round stay what they are.
  virtual void rescale(double) {}

  // Numbers of rounds, and then what it keeps per expert.
  virtual void visit(State& state) = 0;
  // After a visitor has put others in their place.
  virtual void refresh() {}

  std::size_t size() const { return n_; }
  const Doubles& prior() const { return q_; }

 protected:
  std::size_t n_ = 0;
  Doubles q_, w_;
  double low_, high_, scale_;
};

template <class Rule>
class PlayerOf final : public Player {
 public:
  PlayerOf(Rule rule, double low, double high) : Player(low, high), rule_(std::move(rule)) {}

  std::unique_ptr<Player> clone() const override { return std::make_unique<PlayerOf>(*this); }

  void add(const std::vector<double>& q) override {
    q_.resize(n_);
    q_.insert(q_.end(), q.begin(), q.end());
    resize(q_.size());
  }

  void remove(std::size_t i) override {
    const auto at = static_cast<std::ptrdiff_t>(i);
    for (auto [name, v] : rule_.vectors()) v.erase(v.begin() + at);
    q_.erase(q_.begin() + at);
    resize(n_ - 1);
  }

  void play(const double* I, double* p) const override {
    Doubles awake(w_.size(), 1.0), none(w_.size()), alone;
    if (I) std::fill(std::copy(I, I + n_, awake.begin()), awake.end(), 0.0);
    const double* w = w_.data();
    Mix sums = mix(w, none.data(), awake.data(), w_.size());
    if (sums.weight == 0.0) sums = mix(w = left(awake.data(), alone), none.data(), awake.data(), w_.size());
    spread(w, I, sums.weight, p);
  }

  BadEntry run(const double* losses, const double* confidence, std::size_t rows, bool keep, Rounds& out,
               const double* told = nullptr) override {
    const std::size_t before = out.loss.size(), kept = out.weights.size();
    out.loss.resize(before + rows);
    if (keep) out.weights.resize(kept + rows * n_);
    out.total.resize(n_), out.regret.resize(n_);
    Scratch own{Doubles(w_.size()), Doubles(w_.size()), {}, Doubles(n_)};
    const BadEntry fault = rounds({losses, confidence, told, rows}, out.loss.data() + before,
                                  keep ? out.weights.data() + kept : nullptr, out, own);
    for (std::size_t i = 0; i < n_; ++i) {
      out.total[i] += own.total[i];
      out.regret[i] += own.loss - own.total[i];
    }
    return fault;
  }

  void rescale(double factor) override {
    if constexpr (requires { rule_.rescale(factor); }) rule_.rescale(factor);
  }

  void visit(State& state) override {
    if constexpr (requires { rule_.numbers(); })
      for (auto [name, value] : rule_.numbers()) state.number(name, value);
    Shape shape{"expert", 1, n_, padded(n_)};
    if constexpr (requires { rule_.copies(); }) shape.rows = rule_.copies();
    if (shape.rows != 1) shape.each = "expert and birth";
    for (auto [name, v] : rule_.vectors()) {
      state.expect(name, shape);
      v.resize(shape.rows * shape.stride);
      state.numbers(name, v.data(), shape);
    }
  }

  void refresh() override { resize(n_); }

 private:
  struct Scratch {
    Doubles l, I, alone;
    Doubles total;      // of the rounds with everybody awake
    double loss = 0.0;  // the player's in these
  };

  struct Game {
    const double *losses, *confidence, *told;
    std::size_t rows;
  };

  void resize(std::size_t n) {
    if constexpr (!requires { rule_.copies(); })
      // What stands behind the experts is forgotten before new ones take its place.
      for (auto [name, v] : rule_.vectors()) v.resize(std::min(n, n_)), v.resize(n), v.resize(padded(n));
    q_.resize(n), q_.resize(padded(n));
    w_.assign(padded(n), 0.0);
    n_ = n;
    rule_.begin(q_.data(), n);
    rule_.weigh(q_.data(), w_.data(), w_.size());
  }

  void spread(const double* w, const double* I, double sum, double* p) const {
    if (sum == 0.0) sum = 1.0;  // all of w is 0
    for (std::size_t i = 0; i < n_; ++i) p[i] = (I ? I[i] * w[i] : w[i]) / sum;
  }

  // The weights where all of those awake are 0: what the rule says of these alone, or the prior.
  const double* left([[maybe_unused]] const double* I, [[maybe_unused]] Doubles& alone) const {
    if constexpr (requires { rule_.among(I, q_.data(), alone.data(), n_); }) {
      alone.resize(w_.size());
      rule_.among(I, q_.data(), alone.data(), alone.size());
      return alone.data();
    } else {
      return q_.data();
    }
  }

  // All of it in one piece, so that it is compiled for the CPU as a whole and its vectors never meet another code.
  AFTERWIT_MULTIVERSION __attribute__((flatten)) BadEntry rounds(const Game& game, double* shown, double* p,
                                                                 Rounds& out, Scratch& own) {
    for (std::size_t r = 0; r < game.rows; ++r) {
      BadEntry fault =
          round(game.losses + r * n_, (game.rows - r) * n_, game.confidence ? game.confidence + r * n_ : nullptr,
                game.told ? game.told + r : nullptr, shown[r], p ? p + r * n_ : nullptr, out, own);
      if (fault.what != BadEntry::What::none) {
        fault.row = r;
        return fault;
      }
    }
    return {};
  }

  BadEntry round(const double* given, std::size_t readable, const double* confidence, const double* told, double& shown,
                 double* p, Rounds& out, Scratch& own) {
    const std::size_t n = w_.size();
    const double *w = w_.data(), *I = nullptr;
    Mix sums;
    // The row after the next one: a round is shorter than the way to memory, and rows end before pages do.
    if (3 * n_ <= readable && n_ <= 2048)
      for (std::size_t i = 0; i < n_; i += 8) __builtin_prefetch(given + 2 * n_ + i);
    if (confidence || !open(given, readable, w, own.l.data(), n_, low_, high_, scale_, sums)) {
      const BadEntry fault = awake(given, confidence, own);
      if (fault.what != BadEntry::What::none) return fault;
      I = own.I.data();
      sums = mix(w, own.l.data(), I, n);
    } else if (sums.weight == 0.0) {  // all have lost to others who are gone or slept, and now nobody sleeps
      std::fill_n(own.I.begin(), n_, 1.0);
      I = own.I.data();
    }
    if constexpr (requires { rule_.refusal(own.l.data(), w, n_); }) {
      const BadEntry fault = rule_.refusal(own.l.data(), w, n_);
      if (fault.what != BadEntry::What::none) return fault;
    }
    if (sums.weight == 0.0) sums = mix(w = left(I, own.alone), own.l.data(), I, n);
    if (p) spread(w, I, sums.weight, p);
    if (sums.weight == 0.0) return {};
    const double loss = sums.loss / sums.weight;
    shown = low_ + loss * (high_ - low_);
    if (!I) {
      tally(given, own.total.data(), n_);
      own.loss += shown;
    } else {
      for (std::size_t i = 0; i < n_; ++i)
        if (I[i] > 0.0) {
          out.total[i] += I[i] * given[i];
          out.regret[i] += I[i] * (shown - given[i]);
        }
    }
    rule_.update(told ? (*told - low_) * scale_ : loss, own.l.data(), I, q_.data(), w_.data(), n);
    return {};
  }

  // A row with confidences, or with losses that are not all there: without confidences a NaN sleeps.
  BadEntry awake(const double* given, const double* confidence, Scratch& own) const {
    using What = BadEntry::What;
    for (std::size_t i = 0; i < n_; ++i) {
      const double I = confidence ? confidence[i] : std::isnan(given[i]) ? 0.0 : 1.0;
      if (!(I >= 0.0 && I <= 1.0)) return {What::confidence, 0, i, I};
      if (!Rule::sleeps && I != 1.0) return {What::asleep, 0, i, I};
      if (I > 0.0 && std::isnan(given[i])) return {What::missing, 0, i, I};
      if (I > 0.0 && !(given[i] >= low_ && given[i] <= high_)) return {What::loss, 0, i, given[i]};
      own.I[i] = I;
      own.l[i] = I > 0.0 ? (given[i] - low_) * scale_ : 0.0;
    }
    return {};
  }

  Rule rule_;
};

}  // namespace afterwit
