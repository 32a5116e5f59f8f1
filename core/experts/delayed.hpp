// Players that take turns, for truths that come late: with h + 1 of them, round t is played and learned by number t mod
// (h + 1), whose round before, t - h - 1, is the last one that it learned.
//
//   p_t = p^{t mod (h + 1)},   R_T(u) = sum_k R^k(u),   R^k the regret of number k in its own rounds, T/(h + 1) of them
//
// t counts the rounds with somebody awake. So p_t needs no loss of the last h rounds, and the regret is at most (h + 1)
// R(T/(h + 1)) where R is concave. Source: Weinberger, Ordentlich 2002.
#pragma once

#include <utility>

#include "experts/player.hpp"

namespace afterwit {

class Delayed final : public Player {
 public:
  using Players = std::vector<std::unique_ptr<Player>>;

  // One player or more, over the same experts; the next round is that of number `turn`.
  Delayed(Players players, std::size_t turn, double low, double high)
      : Player(low, high), players_(std::move(players)), turn_(turn) {
    n_ = players_[0]->size();
    q_.assign(players_[0]->prior().begin(), players_[0]->prior().begin() + static_cast<std::ptrdiff_t>(n_));
  }

  std::unique_ptr<Player> clone() const override { return std::make_unique<Delayed>(copies(), turn_, low_, high_); }

  Players copies() const {
    Players out;
    for (const auto& each : players_) out.push_back(each->clone());
    return out;
  }

  void add(const std::vector<double>& q) override {
    q_.insert(q_.end(), q.begin(), q.end());
    n_ = q_.size();
    for (auto& each : players_) each->add(q);
  }

  void remove(std::size_t i) override {
    q_.erase(q_.begin() + static_cast<std::ptrdiff_t>(i));
    n_ = q_.size();
    for (auto& each : players_) each->remove(i);
  }

  bool sleeps() const override { return players_[0]->sleeps(); }
  bool refuses() const override { return players_[0]->refuses(); }
  std::size_t turns() const override { return players_.size(); }
  std::size_t turn() const override { return turn_; }
  void pass(std::size_t rounds) override { turn_ = (turn_ + rounds) % players_.size(); }
  void rescale(double factor) override { players_[turn_]->rescale(factor); }
  void play(const double* I, double* p) const override { players_[turn_]->play(I, p); }

  BadEntry run(const Game& game, const Outcome& out) override {
    return in_turn(game, out, n_, [&](const Round& now) {
      const BadEntry fault = players_[turn_]->run({now.losses, now.confidence, 1, now.told},
                                                  {now.loss, now.weights, out.total, out.regret});
      if (!fault && somebody(now)) pass(1);
      return fault;
    });
  }

  void visit(State& state) override {
    auto turn = static_cast<double>(turn_);
    state.number("turn", turn);
  }

 private:
  // Or the round is none.
  bool somebody(const Round& now) const {
    for (std::size_t i = 0; i < n_; ++i)
      if (now.confidence_of(i) > 0.0 && q_[i] > 0.0) return true;
    return false;
  }

  Players players_;
  std::size_t turn_;
};

}  // namespace afterwit
