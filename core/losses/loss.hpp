// Any of the losses, chosen at run time. Each has
//   value(p, y)                 the loss of predicting p,
//   derivative(p, y)            its (sub)derivative in p,
//   invariant(p, y, step, a)    u >= 0 or <= 0 such that moving the weights by u along a direction in which the
//                               prediction grows at rate a equals infinitely many gradient steps of total size `step`
//                               (Karampatziakis, Langford 2011): p(tau)' = -a loss'(p), u = (p(step) - p)/a.
#pragma once

#include <cstddef>
#include <variant>

#include "losses/absolute.hpp"
#include "losses/hinge.hpp"
#include "losses/logistic.hpp"
#include "losses/quantile.hpp"
#include "losses/squared.hpp"

namespace afterwit {

using AnyLoss = std::variant<Squared, Logistic, Hinge, Absolute, Quantile>;

struct Loss {
  AnyLoss any;

  double value(double p, double y) const {
    return std::visit([&](const auto& l) { return l.value(p, y); }, any);
  }
  // The same for n rows.
  void values(const double* p, const double* y, std::size_t n, double* out) const {
    std::visit(
        [&](const auto& l) {
          if constexpr (requires { l.values(p, y, n, out); })
            l.values(p, y, n, out);
          else
            for (std::size_t i = 0; i < n; ++i) out[i] = l.value(p[i], y[i]);
        },
        any);
  }
  double derivative(double p, double y) const {
    return std::visit([&](const auto& l) { return l.derivative(p, y); }, any);
  }
  // The derivative now, and what `invariant` needs of it later.
  using Point = Logistic::Point;
  double derivative(double p, double y, Point& at) const {
    if (const auto* logistic = std::get_if<Logistic>(&any)) return logistic->derivative_at(at = logistic->at(p, y));
    at = {p, y, 0.0};
    return derivative(p, y);
  }
  double invariant(const Point& at, double step, double a) const {
    if (const auto* logistic = std::get_if<Logistic>(&any)) return logistic->invariant_at(at, step, a);
    return std::visit([&](const auto& l) { return l.invariant(at.p, at.y, step, a); }, any);
  }
  bool is_squared() const { return std::holds_alternative<Squared>(any); }
  bool is_logistic() const { return std::holds_alternative<Logistic>(any); }
};

}  // namespace afterwit
