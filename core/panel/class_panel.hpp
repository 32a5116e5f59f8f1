// A panel for several classes, of which more may come: every member gives probabilities of all of them, and so do the
// combiners and the last player. Linear members have a copy for each class, taught that class against all others, and
// p_c proportional to 1/(1 + exp(-m_c)) + 1e-9; one copy more is of a class that never comes, and a class that comes
// late begins as that: as if it had been known from the first row. Learners over columns have forms of their own. The
// raw prediction is ln(p_c/(1 - p_c)). The head is one against all (learners/head.hpp): of its labels, +1 is that of
// the class.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "dense/class_member.hpp"
#include "dense/columns.hpp"
#include "learners/learners.hpp"
#include "linear/pool.hpp"
#include "numeric/sigmoid.hpp"
#include "panel/combiner.hpp"
#include "panel/history.hpp"
#include "panel/mixing.hpp"
#include "panel/plan.hpp"
#include "panel/scores.hpp"

namespace afterwit {

// Margins of one learner per class as probabilities.
inline void normalized(const double* m, std::size_t classes, double* p) {
  double sum = 0.0;
  for (std::size_t c = 0; c < classes; ++c) sum += p[c] = sigmoid(m[c]) + 1e-9;
  for (std::size_t c = 0; c < classes; ++c) p[c] /= sum;
}

template <class Number>
class ClassPanel final : public AnyPanel {
 public:
  ClassPanel(std::shared_ptr<const PanelPlan> plan, const Features& features)
      : plan_(std::move(plan)),
        features_(features.bits(), features.seed(), features.exact(), features.intercept()),
        slots_(features.slots()),
        columns_(plan_->width(), features.intercept(), plan_->any_moments()),
        scores_(plan_->members.size()) {
    typename Pool<Number>::Members linear;
    for (const PanelPlan::Member& m : plan_->members) {
      if (m.linear) {
        if constexpr (std::is_same_v<Number, float>)
          linear.push_back(m.linear->single());
        else
          linear.push_back(m.linear->precise());
      } else if (m.dense && m.dense->settings().classes) {
        dense_.push_back({m.dense->settings(), m.dense->settings().classes->copy()});
      } else if (m.own) {
        own_.push_back(m.own->learners(m.loss, features, true, !std::is_same_v<Number, float>));
      } else {
        throw std::invalid_argument("a member of this panel has no form for several classes");
      }
      kinds_.push_back(m.linear ? Kind::linear : m.own ? Kind::own : Kind::dense);
    }
    linear_ = linear.size();
    if (linear_ > 0) pool_ = std::make_unique<Pool<Number>>(std::move(linear), false, slots_, 1);
    for (std::size_t i = 0; i < plan_->council->combiners(); ++i) {
      combiners_.push_back(plan_->council->combiner(i).for_classes());
      combiners_.back()->seat(members());
    }
    last_ = plan_->council->last().for_classes();
    last_->seat(combiners_.size());
    asleep_.assign(members(), 0.0);
    awake_.assign(members(), 1.0);
  }

