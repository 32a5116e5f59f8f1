// K linear learners over one row: the face of the one kernel (linear/kernel.hpp).
#pragma once

#include <cfloat>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "losses/loss.hpp"
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

class Linear {
 public:
  virtual ~Linear() = default;

  // The raw predictions of the learners, into raw[0 .. K).
  virtual void predict(const Row& row, double* raw) const = 0;
  // Predicts into raw[0 .. K), then learns the K labels y with importance h; builds the next row, if there is one.
  virtual void learn(const Row& row, const double* y, double h, double* raw, NextRow* next = nullptr) = 0;

  virtual std::size_t learners() const = 0;
  virtual void grow(std::size_t slots, std::size_t learners) = 0;
  // So many slots and learners that have learned nothing.
  virtual void reset(std::size_t slots, std::size_t learners) = 0;

  // The weight of learner k in a slot, as it multiplies the feature.
  virtual double weight(std::size_t slot, std::size_t k) const = 0;

  // The state: `words` floats per slot and learner, and `totals().size()/K` numbers per learner.
  virtual std::size_t words() const = 0;
  virtual std::size_t slots() const = 0;
  virtual bool read_run(std::size_t slot, float* out) const = 0;      // words x K; false if all are 0
  virtual void write_run(std::size_t slot, const float* values) = 0;  // words x K
  virtual std::span<double> totals() = 0;                             // K x fields
  virtual std::span<const char* const> fields() const = 0;
  // Whether the totals of one learner, in the order of the fields, are such as learning leads to.
  virtual bool sound(std::span<const double> totals) const = 0;
};

// What is stored is finite, whatever was computed.
inline float finite_float(double value) {
  const double low = value < FLT_MAX ? value : FLT_MAX;  // one instruction, and so is the next
  return static_cast<float>(low > -FLT_MAX ? low : -FLT_MAX);
}

}  // namespace afterwit
