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

#include "learning/baseline.hpp"
#include "learning/confusion.hpp"
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
  double absolute = 0.0;
  // Of the baseline: its loss is the learner's, of the mean so far, or log loss where the learner has that.
  double baseline_loss = 0.0;
  double baseline_errors = 0.0;
  double baseline_squared = 0.0;
  double baseline_absolute = 0.0;
};
constexpr std::size_t totals_fields = sizeof(Totals) / sizeof(double), old_totals_fields = 8;

// Which classes of the ledger the columns of raw predictions and the labels are of, where they are not numbered alike.
struct ClassCodes {
  std::span<const double> columns, labels;

  std::size_t of_column(std::size_t k) const { return columns.empty() ? k : static_cast<std::size_t>(columns[k]); }
  std::size_t of_label(std::size_t r, std::size_t code) const {
    return labels.empty() ? code : static_cast<std::size_t>(labels[r]);
  }
};

class Ledger {
 public:
  static constexpr std::size_t bins = 1 << 16;
  static constexpr std::size_t piece = 64;  // rows whose losses are computed together
  static constexpr std::uint64_t most_points = 200;

  Ledger(AnyLoss loss, bool classes, std::size_t window = 0, bool confusion = false)
      : loss_(std::move(loss)),
        classes_(classes),
        confusion_(confusion && classes),
        window_(window),
        positive_(classes ? 0 : bins),
        negative_(classes ? 0 : bins) {}

