// The hidden layer of a network, and Adam (Kingma, Ba 2015, algorithm 1), by which all its weights are trained.
//   z_0 = 1,   z_j = (x_j - mean_j)/sd_j cut to +-4, 0 where sd_j = 0 and in the first row that has it
//   a_k = sum_j W_kj z_j,   h_k = max(a_k, a_k/100)
//   of every weight w with slope s:   M = .9 M + .1 s,   V = .999 V + .001 s^2
//   w -= rate (M/(1 - .9^t))/(sqrt(V/(1 - .999^t)) + 1e-10)
// At first W_kj is normal with variance 2/d, W_k0 with 1/4. d is the number of columns at the first row that is learned
// with column j in it: with all columns in the first row that is all of them; a column that comes later is one of more,
// and starts smaller. A draw is a sum of twelve uniform ones less 6: its variance is 1, its bits need no logarithm, and
// what its tails lack does not matter.
//
// Weights are cut to +-2^16 and the slope at an output to +-2^20: nothing overflows then, whatever rate, importance and
// rows. Weights and moments are floats, and so is their arithmetic: half the memory and half the time of doubles.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "dense/columns.hpp"
#include "numeric/aligned.hpp"
#include "numeric/counts.hpp"
#include "numeric/keyed.hpp"
#include "numeric/lanes.hpp"
#include "numeric/multiversion.hpp"
#include "numeric/state.hpp"
#include "numeric/weighted_rows.hpp"

namespace afterwit {

namespace network {

constexpr std::size_t lanes = 16;  // units are padded to a multiple; what is added has weights of 0 and keeps them
constexpr double most = 0x1p16, steepest = 0x1p20;
// Below it are numbers that slow down the CPU, in time in every weight of a network that is always right. Beside
// Adam's 1e-10 they are nothing.
constexpr double least = 1e-30, flattest = 1e-12;

template <class Number>
struct AdamStep {
  Number rate;  // rate sqrt(1 - .999^t)/(1 - .9^t)
  Number tiny;  // 1e-10 sqrt(1 - .999^t)

  void move(Number& w, Number& mean, Number& square, Number slope) const {
    const Number low = static_cast<Number>(least), end = static_cast<Number>(most);
    const Number M = Number(0.9) * mean + Number(0.1) * slope;
    const Number V = Number(0.999) * square + Number(0.001) * (slope * slope);
    mean = std::fabs(M) > low ? M : Number(0);
    square = V > low ? V : low;
    const Number next = w - rate * (mean / (std::sqrt(square) + tiny)), below = next < end ? next : end;
    w = below > -end ? below : -end;
  }
};

template <class Number>
AFTERWIT_MULTIVERSION void standardize(const float* __restrict x, const double* __restrict mean,
                                       const double* __restrict variance, std::size_t d, Number* __restrict z) {
  for (std::size_t j = 0; j < d; ++j) {
    const bool varies = variance[j] > 0.0;
    const double ratio = (x[j] - mean[j]) / std::sqrt(varies ? variance[j] : 1.0);
    const double low = ratio > -4.0 ? ratio : -4.0, cut = low < 4.0 ? low : 4.0;
    z[j] = static_cast<Number>(varies ? cut : 0.0);
  }
}

// Rows of weights whose slopes are z_j s_k.
template <class Number>
AFTERWIT_MULTIVERSION __attribute__((flatten)) void descend(const AdamStep<Number>& adam, Number* __restrict w,
                                                            Number* __restrict mean, Number* __restrict square,
                                                            std::size_t stride, const Number* __restrict z,
                                                            std::size_t rows, const Number* __restrict s) {
  const AdamStep<Number> step = adam;
  for (std::size_t j = 0; j < rows; ++j) {
    const Number at = z[j];
    const std::size_t first = j * stride;
    for (std::size_t k = 0; k < stride; ++k) step.move(w[first + k], mean[first + k], square[first + k], at * s[k]);
  }
}

// m_c = u_c0 + u_c . h, one row of U per output
template <class Number>
AFTERWIT_MULTIVERSION void outputs(const Number* __restrict U, std::size_t stride, const Number* __restrict constants,
                                   std::size_t rows, const Number* __restrict h, double* __restrict m) {
  for (std::size_t c = 0; c < rows; ++c) {
    const Number* __restrict u = U + c * stride;
    double sums[lanes] = {};
    for (std::size_t k = 0; k < stride; k += lanes)
      for (std::size_t i = 0; i < lanes; ++i) sums[i] += static_cast<double>(u[k + i]) * static_cast<double>(h[k + i]);
    m[c] = static_cast<double>(constants[c]) + add_lanes(sums);
  }
}

template <class Number>
using Line = std::vector<Number, Aligned<Number>>;

template <class Number>
bool cell_sound(Number w, Number mean, Number square) {
  return std::fabs(w) <= most && std::fabs(mean) <= 0x1p60 && square >= 0 && square <= 0x1p120;
}

template <class Number>
struct Weights {
  Line<Number> w, mean, square;  // Adam's M and V

  void grow(std::size_t n) {
    for (Line<Number>* each : {&w, &mean, &square}) each->resize(n);
  }
  // Rows of weights whose slopes are z_j s_k.
  void descend(const AdamStep<Number>& adam, std::size_t stride, const Number* z, std::size_t rows, const Number* s) {
    network::descend(adam, w.data(), mean.data(), square.data(), stride, z, rows, s);
  }

