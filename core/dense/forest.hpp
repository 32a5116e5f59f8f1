// The last M trees that were built: a ring, in which the next takes the place of the oldest.
#pragma once

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "dense/tree.hpp"
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
  bool full() const { return builds_ >= static_cast<double>(most_); }
  std::size_t size() const { return static_cast<std::size_t>(std::min(builds_, static_cast<double>(most_))); }
  // Those that are there, and empty ones up to a multiple of eight.
  const std::vector<AnyTree>& trees() const { return trees_; }
  AnyTree* data() { return trees_.data(); }

  // The place of the next tree.
  std::size_t next() {
    const auto place = static_cast<std::size_t>(static_cast<std::uint64_t>(builds_) % most_);
    if (place >= trees_.size()) trees_.resize(trees_.size() + abreast);
    return place;
  }
  void put(std::size_t place, const AnyTree& tree, const Splits::Gains& gains) {
    trees_[place] = tree;
    gains_.resize(trees_.size());
    gains_[place] = gains;
    builds_ += 1.0;
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
    double most = static_cast<double>(most_);
    state.number("kept_trees", most);
    state.number("builds", builds_);
    const bool possible = is_count(builds_);
    sound_parts_ = possible && most == static_cast<double>(most_);
    if (!possible) builds_ = 0.0;
    const std::size_t count = size();
    const Shape nodes{"node of a tree", count, Splits::inner, Splits::inner};
    state.expect("features", nodes);
    trees_.resize((count + abreast - 1) / abreast * abreast);
    gains_.resize(trees_.size());
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
  std::size_t most_;
  double builds_ = 0.0;
  std::vector<AnyTree> trees_;
  std::vector<Splits::Gains> gains_;  // of each tree
  bool sound_parts_ = true;
};

}  // namespace afterwit
