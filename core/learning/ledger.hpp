// What was predicted and what came: the running totals behind a report. Row by row and in double, so that the numbers
// do not depend on how the rows were grouped.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "learning/window.hpp"
#include "losses/loss.hpp"
#include "numeric/exponential.hpp"
#include "numeric/zeros.hpp"

namespace afterwit {

struct Totals {
  double rows = 0.0;
  double weight = 0.0;
  double loss = 0.0;
  double errors = 0.0;    // by label: sign(0) = +1, or the class of the largest raw prediction
  double mistakes = 0.0;  // y m <= 0
  double log_loss = 0.0;
  double squared = 0.0;
  double signs = 1.0;  // 1 while every label was -1 or +1
};
constexpr std::size_t totals_fields = sizeof(Totals) / sizeof(double);

class Ledger {
 public:
  static constexpr std::size_t bins = 1 << 16;
  static constexpr std::size_t piece = 64;  // rows whose losses are computed together

  Ledger(AnyLoss loss, bool classes, std::size_t window = 0)
      : loss_(std::move(loss)),
        classes_(classes),
        window_(window),
        positive_(classes ? 0 : bins),
        negative_(classes ? 0 : bins) {}

  void add(std::span<const double> raw, std::size_t width, std::span<const double> y, std::span<const double> weights) {
    double losses[piece];
    for (std::size_t r = 0; r < y.size(); ++r) {
      const double h = weights.empty() ? 1.0 : weights[r];
      if (!classes_ && r % piece == 0)
        loss_->values(raw.data() + r, y.data() + r, std::min(piece, y.size() - r), losses);
      window_.add(classes_ ? add_code(raw.data() + r * width, width, static_cast<std::size_t>(y[r]), h)
                           : add_value(raw[r], y[r], h, losses[r % piece]));
      totals_.rows += 1.0;
      totals_.weight += h;
      if (std::has_single_bit(static_cast<std::uint64_t>(totals_.rows))) {
        curve_.push_back(totals_);
        if (window_.size() > 0) window_curve_.push_back(window_.sums());
      }
    }
  }

  // The area under the ROC curve, and by how much the true one may differ because margins share a bin.
  void auc(double* area, double* error) const {
    double below = 0.0, pairs = 0.0, ties = 0.0, positives = 0.0, negatives = 0.0;
    for (std::size_t b = 0; b < positive_.size(); ++b) {
      pairs += positive_[b] * below;
      ties += positive_[b] * negative_[b];
      below += negative_[b];
      positives += positive_[b];
      negatives += negative_[b];
    }
    *area = (pairs + 0.5 * ties) / (positives * negatives);
    *error = 0.5 * ties / (positives * negatives);
  }

  Totals& totals() { return totals_; }
  std::vector<Totals>& curve() { return curve_; }
  // One entry per point of the curve, where there is a window.
  std::vector<Outcome>& window_curve() { return window_curve_; }
  Window& window() { return window_; }
  Zeros<double>& positive() { return positive_; }
  Zeros<double>& negative() { return negative_; }

 private:
  Outcome add_value(double p, double y, double h, double loss) {
    Outcome row{h, h * loss, 0.0};
    totals_.loss += row.loss;
    totals_.squared += h * (p - y) * (p - y);
    if (y != 1.0 && y != -1.0) totals_.signs = 0.0;
    if (totals_.signs == 0.0) return row;
    row.errors = (p >= 0.0) == (y > 0.0) ? 0.0 : h;
    totals_.errors += row.errors;
    totals_.mistakes += y * p <= 0.0 ? h : 0.0;
    if (log_loss_) totals_.log_loss += row.loss;
    (y > 0.0 ? positive_ : negative_)[bin(p)] += h;
    return row;
  }

  // Classes not met yet have the raw prediction -infinity. Probabilities are the sigmoids, normalised; log loss counts
  // a class that was given none as 1e-15.
  Outcome add_code(const double* raw, std::size_t width, std::size_t code, double h) {
    std::size_t best = width;
    double sum = 0.0, own = 0.0;
    Outcome row{h, 0.0, 0.0};
    targets_.assign(width, -1.0);
    if (code < width) targets_[code] = 1.0;
    losses_.resize(width);
    loss_->values(raw, targets_.data(), width, losses_.data());
    for (std::size_t k = 0; k < width; ++k) {
      if (std::isinf(raw[k]) && raw[k] < 0.0) continue;
      if (best == width || raw[k] > raw[best]) best = k;
      const double loss = h * losses_[k];
      totals_.loss += loss;
      row.loss += loss;
      if (!log_loss_) continue;
      const double p = 1.0 / (1.0 + exp(-raw[k]));
      sum += p;
      if (k == code) own = p;
    }
    row.errors = best == code ? 0.0 : h;
    totals_.errors += row.errors;
    if (log_loss_) {
      const double p = sum > 0.0 ? own / sum : 0.0;
      totals_.log_loss -= h * log(p < 1e-15 ? 1e-15 : p);
    }
    return row;
  }

  // The upper half of the margin as a float, in the order of the reals: 128 bins per factor of two, either sign.
  static std::size_t bin(double margin) {
    const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(margin + 0.0));
    return ((bits & 0x80000000u) != 0 ? ~bits : bits | 0x80000000u) >> 16;
  }

  AnyLoss loss_;
  bool log_loss_ = loss_->is_log_loss();  // asked once: it is needed in every row
  bool classes_;
  std::vector<double> targets_, losses_;  // of the classes of a row
  Totals totals_;
  std::vector<Totals> curve_;
  Window window_;
  std::vector<Outcome> window_curve_;
  Zeros<double> positive_, negative_;
};

}  // namespace afterwit
