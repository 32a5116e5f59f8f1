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
//   lazy                         true: it never hears of sleepers. To it, who sleeps loses what the player loses, and
//                                confidence I is the part 1 - I of that: no regret changes (Freund et al. 1997)
//   free                         true: it takes losses of any scale, as they are
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

// The first entry of a call that is wrong, if one is.
struct BadEntry {
  enum class What { none, loss, missing, confidence, asleep, nobody };
  What what = What::none;
  std::size_t row = 0, column = 0;
  double value = 0.0;

  explicit operator bool() const { return what != What::none; }
};

// Row after row of losses and, unless it is null, of confidences. `told`, unless it is null, has a loss for each row:
// the rule is told it as the player's own.
struct Game {
  const double *losses, *confidence;
  std::size_t rows;
  const double* told = nullptr;
};

// Where to write what comes of a game; null for what nobody asks for. The player's loss and its weights in each round,
// and, added to what is there, the sums over all rounds of the losses of each expert and of the regret to it, weighed
// by confidence; both or none.
struct Outcome {
  double *loss = nullptr, *weights = nullptr, *total = nullptr, *regret = nullptr;
};

// One round of a game, with its own places of the outcome. Of the losses, `readable` numbers may be read.
struct Round {
  const double *losses, *confidence, *told;
  std::size_t readable;
  double *loss, *weights;

  // Without confidences, an expert without a loss sleeps.
  double confidence_of(std::size_t i) const { return confidence ? confidence[i] : std::isnan(losses[i]) ? 0.0 : 1.0; }
};

// Plays the rounds of n experts until one is wrong.
template <class Play>
inline BadEntry in_turn(const Game& game, const Outcome& out, std::size_t n, Play play) {
  for (std::size_t r = 0; r < game.rows; ++r) {
    BadEntry fault = play(Round{game.losses + r * n, game.confidence ? game.confidence + r * n : nullptr,
                                game.told ? game.told + r : nullptr, (game.rows - r) * n,
                                out.loss ? out.loss + r : nullptr, out.weights ? out.weights + r * n : nullptr});
    if (fault) {
      fault.row = r;
      return fault;
    }
  }
  return {};
}

// What is wrong with expert i's confidence I, or with a loss that is not there in spite of it.
inline BadEntry wrong_confidence(double I, double loss, std::size_t i, bool sleeps) {
  using What = BadEntry::What;
  if (!(I >= 0.0 && I <= 1.0)) return {What::confidence, 0, i, I};
  if (!sleeps && I != 1.0) return {What::asleep, 0, i, I};
  if (I > 0.0 && std::isnan(loss)) return {What::missing, 0, i, I};
  return {};
}

struct Mix {
  double weight = 0.0, loss = 0.0;  // sum_i I_i w_i and sum_i I_i w_i l_i
};

