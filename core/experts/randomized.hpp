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
  // t rounds were drawn before, in some of which somebody slept or was not sure.
  Randomized(const Player& other, std::uint64_t seed, bool told, double low, double high, double t, double slept)
      : Player(low, high), inner_(other.clone()), seed_(seed), told_(told), t_(t), slept_(slept) {
    n_ = inner_->size();
    q_.assign(inner_->prior().begin(), inner_->prior().begin() + static_cast<std::ptrdiff_t>(n_));
  }

  std::unique_ptr<Player> clone() const override {
    return std::make_unique<Randomized>(*inner_, seed_, told_, low_, high_, t_, slept_);
  }

  void add(const std::vector<double>& q) override {
    slept_ = t_;  // who comes late has slept until now
    q_.insert(q_.end(), q.begin(), q.end());
    n_ = q_.size();
    inner_->add(q);
  }

  void remove(std::size_t i) override {
    q_.erase(q_.begin() + static_cast<std::ptrdiff_t>(i));
    n_ = q_.size();
    inner_->remove(i);
  }

  // All on the one that is drawn; 0 when nobody is awake.
  void play(const double* I, double* p) const override {
    inner_->play(I, p);
    const std::size_t i = drawn(p);
    std::fill_n(p, n_, 0.0);
    if (i < n_) p[i] = 1.0;
  }

  BadEntry run(const double* losses, const double* confidence, std::size_t rows, bool keep, Rounds& out,
               const double* = nullptr) override {
    out.total.resize(n_), out.regret.resize(n_);
    for (std::size_t r = 0; r < rows; ++r) {
      BadEntry fault = round(losses + r * n_, confidence ? confidence + r * n_ : nullptr, keep, out);
      if (fault.what != BadEntry::What::none) {
        fault.row = r;
        return fault;
      }
    }
    return {};
  }

  void visit(State& state) override {
    state.number("draws", t_);
    state.number("slept", slept_);
  }

  const Player& inner() const { return *inner_; }

 private:
  // n where all of p is 0. Rounding may leave the sum below x: then it is the last that has a weight.
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

  BadEntry round(const double* given, const double* confidence, bool keep, Rounds& out) {
    std::vector<double> I(n_), p(n_);
    bool all = true;
    for (std::size_t i = 0; i < n_; ++i) {
      I[i] = confidence ? confidence[i] : std::isnan(given[i]) ? 0.0 : 1.0;
      all = all && I[i] == 1.0;
    }
    inner_->play(all ? nullptr : I.data(), p.data());
    const std::size_t drawn = this->drawn(p.data());
    const double loss = drawn < n_ ? given[drawn] : 0.0;
    Rounds met;
    const BadEntry fault = inner_->run(given, confidence, 1, false, met, told_ && drawn < n_ ? &loss : nullptr);
    if (fault.what != BadEntry::What::none) return fault;
    out.loss.push_back(loss);
    if (keep) {
      out.weights.resize(out.weights.size() + n_);
      if (drawn < n_) out.weights[out.weights.size() - n_ + drawn] = 1.0;
    }
    if (drawn == n_) return {};
    t_ += 1.0;
    slept_ += all ? 0.0 : 1.0;
    for (std::size_t i = 0; i < n_; ++i)
      if (I[i] > 0.0) {
        out.total[i] += I[i] * given[i];
        out.regret[i] += I[i] * (loss - given[i]);
      }
    return {};
  }

  std::unique_ptr<Player> inner_;
  std::uint64_t seed_;
  bool told_;
  double t_, slept_;
};

}  // namespace afterwit
