// The one kernel: K linear learners of one rule over one row. A feature's words are one run of the table, learner after
// learner, and each learner goes over the row as it would alone (linear/row_steps.hpp): so learner k has the bits that
// it would have alone.
//
// A Rule says how one learner moves. x is the value of a feature, cell[0], cell[1], ... are its words, T the totals:
//   words, sums                 numbers per feature, and how many sums along the row it asks for
//   Totals, fields              what it keeps beside the table, all doubles, and their names
//   Descent                     what it knows of a row once it has the label
//   look(cell, x)               what a feature adds to the sums
//   predict(T, loss, sums)      the prediction
//   begin(T, loss, sums, y, h, D)  the gradient; false when nothing is to change
//   step(T, loss, D, h, a)      the length of the step
//   move(cell, x, D, f)         moves the words of one feature
//   weight(T, cell)             by what the feature is multiplied
//   sound(T), is_possible(word, value)  whether learning can lead to these numbers, all of which are finite
// A rule whose features have scales also says
//   grows(cell, x)              whether x is beyond the feature's scale
//   grow(cell, x)               lets the scale grow to x, before all else; leaves a scale alone that is large enough
// A rule that adapts the step to each feature also says
//   adapt(cell, x, D, f)        adapts, before the step is known, and finds the factor f of the step; false where
//                               single precision does not do
//   adapt_precisely(cell, x, D)  the same in double precision; returns f
//   rate(x, f)                  what a feature adds to the sum a
// A rule that `measures` the squares of its weights also says
//   end(T, growth)              after the move; true asks the kernel to rescale the whole table
//   rescaled(T, square)         after that; `square` is the sum of the squares now
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "learners/learners.hpp"
#include "linear/row_steps.hpp"
#include "linear/table.hpp"
#include "numeric/aligned.hpp"
#include "numeric/counts.hpp"
#include "numeric/lanes.hpp"

namespace afterwit {

template <class Rule, class Number = float>
class Kernel final : public Learners {
 public:
  using Totals = typename Rule::Totals;
  static constexpr std::size_t room = runs::room(Rule::words), fields = sizeof(Totals) / sizeof(double);

  Kernel(Rule rule, AnyLoss loss, std::size_t slots, bool several)
      : rule_(rule),
        loss_(std::move(loss)),
        table_(slots, room, 1, several),
        totals_(several ? 0 : 1),
        seen_(totals_.size()) {}

  void look(const Row& row, double* raw) override {
    take(row, true);
    for (std::size_t k = 0; k < learners(); ++k) {
      const Runs<Number> runs = runs_of(k);
      steps::look<Rule, Number>({runs.first, runs.shift, runs.places, runs.n}, row.x, cells(k), seen_[k]);
      raw[k] = rule_.predict(totals_[k], *loss_, seen_[k].sums);
    }
  }

  void learn(const double* y, const double* h, NextRow* next) override {
    if (table_.sparse()) row_ = touch({slots_, row_.x, row_.size});
    each(next, [&](const Work<Rule, Number>& work, std::size_t k) {
      if (!keeps_)
        runs::gather<Rule::words, Number>({work.runs.first, work.runs.shift, row_.slots, row_.size}, cells(k));
      return steps::learn(work, seen_[k], y[k], h[k]);
    });
  }

  void look_and_learn(const Row& row, const double* y, const double* h, double* raw, NextRow* next) override {
    if (!table_.sparse()) return look_and_learn_alone(row, *y, *h, raw, next);
    take(row, false);
    each(next, [&](const Work<Rule, Number>& work, std::size_t k) {
      return steps::look_and_learn(work, y[k], h[k], raw + k);
    });
  }

  std::size_t learners() const override { return totals_.size(); }

  void grow(std::size_t slots, std::size_t learners) override {
    if (!table_.sparse() && learners > 1) throw std::invalid_argument("one learner alone stays one");
    table_.grow(slots);
    if (learners > table_.learners()) table_.widen(std::max(learners, 2 * table_.learners()));
    if (learners > this->learners()) {
      totals_.resize(learners);
      seen_.resize(learners);
    }
  }

  std::unique_ptr<Learners> fresh(std::size_t slots, std::size_t learners) const override {
    auto out = std::make_unique<Kernel>(rule_, loss_, slots, table_.sparse());
    out->grow(slots, learners);
    return out;
  }

