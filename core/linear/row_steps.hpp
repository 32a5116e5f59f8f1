// The two halves of one learner over one row: what is known before the label, and what is done after it. The learner's
// words for the row's features are gathered into blocks of sixteen features, word by word, worked on there with vectors
// over features, and put back. The last block is filled up with features of value 0 (Row::nothing), which add +0 to
// every sum. The Rule is what linear/kernel.hpp says.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "learners/learners.hpp"
#include "linear/cells.hpp"
#include "linear/runs.hpp"
#include "losses/loss.hpp"
#include "numeric/lanes.hpp"
#include "numeric/multiversion.hpp"

namespace afterwit {

// What is known of a row before its label is.
template <class Rule>
struct RowSums {
  std::array<double, Rule::sums> sums;
  bool grows;  // whether a value asks for a change of scale
};

// What one learner works with. There is room in `cells` and `factors` for the row. The next row, if any, is built by
// the first learner while this one waits for its gradient, and its runs may be fetched while it waits for its step.
template <class Rule, class Number>
struct Work {
  const Rule& rule;
  const Loss& loss;
  typename Rule::Totals& totals;
  Runs<Number> runs;
  const float* x;
  Number* cells;
  double* factors;
  NextRow* next;
  bool builds, fetches;
};

namespace steps {

template <class Rule>
constexpr std::size_t block_size = lanes * Rule::words;

inline bool any(const std::uint32_t* flags) {
  std::uint32_t together = 0;
  for (std::size_t l = 0; l < lanes; ++l) together |= flags[l];
  return together != 0;
}

template <class Rule, class Number>
void add_up(const Number* __restrict block, const float* __restrict x, std::size_t n, RowSums<Rule>& out) {
  double sum[Rule::sums][lanes] = {};
  std::uint32_t larger[lanes] = {};
  for (std::size_t i = 0; i < n; i += lanes, block += block_size<Rule>)
    for (std::size_t l = 0; l < lanes; ++l) {
      const Cell<Rule::words, Number> cell(block + l);
      const auto terms = Rule::look(cell.word, x[i + l]);
      for (std::size_t s = 0; s < Rule::sums; ++s) sum[s][l] += terms[s];
      larger[l] |= static_cast<std::uint32_t>(Rule::grows(cell.word, x[i + l]));
    }
  for (std::size_t s = 0; s < Rule::sums; ++s) out.sums[s] = add_lanes(sum[s]);
  out.grows = any(larger);
}

template <class Rule, class Number>
void grow(Number* __restrict block, const float* __restrict x, std::size_t n) {
  for (std::size_t i = 0; i < n; i += lanes, block += block_size<Rule>)
    for (std::size_t l = 0; l < lanes; ++l) {
      Cell<Rule::words, Number> cell(block + l);
      Rule::grow(cell.word, x[i + l]);
      cell.back_to(block + l);
    }
}

// Writes the adaptive words and the factors of the steps in single precision; whether that did for every feature.
template <class Rule>
bool adapt(float* __restrict block, const float* __restrict x, std::size_t n, const typename Rule::Descent& d,
           double* __restrict factors, double& rate) {
  double rates[lanes] = {};
  std::uint32_t odd[lanes] = {};
  for (std::size_t i = 0; i < n; i += lanes, block += block_size<Rule>)
    for (std::size_t l = 0; l < lanes; ++l) {
      Cell<Rule::words, float> cell(block + l);
      float f;
      odd[l] |= static_cast<std::uint32_t>(!Rule::adapt(cell.word, x[i + l], d, f));
      cell.back_to(block + l);
      factors[i + l] = f;
      rates[l] += Rule::rate(x[i + l], f);
    }
  rate = add_lanes(rates);
  return !any(odd);
}

// The same feature by feature, in double precision where single precision does not do.
template <class Rule, class Number>
double adapt_precisely(Number* block, const float* x, std::size_t n, const typename Rule::Descent& d, double* factors) {
  double rates[lanes] = {};
  for (std::size_t i = 0; i < n; ++i) {
    Number* place = block + i / lanes * block_size<Rule> + i % lanes;
    Cell<Rule::words, Number> cell(place);
    float f;
    bool single = false;
    if constexpr (std::is_same_v<Number, float>) single = Rule::adapt(cell.word, x[i], d, f);
    if (!single) cell = Cell<Rule::words, Number>(place);
    factors[i] = single ? f : Rule::adapt_precisely(cell.word, x[i], d);
    rates[i % lanes] += Rule::rate(x[i], factors[i]);
    cell.back_to(place);
  }
  return add_lanes(rates);
}

// Returns the growth of the squares of the weights, where the rule measures it.
template <class Rule, class Number>
double move(Number* __restrict block, const float* __restrict x, std::size_t n, const typename Rule::Descent& d,
            const double* __restrict factors) {
  double growth[lanes] = {};
  for (std::size_t i = 0; i < n; i += lanes, block += block_size<Rule>)
    for (std::size_t l = 0; l < lanes; ++l) {
      Cell<Rule::words, Number> cell(block + l);
      const double before = cell.word[0];
      Rule::move(cell.word, x[i + l], d, Rule::adapts ? factors[i + l] : 1.0);
      const double after = cell.word[0];
      if constexpr (Rule::measures) growth[l] += after * after - before * before;
      cell.back_to(block + l);
    }
  return Rule::measures ? add_lanes(growth) : 0.0;
}

template <class Rule, class Number>
double adapted(const Work<Rule, Number>& work, bool grows, const typename Rule::Descent& d) {
  const std::size_t n = work.runs.n;
  if constexpr (std::is_same_v<Number, float>) {
    double rate;
    if (adapt<Rule>(work.cells, work.x, n, d, work.factors, rate)) return rate;
    runs::gather<Rule::words, Number>({work.runs.first, work.runs.shift, work.runs.places, n}, work.cells);
    if (grows) grow<Rule>(work.cells, work.x, n);
  }
  return adapt_precisely<Rule>(work.cells, work.x, n, d, work.factors);
}

// All of a half in one piece, so that it is compiled for the CPU as a whole and its vectors never meet another code.
template <class Rule, class Number>
AFTERWIT_MULTIVERSION __attribute__((flatten)) void look(const Runs<const Number>& runs, const float* x, Number* cells,
                                                         RowSums<Rule>& out) {
  runs::gather<Rule::words>(runs, cells);
  add_up<Rule>(cells, x, runs.n, out);
}

template <class Rule, class Number>
bool learn_seen(const Work<Rule, Number>& work, const RowSums<Rule>& seen, double y, double h) {
  auto& [rule, loss, totals, runs, x, cells, factors, next, builds, fetches] = work;
  typename Rule::Descent d;
  const bool moves = h != 0.0 && rule.begin(totals, loss, seen.sums, y, h, d);
  if (builds) next->build();
  if (!moves) return false;
  if (seen.grows) grow<Rule>(cells, x, runs.n);
  double rate = 0.0;
  if constexpr (Rule::adapts) rate = adapted(work, seen.grows, d);
  rule.step(totals, loss, d, h, rate);
  if (fetches) {
    const Row after = next->row();
    const Runs<Number> ahead{runs.first, runs.shift, after.slots, after.size};
    for (std::size_t i = 0; i < after.size; ++i) __builtin_prefetch(ahead.at(i));
  }
  const double growth = move<Rule>(cells, x, runs.n, d, factors);
  runs::scatter<Rule::words>(runs, cells);
  return rule.end(totals, growth);
}

// True asks for `rescale` of the whole table.
template <class Rule, class Number>
AFTERWIT_MULTIVERSION __attribute__((flatten)) bool learn(const Work<Rule, Number>& work, const RowSums<Rule>& seen,
                                                          double y, double h) {
  return learn_seen(work, seen, y, h);
}

template <class Rule, class Number>
AFTERWIT_MULTIVERSION __attribute__((flatten)) bool look_and_learn(const Work<Rule, Number>& work, double y, double h,
                                                                   double* raw) {
  RowSums<Rule> seen;
  runs::gather<Rule::words, Number>({work.runs.first, work.runs.shift, work.runs.places, work.runs.n}, work.cells);
  add_up<Rule>(work.cells, work.x, work.runs.n, seen);
  *raw = work.rule.predict(work.totals, work.loss, seen.sums);
  return learn_seen(work, seen, y, h);
}

}  // namespace steps

}  // namespace afterwit
