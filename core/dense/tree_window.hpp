// The last W rows as trees see them, with labels and importances.
//   learn     slot t mod W gets the row;  t += 1
//   W         the window; one of more than 4096 rows is, from row 4097 on, max(4096, min(window, floor(2^21/d))) for
//   the
//             d columns that there are then
//   bins      (dense/bins.hpp) from every (n/256)th of the n rows, anew when the rows have doubled, then every W rows
//   columns   all, or beyond 32 so many that each build draws, keyed by the seed and its number
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "dense/bins.hpp"
#include "dense/columns.hpp"
#include "numeric/counts.hpp"
#include "numeric/keyed.hpp"
#include "numeric/state.hpp"

namespace afterwit {

class TreeWindow {
 public:
  static constexpr std::size_t most_drawn = 32, sure = 4096, most_kept = std::size_t{1} << 21;  // rows, numbers

  TreeWindow(std::size_t window, std::uint64_t seed) : window_(window), kept_(window), seed_(seed) {}

  double t() const { return t_; }
  std::size_t window() const { return window_; }
  std::size_t rows() const { return labels_.size(); }  // that are kept
  std::size_t columns() const { return columns_; }
  std::size_t stride() const { return stride_; }
  const float* x() const { return some(x_.data(), columns_); }
  const std::uint8_t* codes() const { return codes_.data(); }
  const Bins& bins() const { return bins_; }
  const double* labels() const { return labels_.data(); }
  const double* importances() const { return importances_.data(); }
  // Values to look at where there are no columns: a node that is not split looks at the first.
  static const float* some(const float* x, std::size_t columns) {
    static constexpr float nothing = 0.0f;
    return columns > 0 ? x : &nothing;
  }

  // The slot that the row gets.
  std::size_t learn(const DenseRow& row, double label, double h) {
    if (row.d > columns_) widen(row.d);
    if (t_ == static_cast<double>(sure) && window_ > sure)
      kept_ = std::max(sure, std::min(window_, most_kept / std::max<std::size_t>(columns_, 1)));
    const auto slot = static_cast<std::size_t>(static_cast<std::uint64_t>(t_) % kept_);
    if (slot == rows()) make_room(slot + 1);
    std::copy_n(row.x, row.d, x_.data() + slot * stride_);
    std::fill(x_.data() + slot * stride_ + row.d, x_.data() + (slot + 1) * stride_, 0.0f);
    bins_.encode(x_.data() + slot * stride_, stride_, stride_, 1, codes_.data() + slot * stride_);
    labels_[slot] = label;
    importances_[slot] = std::clamp(h, 1e-60, 1e60);  // so that no sum is infinite
    t_ += 1.0;
    return slot;
  }

  // Makes the bins anew when it is time, and says whether it did.
  bool refresh_bins() {
    bins_.reserve(columns_);
    if (t_ < rebin_) return false;
    const std::size_t n = rows(), step = std::max<std::size_t>(1, n / 256);
    for (std::size_t j = 0; j < columns_; ++j) {
      sample_.clear();
      for (std::size_t i = 0; i < n; i += step) sample_.push_back(x_[i * stride_ + j]);
      bins_.set(j, sample_);
    }
    encode_all();
    rebin_ = t_ < static_cast<double>(kept_) ? 2.0 * t_ : t_ + static_cast<double>(kept_);
    return true;
  }

  // The columns of a build, ascending: beyond 32 the first 32 of a shuffle.
  std::span<const std::uint32_t> draw_columns(double build) {
    const std::size_t d = columns_;
    drawn_.resize(d);
    for (std::size_t j = 0; j < d; ++j) drawn_[j] = static_cast<std::uint32_t>(j);
    if (d <= most_drawn) return drawn_;
    const std::uint64_t key = static_cast<std::uint64_t>(build) * most_drawn;
    for (std::size_t i = 0; i < most_drawn; ++i) {
      const double u = keyed_uniform(seed_, key + i);
      std::swap(drawn_[i], drawn_[i + static_cast<std::size_t>(u * static_cast<double>(d - i))]);
    }
    drawn_.resize(most_drawn);
    std::sort(drawn_.begin(), drawn_.end());
    return drawn_;
  }

  // With the trees that were grown from its rows.
  template <class AnyForest>
  std::vector<std::pair<const char*, double>> holds(const AnyForest& forest) const {
    return {{"rows", static_cast<double>(rows())},
            {"most rows", static_cast<double>(kept_)},
            {"trees", static_cast<double>(forest.size())},
            {"trees grown", forest.builds()}};
  }

