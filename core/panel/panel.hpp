// Learners of several kinds over one row, and a council that makes one prediction out of theirs. A panel may sit on
// another: its own prediction and, if it is `open`, before it those of its members are the other's inputs, and it may
// be the offset upon which a later member learns.
//
// Linear members share scales (linear/pool.hpp), members over columns share these (dense/columns.hpp). A member whose
// prediction is not finite sleeps from then on. The first label that is a number is only noted.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "dense/columns.hpp"
#include "dense/dense.hpp"
#include "learners/learners.hpp"
#include "panel/class_panel.hpp"
#include "panel/council.hpp"
#include "panel/history.hpp"
#include "panel/plan.hpp"
#include "panel/scores.hpp"
#include "panel/seat.hpp"

namespace afterwit {

// Members and their council.
template <class Number>
class PanelLevel final : public Seat {
 public:
  PanelLevel(const PanelPlan& plan, const Features& features, std::vector<std::unique_ptr<double>>& guests)
      : numbers_(plan.numbers), council_(plan.council->fresh()), scores_(0) {
    typename Pool<Number>::Members linear;
    for (const PanelPlan::Member& m : plan.members)
      if (m.linear) {
        if constexpr (std::is_same_v<Number, float>)
          linear.push_back(m.linear->single());
        else
          linear.push_back(m.linear->precise());
      }
    if (!linear.empty()) sit(std::make_unique<PoolSeat<Number>>(std::move(linear), numbers_, features), -1);
    for (const PanelPlan::Member& m : plan.members) {
      if (m.dense) {
        sit(std::make_unique<DenseSeat>(m.dense->settings()), m.offset);
      } else if (m.panel) {
        auto inner = std::make_unique<PanelLevel>(*m.panel, features, guests);
        inner->open_ = m.open;
        sit(std::move(inner), m.offset);
      } else if (m.own) {
        sit(std::make_unique<OwnSeat>(m.own->learners(m.loss, features, false, !std::is_same_v<Number, float>),
                                      numbers_),
            m.offset);
      } else if (!m.linear) {
        guests.push_back(std::make_unique<double>(nothing));
        sit(std::make_unique<GuestSeat>(guests.back().get(), numbers_), m.offset);
      }
    }
    asleep_.assign(outputs_.size(), 0.0);
    scores_ = Scores(outputs_.size());
    std::vector<std::size_t> own;
    for (const Place& place : places_) {
      const bool panel = dynamic_cast<const PanelLevel*>(place.seat.get()) != nullptr;
      for (std::size_t k = panel ? place.seat->outputs() - 1 : 0; k < place.seat->outputs(); ++k)
        own.push_back(place.first + k);
    }
    council_.seat(outputs_.size(), own);
  }

  std::size_t members() const { return outputs_.size(); }
  std::size_t outputs() const override { return open_ ? members() + 1 : 1; }

  void look(const PanelRow& row, double, double* out) override {
    for (const Place& place : places_)
      place.seat->look(row, place.offset < 0 ? 0.0 : prediction(place.offset), outputs_.data() + place.first);
    for (std::size_t i = 0; i < outputs_.size(); ++i)
      if (asleep_[i] != awake || !std::isfinite(outputs_[i])) outputs_[i] = nothing;
    own_ = council_.look(outputs_.data(), numbers_, row.targets);
    if (open_) out = std::copy(outputs_.begin(), outputs_.end(), out);
    *out = own_;
  }

  void learn(const PanelRow& row, const Answer& told, double y) override {
    Answer answer = told;
    scores_.add(council_.voices(), own_, council_.p(), answer);
    if (!numbers_) answer.losses = scores_.losses();
    if (history_.is_due()) {
      noted_.clear();
      council_.last().append_weights(noted_);
      council_.combiner(0).append_weights(noted_);
      history_.add(noted_.data(), noted_.size());
    }
    history_.count();
    if (!numbers_ || answer.after.range() > 0.0) council_.learn(answer);
    for (const Place& place : places_) {
      place.seat->learn(row, answer, y);
      for (std::size_t k = 0; k < place.outputs; ++k)
        if (std::isnan(outputs_[place.first + k])) asleep_[place.first + k] = place.seat->why_asleep(k);
    }
  }

