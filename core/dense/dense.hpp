// One or several learners over the columns of core/dense/columns.hpp, of one kind (core/dense/member.hpp).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "dense/class_member.hpp"
#include "dense/columns.hpp"
#include "dense/member.hpp"
#include "learners/learners.hpp"
#include "learners/targets.hpp"

namespace afterwit {

struct Intercept {
  bool there;
  std::uint32_t slot;

  explicit Intercept(const Features& features) : there(features.intercept()), slot(features.intercept_slot()) {}
};

// A member as it is when fresh, with the kind of its labels and the columns that it may have at most: `width` or, on a
// panel where a row has values in at least an eighth of them, `wide`; and its form for several classes, or null where
// it has none.
struct DenseSettings {
  std::shared_ptr<const DenseMember> fresh;
  bool numbers;
  std::size_t width, wide;
  std::shared_ptr<const ClassMember> classes;

  std::size_t most() const { return std::max(width, wide); }
  // Whether it takes the columns with those of this row, and whether it took them without.
  bool fits(const DenseRow& row) const { return takes(row.d, row.nonzeros); }
  bool fitted(const DenseRow& row) const { return takes(row.known, row.known_nonzeros); }
  bool takes(std::size_t d, double nonzeros) const {
    return d <= width || (d <= wide && 8.0 * nonzeros >= static_cast<double>(d));
  }
};

class Dense final : public Learners {
 public:
  Dense(const DenseSettings& settings, std::size_t slots, Intercept intercept, bool several)
      : settings_(settings),
        intercept_(intercept),
        slots_(slots),
        columns_(settings.width, intercept.there, settings.fresh->moments()) {
    if (!several) grow(slots, 1);
  }

  void look(const Row& row, double* raw) override {
    row_ = columns_.look(row);
    for (const auto& [member, targets] : members_) {
      member->reserve(row_.d);
      *raw++ = member->predict(row_, targets);
    }
  }

  void learn(const double* y, const double* h, NextRow* next) override {
    bool learns = false;
    for (std::size_t k = 0; k < learners(); ++k) {
      if (h[k] == 0.0) continue;
      auto& [member, targets] = members_[k];
      learns = learns || !settings_.numbers || targets.rounds > 0.0;  // the first number is only noted
      const Targets after = settings_.numbers ? targets.with(y[k], h[k]) : targets;
      member->learn(row_, targets, after, y[k], h[k]);
      targets = after;
    }
    if (learns) columns_.learn();
    if (next != nullptr) next->build();
  }

  std::size_t learners() const override { return members_.size(); }
  void grow(std::size_t slots, std::size_t learners) override {
    slots_ = std::max(slots, slots_);
    while (members_.size() < learners) members_.push_back({settings_.fresh->copy(), {}});
  }
  std::unique_ptr<Learners> fresh(std::size_t slots, std::size_t learners) const override {
    auto out = std::make_unique<Dense>(settings_, slots, intercept_, true);
    out->grow(slots, learners);
    return out;
  }

  // Of the first.
  Holdings holdings() const {
    return members_.empty() ? Holdings{} : members_.front().member->holdings(columns_.size());
  }
  const Columns& columns() const { return columns_; }

  double weight(std::size_t slot, std::size_t k) const override {
    if (intercept_.there && slot == intercept_.slot) return members_[k].member->constant();
    const std::size_t j = columns_.find(static_cast<std::uint32_t>(slot));
    return j < columns_.size() ? members_[k].member->weight(j, columns_.rms(j)) : 0.0;
  }

  std::size_t words() const override { return 0; }
  bool is_possible(std::size_t, float) const override { return false; }
  // Behind the last that has a column: nobody need go through the rest.
  std::size_t slots() const override {
    const auto& met = columns_.slots();
    return met.empty() ? 0 : std::size_t{*std::max_element(met.begin(), met.end())} + 1;
  }
  bool touched(std::size_t slot) const override {
    return (intercept_.there && slot == intercept_.slot) ||
           columns_.find(static_cast<std::uint32_t>(slot)) < columns_.size();
  }
  bool read_run(std::size_t, float*) const override { return false; }
  void write_run(std::size_t, const float*) override {}

  void visit(State& state) override {
    columns_.visit(state);
    for (std::size_t k = 0; k < members_.size(); ++k) {
      StateWithin own(state, members_.size() > 1 ? std::to_string(k).append(".") : "");
      if (settings_.numbers) members_[k].targets.visit(own);
      members_[k].member->visit(own, columns_.size());
    }
  }
  bool sound() const override {
    return columns_.sound(slots_) && std::all_of(members_.begin(), members_.end(), [](const One& one) {
             return one.targets.sound() && one.member->sound();
           });
  }

 private:
  struct One {
    std::unique_ptr<DenseMember> member;
    Targets targets;
  };

  DenseSettings settings_;
  Intercept intercept_;
  std::size_t slots_;
  Columns columns_;
  std::vector<One> members_;
  DenseRow row_{};  // that was looked at last
};

class DenseRule final : public LearningRule {
 public:
  explicit DenseRule(DenseSettings settings) : settings_(std::move(settings)) {}
  const DenseSettings& settings() const { return settings_; }
  std::unique_ptr<Learners> learners(const AnyLoss&, const Features& features, bool several, bool) const override {
    return std::make_unique<Dense>(settings_, features.slots(), Intercept(features), several);
  }

 private:
  DenseSettings settings_;
};

}  // namespace afterwit