// One round with everybody awake: the losses in [low, high] as losses l = (loss - zero_at) scale, and the mix. Of
// `given`, n numbers are losses and `readable` may be read. False if some loss is not there; l is then of no use.
inline bool open(const double* __restrict given, std::size_t readable, const double* __restrict w, double* __restrict l,
                 std::size_t n, double low, double high, double zero_at, double scale, Mix& out) {
  const Eight zero = {}, place = {0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0};
  Eight weight[2] = {}, loss[2] = {}, least[2] = {zero + zero_at, zero + zero_at},
        most[2] = {zero + zero_at, zero + zero_at};
  for (std::size_t i = 0; i < n; i += lanes) {
    double last[lanes];
    const double* from = given + i;
    if (i + lanes > readable) {
      for (std::size_t k = 0; k < lanes; ++k) last[k] = i + k < n ? given[i + k] : zero_at;
      from = last;
    }
    for (std::size_t h = 0; h < 2; ++h) {
      Eight x, own;
      load(from + 8 * h, x);
      if (i + lanes > n) x = place + static_cast<double>(i + 8 * h) < static_cast<double>(n) ? x : zero + zero_at;
      load(w + i + 8 * h, own);
      least[h] = x < least[h] ? x : least[h];
      most[h] = x > most[h] ? x : most[h];
      x = (x - zero_at) * scale;
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

// The weight part of it.
inline double weight(const double* __restrict w, const double* __restrict I, std::size_t n) {
  if (!I) return add(w, n);
  Eight sum[2] = {};
  for (std::size_t i = 0; i < n; i += lanes)
    for (std::size_t h = 0; h < 2; ++h) {
      Eight own, more;
      load(w + i + 8 * h, own);
      load(I + i + 8 * h, more);
      sum[h] += own * more;
    }
  return add_lanes(sum);
}

inline void tally(const double* __restrict given, double* __restrict total, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) total[i] += given[i];
}

// One round of the sums of an outcome; nobody's confidence is below 1 where I is null.
inline void tally_round(const double* given, const double* I, double loss, const Outcome& out, std::size_t n) {
  if (!out.total) return;
  for (std::size_t i = 0; i < n; ++i) {
    const double own = I ? I[i] : 1.0;
    if (!(own > 0.0)) continue;
    out.total[i] += own * given[i];
    out.regret[i] += own * (loss - given[i]);
  }
}

class Player {
 public:
  // `free`: losses are learned as they are, and low and high only say which are too large for a square.
  Player(double low, double high, bool free = false)
      : low_(low), high_(high), zero_at_(free ? 0.0 : low), width_(free ? 1.0 : high - low), scale_(1.0 / width_) {}
  virtual ~Player() = default;

  virtual std::unique_ptr<Player> clone() const = 0;
  virtual void add(const std::vector<double>& q) = 0;
  virtual void remove(std::size_t i) = 0;
  // Whether it has a form for experts that sleep, and whether it refuses some losses although they are in the range.
  virtual bool sleeps() const = 0;
  virtual bool refuses() const = 0;
  // p, n numbers; I may be null.
  virtual void play(const double* I, double* p) const = 0;
  // A wrong row, and those after it, are not played; the outcome is then of no use.
  virtual BadEntry run(const Game& game, const Outcome& out) = 0;

  // Before a round whose losses are told in another unit, the earlier ones become `factor` times what they were, where
  // the player has sums of them. The weights of this round stay what they are.
  virtual void rescale(double) {}

  // How many players take turns in it, whose turn it is, and how rounds go by in which nothing is learned.
  virtual std::size_t turns() const { return 1; }
  virtual std::size_t turn() const { return 0; }
  virtual void pass(std::size_t) {}

  // Numbers of rounds, and then what it keeps per expert.
  virtual void visit(State& state) = 0;
  // After a visitor has put others in their place.
  virtual void refresh() {}

  std::size_t size() const { return n_; }
  const Doubles& prior() const { return q_; }

 protected:
  std::size_t n_ = 0;
  Doubles q_, w_;
  double low_, high_, zero_at_, width_, scale_;
};

template <class Rule>
class PlayerOf final : public Player {
 public:
  static constexpr bool free = requires { Rule::free; }, lazy = requires { Rule::lazy; };
  static_assert(!lazy || Rule::sleeps);

  PlayerOf(Rule rule, double low, double high) : Player(low, high, free), rule_(std::move(rule)) {}

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

  bool sleeps() const override { return Rule::sleeps; }
  bool refuses() const override {
    return requires { rule_.refusal(nullptr, nullptr, n_); };
  }

  void play(const double* I, double* p) const override {
    Scratch& own = scratch();
    if (I) std::copy_n(I, n_, own.I.begin());
    const double *w = w_.data(), *padded_I = I ? own.I.data() : nullptr;
    double sum = weight(w, padded_I, w_.size());
    if (sum == 0.0) {
      if (!I) std::fill_n(own.I.begin(), n_, 1.0);
      sum = weight(w = left(own), own.I.data(), w_.size());
    }
    spread(w, I, sum, p);
  }

  BadEntry run(const Game& game, const Outcome& out) override {
    Scratch& own = scratch();
    if (out.total) std::fill(own.total.begin(), own.total.end(), 0.0), own.loss = 0.0;
    const BadEntry fault = rounds(game, out, own);
    if (out.total)
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
  // Room for one call at a time, kept for the next one; a copy takes its own.
  struct Scratch {
    Doubles l, I, alone;  // padded with 0
    Doubles total;        // of the rounds with everybody awake
    double loss = 0.0;    // the player's in these

    Scratch() = default;
    Scratch(const Scratch&) {}
    Scratch& operator=(const Scratch&) = delete;
  };

  Scratch& scratch() const {
    if (scratch_.total.size() != n_) {
      scratch_.l.assign(w_.size(), 0.0), scratch_.I.assign(w_.size(), 0.0);
      scratch_.total.resize(n_);
    }
    return scratch_;
  }

  void resize(std::size_t n) {
    if constexpr (!requires { rule_.copies(); })
      // What stands behind the experts is forgotten before new ones take its place.
      for (auto [name, v] : rule_.vectors()) v.resize(std::min(n, n_)), v.resize(n), v.resize(padded(n));
    q_.resize(n), q_.resize(padded(n));
    w_.assign(padded(n), 0.0);
    n_ = n;
    scratch_.total.clear();  // to be made anew
    rule_.begin(q_.data(), n);
    rule_.weigh(q_.data(), w_.data(), w_.size());
  }

  void spread(const double* w, const double* I, double sum, double* p) const {
    if (sum == 0.0) sum = 1.0;  // all of w is 0
    for (std::size_t i = 0; i < n_; ++i) p[i] = (I ? I[i] * w[i] : w[i]) / sum;
  }

  // The weights where all of those awake are 0: what the rule says of these alone, or the prior.
  const double* left([[maybe_unused]] Scratch& own) const {
    if constexpr (requires { rule_.among(own.I.data(), q_.data(), own.alone.data(), n_); }) {
      own.alone.resize(w_.size());
      rule_.among(own.I.data(), q_.data(), own.alone.data(), own.alone.size());
      return own.alone.data();
    } else {
      return q_.data();
    }
  }

  // All of it in one piece, so that it is compiled for the CPU as a whole and its vectors never meet another code.
  AFTERWIT_MULTIVERSION __attribute__((flatten)) BadEntry rounds(const Game& game, const Outcome& out, Scratch& own) {
    return in_turn(game, out, n_, [&](const Round& now) { return round(now, out, own); });
  }

  BadEntry round(const Round& now, const Outcome& out, Scratch& own) {
    const std::size_t n = w_.size();
    const double *given = now.losses, *w = w_.data(), *I = nullptr;
    Mix sums;
    // The row after the next one: a round is shorter than the way to memory, and rows end before pages do.
    if (3 * n_ <= now.readable && n_ <= 2048)
      for (std::size_t i = 0; i < n_; i += 8) __builtin_prefetch(given + 2 * n_ + i);
    if (now.confidence || !open(given, now.readable, w, own.l.data(), n_, low_, high_, zero_at_, scale_, sums)) {
      if (const BadEntry fault = awake(now, own)) return fault;
      I = own.I.data();
      sums = mix(w, own.l.data(), I, n);
    } else if (sums.weight == 0.0) {  // all have lost to others who are gone or slept, and now nobody sleeps
      std::fill_n(own.I.begin(), n_, 1.0);
      I = own.I.data();
    }
    if constexpr (requires { rule_.refusal(own.l.data(), w, n_); })
      if (const BadEntry fault = rule_.refusal(own.l.data(), w, n_)) return fault;
    if (sums.weight == 0.0) sums = mix(w = left(own), own.l.data(), I, n);
    if (now.weights) spread(w, I, sums.weight, now.weights);
    const double loss = sums.weight == 0.0 ? 0.0 : sums.loss / sums.weight;
    const double shown = sums.weight == 0.0 ? 0.0 : zero_at_ + loss * width_;
    if (now.loss) *now.loss = shown;
    if (sums.weight == 0.0) return {};
    if (I) {
      tally_round(given, I, shown, out, n_);
    } else if (out.total) {
      tally(given, own.total.data(), n_);
      own.loss += shown;
    }
    const double met = now.told ? (*now.told - zero_at_) * scale_ : loss;
    if constexpr (lazy)
      if (I) {
        for (std::size_t i = 0; i < n_; ++i) own.l[i] = I[i] * own.l[i] + (1.0 - I[i]) * met;
        I = nullptr;
      }
    rule_.update(met, own.l.data(), I, q_.data(), w_.data(), n);
    return {};
  }

  // A row with confidences, or with losses that are not all there.
  BadEntry awake(const Round& now, Scratch& own) const {
    for (std::size_t i = 0; i < n_; ++i) {
      const double I = now.confidence_of(i), given = now.losses[i];
      if (const BadEntry fault = wrong_confidence(I, given, i, Rule::sleeps)) return fault;
      if (I > 0.0 && !(given >= low_ && given <= high_)) return {BadEntry::What::loss, 0, i, given};
      own.I[i] = I;
      own.l[i] = I > 0.0 ? (given - zero_at_) * scale_ : 0.0;
    }
    return {};
  }

  mutable Scratch scratch_;
  Rule rule_;
};

}  // namespace afterwit
