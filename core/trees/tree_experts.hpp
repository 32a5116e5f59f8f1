// Predicting almost as well as the best pruning of a template tree, or graph: AdaNormalHedge over its edges, of whom
// those that a row traverses are awake. Edge e says what the node says that it leads to, y_e, and
//
//   p_e prop. to w(R_e/U, C_e/U),   raw = sum_e p_e y_e,   l_e = h f(y_e),   r_e = sum_d p_d l_d - l_e,
//   R_e += r_e,   C_e += |r_e|      for the edges e of the row's path,  w as in experts/ada_normal_hedge.hpp
//
// with f any convex loss and h the importance of the row. Source: Luo 2016, section 2.3.4, Algorithm 6, Theorem 6
// (Freund et al. 1997 have the reduction). Three deviations. An edge leads to the root, too: the tree that is pruned to
// its root is a pruning, and a tree of one node has one. Losses are in no known range: the unit U is the largest |r| so
// far, and a row that has a larger one changes U, but no R and C (errata 44). Where all who are awake have R <= -U,
// they have equal weights (errata 22).
//
// A node says the mean of its labels or, of two labels under logistic loss, ln((n_+ + 1/2)/(n_- + 1/2)), n_+ and n_-
// their weights (Krichevsky, Trofimov 1981), or what its own learner predicts; a node without rows what the one before
// it says. Only edges and nodes that some row came to are kept.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "experts/ada_normal_hedge.hpp"
#include "learners/learners.hpp"
#include "losses/loss.hpp"
#include "numeric/aligned.hpp"
#include "numeric/keyed.hpp"
#include "numeric/multiversion.hpp"
#include "numeric/vector_log.hpp"
#include "trees/node_learners.hpp"
#include "trees/template.hpp"
#include "trees/tested.hpp"

namespace afterwit {

// What all trees of one model share.
struct TreeSettings {
  std::shared_ptr<const Template> nodes;
  std::vector<std::uint32_t> features;     // slots of the given template's features
  std::uint32_t intercept = Row::nothing;  // its slot, which no tree tests
  std::uint64_t seed = 0;                  // of a template that grows
  AnyLoss loss;
  std::shared_ptr<const Learners> learner;  // of a node, as it is when fresh; null where nodes say means
};

class TreeExperts {
 public:
  explicit TreeExperts(const TreeSettings& settings)
      : loss_(settings.loss),
        template_(settings.nodes),
        seed_(settings.seed),
        log_odds_(settings.loss->is_log_loss()),
        learners_(settings.learner) {}

  // The prediction for a row with these values of the tested features; `row` is for the nodes' learners.
  double look(const float* x, const Row& row, std::size_t columns) {
    walk(x);
    const std::size_t n = path_.size(), room = padded(n);
    for (Doubles* v : {&a_, &b_, &said_, &R_, &C_, &w_, &l_})
      if (v->size() < room) v->resize(room);
    for (std::size_t i = 0; i < room; ++i) {
      const bool is_node = i < n && path_[i].node != none, is_edge = i < n && path_[i].edge != none;
      a_[i] = is_node ? nodes_[path_[i].node].a : 0.0;
      b_[i] = is_node ? nodes_[path_[i].node].b : 0.0;
      R_[i] = is_edge ? edges_[path_[i].edge].R : 0.0;
      C_[i] = is_edge ? edges_[path_[i].edge].C : 0.0;
    }
    if (learners_.any()) {
      for (std::size_t i = 0; i < n; ++i)
        if (path_[i].node != none) said_[i] = learners_.look(path_[i].node, row, columns);
    } else if (log_odds_) {
      log_odds(a_.data(), b_.data(), said_.data(), room);
    } else {
      std::copy_n(b_.data(), n, said_.data());
    }
    for (std::size_t i = 0; i < n; ++i)
      if (path_[i].node == none) said_[i] = i == 0 ? 0.0 : said_[i - 1];
    weigh(n, room);
    raw_ = said_[0] + mixed(said_.data(), n);
    return raw_;
  }