  void look(const Row& row, double* raw) override {
    const std::size_t C = classes_;
    looked_ = true;
    if (!columns_.too_wide()) row_ = columns_.look(row);
    was_too_wide_ = columns_.too_wide();
    too_wide_ = was_too_wide_ || columns_.leaves_out();
    if (C == 0) return;
    said_.resize(members() * C), combined_.resize(combiners_.size() * C), p_.resize(C);
    margins_.resize(linear_ * (C + 1));
    if (pool_) pool_->look(row, {}, margins_.data());
    std::size_t linear = 0, dense = 0, own = 0;
    for (std::size_t i = 0; i < members(); ++i) {
      double* p = said_.data() + i * C;
      if (kinds_[i] == Kind::linear)
        say_linear(linear++, p);
      else if (kinds_[i] == Kind::own)
        say_own(*own_[own++], row, p);
      else
        say_dense(dense_[dense++], p);
      const bool sleeps = asleep_[i] != awake || !std::all_of(p, p + C, [](double v) { return std::isfinite(v); });
      awake_[i] = sleeps ? 0.0 : 1.0;
      if (sleeps) std::fill_n(p, C, 0.0);
    }
    const bool all = std::all_of(awake_.begin(), awake_.end(), [](double v) { return v != 0.0; });
    voices_ = {said_.data(), all ? nullptr : awake_.data(), members(), C};
    for (std::size_t i = 0; i < combiners_.size(); ++i) combiners_[i]->look(voices_, combined_.data() + i * C);
    last_->look({combined_.data(), nullptr, combiners_.size(), C}, p_.data());
    for (std::size_t c = 0; c < C; ++c) raw[c] = log(std::max(p_[c], 1e-9) / std::max(1.0 - p_[c], 1e-9));
  }

  void learn(const double* y, const double* h, NextRow* next) override {
    if (classes_ > 0 && h[0] != 0.0)
      learn_class(static_cast<std::size_t>(std::max_element(y, y + classes_) - y), y, *h);
    looked_ = is_new_ = false;
    if (next != nullptr) next->build();
  }

  std::size_t learners() const override { return classes_; }
  // A class that comes after a row was looked at is that row's, which is looked at once more.
  void grow(std::size_t slots, std::size_t classes) override {
    is_new_ = looked_ && classes > classes_;
    slots_ = std::max(slots, slots_);
    classes_ = std::max(classes, classes_);
    if (pool_) pool_->grow_like_first(slots, classes_ + 1);
    for (auto& each : own_) each->grow(slots, classes_);
  }
  std::unique_ptr<Learners> fresh(std::size_t slots, std::size_t classes) const override {
    auto out = std::make_unique<ClassPanel>(plan_, features_);
    out->grow(slots, classes);
    return out;
  }
  double weight(std::size_t, std::size_t) const override { return 0.0; }

  // One run for all classes, shown class by class in parts of one length.
  std::size_t words() const override {
    std::size_t sum = pool_ ? pool_->words() : 0;
    for (const auto& each : own_) sum += each->words() * classes_;
    return classes_ == 0 ? 0 : (sum + classes_ - 1) / classes_;
  }
  bool is_possible(std::size_t, float) const override { return true; }
  std::size_t slots() const override { return slots_; }
  bool touched(std::size_t slot) const override {
    return (pool_ && pool_->touched(slot)) ||
           std::any_of(own_.begin(), own_.end(), [slot](const auto& each) { return each->touched(slot); });
  }
  bool read_run(std::size_t slot, float* out) const override {
    std::fill_n(out, words() * classes_, 0.0f);
    bool any = pool_ && pool_->read_run(slot, out);
    out += pool_ ? pool_->words() : 0;
    for (const auto& each : own_) {
      any = each->read_run(slot, out) || any;
      out += each->words() * classes_;
    }
    return any;
  }
  void write_run(std::size_t slot, const float* values) override {
    if (pool_) pool_->write_run(slot, values);
    values += pool_ ? pool_->words() : 0;
    for (auto& each : own_) {
      each->write_run(slot, values);
      values += each->words() * classes_;
    }
  }

