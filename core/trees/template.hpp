// The nodes that a row passes from the root to a leaf, before any label is known. A template that is given has nodes
// 0, 1, ..., the root first and every child behind its parents: node i tests x[feature] <= threshold and goes to
// `below` or `above`. One that grows is told by its depth alone: a node is its level, and whoever keeps the nodes keeps
// the test that the first row to come there has made.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

namespace afterwit {

struct Test {
  static constexpr std::uint32_t none = 0xFFFFFFFFu;  // of a leaf, or of a row that had no feature to test
  std::uint32_t feature = none;
  double threshold = 0.0;

  // Whether x goes above; x has 0 for a feature that the row does not have.
  bool above(const float* x) const { return feature != none && !(static_cast<double>(x[feature]) <= threshold); }
};

class Template {
 public:
  struct Node {
    Test test;
    std::uint32_t next[2] = {0, 0};  // below, above
  };

  // A tree or, where `shares`, a graph: a node may then have several parents.
  Template(std::vector<Node> nodes, std::size_t features, bool shares) : nodes_(std::move(nodes)), shares_(shares) {
    const std::size_t n = nodes_.size();
    if (n == 0 || n >= Test::none / 2) throw std::invalid_argument("the template has no node, or too many");
    std::vector<std::uint8_t> parents(n);
    for (std::size_t i = 0; i < n; ++i) {
      const Node& node = nodes_[i];
      if (node.test.feature == Test::none) continue;
      if (node.test.feature >= features || !std::isfinite(node.test.threshold))
        throw std::invalid_argument("the template tests what is no feature, or against what is no number");
      for (const std::uint32_t child : node.next) {
        if (child <= i || child >= n) throw std::invalid_argument("the template has a child before its parent");
        if (parents[child] != 0 && !shares_) throw std::invalid_argument("a node of the tree has two parents");
        parents[child] = 1;
      }
    }
    for (std::size_t i = 1; i < n; ++i)
      if (parents[i] == 0) throw std::invalid_argument("the template has a node that nothing leads to");
  }
  // One that grows, of so many tests from the root to each leaf.
  explicit Template(std::size_t depth) : depth_(static_cast<std::uint32_t>(depth)), grows_(true) {}

  // The same with other numbers for its features.
  Template with_features(const std::vector<std::uint32_t>& numbers) const {
    Template out = *this;
    for (Node& node : out.nodes_)
      if (node.test.feature != Test::none) node.test.feature = numbers[node.test.feature];
    return out;
  }

  bool grows() const { return grows_; }
  bool shares() const { return shares_; }
  bool is_leaf(std::uint32_t at) const { return grows_ ? at >= depth_ : nodes_[at].test.feature == Test::none; }
  const Test& test(std::uint32_t at) const { return nodes_[at].test; }
  std::uint32_t next(std::uint32_t at, std::size_t side) const { return grows_ ? at + 1 : nodes_[at].next[side]; }
  bool has(double at) const {
    return at >= 0.0 && at == std::floor(at) && at <= static_cast<double>(grows_ ? depth_ : nodes_.size() - 1);
  }

 private:
  std::vector<Node> nodes_;
  std::uint32_t depth_ = 0;
  bool shares_ = false, grows_ = false;
};

}  // namespace afterwit