  // The row that was looked at last, whose features are met; `row` is for the nodes' learners.
  void learn(const Tested& tested, const Row& row, std::size_t columns, double y, double h) {
    const std::size_t n = path_.size();
    for (std::size_t i = 0; i < n; ++i) l_[i] = h * loss_->value(said_[i], y);
    const double loss = h * loss_->value(raw_, y), regret = mixed(l_.data(), n);  // to edge 0
    // Some r is 0 or more, and some 0 or less, whatever rounding makes of them.
    double least = regret < 0.0 ? regret : 0.0, most = regret > 0.0 ? regret : 0.0;
    for (std::size_t i = 1; i < n; ++i) {
      const double r = regret - (l_[i] - l_[0]);
      least = r < least ? r : least;
      most = r > most ? r : most;
    }
    const double largest = most > -least ? most : -least;
    const bool larger = largest > unit_;
    if (larger) {
      if (unit_ == 0.0) first_ = largest;
      unit_ = largest;
      unlearned_ += most;
    }
    loss_sum_ += loss;
    mixed_sum_ += std::max(l_[0] + regret, 0.0);
    rows_ += 1.0;
    for (std::size_t i = 0; i < n; ++i) {
      Edge& edge = edges_[made(i, tested)];
      edge.L += l_[i];
      if (!larger) {
        const double r = regret - (l_[i] - l_[0]);
        edge.R += r;
        edge.C += std::fabs(r);
      }
      if (learners_.any())
        learners_.learn(path_[i].node, row, columns, y, h, path_[i].is_new);
      else
        count(nodes_[path_[i].node], y, h);
    }
  }

  std::size_t nodes() const { return nodes_.size(); }
  std::size_t edges() const { return edges_.size(); }
  std::size_t bytes() const {
    return nodes_.capacity() * sizeof(Node) + edges_.capacity() * sizeof(Edge) + learners_.bytes();
  }

  // With features 0 .. tested - 1, and so many columns of the nodes' learners.
  void visit(State& state, std::size_t columns) {
    state.number("unit", unit_);
    state.number("first_unit", first_);
    state.number("unlearned", unlearned_);
    state.number("loss", loss_sum_);
    state.number("mixed", mixed_sum_);
    state.number("rows", rows_);
    const std::size_t n = counted(state, "nodes", nodes_.size()), m = counted(state, "edges", edges_.size());
    const Shape of_node{"node", n, 1, 1}, of_edge{"edge", m, 1, 1};
    state.expect("at", of_node);
    state.expect("tail", of_edge);
    nodes_.resize(n), edges_.resize(m);
    std::vector<double> at(n), feature(n), threshold(n), tail(m), head(m);
    for (std::size_t i = 0; i < n; ++i) {
      at[i] = nodes_[i].at;
      feature[i] = nodes_[i].test.feature == Test::none ? -1.0 : nodes_[i].test.feature;
      threshold[i] = nodes_[i].test.threshold;
      for (std::size_t side = 0; side < 2; ++side)
        if (nodes_[i].out[side] != none)
          tail[nodes_[i].out[side]] = 2.0 * static_cast<double>(i) + static_cast<double>(side);
    }
    for (std::size_t e = 0; e < m; ++e) head[e] = edges_[e].head;
    state.numbers("at", at.data(), of_node);
    if (template_->grows()) {
      state.numbers("feature", feature.data(), of_node);
      state.numbers("threshold", threshold.data(), of_node);
    }
    constexpr std::size_t node = sizeof(Node) / sizeof(double), edge = sizeof(Edge) / sizeof(double);
    if (!learners_.any()) {
      state.numbers("a", n == 0 ? nullptr : &nodes_[0].a, {"node", n, 1, node});
      state.numbers("b", n == 0 ? nullptr : &nodes_[0].b, {"node", n, 1, node});
    }
    state.numbers("tail", tail.data(), of_edge);
    state.numbers("head", head.data(), of_edge);
    state.numbers("R", m == 0 ? nullptr : &edges_[0].R, {"edge", m, 1, edge});
    state.numbers("C", m == 0 ? nullptr : &edges_[0].C, {"edge", m, 1, edge});
    state.numbers("L", m == 0 ? nullptr : &edges_[0].L, {"edge", m, 1, edge});
    learners_.visit(state, n, columns);
    put(at, feature, threshold, tail, head);
  }
  // Whether learning can lead to it, with so many features that tests can ask for.
  bool sound(std::size_t tested) const {
    // Of floats and their weights no sum of losses comes near to 1e200, from where they might leave the doubles.
    const auto some = [](double v) { return v >= 0.0 && v <= 1e200; };
    return sound_ && some(unit_) && some(first_) && first_ <= unit_ && (first_ > 0.0) == (unit_ > 0.0) &&
           some(unlearned_) && some(loss_sum_) && some(mixed_sum_) && is_count(rows_) && learners_.sound() &&
           std::all_of(edges_.begin(), edges_.end(),
                       [&](const Edge& e) {
                         return some(e.L) && some(e.C) && std::fabs(e.R) <= e.C * (1.0 + 1e-6) &&
                                e.C <= unit_ * rows_ * (1.0 + 1e-6);
                       }) &&
           std::all_of(nodes_.begin(), nodes_.end(), [&](const Node& node) {
             return some(node.a) && (log_odds_ ? some(node.b) : std::fabs(node.b) <= 3.5e38) &&
                    (node.test.feature == Test::none || node.test.feature < tested);
           });
  }