  void visit(State& state) override {
    StateWithin columns(state, "columns.");
    columns_.visit(columns);
    state.numbers("asleep", asleep_.data(), {"member", asleep_.size(), 1, 1});
    if (pool_) pool_->visit(state);
    for (std::size_t i = 0; i < own_.size(); ++i) {
      StateWithin part(state, std::string("own").append(std::to_string(i)).append("."));
      own_[i]->visit(part);
    }
    for (std::size_t i = 0; i < dense_.size(); ++i) {
      StateWithin part(state, std::string("dense").append(std::to_string(i)).append("."));
      dense_[i].visit(part, columns_.size(), classes_);
    }
    for (std::size_t i = 0; i < combiners_.size(); ++i) {
      StateWithin part(state, std::string("combiner").append(std::to_string(i)).append("."));
      combiners_[i]->visit(part);
    }
    StateWithin part(state, "last.");
    last_->visit(part);
    scores_.visit(state);
    history_.visit(state, combiners_.size() + members());
    counts_.resize(classes_);
    state.numbers("class_weights", counts_.data(), {"class", classes_, 1, 1});
  }
  bool sound() const override {
    const auto is_sum = [](double v) { return std::isfinite(v) && v >= 0.0; };
    if (!std::all_of(counts_.begin(), counts_.end(), is_sum)) return false;
    const auto is_sound = [](const auto& each) { return each->sound(); };
    return columns_.sound(slots_) && (!pool_ || pool_->sound()) && std::all_of(own_.begin(), own_.end(), is_sound) &&
           std::all_of(dense_.begin(), dense_.end(), [](const Seat& seat) { return seat.sound(); }) &&
           std::all_of(combiners_.begin(), combiners_.end(), is_sound) && last_->sound() && scores_.sound() &&
           history_.sound() && std::all_of(asleep_.begin(), asleep_.end(), is_reason);
  }

  void tell(const std::vector<double>&) override {}
  PanelView view() const override {
    PanelView out{&scores_, &history_, &asleep_, &said_, &combined_, {}, {}};
    for (const auto& each : combiners_) out.players.push_back(each->weigher());
    out.players.push_back(last_->weigher());
    return out;
  }
  double member_weight(std::size_t, std::size_t) const override { return 0.0; }
  Holdings member_holdings(std::size_t k) const override {
    const Seat* seat = seat_of(k);
    return seat && seat->member ? seat->member->holdings(columns_.size()) : Holdings{};
  }
  const Columns& columns() const override { return columns_; }

 private:
  enum class Kind { linear, own, dense };
  // A learner over columns. With more columns or classes than it takes it sleeps from then on, and forgets.
  struct Seat {
    DenseSettings settings;
    std::unique_ptr<ClassMember> member;
    bool possible = true;

    bool fits(const DenseRow& row, bool too_wide, std::size_t classes) const {
      return member && !too_wide && settings.fits(row) && classes <= member->most_classes();
    }
    bool fitted(const DenseRow& row, bool was_too_wide, std::size_t classes) const {
      return member && !was_too_wide && settings.fitted(row) && classes <= member->most_classes();
    }
    void visit(State& state, std::size_t columns, std::size_t classes) {
      double is_awake = member ? 1.0 : 0.0;
      state.number("awake", is_awake);
      possible = is_awake == 0.0 ||
                 (is_awake == 1.0 && columns <= settings.most() && member && classes <= member->most_classes());
      if (is_awake == 0.0 || !possible)
        member.reset();
      else
        member->visit(state, columns, classes);
    }
    bool sound() const { return possible && (!member || member->sound()); }
  };

  std::size_t members() const { return kinds_.size(); }
  // Of the k-th member, if it is one over columns.
  const Seat* seat_of(std::size_t k) const {
    if (k >= members() || kinds_[k] != Kind::dense) return nullptr;
    return &dense_[static_cast<std::size_t>(
        std::count(kinds_.begin(), kinds_.begin() + static_cast<std::ptrdiff_t>(k), Kind::dense))];
  }

  // The pool has the members of the class that never comes first, then those of class 0.
  void say_linear(std::size_t k, double* p) {
    class_margins_.resize(classes_);
    for (std::size_t c = 0; c < classes_; ++c) class_margins_[c] = margins_[(c + 1) * linear_ + k];
    normalized(class_margins_.data(), classes_, p);
  }
  void say_own(Learners& learners, const Row& row, double* p) {
    class_margins_.resize(classes_);
    learners.look(row, class_margins_.data());
    normalized(class_margins_.data(), classes_, p);
  }
  void say_dense(Seat& seat, double* p) {
    if (!seat.fitted(row_, was_too_wide_, classes_)) {
      std::fill_n(p, classes_, std::numeric_limits<double>::quiet_NaN());
      return;
    }
    DenseRow seen = row_;
    if (!seat.settings.fits(seen)) seen.d = seen.known;
    seat.member->reserve(seen.d, classes_);
    seat.member->predict(seen, p);
  }

