// Rows of numbers, `each` of them per class, with room for more rows and more classes, in which they are 0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "numeric/aligned.hpp"

namespace afterwit {

template <class Number, std::size_t each = 1>
class ClassTable {
 public:
  // Between rows: a multiple of 64 bytes.
  std::size_t stride() const { return classes_ * each; }
  std::size_t rows() const { return stride() > 0 ? numbers_.size() / stride() : 0; }
  Number* row(std::size_t i) { return numbers_.data() + i * stride(); }
  const Number* row(std::size_t i) const { return numbers_.data() + i * stride(); }

  // Classes come one by one: there is room for half as many more, so that rows do not move each time.
  void reserve(std::size_t rows, std::size_t classes) {
    if (classes > classes_) {
      constexpr std::size_t line = Aligned<Number>::line / sizeof(Number);
      ClassTable wide;
      wide.classes_ = (std::max(classes, classes_ + classes_ / 2) + line - 1) / line * line;
      wide.numbers_.resize(std::max(rows, this->rows()) * wide.stride());
      for (std::size_t i = 0; i < this->rows(); ++i) std::copy_n(row(i), stride(), wide.row(i));
      *this = std::move(wide);
    }
    if (rows * stride() > numbers_.size()) numbers_.resize(rows * stride());
  }
  // The rest take their places, and the last are 0.
  void drop_first(std::size_t rows) {
    const auto end = std::move(row(rows), row(this->rows()), row(0));
    std::fill(end, row(this->rows()), Number{0});
  }

 private:
  std::size_t classes_ = 0;
  std::vector<Number, Aligned<Number>> numbers_;
};

}  // namespace afterwit
