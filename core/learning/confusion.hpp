// The weight of the rows by what came and by what the learner said, of the first classes alone: a table of their number
// squared, where it was asked for.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace afterwit {

class Confusion {
 public:
  static constexpr std::size_t most = 256;

  explicit Confusion(bool wanted) : wanted_(wanted) {}

  bool wanted() const { return wanted_; }
  void add(std::size_t came, std::size_t said, double h) {
    if (!wanted_ || !(h > 0.0)) return;
    if (came >= most || said >= most) return;
    if (std::max(came, said) >= size_) widen(std::max(came, said) + 1);
    counts_[came * size_ + said] += h;
  }
  std::size_t size() const { return size_; }
  const std::vector<double>& counts() const { return counts_; }
  void set(std::vector<double> counts, std::size_t size) { counts_ = std::move(counts), size_ = size; }

 private:
  void widen(std::size_t size) {
    std::vector<double> wider(size * size);
    for (std::size_t i = 0; i < size_; ++i)
      std::copy_n(counts_.begin() + static_cast<std::ptrdiff_t>(i * size_), size_,
                  wider.begin() + static_cast<std::ptrdiff_t>(i * size));
    set(std::move(wider), size);
  }

  bool wanted_;
  std::size_t size_ = 0;
  std::vector<double> counts_;
};

}  // namespace afterwit
