// What a fixed linear predictor u would have lost on rows that are read again:
//   f(u) = sum_t h_t loss(u . x_t, y_t),   f'(u) = sum_t h_t loss'(u . x_t, y_t) x_t,
//   f''(u) = sum_t h_t loss''(u . x_t, y_t) x_t x_t'
// u has an entry for every feature that was met, in the order of their first appearance, so that memory and work grow
// with these and not with the table. A first pass, `trace`, lets a fresh learner learn the rows, meets the features,
// and notes what the theorems ask for: how long rows and gradients were, and where the weights went.
//
// Optimisers want smooth losses. A loss with a kink is the larger of low z and high z (losses/loss.hpp); rounded it is
// low z + width ln(1 + e^((high - low) z/width)), which is above it by at most width ln 2.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "learners/model.hpp"
#include "losses/loss.hpp"
#include "numeric/exponential.hpp"

namespace afterwit {

struct Curve {
  double value, derivative, curvature;
};

inline Curve rounded_kink(const Loss::Kink& at, double width) {
  const double span = at.high - at.low, x = span * at.z / width, e = exp(-std::fabs(x));
  const double part = (x > 0.0 ? 1.0 : e) / (1.0 + e);
  return {at.low * at.z + width * (std::max(x, 0.0) + log1p(e)), at.dz * (at.low + span * part),
          span * span / width * (e / ((1.0 + e) * (1.0 + e)))};
}

// The loss and its derivatives in p; width 0 rounds nothing, and then a kink has no curvature.
inline Curve rounded(const Loss& loss, double p, double y, double width) {
  if (width > 0.0)
    if (const auto kink = loss.kink(p, y)) return rounded_kink(*kink, width);
  return {loss.value(p, y), loss.derivative(p, y), loss.curvature(p, y)};
}

class Hindsight {
 public:
  explicit Hindsight(AnyLoss loss) : loss_(std::move(loss)) {}

  // Lets the one learner of a model learn the rows, as Model::learn does, and takes notes. raw has one entry per row.
  void trace(Model& model, const RowsView& rows, std::span<const double> y, std::span<const double> weights,
             double* raw) {
    model.check(rows, y, weights, 0);
    for (std::size_t r = 0; r < rows.size(); ++r) {
      RowsView one = rows;
      one.starts = rows.starts.subspan(r, 2);
      const double h = weights.empty() ? 1.0 : weights[r];
      model.learn_checked(one, y.subspan(r, 1), {&h, 1}, 0, raw + r);
      if (h == 0.0) continue;
      const Row row = model.seen(one, 0);
      const double c = h * loss_->derivative(raw[r], model.head().label(y[r]));
      double square = 0.0;
      for (std::size_t i = 0; i < row.size; ++i) {
        const std::size_t j = place(row.slots[i]);
        const double x = row.x[i], w = model.learners().weight(row.slots[i], 0);
        square += x * x;
        sums[j] += h * x;
        squares[j] += h * (x * x);
        gradient_squares[j] += (c * x) * (c * x);
        low[j] = std::min(low[j], w);
        high[j] = std::max(high[j], w);
      }
      ++rounds;
      all_one = all_one && h == 1.0;
      reach = std::max(reach, std::sqrt(square));
      gradient = std::max(gradient, std::fabs(c) * std::sqrt(square));
    }
  }

  // Adds f(u), rounded f(u), the gradient of the latter and, unless it is null, its Hessian, rows of u.size(); features
  // that `trace` has not met are left out.
  void add(Model& model, const RowsView& rows, std::span<const double> y, std::span<const double> weights, double width,
           std::span<const double> u, double* totals, std::span<double> gradient_of_u, double* hessian) const {
    std::vector<std::size_t> places;
    std::vector<double> x;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const double h = weights.empty() ? 1.0 : weights[r];
      if (h == 0.0) continue;
      const Row row = model.seen(rows, r);
      places.clear(), x.clear();
      double p = 0.0;
      for (std::size_t i = 0; i < row.size; ++i)
        if (const std::size_t j = found(row.slots[i]); j < u.size()) {
          places.push_back(j), x.push_back(static_cast<double>(row.x[i]));
          p += u[j] * x.back();
        }
      const double label = model.head().label(y[r]);
      const Curve at = rounded(*loss_, p, label, width);
      totals[0] += h * loss_->value(p, label);
      totals[1] += h * at.value;
      const double c = h * at.derivative;
      if (c != 0.0)
        for (std::size_t i = 0; i < x.size(); ++i) gradient_of_u[places[i]] += c * x[i];
      if (!hessian) continue;
      const double curved = h * at.curvature;
      for (std::size_t i = 0; i < x.size(); ++i)
        for (std::size_t k = 0; k < x.size(); ++k) hessian[places[i] * u.size() + places[k]] += curved * x[i] * x[k];
    }
  }

  // For every feature, in the order of appearance: its slot, sum_t h_t x_t, sum_t h_t x_t^2, the sum of its squared
  // gradients, and the least and largest weight that the learner gave it, the 0 of the beginning included.
  std::vector<std::uint32_t> slots;
  std::vector<double> sums, squares, gradient_squares, low, high;
  double rounds = 0.0;    // rows of weight above 0
  double reach = 0.0;     // the largest |x|
  double gradient = 0.0;  // the largest |h loss' x|
  bool all_one = true;    // no row had another weight than 0 or 1

 private:
  std::size_t found(std::uint32_t slot) const {
    return slot < places_.size() && places_[slot] != 0 ? places_[slot] - 1 : slots.max_size();
  }

  std::size_t place(std::uint32_t slot) {
    if (slot >= places_.size()) places_.resize(std::max<std::size_t>(slot + 1, 2 * places_.size()));
    if (places_[slot] == 0) {
      slots.push_back(slot);
      places_[slot] = static_cast<std::uint32_t>(slots.size());
      for (auto* column : {&sums, &squares, &gradient_squares, &low, &high}) column->push_back(0.0);
    }
    return places_[slot] - 1;
  }

  AnyLoss loss_;
  std::vector<std::uint32_t> places_;  // of a slot, counted from 1; 0 is a slot that was not met
};

}  // namespace afterwit
