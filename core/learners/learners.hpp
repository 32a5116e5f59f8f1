// K learners over one row, in two halves: they say their predictions, and then each gets a label and a weight of its
// own. Whoever owns the labels can look at the predictions in between (learners/head.hpp).
#pragma once

#include <cstddef>
#include <memory>

#include "losses/loss.hpp"
#include "numeric/state.hpp"
#include "rows/row.hpp"

namespace afterwit {

// A row that can be built while the one before it is learned.
class NextRow {
 public:
  virtual void build() = 0;
  virtual Row row() const = 0;  // once it is built

 protected:
  ~NextRow() = default;
};

class Learners {
 public:
  virtual ~Learners() = default;

  // The raw predictions for a row, into raw[0 .. K). Changes nothing but what `learn` remembers of the row.
  virtual void look(const Row& row, double* raw) = 0;
  // Learner k learns label y[k] with importance h[k] from the row that was looked at last, which must still be there;
  // with h[k] = 0 it learns nothing. Builds the next row, if there is one.
  virtual void learn(const double* y, const double* h, NextRow* next = nullptr) = 0;

  // Both at once, where nobody looks in between.
  virtual void look_and_learn(const Row& row, const double* y, const double* h, double* raw, NextRow* next = nullptr) {
    look(row, raw);
    learn(y, h, next);
  }

  virtual std::size_t learners() const = 0;
  virtual void grow(std::size_t slots, std::size_t learners) = 0;
  // So many slots and learners of the same kind that have learned nothing.
  virtual std::unique_ptr<Learners> fresh(std::size_t slots, std::size_t learners) const = 0;

  // The weight of learner k in a slot, as it multiplies the feature.
  virtual double weight(std::size_t slot, std::size_t k) const = 0;

  // The state: `words` floats per slot and learner, and what `visit` shows.
  virtual std::size_t words() const = 0;
  virtual bool is_possible(std::size_t word, float value) const = 0;  // whether learning can lead to it
  virtual std::size_t slots() const = 0;
  virtual bool touched(std::size_t slot) const = 0;               // whether a slot may have a weight that is not 0
  virtual bool read_run(std::size_t slot, float* out) const = 0;  // words x K, word by word; false if all are 0
  virtual void write_run(std::size_t slot, const float* values) = 0;
  virtual void visit(State& state) = 0;
  // Whether learning can lead to what `visit` shows.
  virtual bool sound() const = 0;
};

class PooledRule;  // of core/linear, where this room may not look

// An update rule with its settings.
class LearningRule {
 public:
  virtual ~LearningRule() = default;
  // Gives the names that it asks for before any row a slot, where names get slots as they come.
  virtual void ask(Features&) const {}
  // One learner that follows it or, where `several` will come, none yet. `precise` ones keep doubles.
  virtual std::unique_ptr<Learners> learners(const AnyLoss& loss, const Features& features, bool several,
                                             bool precise) const = 0;
  // Its form among others that share the scales of features, or null where it has none for this loss.
  virtual std::shared_ptr<const PooledRule> pooled(const Loss&) const { return nullptr; }
};

}  // namespace afterwit