  struct Names {
    const char *w, *mean, *square;
  };
  void visit(State& state, const Names& names, const Shape& shape) {
    state.numbers(names.w, w.data(), shape);
    state.numbers(names.mean, mean.data(), shape);
    state.numbers(names.square, square.data(), shape);
  }
  bool sound(std::size_t n) const {
    for (std::size_t i = 0; i < n; ++i)
      if (!cell_sound(w[i], mean[i], square[i])) return false;
    return true;
  }
};

// The slope at an output, with its importance.
template <class Number>
Number cut_slope(double slope) {
  const double steep = std::clamp(slope, -steepest, steepest);
  return static_cast<Number>(std::fabs(steep) < flattest ? 0.0 : steep);
}

// The step of round t, one after another.
class AdamClock {
 public:
  explicit AdamClock(double rate) : rate_(rate) {}

  template <class Number>
  AdamStep<Number> next() {
    mean_power_ *= 0.9;
    square_power_ *= 0.999;
    if (mean_power_ < least) mean_power_ = 0.0;
    if (square_power_ < least) square_power_ = 0.0;
    const double root = std::sqrt(1.0 - square_power_);
    return {static_cast<Number>(std::min(rate_ * root / (1.0 - mean_power_), 1e30)), static_cast<Number>(1e-10 * root)};
  }

  void visit(State& state) {
    state.number("mean_power", mean_power_);
    state.number("square_power", square_power_);
  }
  bool sound() const {
    const auto power = [](double v) { return v >= 0.0 && v <= 1.0; };
    return power(mean_power_) && power(square_power_);
  }

 private:
  double rate_;
  double mean_power_ = 1.0, square_power_ = 1.0;  // .9^t, .999^t
};

}  // namespace network

template <class Number>
class HiddenLayer {
 public:
  static constexpr std::size_t most_units = 1024;

  HiddenLayer(std::size_t units, std::uint64_t seed)
      : units_(units),
        stride_((units + network::lanes - 1) / network::lanes * network::lanes),
        seed_(seed),
        a_(stride_),
        h_(stride_),
        s_(stride_) {
    reserve(0);
    draw(weights_.w.data(), 1, 0.5);
  }

  std::size_t units() const { return units_; }
  std::size_t stride() const { return stride_; }

  void reserve(std::size_t d) {
    const std::size_t rows = padded(d + 1);
    if (rows > z_.size()) {
      z_.resize(std::max(rows, padded(z_.size() + z_.size() / 2)));
      weights_.grow(z_.size() * stride_);
    }
    if (d <= born_ || d == drawn_) return;
    for (std::size_t j = born_; j < d; ++j)
      draw(weights_.w.data() + (j + 1) * stride_, j + 2, std::sqrt(2.0 / static_cast<double>(d)));
    drawn_ = d;
  }

  // The units' values h for a row.
  const Number* look(const DenseRow& row) {
    z_[0] = Number(1);
    network::standardize(row.x, row.mean, row.variance, row.d, z_.data() + 1);
    const std::size_t rows = padded(row.d + 1);  // a column counts from the row behind its first
    std::fill(z_.begin() + static_cast<std::ptrdiff_t>(row.known + 1), z_.begin() + static_cast<std::ptrdiff_t>(rows),
              Number(0));
    weighted_rows(weights_.w.data(), stride_, z_.data(), rows, a_.data());
    for (std::size_t k = 0; k < stride_; ++k) {
      const Number a = a_[k], leak = Number(0.01) * a;
      h_[k] = a > leak ? a : leak;
    }
    return h_.data();
  }
  const Number* h() const { return h_.data(); }

  // Room for the slopes at h, with which it learns the row that was looked at last, of d columns.
  Number* slopes() { return s_.data(); }
  void learn(const network::AdamStep<Number>& adam, std::size_t d) {
    for (std::size_t k = 0; k < stride_; ++k) s_[k] *= a_[k] > Number(0) ? Number(1) : Number(0.01);
    weights_.descend(adam, stride_, z_.data(), d + 1, s_.data());
    born_ = d;
  }

  // The weights that all units have in one place: 0 the output, 1 the constant, j + 2 column j.
  void draw(Number* w, std::size_t place, double deviation) const {
    for (std::size_t k = 0; k < units_; ++k) {
      double sum = -6.0;
      for (std::size_t i = 0; i < 12; ++i) sum += keyed_uniform(seed_, (place * most_units + k) * 12 + i);
      w[k] = static_cast<Number>(deviation * sum);
    }
  }

  void visit(State& state, std::size_t d) {
    double born = static_cast<double>(born_);
    state.number("born", born);
    possible_ = is_count(born) && born <= static_cast<double>(d);
    born_ = possible_ ? static_cast<std::size_t>(born) : 0;
    drawn_ = 0;
    const Shape weights{"unit of a column", born_ + 1, units_, stride_};
    state.expect("hidden", weights);
    reserve(born_);
    weights_.visit(state, {"hidden", "hidden_mean", "hidden_square"}, weights);
  }
  bool sound() const { return possible_ && weights_.sound((born_ + 1) * stride_); }

 private:
  static std::size_t padded(std::size_t rows) { return (rows + row_sums - 1) / row_sums * row_sums; }

  std::size_t units_, stride_;
  std::uint64_t seed_;
  std::size_t born_ = 0;   // columns that rows were learned with
  std::size_t drawn_ = 0;  // the d of which those beyond them have their draws
  bool possible_ = true;   // born_, of a state that was read
  network::Weights<Number> weights_;
  network::Line<Number> z_, a_, h_, s_;
};

}  // namespace afterwit
