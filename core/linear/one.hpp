// One learner over one row; the Rule is what linear/kernel.hpp says.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "linear/linear.hpp"
#include "losses/loss.hpp"
#include "numeric/lanes.hpp"
#include "numeric/multiversion.hpp"
#include "text/row.hpp"

namespace afterwit {

struct Descent {
  double g = 0.0;     // the gradient by the prediction
  double c = 0.0;     // the rule's coefficient
  double root = 0.0;  // of c, where a rule adapts
  Loss::Point at{};   // where the gradient was taken, for rules with an invariant step
};

// Updates the adaptive words of one feature, adds to the sums, returns the factor of the step.
template <class Rule>
double adapt_feature(float* cell, std::size_t stride, float x, const Descent& d, double& n, double& a) {
  float q, f;
  double factor;
  if (Rule::single(cell, stride, x, d, q, f))
    factor = f;
  else
    Rule::precise(cell, stride, x, d, q, factor);
  cell[stride] = q;
  Rule::add(cell, stride, x, q, factor, n, a);
  return factor;
}

// K = 1: the runs of a row are gathered into blocks of 16 features, word by word, worked on there with vectors over
// features, and put back. Cell (word, l) of a block is block[word * 16 + l]. The last block is filled up with features
// of value 0 (Row::nothing), which add +0 to every sum. A run of three words has a fourth for company: it is moved by
// one instruction.
namespace one {

template <class Rule>
constexpr std::size_t block_size = lanes * Rule::words;
template <class Rule>
constexpr std::size_t run_size = Rule::words == 3 ? 4 : Rule::words;

using Four = float __attribute__((vector_size(16)));
using Order = int __attribute__((vector_size(16)));

// Four runs of four words become four words of four runs, and back.
inline void transpose(Four& a, Four& b, Four& c, Four& d) {
  const Four ab_low = __builtin_shuffle(a, b, Order{0, 4, 1, 5}), ab_high = __builtin_shuffle(a, b, Order{2, 6, 3, 7});
  const Four cd_low = __builtin_shuffle(c, d, Order{0, 4, 1, 5}), cd_high = __builtin_shuffle(c, d, Order{2, 6, 3, 7});
  a = __builtin_shuffle(ab_low, cd_low, Order{0, 1, 4, 5});
  b = __builtin_shuffle(ab_low, cd_low, Order{2, 3, 6, 7});
  c = __builtin_shuffle(ab_high, cd_high, Order{0, 1, 4, 5});
  d = __builtin_shuffle(ab_high, cd_high, Order{2, 3, 6, 7});
}

inline Four load(const float* p) {
  Four four;
  std::memcpy(&four, p, sizeof four);
  return four;
}
inline void store(float* p, const Four& four) { std::memcpy(p, &four, sizeof four); }

// Where the run of a slot is; `nothing` is the run before the first.
template <class Rule>
std::ptrdiff_t place(std::uint32_t slot) {
  return static_cast<std::ptrdiff_t>(static_cast<std::int32_t>(slot)) * static_cast<std::ptrdiff_t>(run_size<Rule>);
}

template <class Rule>
void gather(const float* __restrict table, const std::uint32_t* slots, std::size_t n, float* __restrict block) {
  for (std::size_t i = 0; i < n; i += lanes, slots += lanes, block += block_size<Rule>)
    if constexpr (run_size<Rule> == 4) {
      for (std::size_t l = 0; l < lanes; l += 4) {
        Four a = load(table + place<Rule>(slots[l])), b = load(table + place<Rule>(slots[l + 1]));
        Four c = load(table + place<Rule>(slots[l + 2])), d = load(table + place<Rule>(slots[l + 3]));
        transpose(a, b, c, d);
        store(block + l, a);
        store(block + lanes + l, b);
        store(block + 2 * lanes + l, c);
      }
    } else {
      for (std::size_t l = 0; l < lanes; ++l)
        for (std::size_t word = 0; word < Rule::words; ++word)
          block[word * lanes + l] = table[place<Rule>(slots[l]) + static_cast<std::ptrdiff_t>(word)];
    }
}

template <class Rule>
void scatter(float* __restrict table, const std::uint32_t* slots, std::size_t n, const float* __restrict block) {
  for (std::size_t i = 0; i < n; i += lanes, slots += lanes, block += block_size<Rule>)
    if constexpr (run_size<Rule> == 4) {
      for (std::size_t l = 0; l < lanes; l += 4) {
        Four a = load(block + l), b = load(block + lanes + l), c = load(block + 2 * lanes + l), d{};
        transpose(a, b, c, d);
        store(table + place<Rule>(slots[l]), a);
        store(table + place<Rule>(slots[l + 1]), b);
        store(table + place<Rule>(slots[l + 2]), c);
        store(table + place<Rule>(slots[l + 3]), d);
      }
    } else {
      for (std::size_t l = 0; l < lanes; ++l)
        for (std::size_t word = 0; word < Rule::words; ++word)
          table[place<Rule>(slots[l]) + static_cast<std::ptrdiff_t>(word)] = block[word * lanes + l];
    }
}

template <class Rule>
double dot(const float* __restrict block, const float* __restrict x, std::size_t n) {
  double sum[lanes] = {};
  for (std::size_t i = 0; i < n; i += lanes, block += block_size<Rule>)
    for (std::size_t l = 0; l < lanes; ++l) sum[l] += static_cast<double>(block[l]) * static_cast<double>(x[i + l]);
  return add_lanes(sum);
}

// Writes the factors of the steps.
template <class Rule>
void adapt(float* __restrict block, const float* __restrict x, std::size_t n, Descent d, double* __restrict factors,
           double* __restrict sums) {
  double first[lanes] = {}, second[lanes] = {};
  for (std::size_t i = 0; i < n; i += lanes, block += block_size<Rule>) {
    std::uint32_t grows = 0, odd = 0;
    for (std::size_t l = 0; l < lanes; ++l)
      grows |= static_cast<std::uint32_t>(Rule::grows(block + l, lanes, x[i + l]));
    if (grows != 0)
      for (std::size_t l = 0; l < lanes; ++l) Rule::grow(block + l, lanes, x[i + l]);
    float q[lanes], f[lanes];
    for (std::size_t l = 0; l < lanes; ++l)
      odd |= static_cast<std::uint32_t>(!Rule::single(block + l, lanes, x[i + l], d, q[l], f[l]));
    if (odd != 0) {
      for (std::size_t l = 0; l < lanes; ++l)
        factors[i + l] = adapt_feature<Rule>(block + l, lanes, x[i + l], d, first[l], second[l]);
    } else {
      for (std::size_t l = 0; l < lanes; ++l) {
        block[lanes + l] = q[l];
        factors[i + l] = f[l];
        Rule::add(block + l, lanes, x[i + l], q[l], f[l], first[l], second[l]);
      }
    }
  }
  sums[0] = add_lanes(first);
  sums[1] = add_lanes(second);
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
  return dot<Rule>(cells, row.x, row.size);
}

// True asks for `rescale` of the whole table.
template <class Rule>
AFTERWIT_MULTIVERSION __attribute__((flatten)) bool learn(const Work<Rule>& work, const Row& row, double y, double h,
                                                          double* raw) {
  auto& [rule, loss, totals, table, cells, factors, next, fetches] = work;
  gather<Rule>(table, row.slots, row.size, cells);
  const double sum = dot<Rule>(cells, row.x, row.size);
  raw[0] = rule.predict(totals, loss, sum);
  Descent d;
  const bool moves = h != 0.0 && rule.begin(totals, loss, sum, y, h, d);
  if (next != nullptr) next->build();
  if (!moves) return false;
  double sums[2] = {};
  if constexpr (Rule::adapts) adapt<Rule>(cells, row.x, row.size, d, factors, sums);
  const double step = rule.step(totals, loss, d, y, h, sums[0], sums[1]);
  if (next != nullptr && fetches) {
    const Row row_after = next->row();
    for (std::size_t i = 0; i < row_after.size; ++i) __builtin_prefetch(table + place<Rule>(row_after.slots[i]));
  }
  const double growth = move<Rule>(cells, row.x, row.size, factors, step);
  scatter<Rule>(table, row.slots, row.size, cells);
  return rule.end(totals, growth);
}

}  // namespace one

}  // namespace afterwit
