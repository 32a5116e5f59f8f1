// The last rows of a ledger. Sums are taken anew when they are asked for, oldest row first, so that they neither drift
// nor depend on how the rows were grouped.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace afterwit {

struct Outcome {
  double weight = 0.0;
  double loss = 0.0;    // weighted
  double errors = 0.0;  // weighted
  double baseline_loss = 0.0;
  double baseline_errors = 0.0;
};
constexpr std::size_t outcome_fields = sizeof(Outcome) / sizeof(double), old_outcome_fields = 3;

class Window {
 public:
  explicit Window(std::size_t size) : size_(size) {}

  std::size_t size() const { return size_; }

  void add(const Outcome& row) {
    if (rows_.size() < size_) {
      rows_.push_back(row);
    } else if (size_ > 0) {
      rows_[oldest_] = row;
      oldest_ = oldest_ + 1 == size_ ? 0 : oldest_ + 1;
    }
  }

  Outcome sums() const {
    Outcome sum;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const Outcome& row = rows_[oldest_ + i < rows_.size() ? oldest_ + i : oldest_ + i - rows_.size()];
      sum.weight += row.weight;
      sum.loss += row.loss;
      sum.errors += row.errors;
      sum.baseline_loss += row.baseline_loss;
      sum.baseline_errors += row.baseline_errors;
    }
    return sum;
  }

  // Oldest first.
  std::vector<Outcome> rows() const {
    std::vector<Outcome> out = rows_;
    std::rotate(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(oldest_), out.end());
    return out;
  }

  void set_rows(std::vector<Outcome> rows) {
    rows_ = std::move(rows);
    oldest_ = 0;
  }

 private:
  std::size_t size_;
  std::size_t oldest_ = 0;
  std::vector<Outcome> rows_;
};

}  // namespace afterwit