 private:
  static constexpr std::uint32_t none = 0xFFFFFFFFu;

  struct Node {
    double a = 0.0, b = 0.0;  // the weights of its labels +1 and -1 under logistic loss; else their weight, their mean
    Test test;                // of a template that grows
    std::uint32_t at = 0;     // in the template
    std::uint32_t out[2] = {none, none};
    std::uint32_t unused = 0;
  };
  struct Edge {
    double R = 0.0, C = 0.0, L = 0.0;  // L: its loss in all rows
    std::uint64_t head = 0;            // the node that it leads to
  };
  // One step of a path: an edge and the node that it leads to; `none` where no row came there before.
  struct Step {
    std::uint32_t edge, node, at;
    bool above;  // on which side it left the node before
    bool is_new;
  };

  void walk(const float* x) {
    path_.clear();
    Step step{edges_.empty() ? none : 0, nodes_.empty() ? none : 0, 0, false, false};
    for (;;) {
      step.is_new = step.node == none;
      path_.push_back(step);
      if (template_->is_leaf(step.at)) return;
      const Node* node = step.node == none ? nullptr : &nodes_[step.node];
      step.above = !template_->grows() ? template_->test(step.at).above(x) : node != nullptr && node->test.above(x);
      step.at = template_->next(step.at, step.above);
      step.edge = node == nullptr ? none : node->out[step.above];
      step.node = step.edge != none ? static_cast<std::uint32_t>(edges_[step.edge].head) : known(step.at);
    }
  }
  // The node that another edge of a graph led to.
  std::uint32_t known(std::uint32_t at) const {
    if (!template_->shares()) return none;
    const auto found = places_.find(at);
    return found == places_.end() ? none : found->second;
  }

  // The edge of step i of the path, and its node, new ones where they are not there.
  std::uint32_t made(std::size_t i, const Tested& tested) {
    Step& step = path_[i];
    if (step.node == none) {
      step.node = static_cast<std::uint32_t>(nodes_.size());
      nodes_.push_back({});
      nodes_.back().at = step.at;
      if (template_->grows() && !template_->is_leaf(step.at)) nodes_.back().test = chosen(i, tested);
      if (template_->shares()) places_.emplace(step.at, step.node);
      if (learners_.any()) learners_.add();
    }
    if (step.edge == none) {
      step.edge = static_cast<std::uint32_t>(edges_.size());
      edges_.push_back({0.0, 0.0, 0.0, step.node});
      if (i > 0) {
        // A node that was new in this row has its test now, and the row its side of that.
        const Node& before = nodes_[path_[i - 1].node];
        if (template_->grows() && path_[i - 1].is_new) step.above = before.test.above(tested.x());
        nodes_[path_[i - 1].node].out[step.above] = step.edge;
      }
    }
    return step.edge;
  }

  // The test of a node to which step i leads for the first time, of one of the row's features: at the row's own value
  // where that is inside of the node's cell, and else in the middle of the cell. Which feature is drawn, and the next
  // ones follow where nothing is left to tell apart.
  Test chosen(std::size_t i, const Tested& tested) const {
    const auto& met = tested.met();
    if (met.empty()) return {};
    const auto first =
        static_cast<std::size_t>(keyed_uniform(seed_, nodes_.size() - 1) * static_cast<double>(met.size()));
    for (std::size_t k = 0; k < met.size(); ++k) {
      const std::uint32_t j = met[(first + k) % met.size()];
      double low = tested.low(j), high = tested.high(j);
      for (std::size_t s = 0; s < i; ++s) {
        const Test& test = nodes_[path_[s].node].test;
        if (test.feature != j) continue;
        if (test.above(tested.x()))
          low = std::max(low, test.threshold);
        else
          high = std::min(high, test.threshold);
      }
      const double own = tested.x()[j], middle = low + (high - low) / 2.0;
      if (low < own && own < high) return {j, own};
      if (low < middle && middle < high) return {j, middle};
    }
    return {};
  }

  void count(Node& node, double y, double h) const {
    if (log_odds_) {
      (y > 0.0 ? node.a : node.b) += h;
    } else {
      node.a += h;
      node.b += (y - node.b) * (h / node.a);
    }
  }

  // p of the path's edges.
  void weigh(std::size_t n, std::size_t room) {
    const double largest = weights(R_.data(), C_.data(), w_.data(), room, unit_ > 0.0 ? unit_ : 1.0);
    if (largest > vector::largest) {
      std::fill_n(l_.data(), n, 1.0);
      normal::weights_by_logs(R_.data(), C_.data(), l_.data(), w_.data(), n);
    }
    double sum = 0.0;
    for (std::size_t i = 0; i < n; ++i) sum += w_[i];
    for (std::size_t i = 0; i < n; ++i) w_[i] = sum > 0.0 ? w_[i] / sum : 1.0 / static_cast<double>(n);
  }
  // sum_i p_i (v_i - v_0)
  double mixed(const double* v, std::size_t n) const {
    double sum = 0.0;
    for (std::size_t i = 1; i < n; ++i) sum += w_[i] * (v[i] - v[0]);
    return sum;
  }

