// What sits on a panel: a learner of any kind, or several of one kind, with one prediction each. Margins are within
// +-50, numbers within the range of the labels, and NaN is a prediction that is not there.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "dense/columns.hpp"
#include "dense/dense.hpp"
#include "dense/member.hpp"
#include "learners/learners.hpp"
#include "linear/pool.hpp"
#include "panel/combiner.hpp"
#include "panel/plan.hpp"

namespace afterwit {

// What all see of a row.
struct PanelRow {
  Row row;
  DenseRow dense;
  bool too_wide, was_too_wide;  // more columns than anybody takes, with those of this row and without
  Targets targets;
};

class Seat {
 public:
  static constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

  virtual ~Seat() = default;
  virtual std::size_t outputs() const { return 1; }
  virtual void look(const PanelRow& row, double offset, double* out) = 0;
  // The row that was looked at last. y is the label as learners want it: -1 or +1, or a number.
  virtual void learn(const PanelRow& row, const Answer& answer, double y) = 0;
  virtual double weight(std::size_t, std::size_t, const Targets&) const { return 0.0; }
  virtual Holdings holdings(std::size_t, std::size_t) const { return {}; }  // of the k-th, with so many columns
  virtual double why_asleep(std::size_t) const { return is_not_finite; }    // the k-th, if it is

  // The state: floats per slot, and what `visit` shows, with so many columns.
  virtual void grow(std::size_t) {}
  virtual std::size_t words() const { return 0; }
  virtual bool touched(std::size_t) const { return false; }
  virtual bool is_possible(std::size_t, float) const { return false; }
  virtual bool read_run(std::size_t, float*) const { return false; }
  virtual void write_run(std::size_t, const float*) {}
  virtual void visit(State&, std::size_t) {}
  virtual bool sound() const { return true; }
};

// Linear learners that share their scales.
template <class Number>
class PoolSeat final : public Seat {
 public:
  PoolSeat(typename Pool<Number>::Members members, bool numbers, const Features& features)
      : pool_(std::move(members), numbers, features.slots(), 1), numbers_(numbers), intercept_(features) {}

  std::size_t outputs() const override { return pool_.outputs(); }
  void look(const PanelRow& row, double, double* out) override { pool_.look(row.row, row.targets, out); }
  void learn(const PanelRow&, const Answer& answer, double y) override {
    pool_.learn(answer.before, answer.after, &y, answer.h);
  }
  double weight(std::size_t slot, std::size_t k, const Targets& targets) const override {
    const bool about_the_mean = numbers_ && intercept_.there && slot == intercept_.slot;
    return pool_.weight(slot, k, targets) + (about_the_mean ? targets.mean : 0.0);
  }
  void grow(std::size_t slots) override { pool_.grow(slots, 1); }
  std::size_t words() const override { return pool_.words(); }
  bool touched(std::size_t slot) const override { return pool_.touched(slot); }
  bool is_possible(std::size_t word, float value) const override { return pool_.is_possible(word, value); }
  bool read_run(std::size_t slot, float* out) const override { return pool_.read_run(slot, out); }
  void write_run(std::size_t slot, const float* values) override { pool_.write_run(slot, values); }
  void visit(State& state, std::size_t) override { pool_.visit(state); }
  bool sound() const override { return pool_.sound(); }

 private:
  Pool<Number> pool_;
  bool numbers_;
  Intercept intercept_;
};

// A learner over columns. When a row brings more of them than it takes it sleeps from the next row on, and forgets what
// it has learned: that row must not move its own prediction by features that are new.
class DenseSeat final : public Seat {
 public:
  explicit DenseSeat(const DenseSettings& settings) : settings_(settings), member_(settings.fresh->copy()) {}

  void look(const PanelRow& row, double offset, double* out) override {
    if (!member_ || row.was_too_wide || !settings_.fitted(row.dense)) {
      *out = nothing;
      return;
    }
    DenseRow seen = row.dense;
    if (!settings_.fits(seen)) seen.d = seen.known;
    member_->reserve(seen.d);
    *out = member_->predict(seen, row.targets, offset);
  }
  void learn(const PanelRow& row, const Answer& answer, double y) override {
    if (row.too_wide || !settings_.fits(row.dense)) member_.reset();
    if (member_) member_->learn(row.dense, answer.before, answer.after, y, answer.h);
  }
  Holdings holdings(std::size_t, std::size_t columns) const override {
    return member_ ? member_->holdings(columns) : Holdings{};
  }
  double why_asleep(std::size_t) const override { return member_ ? is_not_finite : is_too_wide; }
  void visit(State& state, std::size_t columns) override {
    double is_awake = member_ ? 1.0 : 0.0;
    state.number("awake", is_awake);
    possible_ = is_awake == 0.0 || (is_awake == 1.0 && columns <= settings_.most());
    if (is_awake == 0.0 || !possible_)
      member_.reset();
    else
      member_->visit(state, columns);
  }
  bool sound() const override { return possible_ && (!member_ || member_->sound()); }

 private:
  DenseSettings settings_;
  std::unique_ptr<DenseMember> member_;
  bool possible_ = true;
};

// A learner of the core that shares nothing.
class OwnSeat final : public Seat {
 public:
  OwnSeat(std::unique_ptr<Learners> learner, bool numbers) : learner_(std::move(learner)), numbers_(numbers) {}

  void look(const PanelRow& row, double, double* out) override {
    learner_->look(row.row, out);
    *out = numbers_ ? row.targets.clipped(*out) : std::clamp(*out, -50.0, 50.0);
  }
  void learn(const PanelRow&, const Answer& answer, double y) override { learner_->learn(&y, &answer.h); }
  double weight(std::size_t slot, std::size_t, const Targets&) const override { return learner_->weight(slot, 0); }
  void grow(std::size_t slots) override { learner_->grow(slots, 1); }
  std::size_t words() const override { return learner_->words(); }
  bool touched(std::size_t slot) const override { return learner_->touched(slot); }
  bool is_possible(std::size_t word, float value) const override { return learner_->is_possible(word, value); }
  bool read_run(std::size_t slot, float* out) const override { return learner_->read_run(slot, out); }
  void write_run(std::size_t slot, const float* values) override { learner_->write_run(slot, values); }
  void visit(State& state, std::size_t) override { learner_->visit(state); }
  bool sound() const override { return learner_->sound(); }

 private:
  std::unique_ptr<Learners> learner_;
  bool numbers_;
};

// Somebody whose prediction is told, and who learns elsewhere.
class GuestSeat final : public Seat {
 public:
  GuestSeat(const double* told, bool numbers) : told_(told), numbers_(numbers) {}

  void look(const PanelRow& row, double, double* out) override {
    *out = !std::isfinite(*told_) ? nothing : numbers_ ? row.targets.clipped(*told_) : std::clamp(*told_, -50.0, 50.0);
  }
  void learn(const PanelRow&, const Answer&, double) override {}

 private:
  const double* told_;
  bool numbers_;
};

}  // namespace afterwit
