// What every loss is. A new one is a class of its own in core/losses/NAME.hpp, and no list names it.
//   value(p, y)                 the loss of predicting p,
//   derivative(p, y)            its (sub)derivative in p,
//   invariant(at, step, a)      u >= 0 or <= 0 such that moving the weights by u along a direction in which the
//                               prediction grows at rate a equals infinitely many gradient steps of total size `step`
//                               (Karampatziakis, Langford 2011): p(tau)' = -a loss'(p), u = (p(step) - p)/a.
#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <optional>

namespace afterwit {

class Loss {
 public:
  // A prediction and its label, with what `derivative` has found out and `invariant` can use.
  struct Point {
    double p, y, e;
  };
  // A loss with a kink is the larger of low z and high z, z linear in p with the slope dz.
  struct Kink {
    double z, dz, low, high;
  };
  // Where a scale-free update clips its predictions: to a range, or to that of 0 and the labels seen.
  struct Clip {
    double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
    bool to_labels = false;
  };

  virtual ~Loss() = default;

  virtual double value(double p, double y) const = 0;
  // The same for n rows.
  virtual void values(const double* p, const double* y, std::size_t n, double* out) const = 0;
  virtual double derivative(double p, double y) const = 0;
  // The derivative now, and what `invariant` needs of it later.
  virtual double derivative(double p, double y, Point& at) const = 0;
  virtual double invariant(const Point& at, double step, double a) const = 0;
  // The second derivative; 0 where there is none.
  virtual double curvature(double, double) const { return 0.0; }
  virtual std::optional<Kink> kink(double, double) const { return std::nullopt; }
  // Whether it is -ln of the probability 1/(1 + e^(-y p)) of the label.
  virtual bool is_log_loss() const { return false; }

  double clipped(double p, double lowest, double highest) const {
    const double low = clip_.to_labels ? lowest : clip_.low, high = clip_.to_labels ? highest : clip_.high;
    return p < low ? low : p > high ? high : p;
  }
  // Whether a scale-free update takes a gradient of this size for none.
  bool is_negligible(double slope) const { return slope <= negligible_; }

 protected:
  Loss() = default;
  Loss(Clip clip, double negligible) : clip_(clip), negligible_(negligible) {}

 private:
  Clip clip_;
  double negligible_ = 0.0;
};

// What follows from `value` and `derivative` of a loss L, which are known here: no virtual call for each row.
template <class L>
class LossOf : public Loss {
 public:
  void values(const double* p, const double* y, std::size_t n, double* out) const override {
    for (std::size_t i = 0; i < n; ++i) out[i] = own().value(p[i], y[i]);
  }
  double derivative(double p, double y, Point& at) const override {
    at = {p, y, 0.0};
    return own().derivative(p, y);
  }

 protected:
  using Loss::Loss;

 private:
  const L& own() const { return static_cast<const L&>(*this); }
};

// Any of the losses, chosen at run time; who holds it may copy it at will, for it never changes.
using AnyLoss = std::shared_ptr<const Loss>;

}  // namespace afterwit