  // R and C in units of U. An R of -1 or less is -1, of which the weight is exactly 0.
  AFTERWIT_MULTIVERSION __attribute__((flatten)) static double weights(double* __restrict R, double* __restrict C,
                                                                       double* __restrict w, std::size_t room,
                                                                       double unit) {
    for (std::size_t i = 0; i < room; ++i) {
      R[i] /= unit;
      C[i] /= unit;
      R[i] = R[i] > -1.0 ? R[i] : -1.0;
    }
    return normal::weights<false>(R, C, w, room, 0.0);
  }
  AFTERWIT_MULTIVERSION __attribute__((flatten)) static void log_odds(const double* __restrict a,
                                                                      const double* __restrict b,
                                                                      double* __restrict out, std::size_t room) {
    for (std::size_t i = 0; i < room; ++i) {
      const double p = vector::log((a[i] + 0.5) / (b[i] + 0.5));
      out[i] = p < -50.0 ? -50.0 : p > 50.0 ? 50.0 : p;
    }
  }

  static std::size_t counted(State& state, const char* name, std::size_t now) {
    double value = static_cast<double>(now);
    state.number(name, value);
    return is_count(value) && value < 0x1p31 ? static_cast<std::size_t>(value) : 0;
  }

  // The tree out of its parts; notes where they are no tree of this template.
  void put(const std::vector<double>& at, const std::vector<double>& feature, const std::vector<double>& threshold,
           const std::vector<double>& tail, const std::vector<double>& head) {
    const std::size_t n = at.size(), m = tail.size();
    path_.clear();
    places_.clear();
    sound_ = (n == 0) == (m == 0) && n <= m && (template_->shares() || n == m);
    for (std::size_t i = 0; i < n; ++i) {
      Node& node = nodes_[i];
      node.out[0] = node.out[1] = none;
      sound_ = sound_ && template_->has(at[i]) && (i > 0 || at[i] == 0.0);
      if (!sound_) return;
      node.at = static_cast<std::uint32_t>(at[i]);
      if (template_->shares()) sound_ = places_.emplace(node.at, i).second;
      if (!template_->grows()) continue;
      sound_ = sound_ && (feature[i] == -1.0 || (is_count(feature[i]) && feature[i] < 0x1p32 - 1.0)) &&
               std::isfinite(threshold[i]);
      if (!sound_) return;
      node.test = {feature[i] == -1.0 ? Test::none : static_cast<std::uint32_t>(feature[i]), threshold[i]};
    }
    std::size_t met = 0;  // nodes that an edge led to
    for (std::size_t e = 0; e < m && sound_; ++e) {
      sound_ = is_count(tail[e]) && is_count(head[e]) && head[e] <= static_cast<double>(met) &&
               head[e] < static_cast<double>(n) && (e > 0 || tail[e] == 0.0);
      if (!sound_) return;
      const auto to = static_cast<std::size_t>(head[e]);
      edges_[e].head = to;
      sound_ = to == met || template_->shares();
      met += to == met;
      if (e == 0) continue;
      const auto from = static_cast<std::size_t>(tail[e] / 2.0), side = static_cast<std::size_t>(tail[e]) % 2;
      sound_ = sound_ && from < met && !template_->is_leaf(nodes_[from].at) && nodes_[from].out[side] == none &&
               template_->next(nodes_[from].at, side) == nodes_[to].at;
      if (sound_) nodes_[from].out[side] = static_cast<std::uint32_t>(e);
    }
    sound_ = sound_ && met == n;
  }

  AnyLoss loss_;
  std::shared_ptr<const Template> template_;
  std::uint64_t seed_;
  bool log_odds_, sound_ = true;
  std::vector<Node> nodes_;
  std::vector<Edge> edges_;
  std::unordered_map<std::uint32_t, std::uint32_t> places_;  // of a graph: from the template's nodes to those here
  NodeLearners learners_;
  double unit_ = 0.0, first_ = 0.0;                       // U, and the first above 0
  double unlearned_ = 0.0;                                // the sum of the largest r of the rows that changed U
  double loss_sum_ = 0.0, mixed_sum_ = 0.0, rows_ = 0.0;  // of h f(raw), of sum_e p_e l_e
  // Of the row that was looked at last.
  std::vector<Step> path_;
  Doubles a_, b_, said_, R_, C_, w_, l_;
  double raw_ = 0.0;
};

}  // namespace afterwit