  // Which shows nothing beyond its numbers if these cannot be: `sound` refuses them.
  void visit(State& state, std::size_t d) {
    double kept = static_cast<double>(kept_);
    state.number("kept_rows", kept);
    state.number("rows_learned", t_);
    state.number("next_bins", rebin_);
    const bool decided = window_ > sure && t_ > static_cast<double>(sure);
    const bool possible = is_count(t_) && is_count(kept) && kept <= static_cast<double>(window_) &&
                          kept >= static_cast<double>(decided ? sure : window_);
    sound_parts_ = possible;
    kept_ = possible ? static_cast<std::size_t>(kept) : window_;
    const auto n = static_cast<std::size_t>(possible ? std::min(t_, kept) : 0.0);
    const Shape each{"row", n, 1, 1}, all{"row and column", n, d, std::max(d, stride_)};
    state.expect("labels", each);
    state.expect("x", all);
    if (d > columns_) widen(d);
    make_room(n);
    state.numbers("x", x_.data(), {all.each, n, d, stride_});
    state.numbers("labels", labels_.data(), each);
    state.numbers("importances", importances_.data(), each);
    visit_bins(state, d);
    encode_all();
  }
  // With labels of which `label` says whether they can be.
  template <class Label>
  bool sound(const Label& label) const {
    const auto importance = [](double v) { return v >= 1e-60 && v <= 1e60; };
    return sound_parts_ && is_count(t_) && static_cast<double>(rows()) == std::min(t_, static_cast<double>(kept_)) &&
           is_count(rebin_) && rebin_ <= std::max(2.0 * t_, t_ + static_cast<double>(kept_)) && bins_.sound() &&
           std::all_of(x_.begin(), x_.end(), [](float v) { return std::isfinite(v); }) &&
           std::all_of(labels_.begin(), labels_.end(), label) &&
           std::all_of(importances_.begin(), importances_.end(), importance);
  }

 private:
  // Columns that are new are 0 in the rows that are kept.
  void widen(std::size_t d) {
    columns_ = d;
    if (d <= stride_) return;
    const std::size_t before = stride_, n = rows();
    stride_ = std::max(d, before + before / 4);
    std::vector<float> x(n * stride_);
    std::vector<std::uint8_t> codes(n * stride_);
    for (std::size_t i = 0; i < n; ++i) {
      std::copy_n(x_.data() + i * before, before, x.data() + i * stride_);
      std::copy_n(codes_.data() + i * before, before, codes.data() + i * stride_);
    }
    x_ = std::move(x);
    codes_ = std::move(codes);
  }
  // (Twice as much each time, but never more than the window.)
  void make_room(std::size_t n) {
    if (n * stride_ > x_.capacity()) {
      const std::size_t room = std::min(kept_, std::max<std::size_t>(2 * n, 64)) * stride_;
      x_.reserve(room);
      codes_.reserve(room);
    }
    x_.resize(n * stride_);
    codes_.resize(n * stride_);
    for (auto* part : {&labels_, &importances_}) part->resize(n);
  }
  void encode_all() { bins_.encode(x_.data(), stride_, stride_, rows(), codes_.data()); }

  void visit_bins(State& state, std::size_t d) {
    bins_.reserve(d);
    const Shape counts{"column", d, 1, 1}, edges{"column and edge", d, Bins::most - 1, Bins::most - 1};
    std::vector<float> count(d), edge(d * (Bins::most - 1));
    for (std::size_t j = 0; j < d; ++j) {
      count[j] = static_cast<float>(bins_.count(j));
      std::copy_n(bins_.edges(j), bins_.count(j), edge.data() + j * (Bins::most - 1));
    }
    state.numbers("edge_counts", count.data(), counts);
    state.numbers("edges", edge.data(), edges);
    for (std::size_t j = 0; j < d; ++j) {
      const bool possible = is_count(count[j]) && count[j] < static_cast<float>(Bins::most);
      sound_parts_ = sound_parts_ && possible;
      bins_.set(j, {edge.data() + j * (Bins::most - 1), possible ? static_cast<std::size_t>(count[j]) : 0});
    }
  }

  std::size_t window_, kept_;  // W as it was set, and as it is
  std::uint64_t seed_;
  double t_ = 0.0, rebin_ = 0.0;  // rows so far, and when there are new bins
  std::size_t columns_ = 0, stride_ = 0;
  std::vector<float> x_;  // `stride_` numbers of each row
  std::vector<std::uint8_t> codes_;
  std::vector<double> labels_, importances_;
  Bins bins_;
  bool sound_parts_ = true;

  std::vector<std::uint32_t> drawn_;
  std::vector<float> sample_;
};

}  // namespace afterwit
