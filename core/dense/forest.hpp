// The trees that were grown last, the oldest first: M of them where the window is full, fewer before, in proportion to
// its rows, but 30 where M is that many. (More of them for few rows follow their noise.)
#pragma once

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "dense/bins.hpp"
#include "dense/tree.hpp"
#include "dense/tree_codes.hpp"
#include "numeric/counts.hpp"
#include "numeric/state.hpp"

namespace afterwit {

// Labels are below 3.5e38: no margin beyond 1e39 was ever of use, and no sum of them is infinite.
constexpr double most_margin = 1e39;
inline double held(double m) { return m < -most_margin ? -most_margin : m > most_margin ? most_margin : m; }

template <class AnyTree>
class Forest {
 public:
  explicit Forest(std::size_t most) : most_(most) {}

  double builds() const { return builds_; }  // so far
  std::size_t most() const { return most_; }
  std::size_t size() const { return size_; }
  // Whether the oldest has to go before there is one more, with so many rows of a window.
  bool full(std::size_t rows, std::size_t window) const {
    return size_ >= std::max(std::min(least, most_), most_ * rows / window);
  }
  // Those that are there, and empty ones up to a multiple of eight.
  const std::vector<AnyTree>& trees() const { return trees_; }
  AnyTree* data() { return trees_.data(); }

  void drop_oldest() {
    trees_.erase(trees_.begin());
    gains_.erase(gains_.begin());
    --size_;
    make_room(size_);
    codes_.drop_oldest();
  }
  void add(const AnyTree& tree, const Splits::Gains& gains) {
    make_room(size_ + 1);
    trees_[size_] = tree;
    gains_[size_++] = gains;
    builds_ += 1.0;
    codes_.add(trees_.data(), size_);
  }
  // To be called where there are new bins, from which the next trees have their edges.
  void grade(const Bins& bins) { codes_.grade(trees_.data(), size_, bins); }

  // Calls `end` with the number of each tree and the leaf in which the row ends there; of an empty one any leaf.
  template <class End>
  void each_tree(const float* x, const End& end) {
    const std::uint8_t* leaves = codes_.find(x, size_);
    if (leaves == nullptr) return afterwit::each_tree(trees_.data(), trees_.size(), x, end);
    for (std::size_t first = 0; first < trees_.size(); first += abreast)
      for (std::size_t i = 0; i < abreast; ++i) end(first + i, std::size_t{leaves[first + i]});
  }

  // What the splits of the trees have gained, added up by column.
  void add_gains(std::vector<double>& columns) const {
    for (std::size_t i = 0; i < size(); ++i)
      for (std::size_t k = 0; k < Splits::inner; ++k) {
        const Splits::Node& node = trees_[i].nodes[k];
        if (node.threshold != Splits::none) columns[node.feature] += double{gains_[i][k]};
      }
  }

  // A node's feature is shown as its column + 1, or 0 if it is not split.
  void visit(State& state, std::size_t columns) {
    double count_of_all = static_cast<double>(size_);
    state.number("kept_trees", count_of_all);
    state.number("builds", builds_);
    sound_parts_ = is_count(builds_) && is_count(count_of_all) && count_of_all <= static_cast<double>(most_) &&
                   count_of_all <= builds_ && (builds_ == 0.0 || count_of_all > 0.0);
    const std::size_t count = sound_parts_ ? static_cast<std::size_t>(count_of_all) : 0;
    const Shape nodes{"node of a tree", count, Splits::inner, Splits::inner};
    state.expect("features", nodes);
    make_room(size_ = count);
    std::vector<float> features(count * Splits::inner), thresholds(count * Splits::inner);
    for (std::size_t i = 0; i < features.size(); ++i) {
      const Splits::Node& node = trees_[i / Splits::inner].nodes[i % Splits::inner];
      if (node.threshold == Splits::none) continue;
      features[i] = static_cast<float>(node.feature + 1);
      thresholds[i] = node.threshold;
    }
    state.numbers("features", features.data(), nodes);
    state.numbers("thresholds", thresholds.data(), nodes);
    state.numbers("gains", count > 0 ? gains_.front().data() : nullptr, nodes);
    for (std::size_t i = 0; i < features.size(); ++i) {
      const bool possible_node = is_count(features[i]) && features[i] <= static_cast<float>(columns);
      sound_parts_ = sound_parts_ && possible_node && std::isfinite(thresholds[i]);
      Splits::Node& node = trees_[i / Splits::inner].nodes[i % Splits::inner];
      node = {};
      const float gain = gains_[i / Splits::inner][i % Splits::inner];
      sound_parts_ = sound_parts_ && gain >= 0.0f && gain <= FLT_MAX;
      if (possible_node && features[i] > 0.0f) node = {thresholds[i], static_cast<std::uint32_t>(features[i]) - 1};
    }
  }
  bool sound() const { return sound_parts_; }

 private:
  static constexpr std::size_t least = 30;

  void make_room(std::size_t count) {
    trees_.resize((count + abreast - 1) / abreast * abreast);
    gains_.resize(trees_.size());
  }

  std::size_t most_, size_ = 0;
  double builds_ = 0.0;
  std::vector<AnyTree> trees_;
  std::vector<Splits::Gains> gains_;  // of each tree
  TreeCodes codes_;
  bool sound_parts_ = true;
};

}  // namespace afterwit