  double weight(std::size_t slot, std::size_t k) const override {
    return rule_.weight(totals_[k], table_.run(slot) + k * room);
  }

  std::size_t words() const override { return Rule::words; }
  bool is_possible(std::size_t word, float value) const override { return Rule::is_possible(word, value); }
  std::size_t slots() const override { return table_.slots(); }
  bool touched(std::size_t slot) const override { return table_.touched(slot); }
  bool read_run(std::size_t slot, float* out) const override {
    if (!table_.touched(slot)) return false;
    const Number* run = table_.run(slot);
    bool any = false;
    for (std::size_t word = 0; word < Rule::words; ++word)
      for (std::size_t k = 0; k < learners(); ++k, ++out) {
        *out = static_cast<float>(run[k * room + word]);
        any |= *out != 0.0f;
      }
    return any;
  }
  void write_run(std::size_t slot, const float* values) override {
    table_.touch(slot);
    Number* run = table_.run(slot);
    for (std::size_t word = 0; word < Rule::words; ++word)
      for (std::size_t k = 0; k < learners(); ++k) run[k * room + word] = *values++;
  }
  void visit(State& state) override {
    double* first = reinterpret_cast<double*>(totals_.data());
    for (std::size_t f = 0; f < fields; ++f)
      state.numbers(Rule::fields[f], first + f, {"learner", learners(), 1, fields});
  }
  bool sound() const override {
    const double* first = reinterpret_cast<const double*>(totals_.data());
    return std::all_of(first, first + fields * learners(), [](double v) { return std::isfinite(v); }) &&
           std::all_of(totals_.begin(), totals_.end(), [](const Totals& totals) { return Rule::sound(totals); });
  }

 private:
  static constexpr std::size_t most_kept = 1 << 14;  // numbers, so that they stay at hand from one half to the other

  Number* cells(std::size_t k) { return cells_.data() + (keeps_ ? k * blocks_ : 0); }
  Runs<Number> runs_of(std::size_t k) { return {table_.begin() + k * room, table_.shift(), row_.slots, row_.size}; }

  // Makes room for a row. Its blocks may be kept from one half to the other, of all learners; else it is learned now.
  void take(const Row& row, bool in_halves) {
    const std::size_t padded = (row.size + lanes - 1) / lanes * lanes;
    blocks_ = padded * Rule::words;
    keeps_ = in_halves && blocks_ * learners() <= most_kept;
    if (cells_.size() < blocks_ * (keeps_ ? learners() : 1)) cells_.resize(blocks_ * (keeps_ ? learners() : 1));
    if (factors_.size() < padded) factors_.resize(padded);
    slots_ = row.slots;
    row_ = !table_.sparse() ? row : in_halves ? placed(table_, row, places_) : touch(row);
  }

  // The same for one learner, whose row is small enough for every step beside it to count.
  void look_and_learn_alone(const Row& row, double y, double h, double* raw, NextRow* next) {
    const std::size_t padded = (row.size + lanes - 1) / lanes * lanes;
    if (factors_.size() < padded) factors_.resize(padded);
    if (cells_.size() < padded * Rule::words) cells_.resize(padded * Rule::words);
    const bool has_next = next != nullptr, fetches = has_next && table_.numbers() >= (1 << 19);
    const Runs<Number> runs{table_.begin(), table_.shift(), row.slots, row.size};
    if (steps::look_and_learn<Rule, Number>(
            {rule_, *loss_, totals_[0], runs, row.x, cells_.data(), factors_.data(), next, has_next, fetches}, y, h,
            raw))
      rescale(0);
  }

  // One learner after the other; a step that returns true asks for a rescaled table.
  template <class Step>
  void each(NextRow* next, Step step) {
    Placed placed(table_, next, ahead_);
    if (table_.sparse() && next != nullptr) next = &placed;
    const bool fetches = next != nullptr && table_.numbers() >= (1 << 19);  // a smaller table is at hand anyway
    for (std::size_t k = 0; k < learners(); ++k) {
      const bool builds = next != nullptr && k == 0;
      if (step({rule_, *loss_, totals_[k], runs_of(k), row_.x, cells(k), factors_.data(), next, builds, fetches}, k))
        rescale(k);
    }
    if (learners() == 0 && next != nullptr) next->build();
  }

