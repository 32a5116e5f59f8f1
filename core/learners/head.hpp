// What lies between the two halves of the learners (learners/learners.hpp): a head owns the labels and tells each
// learner what to learn, having looked at the predictions if it must.
#pragma once

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "learners/learners.hpp"
#include "rows/label_kind.hpp"
#include "rows/row.hpp"

namespace afterwit {

class Head {
 public:
  virtual ~Head() = default;

  // The first label that is wrong, or y.size(), and what is said of it; its caller knows so many classes.
  virtual std::size_t first_wrong(std::span<const double> y, std::span<const double> weights,
                                  std::size_t classes) const = 0;
  virtual std::string complaint(const std::string& label, std::size_t classes) const = 0;
  // A label as the loss wants it.
  virtual double label(double y) const { return y; }
  // How many raw predictions a row has.
  virtual std::size_t width(const Learners& learners, std::size_t classes) const = 0;
  // Predicts a row into raw[0 .. width), then learns it; with h = 0 it learns nothing.
  virtual void learn(Learners& learners, std::size_t slots, const Row& row, double y, double h, std::size_t width,
                     double* raw, NextRow* next) = 0;
};

// One learner: the label is its own.
class Single final : public Head {
 public:
  explicit Single(LabelKind kind) : binary_(kind == LabelKind::binary) {}

  std::size_t first_wrong(std::span<const double> y, std::span<const double>, std::size_t) const override {
    return static_cast<std::size_t>(std::find_if_not(y.begin(), y.end(), [this](double label) { return fits(label); }) -
                                    y.begin());
  }
  std::string complaint(const std::string& label, std::size_t) const override {
    return "the label is " + label + "; expected " +
           (binary_ ? "-1 or +1, or 0 or 1 (several classes: OneVsAll; numbers: a loss such as `squared`)"
                    : "a finite number that fits a 32-bit float");
  }
  std::size_t width(const Learners& learners, std::size_t) const override { return learners.learners(); }
  // 0 is -1 where there are two. A branch could not be foretold.
  double label(double y) const override { return binary_ ? y - static_cast<double>(y == 0.0) : y; }

  void learn(Learners& learners, std::size_t, const Row& row, double y, double h, std::size_t, double* raw,
             NextRow* next) override {
    y = label(y);
    learners.look_and_learn(row, &y, &h, raw, next);
  }

 private:
  // Of two: -1, 0 and 1, whose size is their square.
  bool fits(double y) const { return binary_ ? std::fabs(y) <= 1.0 && y * y == std::fabs(y) : std::fabs(y) <= FLT_MAX; }

  bool binary_;
};

// One learner per class, for which its own class is +1 and all others are -1. The label is the code of a class; with a
// new one comes a new learner, whose raw prediction is -infinity until then.
class OneAgainstAll final : public Head {
 public:
  // A row that is not learned may have any.
  std::size_t first_wrong(std::span<const double> y, std::span<const double> weights,
                          std::size_t classes) const override {
    for (std::size_t r = 0; r < y.size(); ++r)
      if ((weights.empty() || weights[r] != 0.0) && !(y[r] >= 0.0 && y[r] < static_cast<double>(classes))) return r;
    return y.size();
  }
  std::string complaint(const std::string& label, std::size_t classes) const override {
    return "the class code is " + label + "; expected 0 to " + std::to_string(classes) + " - 1";
  }
  std::size_t width(const Learners& learners, std::size_t classes) const override {
    return std::max(classes, learners.learners());
  }

  void learn(Learners& learners, std::size_t slots, const Row& row, double y, double h, std::size_t width, double* raw,
             NextRow* next) override {
    const std::size_t known = learners.learners(), code = h == 0.0 ? 0 : static_cast<std::size_t>(y);
    std::fill(raw + known, raw + width, -std::numeric_limits<double>::infinity());
    if (h == 0.0 || code >= known) learners.look(row, raw);
    if (h == 0.0) {
      if (next != nullptr) next->build();
      return;
    }
    if (code >= known) {
      learners.grow(slots, code + 1);
      fresh_.resize(code + 1);
      raw = fresh_.data();
    }
    y_.assign(learners.learners(), -1.0);
    h_.assign(learners.learners(), h);
    y_[code] = 1.0;
    learners.look_and_learn(row, y_.data(), h_.data(), raw, next);
  }

 private:
  std::vector<double> y_, h_, fresh_;
};

}  // namespace afterwit
