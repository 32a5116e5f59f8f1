// The Perceptron on points that are visited in their order, pass after pass, until one pass has no mistake.
//
//   if y_i w . x_i <= 0:  w += y_i x_i,   w = 0 at first
//
// Where a w of length 1 has margins of gamma or more, it makes at most (r/gamma)^2 mistakes, r the length of the
// longest point; and after M of them gamma is at most |w|/M, as w is a sum of M points. Few points are not visited one
// by one: a mistake changes all their margins by a row of the matrix z_i . z_j, and a visit looks at a number.
// Operations are counted as if they were visited. Source: Sharan lecture 19, Theorem 4, Eq. (2); errata 3, 48.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <utility>

#include "games/points.hpp"
#include "numeric/multiversion.hpp"

namespace afterwit {

class CyclicPerceptron {
 public:
  using Doubles = Points::Doubles;
  static constexpr std::size_t few = 64;

  explicit CyclicPerceptron(std::shared_ptr<const Points> points)
      : points_(std::move(points)), w_(points_->width()), padded_((points_->size() + 7) / 8 * 8) {
    const std::size_t n = points_->size();
    if (n > few) return;
    products_.resize(n * padded_), margins_.resize(padded_), count_.resize(n);
    Doubles z(points_->width());
    for (std::size_t i = 0; i < n; ++i) {
      std::fill(z.begin(), z.end(), 0.0);
      points_->add(i, 1.0, z.data());
      for (std::size_t j = 0; j < n; ++j) products_[i * padded_ + j] = points_->dot(j, z.data());
    }
  }

  // Until it would make more than so many mistakes, about so many numbers were touched, or a pass has no mistake; false
  // in the first case.
  bool advance(std::uint64_t most, std::uint64_t numbers) {
    return products_.empty() ? visit(most, numbers) : look(most, numbers);
  }

  std::uint64_t rounds = 0;  // mistakes
  std::uint64_t visits = 0;
  bool separates = false;

  double operations() const { return static_cast<double>(visits) + static_cast<double>(rounds); }

  Doubles last() const {
    if (products_.empty()) return w_;
    Doubles w(points_->width());
    for (std::size_t i = 0; i < count_.size(); ++i) points_->add(i, count_[i], w.data());
    return w;
  }

  double margin_at_most() const {
    const Doubles w = last();
    return rounds == 0 ? points_->longest()
                       : std::sqrt(Points::square(w.data(), w.size())) / static_cast<double>(rounds);
  }

 private:
  AFTERWIT_MULTIVERSION __attribute__((flatten)) bool visit(std::uint64_t most, std::uint64_t numbers) {
    for (std::uint64_t touched = 0; !separates && touched < numbers;) {
      const bool mistaken = points_->dot(at_, w_.data()) <= 0.0;
      if (mistaken && rounds >= most) return false;
      touched += points_->nonzeros(at_) + 1;
      if (mistaken) points_->add(at_, 1.0, w_.data()), ++rounds;
      visited(mistaken);
    }
    return true;
  }

  AFTERWIT_MULTIVERSION __attribute__((flatten)) bool look(std::uint64_t most, std::uint64_t numbers) {
    const std::size_t n = points_->size();
    double* __restrict margins = margins_.data();
    for (std::uint64_t touched = 0; !separates && touched < numbers; ++touched) {
      // To the next mistake, or once around.
      std::size_t i = at_;
      const std::size_t rest = n - clean_;
      std::size_t looked = 0;
      while (looked < rest && margins[i] > 0.0) ++looked, i = i + 1 == n ? 0 : i + 1;
      visits += looked, clean_ += looked, at_ = i, touched += looked;
      if (clean_ == n) {
        confirm();
        continue;
      }
      if (rounds >= most) return false;
      const double* __restrict row = products_.data() + i * padded_;
      for (std::size_t j = 0; j < padded_; ++j) margins[j] += row[j];
      count_[i] += 1.0, ++rounds;
      visited(true);
    }
    return true;
  }

  void visited(bool mistaken) {
    ++visits;
    clean_ = mistaken ? 0 : clean_ + 1;
    at_ = at_ + 1 == points_->size() ? 0 : at_ + 1;
    if (clean_ == points_->size()) finish();
  }

  // The pass that the last of them is in goes on to its end, as no point has a mistake.
  void finish() {
    const std::uint64_t n = points_->size();
    visits = (visits + n - 1) / n * n;
    separates = true;
  }

  // Margins that were added up may be off; if so, they are taken from w, and all points are looked at again.
  void confirm() {
    const Doubles w = last();
    const Doubles exact = points_->margins(w.data());
    if (*std::min_element(exact.begin(), exact.end()) > 0.0) return finish();
    std::copy(exact.begin(), exact.end(), margins_.begin());
    clean_ = 0;
  }

  std::shared_ptr<const Points> points_;
  Doubles w_;
  std::size_t padded_, at_ = 0, clean_ = 0;  // visits without a mistake since the last one
  Doubles products_, margins_, count_;       // of few points: z_i . z_j, w . z_i, and how often each was added
};

}  // namespace afterwit
