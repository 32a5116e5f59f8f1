// The one kernel: K linear learners over one row. Everything a feature needs is one run of the table, word by word, and
// within a word learner by learner: cell (word, k) of a slot is run[word * P + k], P = K padded. Sums along the row go
// through the same 16 lanes whatever K is, so learner k has the bits it would have alone.
//
// A Rule says how one learner moves:
//   words, adapts               floats per feature; whether a pass over the row comes before the step is known
//   Totals, fields              what it keeps beside the table, all doubles, and their names
//   predict(T, loss, sum)       the prediction, given sum = sum_i w_i x_i over the stored words 0
//   begin(T, loss, sum, y, h, D)  the gradient; false when nothing is to change. D goes on to
//   grows(cell, P, x)           whether this value asks for
//   grow(cell, P, x)            a change of scale, before all else; nothing to others
//   single(cell, P, x, D, q, f)  the adaptive word q of one feature and the factor f of its step, in single precision;
//                               whether that did
//   precise(cell, P, x, D, q, f)  the same in double where it did not
//   share(cell, P, x)           what a feature adds to a sum n along the row, before
//   count(T, h, n, D)           takes note of it
//   rate(x, f)                  what a feature adds to a sum a along the row, before
//   step(T, loss, D, y, h, a)   the length of the step
//   move(cell, x, step, f)      moves the weight of one feature; returns the growth of its square
//   end(T, growth)              after the move; true asks for `rescale` of the whole table
//   sound(T)                    whether learning can lead to these totals, all of which are finite
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "linear/linear.hpp"
#include "linear/one.hpp"
#include "linear/table.hpp"
#include "numeric/counts.hpp"
#include "numeric/lanes.hpp"
#include "numeric/multiversion.hpp"

namespace afterwit {

// K at run time: vectors run over the learners of one feature.
namespace many {

template <class Rule>
AFTERWIT_MULTIVERSION void dot(const TouchedTable& table, std::size_t padded, const Row& row, double* sums) {
  std::fill(sums, sums + lanes * padded, 0.0);
  for (std::size_t i = 0; i < row.size; ++i) {
    const float* run = table.run(row.slots[i]);
    double* sum = sums + i % lanes * padded;
    const double x = row.x[i];
    for (std::size_t k = 0; k < padded; ++k) sum[k] += static_cast<double>(run[k]) * x;
  }
  add_lanes(sums, padded);
}

}  // namespace many

template <class Rule, bool One>
class Kernel final : public Linear {
 public:
  using Totals = typename Rule::Totals;
  using Cells = std::conditional_t<One, Table, TouchedTable>;
  static constexpr std::size_t fields_count = sizeof(Totals) / sizeof(double);

  Kernel(Rule rule, AnyLoss loss, std::size_t slots, std::size_t learners)
      : rule_(rule), loss_(std::move(loss)), padded_(pad(learners)), table_(slots, run_size()), totals_(learners) {
    resize_scratch();
  }

  void predict(const Row& row, double* raw) const override {
    if constexpr (One) {
      make_room(row);
      raw[0] = rule_.predict(totals_[0], *loss_, one::predict<Rule>(table_.run(0), row, cells_.data()));
    } else {
      many::dot<Rule>(table_, padded_, row, sums_.data());
      for (std::size_t k = 0; k < learners(); ++k) raw[k] = rule_.predict(totals_[k], *loss_, sums_[k]);
    }
  }

  void learn(const Row& row, const double* y, double h, double* raw, NextRow* next) override {
    if constexpr (One) {
      learn_one(row, y[0], h, raw, next);
    } else {
      learn_many(row, y, h, raw);
      if (next != nullptr) next->build();
    }
  }

  std::size_t learners() const override { return totals_.size(); }

