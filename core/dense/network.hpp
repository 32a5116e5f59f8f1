// A network with one hidden layer of leaky units, trained by Adam (Kingma, Ba 2015, algorithm 1) row by row.
//   z_0 = 1,   z_j = (x_j - mean_j)/sd_j cut to +-4, 0 where sd_j = 0 and in the first row that has it
//   a_k = sum_j W_kj z_j,   h_k = max(a_k, a_k/100),   m = u_0 + sum_k u_k h_k
//   of every weight w with slope s:   M = .9 M + .1 s,   V = .999 V + .001 s^2
//   w -= rate (M/(1 - .9^t))/(sqrt(V/(1 - .999^t)) + 1e-10)
// m is the margin, and g = sigma(m) - [y = 1] the slope at it; or for numbers the prediction is c + r m, with c the
// mean and r the range of the labels before, and g = 4 (m - (y - c)/r), with this row's label in r. All slopes are
// those at the weights before the row; importance multiplies them, and a constant one is hardly noticed: Adam divides
// by it. The constants z_0 and u_0 are the network's own, with or without an intercept. The form is not published.
//
// At first u_k is normal with variance .09/K for K units, u_0 = 0; dense/hidden_layer.hpp has the draws of W, the steps
// and the limits.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "dense/columns.hpp"
#include "dense/hidden_layer.hpp"
#include "numeric/exponential.hpp"
#include "numeric/state.hpp"

namespace afterwit {

template <class Number>
class NetworkOf {
 public:
  static constexpr bool moments = true;

  NetworkOf(std::size_t hidden, double rate, std::uint64_t seed, bool numbers)
      : layer_(hidden, seed), clock_(rate), numbers_(numbers) {
    output_.grow(layer_.stride());
    layer_.draw(output_.w.data(), 0, std::sqrt(0.09 / static_cast<double>(hidden)));
  }

  void reserve(std::size_t d) { layer_.reserve(d); }

  double predict(const DenseRow& row, const Targets& targets) {
    network::outputs(output_.w.data(), layer_.stride(), constant_, 1, layer_.look(row), &m_);
    if (!numbers_) return m_;
    return targets.rounds == 0.0 ? 0.0 : targets.mean + targets.range() * m_;
  }

  // Of numbers that were all equal there is nothing to learn but their mean.
  void learn(const DenseRow& row, const Targets& before, const Targets& after, double y, double h) {
    if (numbers_ && !(after.range() > 0.0)) return;
    const double g = numbers_ ? 4.0 * (m_ - (y - before.mean) / after.range()) : logistic_slope(y);
    const auto slope = network::cut_slope<Number>(h * g);
    const auto adam = clock_.next<Number>();
    for (std::size_t k = 0; k < layer_.stride(); ++k) layer_.slopes()[k] = slope * output_.w[k];
    layer_.learn(adam, row.d);
    output_.descend(adam, layer_.stride(), &slope, 1, layer_.h());
    adam.move(constant_[0], constant_[1], constant_[2], slope);
  }

  void visit(State& state, std::size_t d) {
    clock_.visit(state);
    state.numbers("constant", constant_, {"weight and its moments", 3, 1, 1});
    output_.visit(state, {"output", "output_mean", "output_square"}, {"unit", layer_.units(), 1, 1});
    layer_.visit(state, d);
  }
  bool sound() const {
    return clock_.sound() && network::cell_sound(constant_[0], constant_[1], constant_[2]) &&
           output_.sound(layer_.stride()) && layer_.sound();
  }

 private:
  double logistic_slope(double y) const {
    const double against = -y * std::clamp(m_, -50.0, 50.0), e = afterwit::exp(-std::fabs(against));
    return -y * ((against >= 0.0 ? 1.0 : e) / (1.0 + e));
  }

  HiddenLayer<Number> layer_;
  network::AdamClock clock_;
  bool numbers_;
  network::Weights<Number> output_;
  Number constant_[3] = {};  // u_0 and its moments
  double m_ = 0.0;           // of the row that was looked at last
};

using Network = NetworkOf<float>;

}  // namespace afterwit
