// A linear learner among others over one row, with scales that all of them share (linear/pool.hpp). Of a feature with
// the value x they know, this row included,
//   s = the largest |x|,   ratio = s before this row/s,   xs = x/s,   xr = x/rms cut to +-20
// with rms the root mean square of x where it is not 0. What a learner keeps in units of s it multiplies by `ratio` or
// not, as its formula says, whenever s grows.
//
// A Rule says how one of them moves; cell[0], cell[1], ... are its words for a feature, all 0 at first:
//   words, sums, adapts       numbers per feature, sums along the row, whether `adapt` comes before the step is known
//   Descent                   what it knows of a row once it has the label
//   look(cell, seen)          what a feature adds to the sums
//   output(pool, labels, sums)  the prediction, less the mean of the labels where they are numbers
//   begin(row, sums, D)       the step from the row as it is told; false when nothing is to change
//   adapt(cell, seen, D, f)   adapts, finds the factor f of the feature's step and returns what it adds to the rate v
//   step(row, D, v)           the length of the step
//   move(cell, seen, D, f)    moves the words of one feature
//   weight(pool, labels, cell, s, rms)  by what the feature is multiplied
//   is_possible(word, value)  whether learning can lead to it
#pragma once

#include <array>
#include <cstddef>
#include <memory>

#include "learners/targets.hpp"
#include "linear/cells.hpp"
#include "linear/scaled.hpp"
#include "losses/logistic.hpp"
#include "losses/squared.hpp"
#include "numeric/lanes.hpp"
#include "numeric/multiversion.hpp"

namespace afterwit {

// Sums over the rows so far, each times its importance.
struct PoolTotals {
  double t = 0.0;       // of 1
  double N = 0.0;       // of |xs|^2
  double square = 0.0;  // the mean of |x|^2
};

template <class Number>
struct Seen {
  Number x, ratio, xs, xr;
};

// Number by number what all know of a row, filled up with zeros to a multiple of sixteen.
template <class Number>
struct SeenRow {
  const float* x;
  const Number *ratio, *xs, *xr;
  std::size_t n;

  Seen<Number> operator[](std::size_t i) const { return {static_cast<Number>(x[i]), ratio[i], xs[i], xr[i]}; }
};

// What is told of a row's label, and what all know of the row.
struct ToldRow {
  bool numbers;
  double y, h;
  Targets before, after;  // the labels, where they are numbers
  PoolTotals past, now;   // without and with this row
  double squares;         // |xs|^2
  double square;          // |x|^2

  // The unit of slopes and of what is bet: the range of the labels.
  double unit() const { return numbers ? after.range() : 1.0; }
};

// The slope of the loss at the prediction with the margin m, in units of the labels, and where it was taken.
class Slope {
 public:
  Slope() = default;
  Slope(const ToldRow& row, double m) : numbers_(row.numbers) {
    if (numbers_) {
      at_ = {row.before.clipped(row.before.mean + m), row.y, 0.0};
      g = (at_.p - row.y) / row.unit();
    } else {
      g = Logistic().derivative(m < -50.0 ? -50.0 : m > 50.0 ? 50.0 : m, row.y, at_);
    }
  }
  // Of logistic loss, or of the square of what is in units of the labels.
  double derivative() const { return numbers_ ? 2.0 * g : g; }
  // By how much to move along a direction in which the prediction grows at rate v (losses/loss.hpp), or 0.
  double invariant(double step, double v) const {
    if (!(v > 0.0)) return 0.0;
    return numbers_ ? Squared().invariant(at_, step, v) : Logistic().invariant(at_, step, v);
  }

  double g = 0.0;

 private:
  bool numbers_ = false;
  Loss::Point at_{};
};

// What most of them need and do not care about: one word w, in units of s, and the margin sum w xs.
struct PlainPooled {
  static constexpr std::size_t words = 1, sums = 1;
  static constexpr bool adapts = false;
  struct Descent {
    double u;
  };