  void grow(std::size_t slots, std::size_t learners) override {
    table_.grow(slots);
    if (pad(learners) > padded_) {
      const std::size_t padded = pad(std::max(learners, 2 * padded_));
      if constexpr (!One) table_.widen(Rule::words, padded_, padded);
      padded_ = padded;
    }
    if (learners > this->learners()) totals_.resize(learners);
    resize_scratch();
  }

  void reset(std::size_t slots, std::size_t learners) override {
    padded_ = pad(learners);
    table_ = Cells(slots, run_size());
    totals_.assign(learners, Totals{});
    resize_scratch();
  }

  double weight(std::size_t slot, std::size_t k) const override {
    return rule_.scale(totals_[k]) * static_cast<double>(table_.run(slot)[k]);
  }

  std::size_t words() const override { return Rule::words; }
  std::size_t slots() const override { return table_.slots(); }
  bool read_run(std::size_t slot, float* out) const override {
    if (!table_.touched(slot)) return false;
    for (std::size_t word = 0; word < Rule::words; ++word)
      std::copy_n(table_.run(slot) + word * padded_, learners(), out + word * learners());
    return std::any_of(out, out + Rule::words * learners(), [](float v) { return v != 0.0f; });
  }
  void write_run(std::size_t slot, const float* values) override {
    if constexpr (!One) table_.touch(slot);
    for (std::size_t word = 0; word < Rule::words; ++word)
      std::copy_n(values + word * learners(), learners(), table_.run(slot) + word * padded_);
  }
  std::span<double> totals() override {
    return {reinterpret_cast<double*>(totals_.data()), totals_.size() * fields_count};
  }
  std::span<const char* const> fields() const override { return Rule::fields; }
  bool sound(std::span<const double> totals) const override {
    std::array<double, fields_count> own;
    std::copy_n(totals.begin(), fields_count, own.begin());
    return std::all_of(own.begin(), own.end(), [](double v) { return std::isfinite(v); }) &&
           Rule::sound(std::bit_cast<Totals>(own));
  }

 private:
  std::size_t run_size() const { return One ? one::run_size<Rule> : padded_ * Rule::words; }
  static std::size_t pad(std::size_t learners) { return One ? 1 : (learners + 7) / 8 * 8; }

  void resize_scratch() {
    if constexpr (!One) {
      sums_.resize(lanes * padded_);
      first_.resize(lanes * padded_);
      second_.resize(lanes * padded_);
    }
    descents_.resize(learners());
    steps_.resize(learners());
    on_.resize(learners());
  }

  void make_room(const Row& row) const {
    const std::size_t blocks = (row.size + lanes - 1) / lanes;
    if (blocks * one::block_size<Rule> <= cells_.size()) return;
    cells_.resize(blocks * one::block_size<Rule>);
    factors_.resize(blocks * lanes);
  }

  void learn_one(const Row& row, double y, double h, double* raw, NextRow* next) {
    make_room(row);
    const bool fetches = table_.slots() * table_.stride() >= (1 << 19);  // else it is at hand anyway
    const one::Work<Rule> work{rule_, *loss_, totals_[0], table_.run(0), cells_.data(), factors_.data(), next, fetches};
    if (one::learn<Rule>(work, row, y, h, raw)) rescale(0);
  }

  void learn_many(const Row& row, const double* y, double h, double* raw) {
    const std::size_t K = learners();
    many::dot<Rule>(table_, padded_, row, sums_.data());
    bool any = false;
    for (std::size_t k = 0; k < K; ++k) {
      raw[k] = rule_.predict(totals_[k], *loss_, sums_[k]);
      on_[k] = h != 0.0 && rule_.begin(totals_[k], *loss_, sums_[k], y[k], h, descents_[k]);
      any = any || on_[k];
    }
    if (!any) return;
    for (std::size_t i = 0; i < row.size; ++i) table_.touch(row.slots[i]);
    if constexpr (Rule::adapts) adapt_many(row);
    for (std::size_t k = 0; k < K; ++k)
      if (on_[k]) {
        Rule::count(totals_[k], h, first_[k], descents_[k]);
        steps_[k] = rule_.step(totals_[k], *loss_, descents_[k], y[k], h, second_[k]);
      }
    move_many(row);
    for (std::size_t k = 0; k < K; ++k)
      if (on_[k] && rule_.end(totals_[k], first_[k])) rescale(k);
  }

