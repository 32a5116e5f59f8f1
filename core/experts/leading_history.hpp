// Follow the leading history: a copy of a player is born in every round, and a master plays the copies as experts: when
// the experts' losses are known, so are the copies'.
//
//   v_{t+1}^tau prop. to m_t^tau exp(-eta l_t(copy tau)),   m_{t+1}^tau = (1 - 1/(t+1)) v_{t+1}^tau for tau in S_{t+1},
//   m_{t+1}^{t+1} = 1/(t+1),   p_t = sum_tau m_t^tau p_t^tau
//
// with v normalised over those that survive. In place of this rule the master may be AdaNormalHedge over sleeping
// experts tau with the prior tau^-2. S_t is all of 1 .. t, or O(log t) of them. Source: Luo 2016, section 2.3.3 (Hazan,
// Seshadhri 2007); errata 33, 34.
#pragma once

#include <cstdint>

#include "experts/player.hpp"
#include "experts/working_set.hpp"
#include "numeric/exponential.hpp"

namespace afterwit {

class LeadingHistory final : public Player {
 public:
  // What changes from round to round.
  struct Memory {
    std::vector<std::unique_ptr<Player>> copies;  // in the order of S_{t+1}
    Doubles shares;                               // m, where the master is the rule above
    std::unique_ptr<Player> master;               // or it is this
    double t = 0.0;
  };

  LeadingHistory(const Player& base, const Player* master, double eta, bool exact, double low, double high)
      : Player(low, high), base_(base.clone()), eta_(eta), exact_(exact) {
    if (master) memory_.master = master->clone();
  }

  LeadingHistory(const LeadingHistory& other)
      : Player(other),
        base_(other.base_->clone()),
        memory_(copied(other.memory_)),
        births_(other.births_),
        eta_(other.eta_),
        exact_(other.exact_) {}

  std::unique_ptr<Player> clone() const override { return std::make_unique<LeadingHistory>(*this); }

  void add(const std::vector<double>& q) override {
    q_.insert(q_.end(), q.begin(), q.end());
    n_ = q_.size();
    base_->add(q);
    if (n_ > 0 && births_.empty()) bear(1);
  }

  void remove(std::size_t) override {}  // the experts are fixed

  bool sleeps() const override { return false; }
  bool refuses() const override { return base_->refuses(); }

  void play(const double*, double* p) const override {
    const Doubles& m = shares();
    own_.resize(n_);
    std::fill_n(p, n_, 0.0);
    for (std::size_t j = 0; j < m.size(); ++j) {
      memory_.copies[j]->play(nullptr, own_.data());
      for (std::size_t i = 0; i < n_; ++i) p[i] += m[j] * own_[i];
    }
  }

  BadEntry run(const Game& game, const Outcome& out) override {
    return in_turn(game, out, n_, [&](const Round& now) { return round(now, out); });
  }

  void visit(State& state) override { state.number("rounds", memory_.t); }

  const Memory& memory() const { return memory_; }

  // False if these are not the copies of round t + 1, over the same experts, or their shares no distribution.
  bool remember(Memory memory) {
    const double t = memory.t;
    if (!(t >= 0.0 && t < (exact_ ? 0x1p32 : 0x1p52))) return false;
    const auto next = static_cast<std::uint64_t>(t) + 1;
    const std::size_t size = memory.master ? memory.master->size() : memory.shares.size();
    if (memory.copies.size() != size || (exact_ && size != next)) return false;
    auto births = alive(next, exact_);
    if (births.size() != size) return false;
    for (const auto& copy : memory.copies)
      if (copy->size() != n_) return false;
    double sum = memory.master ? 1.0 : 0.0;
    for (const double share : memory.shares) sum += share >= 0.0 ? share : -2.0;
    if (!(std::abs(sum - 1.0) < 1e-6)) return false;
    memory_ = std::move(memory);
    births_ = std::move(births);
    return true;
  }

 private:
  static Memory copied(const Memory& other) {
    Memory out{{}, other.shares, other.master ? other.master->clone() : nullptr, other.t};
    for (const auto& copy : other.copies) out.copies.push_back(copy->clone());
    return out;
  }

  // m, until the next call.
  const Doubles& shares() const {
    if (!memory_.master) return memory_.shares;
    played_.resize(memory_.copies.size());
    memory_.master->play(nullptr, played_.data());
    return played_;
  }

  BadEntry round(const Round& now, const Outcome& out) {
    for (std::size_t i = 0; i < n_; ++i)
      if (const BadEntry fault = wrong_confidence(now.confidence_of(i), now.losses[i], i, false)) return fault;
    if (now.weights) play(nullptr, now.weights);
    double loss = 0.0;
    if (n_ > 0) {  // or there is nobody to be played, and nothing to learn
      if (const BadEntry fault = play_copies(now.losses, loss)) return fault;
      learn();
    }
    if (now.loss) *now.loss = loss;
    tally_round(now.losses, nullptr, loss, out, n_);
    return {};
  }

  // One round of each copy: their losses, as the master sees them, and the loss of all.
  BadEntry play_copies(const double* losses, double& loss) {
    const Doubles& m = shares();
    losses_.resize(m.size());
    for (std::size_t j = 0; j < m.size(); ++j) {
      double met = 0.0;
      // Only the oldest copy can refuse a row: it refuses every row that another would.
      if (const BadEntry fault = memory_.copies[j]->run({losses, nullptr, 1}, {.loss = &met})) return fault;
      loss += m[j] * met;
      losses_[j] = std::clamp((met - low_) * scale_, 0.0, 1.0);
    }
    return {};
  }

  void learn() {
    Doubles& m = memory_.shares;
    const Doubles& l = losses_;
    if (memory_.master) {
      memory_.master->run({l.data(), nullptr, 1}, {});
    } else {
      double least = 1.0;
      for (std::size_t j = 0; j < m.size(); ++j)
        if (m[j] > 0.0) least = std::min(least, l[j]);
      for (std::size_t j = 0; j < m.size(); ++j)
        if (m[j] > 0.0) m[j] *= exp(eta_ * (least - l[j]));
    }
    memory_.t += 1.0;
    const std::uint64_t next = static_cast<std::uint64_t>(memory_.t) + 1;
    for (std::size_t j = births_.size(); j-- > 0;)
      if (!exact_ && !survives(births_[j], next)) bury(j);
    double sum = 0.0;
    for (const double share : m) sum += share;
    if (sum > 0.0)
      for (double& share : m) share *= (1.0 - 1.0 / static_cast<double>(next)) / sum;
    bear(next);
    if (sum == 0.0 && !memory_.master) m.back() = 1.0;  // nobody with a share survived
  }

  void bury(std::size_t j) {
    const auto at = static_cast<std::ptrdiff_t>(j);
    births_.erase(births_.begin() + at);
    memory_.copies.erase(memory_.copies.begin() + at);
    if (memory_.master)
      memory_.master->remove(j);
    else
      memory_.shares.erase(memory_.shares.begin() + at);
  }

  void bear(std::uint64_t tau) {
    const auto round = static_cast<double>(tau);
    births_.push_back(tau);
    memory_.copies.push_back(base_->clone());
    if (memory_.master)
      memory_.master->add({1.0 / (round * round)});
    else
      memory_.shares.push_back(1.0 / round);
  }

  std::unique_ptr<Player> base_;
  Memory memory_;
  std::vector<std::uint64_t> births_;
  double eta_;
  bool exact_;
  // Room for one call at a time: what the master plays, what a copy plays, what the copies lost.
  mutable Doubles played_, own_;
  Doubles losses_;
};

}  // namespace afterwit
