// The combiners of a panel and a last player over them: what the members say becomes one prediction. With a mixing
// player among the combiners, its regret and that of the last player bound the regret to the best member.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "numeric/aligned.hpp"
#include "numeric/sigmoid.hpp"
#include "panel/combiner.hpp"

namespace afterwit {

// The probabilities of n margins within +-600, and what stackers see of them.
AFTERWIT_MULTIVERSION inline void hear(const double* __restrict m, std::size_t n, double* __restrict p,
                                       double* __restrict cut) {
  for (std::size_t i = 0; i < n; ++i) p[i] = 1.0 / (1.0 + vector::exp(-m[i]));
  for (std::size_t i = 0; i < n; ++i) {
    const double low = m[i] < -8.0 ? -8.0 : m[i];
    cut[i] = low > 8.0 ? 8.0 : low;
  }
}

class Council {
 public:
  using Combiners = std::vector<std::unique_ptr<Combiner>>;

  Council(Combiners combiners, std::unique_ptr<Combiner> last)
      : combiners_(std::move(combiners)), last_(std::move(last)) {}

  Council fresh() const {
    Combiners combiners;
    for (const auto& each : combiners_) combiners.push_back(each->copy());
    return {std::move(combiners), last_->copy()};
  }
  void seat(std::size_t members, const std::vector<std::size_t>& own) {
    for (auto& each : combiners_) each->seat(members, own);
    last_->seat(combiners_.size(), {});
    awake_.resize(members), said_.resize(combiners_.size());
    for (auto* each : {&p_, &m_, &cut_}) each->resize((members + 7) / 8 * 8);
  }

  // A margin or a number out of the members' margins or numbers, NaN for those that sleep.
  double look(const double* outputs, bool numbers, const Targets& targets) {
    bool all = true;
    for (std::size_t i = 0; i < awake_.size(); ++i) {
      const bool sleeps = std::isnan(outputs[i]);
      all = all && !sleeps;
      awake_[i] = sleeps ? 0.0 : 1.0;
      m_[i] = sleeps ? 0.0 : outputs[i];
    }
    if (numbers)
      std::copy(m_.begin(), m_.end(), p_.begin());
    else
      hear(m_.data(), m_.size(), p_.data(), cut_.data());
    voices_ = {m_.data(), p_.data(), cut_.data(), all ? nullptr : awake_.data(), awake_.size(), targets};
    for (std::size_t i = 0; i < combiners_.size(); ++i) said_[i] = combiners_[i]->look(voices_);
    last_p_ = last_->look({said_.data(), said_.data(), said_.data(), nullptr, said_.size(), targets});
    if (numbers) last_p_ = targets.clipped(last_p_);
    return numbers ? last_p_ : logit(last_p_);
  }
  // About the outputs that were looked at last.
  void learn(const Answer& answer) {
    last_->learn({said_.data(), said_.data(), said_.data(), nullptr, said_.size(), answer.before}, answer);
    for (auto& each : combiners_) each->learn(voices_, answer);
  }

  // What was said of the row that was looked at last: by the members, by the combiners, and at last.
  const Voices& voices() const { return voices_; }
  const std::vector<double>& said() const { return said_; }
  double p() const { return last_p_; }
  std::size_t combiners() const { return combiners_.size(); }
  const Combiner& combiner(std::size_t i) const { return *combiners_[i]; }
  const Combiner& last() const { return *last_; }
  // The players of the combiners, null for those without, and the last.
  std::vector<const Weigher*> weighers() const {
    std::vector<const Weigher*> all;
    for (const auto& each : combiners_) all.push_back(each->weigher());
    all.push_back(last_->weigher());
    return all;
  }

  void visit(State& state) {
    for (std::size_t i = 0; i < combiners_.size(); ++i) {
      StateWithin own(state, std::string("combiner").append(std::to_string(i)).append("."));
      combiners_[i]->visit(own);
    }
    StateWithin own(state, "last.");
    last_->visit(own);
  }
  bool sound() const {
    return last_->sound() &&
           std::all_of(combiners_.begin(), combiners_.end(), [](const auto& each) { return each->sound(); });
  }

 private:
  Combiners combiners_;
  std::unique_ptr<Combiner> last_;
  Doubles p_, m_, cut_;  // and room up to a multiple of eight
  std::vector<double> awake_, said_;
  Voices voices_{};
  double last_p_ = 0.0;
};

}  // namespace afterwit
