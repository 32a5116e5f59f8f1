// One learner over columns for several classes, as panels seat them: entry j of a row is the feature of slot j, classes
// are 0, 1, ..., and one that is met for the first time is learned with all below it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "dense/class_member.hpp"
#include "dense/columns.hpp"
#include "dense/dense.hpp"
#include "numeric/counts.hpp"
#include "numeric/state.hpp"

namespace afterwit {

class ClassLearner {
 public:
  ClassLearner(const DenseSettings& settings, std::size_t classes, bool intercept)
      : member_(copy_of(settings)), columns_(settings.width, intercept, member_->moments()), intercept_(intercept) {
    grow(classes);
  }

  std::size_t classes() const { return classes_; }

  // `p` is one number per class.
  void predict(const float* x, std::size_t n, double* p) {
    while (slots_.size() <= n) slots_.push_back(static_cast<std::uint32_t>(slots_.size()));
    row_ = columns_.look({slots_.data(), x, n + intercept_});
    member_->reserve(row_.d, classes_);
    member_->predict(row_, p);
  }

  void learn(const float* x, std::size_t n, std::size_t y, double h) {
    if (h == 0.0) return;
    p_.resize(classes_);
    predict(x, n, p_.data());
    if (y >= classes_) grow(y + 1);
    member_->learn(row_, y, h);
    columns_.learn();
  }

  void visit(State& state) {
    double classes = static_cast<double>(classes_);
    state.number("classes", classes);
    possible_ = is_count(classes) && classes <= static_cast<double>(member_->most_classes());
    classes_ = possible_ ? static_cast<std::size_t>(classes) : 0;
    columns_.visit(state);
    if (possible_) member_->visit(state, columns_.size(), classes_);
  }
  bool sound() const { return possible_ && columns_.sound(SIZE_MAX) && member_->sound(); }

 private:
  static std::unique_ptr<ClassMember> copy_of(const DenseSettings& settings) {
    if (settings.classes == nullptr) throw std::invalid_argument("the learner has no form for several classes");
    return settings.classes->copy();
  }
  void grow(std::size_t classes) {
    if (classes > member_->most_classes()) throw std::invalid_argument("there are more classes than the learner takes");
    classes_ = classes;
    member_->reserve(row_.d, classes);
  }

  std::unique_ptr<ClassMember> member_;
  Columns columns_;
  bool intercept_;
  std::size_t classes_ = 0;
  bool possible_ = true;
  std::vector<std::uint32_t> slots_;
  std::vector<double> p_;
  DenseRow row_{};  // that was looked at last
};

}  // namespace afterwit
