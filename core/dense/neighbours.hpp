// The nearest of the last rows, weighted by their distances: dense/nearest_rows.hpp has rows, distances and weights.
//   two classes   p = (sum w_i y_i + .1)/(sum w_i + .2) with y_i in {0, 1},   m = ln(p/(1 - p));   0 without any row
//   numbers       sum w_i y_i/sum w_i;   without any row the labels' mean
// Cover, Hart 1967 have the rule for k = 1 and a window of all rows; these weights are not published.
#pragma once

#include <cfloat>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "dense/columns.hpp"
#include "dense/nearest_rows.hpp"
#include "numeric/exponential.hpp"
#include "numeric/state.hpp"

namespace afterwit {

class Neighbours {
 public:
  static constexpr bool moments = true;

  Neighbours(std::size_t neighbours, std::size_t window, bool numbers) : rows_(neighbours, window), numbers_(numbers) {}

  void reserve(std::size_t d) { rows_.reserve(d); }

  double predict(const DenseRow& row, const Targets& targets) {
    double sum = 0.0, labels = 0.0, others = 0.0;  // of the labels, and of what they lack of 1
    const std::size_t found = rows_.find(row, [&](double y, double w) {
      sum += w;
      labels += w * y;
      others += w * (1.0 - y);
    });
    if (numbers_) return found > 0 ? labels / sum : targets.mean;
    return afterwit::log((labels + 0.1) / (others + 0.1));
  }

  void learn(const DenseRow& row, const Targets&, const Targets&, double y, double h) {
    rows_.learn(row, numbers_ ? y : y > 0.0 ? 1.0 : 0.0, h);
  }

  std::vector<std::pair<const char*, double>> holds() const { return rows_.holds(); }

  void visit(State& state, std::size_t d) { rows_.visit(state, d); }
  bool sound() const {
    return rows_.sound([this](double v) { return numbers_ ? std::abs(v) <= FLT_MAX : v == 0.0 || v == 1.0; });
  }

 private:
  NearestRows rows_;
  bool numbers_;
};

}  // namespace afterwit
