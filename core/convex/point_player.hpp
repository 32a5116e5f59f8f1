// Rounds of any rule that plays a point of a convex domain, and then sees the gradient of a loss there.
//
// A Rule is a struct that can be copied, with the point w (padded with 0 to a multiple of 16) and
//   vectors(), numbers()   what it keeps, by name: per coordinate, and beside
//   begin(domain)          the first point
//   learn(domain, g, c)    one round, and the next point; c is the curvature that was told
//   find(domain)           the point, from the state, after others were put there
//   unbounded(domain, g, c), where it has one: whether after this round there is no next point
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <utility>

#include "convex/domain.hpp"
#include "numeric/aligned.hpp"
#include "numeric/lanes.hpp"
#include "numeric/multiversion.hpp"
#include "numeric/state.hpp"

namespace afterwit {

// Beyond this a gradient might have no square.
constexpr double largest_gradient = 1e60;

// The first round of a call that is wrong, if one is.
struct BadRound {
  enum class What { none, gradient, unbounded };
  What what = What::none;
  std::size_t row = 0, column = 0;
  double value = 0.0;

  explicit operator bool() const { return what != What::none; }
};

// Row after row: the gradients at the points that are played, or, if they are losses, the v of v . w + (c/2) |w|^2.
struct Slopes {
  const double* v;
  std::size_t rows;
  double c;
  bool losses;
};

class PointPlayer {
 public:
  virtual ~PointPlayer() = default;
  virtual std::unique_ptr<PointPlayer> clone() const = 0;
  virtual std::size_t size() const = 0;
  virtual const double* point() const = 0;
  // A wrong round, and those after it, are not played. Where not null: the losses, the points.
  virtual BadRound run(const Slopes& slopes, double* loss, double* points) = 0;
  virtual void visit(State& state) = 0;
  // After a visitor has put others in their place; false if there can be no such state.
  virtual bool refresh() = 0;
};

template <class Rule, class D>
class PointPlayerOf final : public PointPlayer {
 public:
  PointPlayerOf(Rule rule, D domain) : rule_(std::move(rule)), domain_(std::move(domain)), g_(padded(domain_.d)) {
    rule_.begin(domain_);
  }

  std::unique_ptr<PointPlayer> clone() const override { return std::make_unique<PointPlayerOf>(*this); }
  std::size_t size() const override { return domain_.d; }
  const double* point() const override { return rule_.w.data(); }
  BadRound run(const Slopes& slopes, double* loss, double* points) override { return rounds(slopes, loss, points); }

  void visit(State& state) override {
    for (auto [name, value] : rule_.numbers()) state.number(name, value);
    for (auto [name, v] : rule_.vectors()) state.numbers(name, v.data(), {"coordinate", 1, domain_.d, v.size()});
  }

  bool refresh() override {
    rule_.find(domain_);
    return domain_.holds(rule_.w.data());
  }

 private:
  // All of it in one piece, so that it is compiled for the CPU as a whole.
  AFTERWIT_MULTIVERSION __attribute__((flatten)) BadRound rounds(const Slopes& slopes, double* loss, double* points) {
    const std::size_t d = domain_.d;
    for (std::size_t r = 0; r < slopes.rows; ++r) {
      if (points) std::copy_n(rule_.w.data(), d, points + r * d);
      BadRound fault = round(slopes.v + r * d, slopes, loss ? loss + r : nullptr);
      if (fault) {
        fault.row = r;
        return fault;
      }
    }
    return {};
  }

  BadRound round(const double* v, const Slopes& slopes, double* loss) {
    const std::size_t d = domain_.d;
    const double *w = rule_.w.data(), bend = slopes.losses ? slopes.c : 0.0;
    std::copy_n(v, d, g_.begin());
    const double linear = loss ? dot(g_.data(), w, d) : 0.0;
    if (bend != 0.0)
      for (std::size_t i = 0; i < d; ++i) g_[i] += bend * w[i];
    bool good = true;
    for (std::size_t i = 0; i < d; ++i)
      good &= (std::fabs(v[i]) <= largest_gradient) & (std::fabs(g_[i]) <= largest_gradient);
    if (!good) return wrong(v);
    if constexpr (requires { rule_.unbounded(domain_, v, bend); })
      if (rule_.unbounded(domain_, g_.data(), slopes.c)) return {BadRound::What::unbounded};
    if (loss) {
      double square = 0.0;
      if (bend != 0.0)
        for (std::size_t i = 0; i < d; ++i) square += (bend * w[i]) * w[i];
      *loss = linear + 0.5 * square;
    }
    rule_.learn(domain_, g_.data(), slopes.c);
    return {};
  }

  BadRound wrong(const double* v) const {
    for (std::size_t i = 0; i < domain_.d; ++i)
      for (double found : {v[i], g_[i]})
        if (!(std::fabs(found) <= largest_gradient)) return {BadRound::What::gradient, 0, i, found};
    return {};
  }

  Rule rule_;
  D domain_;
  Doubles g_;  // padded with 0
};

}  // namespace afterwit
