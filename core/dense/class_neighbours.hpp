// The nearest of the last rows vote for one of several classes.
//   p_c = (sum_{y_i = c} w_i + .1/C)/(sum w_i + .1)   over the rows and weights of dense/nearest_rows.hpp
#pragma once

#include <algorithm>
#include <cstddef>

#include "dense/columns.hpp"
#include "dense/nearest_rows.hpp"
#include "numeric/counts.hpp"
#include "numeric/state.hpp"

namespace afterwit {

class ClassNeighbours {
 public:
  static constexpr bool moments = true;

  ClassNeighbours(std::size_t neighbours, std::size_t window) : rows_(neighbours, window) {}

  std::size_t most_classes() const { return std::size_t{1} << 20; }  // they take no memory, but time

  void reserve(std::size_t d, std::size_t classes) {
    rows_.reserve(d);
    classes_ = std::max(classes, classes_);
  }

  void predict(const DenseRow& row, double* p) {
    double sum = 0.1;
    std::fill_n(p, classes_, 0.1 / static_cast<double>(classes_));
    rows_.find(row, [&](double y, double w) {
      p[static_cast<std::size_t>(y)] += w;
      sum += w;
    });
    for (std::size_t c = 0; c < classes_; ++c) p[c] /= sum;
  }

  void learn(const DenseRow& row, std::size_t y, double h) { rows_.learn(row, static_cast<double>(y), h); }

  std::vector<std::pair<const char*, double>> holds() const { return rows_.holds(); }

  void visit(State& state, std::size_t d, std::size_t classes) {
    rows_.visit(state, d);
    reserve(d, classes);
  }
  bool sound() const {
    return rows_.sound([this](double v) { return is_count(v) && v < static_cast<double>(classes_); });
  }

 private:
  NearestRows rows_;
  std::size_t classes_ = 0;
};

}  // namespace afterwit