  void learn_class(std::size_t y, const double* labels, double h) {
    for (std::size_t i = 0; i < members(); ++i) {
      if (awake_[i] != 0.0) continue;
      const Seat* seat = seat_of(i);
      asleep_[i] = !seat || seat->member                           ? is_not_finite
                   : was_too_wide_ || !seat->settings.fitted(row_) ? is_too_wide
                                                                   : has_too_many_classes;
    }
    score(y, h);
    last_->learn({combined_.data(), nullptr, combiners_.size(), classes_}, y, h);
    for (auto& each : combiners_) each->learn(voices_, y, h);
    labels_.assign(1, -1.0);
    labels_.insert(labels_.end(), labels, labels + classes_);
    if (pool_) pool_->learn({}, {}, labels_.data(), h);
    weights_.assign(classes_, h);
    for (auto& each : own_) each->learn(labels, weights_.data());
    for (Seat& seat : dense_) {
      if (!seat.fits(row_, too_wide_, classes_))
        seat.member.reset();
      else
        seat.member->learn(row_, y, h);
    }
    if (!columns_.too_wide()) columns_.learn();
  }
  void score(std::size_t y, double h) {
    for (std::size_t i = 0; i <= members(); ++i)
      if (i == members() || awake_[i] != 0.0) enter(i, i < members() ? voices_.of(i) : p_.data(), y, h);
    counts_.resize(classes_);
    usual_.resize(classes_);
    double sum = 0.0;
    for (std::size_t c = 0; c < classes_; ++c) sum += usual_[c] = counts_[c] + 0.5;
    for (double& p : usual_) p /= sum;
    enter(members() + 1, usual_.data(), y, h);
    counts_[y] += h;
    if (history_.is_due()) {
      noted_.clear();
      last_->append_weights(noted_);
      combiners_[0]->append_weights(noted_);
      history_.add(noted_.data(), noted_.size());
    }
    history_.count();
  }

  // Nobody foresaw a class that is new, as the ledger has it; what players learn is of the look after it was named.
  void enter(std::size_t i, const double* p, std::size_t y, double h) {
    const bool error = is_new_ || std::max_element(p, p + classes_) - p != static_cast<std::ptrdiff_t>(y);
    const double given = is_new_ ? 1e-15 : std::max(p[y], 1e-9);
    scores_.enter(i, h, -log(given), ClassMixing::loss(p, classes_, y), error);
  }

  std::shared_ptr<const PanelPlan> plan_;
  Features features_;  // fresh
  std::size_t slots_, classes_ = 0, linear_ = 0;
  Columns columns_;
  std::vector<Kind> kinds_;  // of the members, in order
  std::unique_ptr<Pool<Number>> pool_;
  std::vector<std::unique_ptr<Learners>> own_;
  std::vector<Seat> dense_;
  std::vector<std::unique_ptr<ClassCombiner>> combiners_;
  std::unique_ptr<ClassCombiner> last_;
  std::vector<double> asleep_;  // for good
  Scores scores_;
  History history_;
  std::vector<double> counts_;  // the weight of rows of each class

  // Of the row that was looked at last.
  DenseRow row_{};
  bool too_wide_ = false, was_too_wide_ = false;
  bool looked_ = false, is_new_ = false;  // at a row that is not learned yet; its class
  ClassVoices voices_{};
  std::vector<double> awake_, said_, combined_, p_, margins_, class_margins_, weights_, noted_, usual_, labels_;
};

}  // namespace afterwit
