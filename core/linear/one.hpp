// One learner over one row; the Rule is what linear/kernel.hpp says.
#pragma once

#include <cstddef>
#include <cstdint>

#include "linear/linear.hpp"
#include "linear/runs.hpp"
#include "losses/loss.hpp"
#include "numeric/lanes.hpp"
#include "numeric/multiversion.hpp"
#include "rows/row.hpp"

namespace afterwit {

struct Descent {
  double g = 0.0;     // the gradient by the prediction
  double c = 0.0;     // the rule's coefficient
  double root = 0.0;  // of c, where a rule adapts
  double mu = 0.0;    // what steps are multiplied by, where a rule normalises
  Loss::Point at{};   // where the gradient was taken, for rules with an invariant step
};

// Finds the adaptive word q of one feature; returns the factor of its step.
template <class Rule>
double adapt_feature(const float* cell, std::size_t stride, float x, const Descent& d, float& q) {
  float f;
  double factor;
  if (Rule::single(cell, stride, x, d, q, f))
    factor = f;
  else
    Rule::precise(cell, stride, x, d, q, factor);
  return factor;
}

// K = 1: the runs of a row are gathered into blocks of 16 features, word by word, worked on there with vectors over
// features, and put back. Cell (word, l) of a block is block[word * 16 + l]; behind the words of a rule that adapts is
// the new adaptive word. The last block is filled up with features of value 0 (Row::nothing), which add +0 to every
// sum. A run of three words has a fourth for company: it is moved by one instruction.
namespace one {

template <class Rule>
constexpr std::size_t block_size = lanes * (Rule::words + (Rule::adapts ? 1 : 0));
template <class Rule>
constexpr std::size_t new_word = lanes * (Rule::adapts ? Rule::words : 1);
template <class Rule>
constexpr std::size_t run_size = Rule::words == 3 ? 4 : Rule::words;

template <class Rule>
void gather(const float* __restrict table, const std::uint32_t* slots, std::size_t n, float* __restrict block) {
  if constexpr (run_size<Rule> == 4) return runs::gather(table, slots, n, block_size<Rule>, block);
  if constexpr (run_size<Rule> == 1) return runs::gather_words(table, slots, n, block_size<Rule>, block);
  for (std::size_t i = 0; i < n; i += lanes, slots += lanes, block += block_size<Rule>)
    for (std::size_t l = 0; l < lanes; ++l)
      for (std::size_t word = 0; word < Rule::words; ++word)
        block[word * lanes + l] = table[runs::place(slots[l], Rule::words) + static_cast<std::ptrdiff_t>(word)];
}

template <class Rule>
void scatter(float* __restrict table, const std::uint32_t* slots, std::size_t n, const float* __restrict block) {
  if constexpr (run_size<Rule> == 4) return runs::scatter(table, slots, n, block_size<Rule>, new_word<Rule>, block);
  for (std::size_t i = 0; i < n; i += lanes, slots += lanes, block += block_size<Rule>)
    for (std::size_t l = 0; l < lanes; ++l)
      for (std::size_t word = 0; word < Rule::words; ++word)
        table[runs::place(slots[l], Rule::words) + static_cast<std::ptrdiff_t>(word)] =
            block[(word == 1 ? new_word<Rule> : word * lanes) + l];
}

inline bool any(const std::uint32_t* flags) {
  std::uint32_t together = 0;
  for (std::size_t l = 0; l < lanes; ++l) together |= flags[l];
  return together != 0;
}

// What is known of a row before its label is.
struct RowSums {
  double sum;    // of w x
  double share;  // of the rule's shares
  bool grows;    // whether a value asks for a change of scale
};

template <class Rule>
RowSums glance(const float* __restrict block, const float* __restrict x, std::size_t n) {
  double sum[lanes] = {}, share[lanes] = {};
  std::uint32_t larger[lanes] = {};
  for (std::size_t i = 0; i < n; i += lanes, block += block_size<Rule>)
    for (std::size_t l = 0; l < lanes; ++l) {
      sum[l] += static_cast<double>(block[l]) * static_cast<double>(x[i + l]);
      share[l] += Rule::share(block + l, lanes, x[i + l]);
      larger[l] |= static_cast<std::uint32_t>(Rule::grows(block + l, lanes, x[i + l]));
    }
  return {add_lanes(sum), add_lanes(share), any(larger)};
}

template <class Rule>
void grow(float* __restrict block, const float* __restrict x, std::size_t n) {
  for (std::size_t i = 0; i < n; i += lanes, block += block_size<Rule>)
    for (std::size_t l = 0; l < lanes; ++l) Rule::grow(block + l, lanes, x[i + l]);
}

// Writes the new words and the factors of the steps, all in single precision, or else again feature by feature; returns
// the sum of the rates.
template <class Rule>
double adapt(float* __restrict block, const float* __restrict x, std::size_t n, const Descent& d,
             double* __restrict factors) {
  double rate[lanes] = {};
  std::uint32_t odd[lanes] = {};
  for (std::size_t i = 0; i < n; i += lanes) {
    float* cells = block + i / lanes * block_size<Rule>;
    for (std::size_t l = 0; l < lanes; ++l) {
      float q, f;
      odd[l] |= static_cast<std::uint32_t>(!Rule::single(cells + l, lanes, x[i + l], d, q, f));
      cells[new_word<Rule> + l] = q;
      factors[i + l] = f;
      rate[l] += Rule::rate(x[i + l], f);
    }
  }
  if (any(odd)) {
    for (std::size_t l = 0; l < lanes; ++l) rate[l] = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      float* cell = block + i / lanes * block_size<Rule> + i % lanes;
      factors[i] = adapt_feature<Rule>(cell, lanes, x[i], d, cell[new_word<Rule>]);
      rate[i % lanes] += Rule::rate(x[i], factors[i]);
    }
  }
  return add_lanes(rate);
}

template <class Rule>
double move(float* __restrict block, const float* __restrict x, std::size_t n, const double* __restrict factors,
            double step) {
  double growth[lanes] = {};
  for (std::size_t i = 0; i < n; i += lanes, block += block_size<Rule>)
    for (std::size_t l = 0; l < lanes; ++l)
      growth[l] += Rule::move(block + l, x[i + l], step, Rule::adapts ? factors[i + l] : 1.0);
  return add_lanes(growth);
}

// What one learner works with; cells and factors have room for the row. The next row, if any, is built while this one
// waits for its gradient, and fetched while it waits for its step.
template <class Rule>
struct Work {
  const Rule& rule;
  const Loss& loss;
  typename Rule::Totals& totals;
  float* table;
  float* cells;
  double* factors;
  NextRow* next;
  bool fetches;
};

// All of it in one piece, so that it is compiled for the CPU as a whole and its vectors never meet another code.
template <class Rule>
AFTERWIT_MULTIVERSION __attribute__((flatten)) double predict(const float* table, const Row& row, float* cells) {
  gather<Rule>(table, row.slots, row.size, cells);
  return glance<Rule>(cells, row.x, row.size).sum;
}

// True asks for `rescale` of the whole table.
template <class Rule>
AFTERWIT_MULTIVERSION __attribute__((flatten)) bool learn(const Work<Rule>& work, const Row& row, double y, double h,
                                                          double* raw) {
  auto& [rule, loss, totals, table, cells, factors, next, fetches] = work;
  gather<Rule>(table, row.slots, row.size, cells);
  const auto [sum, share, grows] = glance<Rule>(cells, row.x, row.size);
  raw[0] = rule.predict(totals, loss, sum);
  Descent d;
  const bool moves = h != 0.0 && rule.begin(totals, loss, sum, y, h, d);
  if (moves) Rule::count(totals, h, share, d);
  if (next != nullptr) next->build();
  if (!moves) return false;
  if (grows) grow<Rule>(cells, row.x, row.size);
  double rate = 0.0;
  if constexpr (Rule::adapts) rate = adapt<Rule>(cells, row.x, row.size, d, factors);
  const double step = rule.step(totals, loss, d, y, h, rate);
  if (next != nullptr && fetches) {
    const Row row_after = next->row();
    for (std::size_t i = 0; i < row_after.size; ++i)
      __builtin_prefetch(table + runs::place(row_after.slots[i], run_size<Rule>));
  }
  const double growth = move<Rule>(cells, row.x, row.size, factors, step);
  scatter<Rule>(table, row.slots, row.size, cells);
  return rule.end(totals, growth);
}

}  // namespace one

}  // namespace afterwit
