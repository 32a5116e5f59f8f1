// How the weights of a panel went over the rows: noted after 1, 2, 3, 4, 6, 8, 12, 16, ... of them, so that there are
// few however many rows come.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "numeric/counts.hpp"
#include "numeric/state.hpp"

namespace afterwit {

class History {
 public:
  // Whether this row is to be noted, of which there were `rows` before.
  bool is_due() const { return rows_ + 1.0 >= next_; }
  void add(const double* weights, std::size_t n) {
    weights_.insert(weights_.end(), weights, weights + n);
    times_.push_back(rows_ + 1.0);
    next_ = after(rows_ + 1.0);
  }
  void count() { rows_ += 1.0; }

  double rows() const { return rows_; }
  const std::vector<double>& times() const { return times_; }
  const std::vector<double>& weights() const { return weights_; }

  void visit(State& state, std::size_t n) {
    state.number("rows", rows_);
    double noted = static_cast<double>(times_.size());
    state.number("noted", noted);
    possible_ = is_count(rows_) && is_count(noted) && noted <= 128.0;
    const Shape times{"row that was noted", possible_ ? static_cast<std::size_t>(noted) : 0, 1, 1};
    const Shape weights{"weight of a row that was noted", times.rows, n, n};
    state.expect("times", times);
    state.expect("history", weights);
    times_.resize(times.rows);
    weights_.resize(times.rows * n);
    state.numbers("times", times_.data(), times);
    state.numbers("history", weights_.data(), weights);
    next_ = times_.empty() ? 1.0 : after(times_.back());
  }
  bool sound() const {
    return possible_ && std::all_of(weights_.begin(), weights_.end(), [](double v) { return std::isfinite(v); }) &&
           std::all_of(times_.begin(), times_.end(),
                       [this](double v) { return is_count(v) && v >= 1.0 && v <= rows_; }) &&
           std::is_sorted(times_.begin(), times_.end()) && next_ > rows_;
  }

 private:
  // 1, 2, 3, 4, 6, 8, 12, 16, ...
  static double after(double t) {
    double power = 1.0;
    while (2.0 * power <= t && power < 0x1p60) power *= 2.0;
    return t < 1.5 * power && power > 1.0 ? 1.5 * power : 2.0 * power;
  }

  double rows_ = 0.0, next_ = 1.0;
  bool possible_ = true;
  std::vector<double> times_, weights_;
};

}  // namespace afterwit
