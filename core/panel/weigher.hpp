// A player over the members of a panel, or over its combiners, who learns losses in [0, 1] times the importance h of a
// row, in units of the largest so far: when that grows, its sums are told in the new unit.
#pragma once

#include <cmath>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "experts/player.hpp"
#include "numeric/state.hpp"

namespace afterwit {

class Weigher {
 public:
  // A player over losses in [0, 1] without experts.
  explicit Weigher(std::unique_ptr<Player> player) : player_(std::move(player)) {}

  Weigher fresh() const { return Weigher(player_->clone()); }
  void seat(std::size_t members) {
    player_->add(std::vector<double>(members, 1.0));
    weights_.assign(members, 0.0);
    losses.assign(members, 0.0);
  }

  // The weights of those who are awake, all if `awake` is null; their sum is 1, or 0 where all sleep.
  const std::vector<double>& play(const double* awake) {
    player_->play(awake, weights_.data());
    return weights_;
  }
  // `losses` of all members and the loss of what was made of them by the weights. A sleeper is no expert in this round
  // or, for a player who knows none, one who loses what the player does.
  void learn(const double* awake, double own, double h, bool told) {
    if (h > unit_) {
      if (unit_ > 0.0) player_->rescale(unit_ / h);
      unit_ = h;
    }
    const double share = h / unit_;
    own *= share;
    for (std::size_t i = 0; i < losses.size(); ++i)
      losses[i] = awake != nullptr && awake[i] == 0.0 ? own : share * losses[i];
    const double* confidence = player_->sleeps() ? awake : nullptr;
    player_->run({losses.data(), confidence, 1, told ? &own : nullptr}, {});
  }

  void visit(State& state) {
    state.number("unit", unit_);
    player_->visit(state);
    player_->refresh();
  }
  bool sound() const { return std::isfinite(unit_) && unit_ >= 0.0; }
  const std::vector<double>& weights() const { return weights_; }  // as they were played last
  Player& player() const { return *player_; }
  double unit() const { return unit_; }

  std::vector<double> losses;

 private:
  std::unique_ptr<Player> player_;
  double unit_ = 0.0;  // the largest importance so far
  std::vector<double> weights_;
};

}  // namespace afterwit