  // A row with the places of its runs for slots, where these are not the same.
  static Row placed(const Table<Number>& table, Row row, std::vector<std::uint32_t>& places) {
    const std::size_t padded = (row.size + lanes - 1) / lanes * lanes;
    places.resize(padded);
    for (std::size_t i = 0; i < row.size; ++i) places[i] = table.place(row.slots[i]);
    std::fill(places.begin() + static_cast<std::ptrdiff_t>(row.size), places.end(), table.nothing());
    return {places.data(), row.x, row.size};
  }
  struct Placed final : NextRow {
    Placed(const Table<Number>& table, NextRow* next, std::vector<std::uint32_t>& places)
        : table(table), next(next), places(places) {}
    void build() override {
      next->build();
      built = placed(table, next->row(), places);
    }
    Row row() const override { return built; }

    const Table<Number>& table;
    NextRow* next;
    std::vector<std::uint32_t>& places;
    Row built{};
  };

  Row touch(const Row& row) {
    for (std::size_t i = 0; i < row.size; ++i) table_.touch(row.slots[i]);
    return placed(table_, row, places_);
  }

  // Multiplies the stored weights of learner k by its scale, which becomes 1.
  void rescale(std::size_t k) {
    double square = 0.0;
    for (std::size_t slot = 0; slot < table_.slots(); ++slot) {
      if (!table_.touched(slot)) continue;
      Number& v = table_.run(slot)[k * room];
      if (v == Number{0}) continue;  // costs no memory yet
      put(v, weight(slot, k));
      square += static_cast<double>(v) * static_cast<double>(v);
    }
    rule_.rescaled(totals_[k], square);
  }

  Rule rule_;
  AnyLoss loss_;
  Table<Number> table_;
  std::vector<Totals> totals_;
  Row row_{};  // that was looked at last; its slots are places
  const std::uint32_t* slots_ = nullptr;
  std::vector<std::uint32_t> places_, ahead_;
  std::size_t blocks_ = 0;  // numbers in the blocks of that row
  bool keeps_ = true;       // whether the blocks of all learners are kept from one half to the other
  std::vector<RowSums<Rule>> seen_;
  std::vector<Number, Aligned<Number>> cells_;
  Doubles factors_;
};

template <class Rule>
class RuleOf final : public LearningRule {
 public:
  explicit RuleOf(Rule rule) : rule_(rule) {}
  std::unique_ptr<Learners> learners(const AnyLoss& loss, const Features& features, bool several,
                                     bool precise) const override {
    if (precise) return std::make_unique<Kernel<Rule, double>>(rule_, loss, features.slots(), several);
    return std::make_unique<Kernel<Rule>>(rule_, loss, features.slots(), several);
  }
  std::shared_ptr<const PooledRule> pooled(const Loss& loss) const override {
    if constexpr (requires { rule_.pooled(); })
      if (Rule::pools(loss)) return pooled_rule(rule_.pooled());
    return nullptr;
  }

 private:
  Rule rule_;
};

// A rule may also have a form among others that share its scales, pooled(), for some losses, pools(loss)
// (linear/pooled.hpp). What most rules need of the interface and do not care about.
struct PlainRule {
  static constexpr std::size_t words = 1, sums = 1;
  static constexpr bool adapts = false, measures = false;
  struct Descent {
    double step = 0.0;
  };

  template <class Number>
  static std::array<double, 1> look(const Number* cell, float x) {
    return {static_cast<double>(cell[0]) * static_cast<double>(x)};
  }
  template <class Totals, class Sums>
  static double predict(const Totals&, const Loss&, const Sums& sums) {
    return sums[0];
  }
  template <class Number>
  static bool grows(const Number*, float) {
    return false;
  }
  template <class Number>
  static void grow(Number*, float) {}
  // w += step x f
  template <class Number, class Descent>
  static void move(Number* cell, float x, const Descent& d, double f) {
    put(cell[0], static_cast<double>(cell[0]) + d.step * static_cast<double>(x) * f);
  }
  template <class Totals>
  static bool end(Totals&, double) {
    return false;
  }
  template <class Totals>
  static void rescaled(Totals&, double) {}
  template <class Totals, class Number>
  static double weight(const Totals&, const Number* cell) {
    return static_cast<double>(cell[0]);
  }
  static bool is_possible(std::size_t word, float value) { return word == 0 || value >= 0.0f; }
};

}  // namespace afterwit