  // The runs of all seats, one behind the other.
  void grow(std::size_t slots) override {
    for (const Place& place : places_) place.seat->grow(slots);
  }
  std::size_t words() const override {
    std::size_t sum = 0;
    for (const Place& place : places_) sum += place.seat->words();
    return sum;
  }
  bool touched(std::size_t slot) const override {
    return std::any_of(places_.begin(), places_.end(), [slot](const Place& p) { return p.seat->touched(slot); });
  }
  bool is_possible(std::size_t word, float value) const override {
    for (const Place& place : places_) {
      if (word < place.seat->words()) return place.seat->is_possible(word, value);
      word -= place.seat->words();
    }
    return false;
  }
  bool read_run(std::size_t slot, float* out) const override {
    bool any = false;
    for (const Place& place : places_) {
      std::fill_n(out, place.seat->words(), 0.0f);
      any = place.seat->read_run(slot, out) || any;
      out += place.seat->words();
    }
    return any;
  }
  void write_run(std::size_t slot, const float* values) override {
    for (const Place& place : places_) {
      place.seat->write_run(slot, values);
      values += place.seat->words();
    }
  }

  void visit(State& state, std::size_t columns) override {
    state.numbers("asleep", asleep_.data(), {"member", asleep_.size(), 1, 1});
    for (std::size_t i = 0; i < places_.size(); ++i) {
      StateWithin own(state, std::to_string(i).append("."));
      places_[i].seat->visit(own, columns);
    }
    council_.visit(state);
    scores_.visit(state);
    history_.visit(state, council_.combiners() + members());
  }
  bool sound() const override {
    return council_.sound() && scores_.sound() && history_.sound() &&
           std::all_of(asleep_.begin(), asleep_.end(), is_reason) &&
           std::all_of(places_.begin(), places_.end(), [](const Place& place) { return place.seat->sound(); });
  }

  PanelView view() const {
    PanelView out{&scores_, &history_, &asleep_, &outputs_, &council_.said(), council_.weighers(), {}};
    for (const Place& place : places_)
      if (const auto* level = dynamic_cast<const PanelLevel*>(place.seat.get())) out.inner.push_back(level->view());
    return out;
  }
  Holdings holdings(std::size_t k, std::size_t columns) const override {
    const Place* place = place_of(k);
    return place ? place->seat->holdings(k - place->first, columns) : Holdings{};
  }
  double why_asleep(std::size_t k) const override {
    return k < members() && asleep_[k] != awake ? asleep_[k] : is_not_finite;
  }
  // Of the k-th member, 0 if it is not linear; of a panel that is not open nobody is seen.
  double weight(std::size_t slot, std::size_t k, const Targets& targets) const override {
    const Place* place = place_of(k);
    return place ? place->seat->weight(slot, k - place->first, targets) : 0.0;
  }

 private:
  struct Place {
    std::unique_ptr<Seat> seat;
    std::size_t first, outputs;  // the first of its predictions, and how many
    std::ptrdiff_t offset;
  };

  // Where the k-th member sits; nowhere if it is a panel.
  const Place* place_of(std::size_t k) const {
    const auto place = std::find_if(places_.begin(), places_.end(),
                                    [k](const Place& each) { return k < each.first + each.seat->outputs(); });
    if (place == places_.end()) return nullptr;
    const auto* level = dynamic_cast<const PanelLevel*>(place->seat.get());
    return level != nullptr && k - place->first + 1 == level->outputs() ? nullptr : &*place;
  }
  void sit(std::unique_ptr<Seat> seat, std::ptrdiff_t offset) {
    const std::size_t first = outputs_.size(), outputs = seat->outputs();
    outputs_.resize(first + outputs);
    places_.push_back({std::move(seat), first, outputs, offset});
  }
  // The last of a seat's predictions; 0 if it sleeps.
  double prediction(std::ptrdiff_t place) const {
    const Place& own = places_[static_cast<std::size_t>(place)];
    const double p = outputs_[own.first + own.outputs - 1];
    return std::isnan(p) ? 0.0 : p;
  }

  bool numbers_, open_ = false;
  std::vector<Place> places_;
  std::vector<double> outputs_;  // NaN for who sleeps
  std::vector<double> asleep_;   // for good
  Council council_;
  Scores scores_;
  History history_;
  std::vector<double> noted_;
  double own_ = 0.0;
};

template <class Number>
class Panel final : public AnyPanel {
 public:
  Panel(std::shared_ptr<const PanelPlan> plan, const Features& features)
      : plan_(std::move(plan)),
        features_(features.bits(), features.seed(), features.exact(), features.intercept()),
        slots_(features.slots()),
        columns_(plan_->width(), features.intercept(), plan_->any_moments()),
        top_(*plan_, features, guests_) {}