  template <class Number>
  static std::array<double, 1> look(const Number* cell, const Seen<Number>& seen) {
    return {static_cast<double>(cell[0]) * static_cast<double>(seen.xs)};
  }
  template <class Sums>
  static double output(const PoolTotals&, const Targets&, const Sums& sums) {
    return sums[0];
  }
  template <class Descent>
  static void step(const ToldRow&, Descent&, double) {}
  template <class Number>
  static void move(Number* cell, const Seen<Number>& seen, const Descent& d, Number) {
    put(cell[0], static_cast<double>(cell[0]) + d.u * static_cast<double>(seen.xs));
  }
  template <class Number>
  static double weight(const PoolTotals&, const Targets&, const Number* cell, double s, double) {
    return per_scale(cell[0], s);
  }
  static bool is_possible(std::size_t word, float value) { return word == 0 || value >= 0.0f; }
};

// Whether the loss is the one that a pool's rules have, and not only one for the same labels.
inline bool is_smooth(const Loss& loss) {
  return dynamic_cast<const Logistic*>(&loss) != nullptr || dynamic_cast<const Squared*>(&loss) != nullptr;
}

// A rule with its settings, from which learners of a pool are made.
template <class Number>
class Pooled;
class PooledRule {
 public:
  virtual ~PooledRule() = default;
  virtual std::unique_ptr<Pooled<float>> single() const = 0;
  virtual std::unique_ptr<Pooled<double>> precise() const = 0;
};

// A rule behind the one face that the pool knows. `block` has the rule's words of sixteen features, word by word; the
// next sixteen begin `size` numbers behind.
template <class Number>
class Pooled {
 public:
  virtual ~Pooled() = default;
  virtual std::unique_ptr<Pooled> copy() const = 0;
  virtual std::size_t words() const = 0;
  // The prediction; `learn` is about the row that was looked at last.
  virtual double look(const PoolTotals& pool, const Targets& targets, const Number* block, std::size_t size,
                      const SeenRow<Number>& row) = 0;
  virtual void learn(const ToldRow& told, Number* block, std::size_t size, const SeenRow<Number>& row,
                     Number* factors) = 0;
  virtual double weight(const PoolTotals& pool, const Targets& targets, const Number* cell, double s,
                        double rms) const = 0;
  virtual bool is_possible(std::size_t word, float value) const = 0;
};

namespace pooled {

template <class Rule, class Number>
AFTERWIT_MULTIVERSION __attribute__((flatten)) void add_up(const Rule& given, const Number* __restrict block,
                                                           std::size_t size, const SeenRow<Number>& seen,
                                                           std::array<double, Rule::sums>& out) {
  const Rule rule = given;
  const SeenRow<Number> row = seen;
  double sum[Rule::sums][lanes] = {};
  for (std::size_t i = 0; i < row.n; i += lanes, block += size)
    for (std::size_t l = 0; l < lanes; ++l) {
      const Cell<Rule::words, Number> cell(block + l);
      const auto terms = rule.look(cell.word, row[i + l]);
      for (std::size_t s = 0; s < Rule::sums; ++s) sum[s][l] += terms[s];
    }
  for (std::size_t s = 0; s < Rule::sums; ++s) out[s] = add_lanes(sum[s]);
}

template <class Rule, class Number>
AFTERWIT_MULTIVERSION __attribute__((flatten)) double adapt(const Rule& given, Number* __restrict block,
                                                            std::size_t size, const SeenRow<Number>& seen,
                                                            const typename Rule::Descent& descent,
                                                            Number* __restrict factors) {
  const Rule rule = given;
  const SeenRow<Number> row = seen;
  const typename Rule::Descent d = descent;
  double rates[lanes] = {};
  for (std::size_t i = 0; i < row.n; i += lanes, block += size)
    for (std::size_t l = 0; l < lanes; ++l) {
      Cell<Rule::words, Number> cell(block + l);
      rates[l] += rule.adapt(cell.word, row[i + l], d, factors[i + l]);
      cell.back_to(block + l);
    }
  return add_lanes(rates);
}

template <class Rule, class Number>
AFTERWIT_MULTIVERSION __attribute__((flatten)) void move(const Rule& given, Number* __restrict block, std::size_t size,
                                                         const SeenRow<Number>& seen,
                                                         const typename Rule::Descent& descent,
                                                         const Number* __restrict factors) {
  const Rule rule = given;
  const SeenRow<Number> row = seen;
  const typename Rule::Descent d = descent;
  for (std::size_t i = 0; i < row.n; i += lanes, block += size)
    for (std::size_t l = 0; l < lanes; ++l) {
      Cell<Rule::words, Number> cell(block + l);
      rule.move(cell.word, row[i + l], d, Rule::adapts ? factors[i + l] : Number{1});
      cell.back_to(block + l);
    }
}

}  // namespace pooled

template <class Rule, class Number>
class PooledOf final : public Pooled<Number> {
 public:
  explicit PooledOf(Rule rule) : rule_(rule) {}
  std::unique_ptr<Pooled<Number>> copy() const override { return std::make_unique<PooledOf>(rule_); }
  std::size_t words() const override { return Rule::words; }

  double look(const PoolTotals& pool, const Targets& targets, const Number* block, std::size_t size,
              const SeenRow<Number>& row) override {
    pooled::add_up<Rule, Number>(rule_, block, size, row, sums_);
    return rule_.output(pool, targets, sums_);
  }
  void learn(const ToldRow& told, Number* block, std::size_t size, const SeenRow<Number>& row,
             Number* factors) override {
    typename Rule::Descent d;
    if (!rule_.begin(told, sums_, d)) return;
    double v = 0.0;
    if constexpr (Rule::adapts) v = pooled::adapt<Rule, Number>(rule_, block, size, row, d, factors);
    rule_.step(told, d, v);
    pooled::move<Rule, Number>(rule_, block, size, row, d, factors);
  }
  double weight(const PoolTotals& pool, const Targets& targets, const Number* cell, double s,
                double rms) const override {
    return rule_.weight(pool, targets, cell, s, rms);
  }
  bool is_possible(std::size_t word, float value) const override { return Rule::is_possible(word, value); }

 private:
  Rule rule_;
  std::array<double, Rule::sums> sums_{};  // of the row that was looked at last
};

template <class Rule>
class PooledRuleOf final : public PooledRule {
 public:
  explicit PooledRuleOf(Rule rule) : rule_(rule) {}
  std::unique_ptr<Pooled<float>> single() const override { return std::make_unique<PooledOf<Rule, float>>(rule_); }
  std::unique_ptr<Pooled<double>> precise() const override { return std::make_unique<PooledOf<Rule, double>>(rule_); }

 private:
  Rule rule_;
};

template <class Rule>
std::shared_ptr<const PooledRule> pooled_rule(const Rule& rule) {
  return std::make_shared<PooledRuleOf<Rule>>(rule);
}

}  // namespace afterwit