  void add(std::span<const double> raw, std::size_t width, std::span<const double> y, std::span<const double> weights,
           const ClassCodes& codes = {}) {
    for (std::size_t r = 0; r < y.size(); ++r) {
      const double h = weights.empty() ? 1.0 : weights[r];
      if (!classes_ && r % piece == 0)
        look(raw.data() + r, y.data() + r, weights.empty() ? nullptr : weights.data() + r,
             std::min(piece, y.size() - r));
      window_.add(classes_ ? add_code(raw.data() + r * width, width, static_cast<std::size_t>(y[r]), h, codes, r)
                           : add_value(raw[r], y[r], h, looked_[r % piece]));
      totals_.rows += 1.0;
      totals_.weight += h;
      keep_point(static_cast<std::uint64_t>(totals_.rows));
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

  const Totals& totals() const { return totals_; }
  void set_totals(const Totals& totals) {
    totals_ = totals;
    stride_ = 1;
    while (totals_.rows > static_cast<double>(most_points * stride_)) stride_ *= 2;
  }
  // After every power of two and every `stride` rows: a stride is a power of two, and doubles where it would make more
  // than `most_points`.
  std::vector<Totals>& curve() { return curve_; }
  // One entry per point of the curve, where there is a window.
  std::vector<Outcome>& window_curve() { return window_curve_; }
  Window& window() { return window_; }
  RunningMean& mean() { return mean_; }
  Cells& cells() { return cells_; }
  Tallies& tallies() { return tallies_; }
  Confusion& confusion() { return confusion_; }
  Zeros<double>& positive() { return positive_; }
  Zeros<double>& negative() { return negative_; }

 private:
  struct Looked {
    double loss, mean, baseline_loss;  // the learner's; the mean of the labels before, where there is no log loss
  };

  // What can be found out about some rows together.
  void look(const double* p, const double* y, const double* h, std::size_t n) {
    double losses[piece], means[piece] = {}, baseline[piece];
    loss_->values(p, y, n, losses);
    if (log_loss_) {
      double own[piece], all[piece];
      Cells cells = cells_;
      for (std::size_t r = 0; r < n; ++r) {
        own[r] = cells.of(y[r] > 0.0), all[r] = cells.all();
        cells.add(y[r] > 0.0, p[r] >= 0.0, h == nullptr ? 1.0 : h[r]);
      }
      log_losses(own, all, n, baseline);
    } else {
      double W = totals_.weight;
      for (std::size_t r = 0; r < n; ++r) {
        means[r] = mean_.mean();
        mean_.add(y[r], h == nullptr ? 1.0 : h[r], W);
        W += h == nullptr ? 1.0 : h[r];
      }
      loss_->values(means, y, n, baseline);
    }
    for (std::size_t r = 0; r < n; ++r) looked_[r] = {losses[r], means[r], baseline[r]};
  }

  Outcome add_value(double p, double y, double h, const Looked& at) {
    Outcome row{.weight = h, .loss = h * at.loss};
    totals_.loss += row.loss;
    totals_.squared += h * (p - y) * (p - y);
    totals_.absolute += h * std::fabs(p - y);
    if (!log_loss_) {
      totals_.baseline_squared += h * (at.mean - y) * (at.mean - y);
      totals_.baseline_absolute += h * std::fabs(at.mean - y);
    }
    if (y != 1.0 && y != -1.0) totals_.signs = 0.0;
    const bool came = y > 0.0, said = p >= 0.0, signs = totals_.signs != 0.0;
    row.baseline_loss = h * at.baseline_loss;
    totals_.baseline_loss += row.baseline_loss;
    if (!signs) return row;
    row.errors = said == came ? 0.0 : h;
    row.baseline_errors = cells_.usual() == came ? 0.0 : h;
    totals_.errors += row.errors;
    totals_.baseline_errors += row.baseline_errors;
    totals_.mistakes += y * p <= 0.0 ? h : 0.0;
    if (log_loss_) totals_.log_loss += row.loss;
    (came ? positive_ : negative_)[bin(p)] += h;
    cells_.add(came, said, h);
    return row;
  }

  // Classes not met yet have the raw prediction -infinity. Probabilities are the sigmoids, normalised; log loss counts
  // a class that was given none as 1e-15.
  Outcome add_code(const double* raw, std::size_t width, std::size_t code, double h, const ClassCodes& codes,
                   std::size_t r) {
    std::size_t best = width;
    double sum = 0.0, own = 0.0;
    Outcome row{.weight = h};
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
    row.errors = best == code && best < width ? 0.0 : h;  // a stranger is none that was predicted
    totals_.errors += row.errors;
    if (log_loss_) {
      const double p = sum > 0.0 ? own / sum : 0.0;
      totals_.log_loss -= h * log(p < 1e-15 ? 1e-15 : p);
    }
    const std::size_t came = codes.of_label(r, code), said = best == width ? Tallies::nobody : codes.of_column(best);
    row.baseline_errors = tallies_.usual() == came ? 0.0 : h;
    if (log_loss_) row.baseline_loss = h * tallies_.log_loss(came, totals_.weight);
    totals_.baseline_errors += row.baseline_errors;
    totals_.baseline_loss += row.baseline_loss;
    tallies_.add(came, said, h);
    confusion_.add(came, said, h);
    return row;
  }

  void keep_point(std::uint64_t rows) {
    if (rows > most_points * stride_) widen_stride();
    if (rows % stride_ != 0) return;  // rows > stride: a power of two goes through
    curve_.push_back(totals_);
    if (window_.size() > 0) window_curve_.push_back(window_.sums());
  }

  void widen_stride() {
    stride_ *= 2;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < curve_.size(); ++i) {
      const auto rows = static_cast<std::uint64_t>(curve_[i].rows);
      if (rows % stride_ != 0 && !std::has_single_bit(rows)) continue;
      curve_[kept] = curve_[i];
      if (window_.size() > 0) window_curve_[kept] = window_curve_[i];
      ++kept;
    }
    curve_.resize(kept);
    if (window_.size() > 0) window_curve_.resize(kept);
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
  Looked looked_[piece];
  Totals totals_;
  RunningMean mean_;
  Cells cells_;
  Tallies tallies_;
  Confusion confusion_;
  std::uint64_t stride_ = 1;
  std::vector<Totals> curve_;
  Window window_;
  std::vector<Outcome> window_curve_;
  Zeros<double> positive_, negative_;
};

}  // namespace afterwit
