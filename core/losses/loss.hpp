// Any of the losses, chosen at run time. Each has
//   value(p, y)                 the loss of predicting p,
//   derivative(p, y)            its (sub)derivative in p,
//   invariant(p, y, step, a)    u >= 0 or <= 0 such that moving the weights by u along a direction in which the
//                               prediction grows at rate a equals infinitely many gradient steps of total size `step`
//                               (Karampatziakis and Langford 2011): p(tau)' = -a loss'(p), u = (p(step) - p)/a.
#pragma once

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
  double derivative(double p, double y) const {
    return std::visit([&](const auto& l) { return l.derivative(p, y); }, any);
  }
  double invariant(double p, double y, double step, double a) const {
    return std::visit([&](const auto& l) { return l.invariant(p, y, step, a); }, any);
  }
  bool is_squared() const { return std::holds_alternative<Squared>(any); }
  bool is_logistic() const { return std::holds_alternative<Logistic>(any); }
};

}  // namespace afterwit
