// What a panel is made of, and what can be asked of one, whatever its labels are.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

#include "dense/dense.hpp"
#include "learners/learners.hpp"
#include "linear/pooled.hpp"
#include "panel/council.hpp"
#include "panel/history.hpp"
#include "panel/scores.hpp"
#include "panel/weigher.hpp"

namespace afterwit {

// Why a member sleeps, as the state has it.
constexpr double awake = 0.0, is_not_finite = 1.0, is_too_wide = 2.0, has_too_many_classes = 3.0;
inline bool is_reason(double v) {
  return v == awake || v == is_not_finite || v == is_too_wide || v == has_too_many_classes;
}

// A member has one of four kinds, or none: then it is a guest.
struct PanelPlan {
  struct Member {
    std::shared_ptr<const PooledRule> linear;
    std::shared_ptr<const DenseRule> dense;
    std::shared_ptr<const PanelPlan> panel;
    std::shared_ptr<const LearningRule> own;
    AnyLoss loss;                // of its own
    bool open = false;           // a panel
    std::ptrdiff_t offset = -1;  // the seat whose prediction it learns upon, or none; linear members have one together
  };
  std::vector<Member> members;             // the linear ones first
  std::shared_ptr<const Council> council;  // fresh, without seats
  bool numbers = false;

  bool any_moments() const {
    return std::any_of(members.begin(), members.end(), [](const Member& m) {
      return (m.dense && m.dense->settings().fresh->moments()) || (m.panel && m.panel->any_moments());
    });
  }
  void ask(Features& features) const {
    for (const Member& m : members) {
      if (m.own) m.own->ask(features);
      if (m.panel) m.panel->ask(features);
    }
  }
  // The most columns that anybody takes.
  std::size_t width() const {
    std::size_t most = 0;
    for (const Member& m : members)
      most = std::max({most, m.dense ? m.dense->settings().most() : 0, m.panel ? m.panel->width() : 0});
    return most;
  }
};

// What can be seen of a panel, and of those on it.
struct PanelView {
  const Scores* scores;
  const History* history;  // of the last player's weights, and then of the first combiner's
  const std::vector<double>* asleep;
  const std::vector<double>* said;      // of the row that was looked at last, NaN for who sleeps; or of each class
  const std::vector<double>* combined;  // the same, by the combiners
  std::vector<const Weigher*> players;  // of the combiners, null for those without, and the last
  std::vector<PanelView> inner;
};

class AnyPanel : public Learners {
 public:
  virtual void tell(const std::vector<double>& guests) = 0;
  virtual PanelView view() const = 0;
  // By what the k-th member multiplies the feature of a slot; 0 if it is not linear.
  virtual double member_weight(std::size_t slot, std::size_t k) const = 0;
  // What the k-th member holds; nothing if it is not one over columns, or asleep.
  virtual Holdings member_holdings(std::size_t k) const = 0;
  virtual const Columns& columns() const = 0;
};

}  // namespace afterwit