  void look(const Row& row, double* raw) override {
    row_.row = row;
    row_.targets = targets_;
    if (!columns_.too_wide()) row_.dense = columns_.look(row);
    row_.was_too_wide = columns_.too_wide();
    row_.too_wide = row_.was_too_wide || columns_.leaves_out();
    if (plan_->numbers && targets_.rounds == 0.0)
      *raw = 0.0;
    else
      top_.look(row_, 0.0, raw);
  }

  void learn(const double* y, const double* h, NextRow* next) override {
    if (*h != 0.0) {
      const bool numbers = plan_->numbers, first = numbers && targets_.rounds == 0.0;
      if (first) first_ = *y;
      const Targets after = numbers ? targets_.with(*y, *h) : targets_;
      if (!first) {
        top_.learn(row_, {numbers, numbers ? *y : *y > 0.0 ? 1.0 : 0.0, *h, targets_, after, first_}, *y);
        if (!columns_.too_wide()) columns_.learn();
      }
      targets_ = after;
    }
    if (next != nullptr) next->build();
  }

  std::size_t learners() const override { return 1; }
  void grow(std::size_t slots, std::size_t) override {
    slots_ = std::max(slots, slots_);
    top_.grow(slots);
  }
  std::unique_ptr<Learners> fresh(std::size_t slots, std::size_t) const override {
    auto out = std::make_unique<Panel>(plan_, features_);
    out->grow(slots, 1);
    return out;
  }

  double weight(std::size_t, std::size_t) const override { return 0.0; }

  std::size_t words() const override { return top_.words(); }
  bool is_possible(std::size_t word, float value) const override { return top_.is_possible(word, value); }
  std::size_t slots() const override { return slots_; }
  bool touched(std::size_t slot) const override { return top_.touched(slot); }
  bool read_run(std::size_t slot, float* out) const override { return top_.read_run(slot, out); }
  void write_run(std::size_t slot, const float* values) override { top_.write_run(slot, values); }

  void visit(State& state) override {
    if (plan_->numbers) {
      targets_.visit(state);
      state.number("first", first_);
    }
    StateWithin columns(state, "columns.");
    columns_.visit(columns);
    top_.visit(state, columns_.size());
  }
  bool sound() const override {
    return targets_.sound() && targets_.clipped(first_) == first_ && columns_.sound(slots_) && top_.sound();
  }

  void tell(const std::vector<double>& guests) override {
    for (std::size_t i = 0; i < guests_.size() && i < guests.size(); ++i) *guests_[i] = guests[i];
  }
  PanelView view() const override { return top_.view(); }
  double member_weight(std::size_t slot, std::size_t k) const override { return top_.weight(slot, k, targets_); }
  Holdings member_holdings(std::size_t k) const override { return top_.holdings(k, columns_.size()); }
  const Columns& columns() const override { return columns_; }

 private:
  std::shared_ptr<const PanelPlan> plan_;
  Features features_;  // fresh
  std::size_t slots_;
  Targets targets_;
  double first_ = 0.0;  // of the labels that are numbers
  Columns columns_;
  std::vector<std::unique_ptr<double>> guests_;  // what they are told to predict
  PanelLevel<Number> top_;
  PanelRow row_{};  // that was looked at last
};

class PanelRule final : public LearningRule {
 public:
  explicit PanelRule(std::shared_ptr<const PanelPlan> plan) : plan_(std::move(plan)) {}
  const std::shared_ptr<const PanelPlan>& plan() const { return plan_; }
  void ask(Features& features) const override { plan_->ask(features); }
  std::unique_ptr<Learners> learners(const AnyLoss&, const Features& features, bool several,
                                     bool precise) const override {
    if (several && precise) return std::make_unique<ClassPanel<double>>(plan_, features);
    if (several) return std::make_unique<ClassPanel<float>>(plan_, features);
    if (precise) return std::make_unique<Panel<double>>(plan_, features);
    return std::make_unique<Panel<float>>(plan_, features);
  }

 private:
  std::shared_ptr<const PanelPlan> plan_;
};

}  // namespace afterwit
