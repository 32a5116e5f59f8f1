// A player that draws one expert i_t in each round from the weights p_t of another, and loses what that one loses.
//
//   i_t = the first i with p_{t,1} + ... + p_{t,i} > x_t,   x_t uniform by (seed, t)
//
// The other player learns the losses; if it is told what was drawn, with l_{t,i_t} in place of its own p_t . l_t, as in
// Algorithm 3 with z_{t,i} = l_{t,i} - l_{t,i_t}. Source: Luo 2016, section 2.1.5; errata 27, 28.
#pragma once

#include <cstdint>

#include "experts/player.hpp"
#include "numeric/keyed.hpp"

namespace afterwit {

class Randomized final : public Player {
 public:
  // After t rounds with a draw; in `slept` of them somebody slept or was not sure.
  Randomized(const Player& other, std::uint64_t seed, bool told, double low, double high, double t, double slept)
      : Player(low, high), inner_(other.clone()), seed_(seed), told_(told), t_(t), slept_(slept) {
    n_ = inner_->size();
    q_.assign(inner_->prior().begin(), inner_->prior().begin() + static_cast<std::ptrdiff_t>(n_));
  }

  std::unique_ptr<Player> clone() const override {
    return std::make_unique<Randomized>(*inner_, seed_, told_, low_, high_, t_, slept_);
  }

  void add(const std::vector<double>& q) override {
    slept_ = t_;  // an expert that comes late has slept until now
    q_.insert(q_.end(), q.begin(), q.end());
    n_ = q_.size();
    inner_->add(q);
  }

  void remove(std::size_t i) override {
    q_.erase(q_.begin() + static_cast<std::ptrdiff_t>(i));
    n_ = q_.size();
    inner_->remove(i);
  }

  bool sleeps() const override { return inner_->sleeps(); }
  bool refuses() const override { return inner_->refuses(); }

  // All weight is on the expert that is drawn; 0 when nobody is awake.
  void play(const double* I, double* p) const override {
    inner_->play(I, p);
    const std::size_t i = drawn(p);
    std::fill_n(p, n_, 0.0);
    if (i < n_) p[i] = 1.0;
  }

  BadEntry run(const Game& game, const Outcome& out) override {
    I_.resize(n_), p_.resize(n_);
    return in_turn(game, out, n_, [&](const Round& now) { return round(now, out); });
  }

  void visit(State& state) override {
    state.number("draws", t_);
    state.number("slept", slept_);
  }

  const Player& inner() const { return *inner_; }

 private:
  // n where all of p is 0. Rounding may leave the sum below x: then it is the last expert with a weight.
  std::size_t drawn(const double* p) const {
    const double x = keyed_uniform(seed_, static_cast<std::uint64_t>(t_));
    double sum = 0.0;
    std::size_t last = n_;
    for (std::size_t i = 0; i < n_; ++i) {
      if (p[i] > 0.0) last = i;
      sum += p[i];
      if (sum > x) return last;
    }
    return last;
  }

  BadEntry round(const Round& now, const Outcome& out) {
    bool all = true;
    for (std::size_t i = 0; i < n_; ++i) {
      I_[i] = now.confidence_of(i);
      all = all && I_[i] == 1.0;
    }
    inner_->play(all ? nullptr : I_.data(), p_.data());
    const std::size_t drawn = this->drawn(p_.data());
    const double loss = drawn < n_ ? now.losses[drawn] : 0.0;
    const Game one{now.losses, now.confidence, 1, told_ && drawn < n_ ? &loss : nullptr};
    if (const BadEntry fault = inner_->run(one, {})) return fault;
    if (now.loss) *now.loss = loss;
    if (now.weights) {
      std::fill_n(now.weights, n_, 0.0);
      if (drawn < n_) now.weights[drawn] = 1.0;
    }
    if (drawn == n_) return {};
    t_ += 1.0;
    slept_ += all ? 0.0 : 1.0;
    tally_round(now.losses, I_.data(), loss, out, n_);
    return {};
  }

  std::unique_ptr<Player> inner_;
  std::uint64_t seed_;
  bool told_;
  double t_, slept_;
  std::vector<double> I_, p_;  // room for one round at a time
};

}  // namespace afterwit