  void adapt_many(const Row& row) {
    std::fill(first_.begin(), first_.end(), 0.0);
    std::fill(second_.begin(), second_.end(), 0.0);
    factors_.resize(row.size * padded_);
    for (std::size_t i = 0; i < row.size; ++i) {
      float* run = table_.run(row.slots[i]);
      const std::size_t lane = i % lanes * padded_;
      for (std::size_t k = 0; k < learners(); ++k)
        if (on_[k]) {
          if (Rule::grows(run + k, padded_, row.x[i])) Rule::grow(run + k, padded_, row.x[i]);
          float q;
          const double f = adapt_feature<Rule>(run + k, padded_, row.x[i], descents_[k], q);
          first_[lane + k] += Rule::share(run + k, padded_, row.x[i]);
          second_[lane + k] += Rule::rate(row.x[i], f);
          run[padded_ + k] = q;
          factors_[i * padded_ + k] = f;
        }
    }
    add_lanes(first_.data(), padded_);
    add_lanes(second_.data(), padded_);
  }

  void move_many(const Row& row) {
    std::fill(first_.begin(), first_.end(), 0.0);
    for (std::size_t i = 0; i < row.size; ++i) {
      float* run = table_.run(row.slots[i]);
      const std::size_t lane = i % lanes * padded_;
      for (std::size_t k = 0; k < learners(); ++k)
        if (on_[k])
          first_[lane + k] += Rule::move(run + k, row.x[i], steps_[k], Rule::adapts ? factors_[i * padded_ + k] : 1.0);
    }
    add_lanes(first_.data(), padded_);
  }

  // Multiplies the stored weights of learner k by its scale, which becomes 1.
  void rescale(std::size_t k) {
    const double scale = rule_.scale(totals_[k]);
    double square = 0.0;
    for (std::size_t slot = 0; slot < table_.slots(); ++slot) {
      if (!table_.touched(slot)) continue;
      float& v = table_.run(slot)[k];
      if (v == 0.0f) continue;  // costs no memory yet
      v = finite_float(static_cast<double>(v) * scale);
      square += static_cast<double>(v) * static_cast<double>(v);
    }
    rule_.rescaled(totals_[k], square);
  }

  Rule rule_;
  AnyLoss loss_;
  std::size_t padded_;
  Cells table_;
  std::vector<Totals> totals_;
  mutable std::vector<float> cells_;
  mutable std::vector<double> factors_;
  mutable std::vector<double> sums_;
  std::vector<double> first_, second_, steps_;
  std::vector<Descent> descents_;
  std::vector<char> on_;
};

// What most rules need of the interface and do not care about.
struct PlainRule {
  static constexpr bool adapts = false;
  static bool grows(const float*, std::size_t, float) { return false; }
  static void grow(float*, std::size_t, float) {}
  static double share(const float*, std::size_t, float) { return 0.0; }
  template <class Totals>
  static void count(Totals&, double, double, Descent&) {}
  static double rate(float, double) { return 0.0; }
  template <class Totals>
  static double scale(const Totals&) {
    return 1.0;
  }
  template <class Totals>
  static bool end(Totals&, double) {
    return false;
  }
  template <class Totals>
  static void rescaled(Totals&, double) {}
  template <class Totals>
  static double predict(const Totals&, const Loss&, double sum) {
    return sum;
  }
  // w += step x f
  static double move(float* cell, double x, double step, double f) {
    cell[0] = finite_float(static_cast<double>(cell[0]) + step * x * f);
    return 0.0;
  }
};

}  // namespace afterwit
