// One tree of experts, or one for each class, over one row.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "learners/learners.hpp"
#include "rows/features.hpp"
#include "trees/tested.hpp"
#include "trees/tree_experts.hpp"

namespace afterwit {

// The columns of the nodes' learners: slots in the order in which they came, of rows that were learned.
class NodeColumns {
 public:
  std::size_t size() const { return slots_.size() + new_.size(); }

  // The row with columns in place of slots; those that it brings are the last ones.
  Row look(const Row& row) {
    for (const std::uint32_t slot : new_) places_.erase(slot);
    new_.clear();
    row_.assign((row.size + lanes - 1) / lanes * lanes, Row::nothing);
    for (std::size_t i = 0; i < row.size; ++i) {
      const auto [found, is_new] = places_.try_emplace(row.slots[i], static_cast<std::uint32_t>(size()));
      row_[i] = found->second;
      if (is_new) new_.push_back(row.slots[i]);
    }
    return {row_.data(), row.x, row.size};
  }
  void learn() {
    slots_.insert(slots_.end(), new_.begin(), new_.end());
    new_.clear();
  }
  // Those of rows that were learned.
  std::size_t learned() const { return slots_.size(); }
  std::size_t bytes() const { return slots_.size() * 32; }

  void visit(State& state) {
    look({nullptr, nullptr, 0});
    double size = static_cast<double>(slots_.size());
    state.number("columns", size);
    const Shape shape{"column", is_count(size) && size < 0x1p32 ? static_cast<std::size_t>(size) : 0, 1, 1};
    state.expect("column_slots", shape);
    std::vector<double> slots(slots_.begin(), slots_.end());
    slots.resize(shape.rows);
    state.numbers("column_slots", slots.data(), shape);
    slots_.clear();
    places_.clear();
    sound_ = true;
    for (const double slot : slots) {
      sound_ = sound_ && is_count(slot) && slot < 0x1p32 - 1.0;
      if (!sound_) return;
      slots_.push_back(static_cast<std::uint32_t>(slot));
      sound_ = places_.try_emplace(slots_.back(), static_cast<std::uint32_t>(slots_.size() - 1)).second;
    }
  }
  bool sound(std::size_t slots) const {
    return sound_ && std::all_of(slots_.begin(), slots_.end(), [slots](std::uint32_t slot) { return slot < slots; });
  }

 private:
  std::vector<std::uint32_t> slots_, new_, row_;
  std::unordered_map<std::uint32_t, std::uint32_t> places_;
  bool sound_ = true;
};

class Trees final : public Learners {
 public:
  Trees(TreeSettings settings, std::size_t slots, bool several) : settings_(std::move(settings)), slots_(slots) {
    if (!settings_.nodes->grows())
      for (const std::uint32_t slot : settings_.features) tested_.add(slot);
    if (!several) grow(slots, 1);
  }

  void look(const Row& row, double* raw) override {
    row_ = mapped_ = row;
    tested_.take(row);
    if (settings_.learner != nullptr) mapped_ = columns_.look(row);
    for (TreeExperts& tree : trees_) *raw++ = tree.look(tested_.x(), mapped_, columns_.size());
  }

  void learn(const double* y, const double* h, NextRow* next) override {
    if (std::any_of(h, h + learners(), [](double weight) { return weight != 0.0; })) {
      if (settings_.nodes->grows()) tested_.meet(row_, settings_.intercept);
      for (std::size_t k = 0; k < learners(); ++k)
        if (h[k] != 0.0) trees_[k].learn(tested_, mapped_, columns_.size(), y[k], h[k]);
      columns_.learn();
    }
    if (next != nullptr) next->build();
  }

  std::size_t learners() const override { return trees_.size(); }
  void grow(std::size_t slots, std::size_t learners) override {
    slots_ = std::max(slots, slots_);
    while (trees_.size() < learners) trees_.emplace_back(settings_);
  }
  std::unique_ptr<Learners> fresh(std::size_t slots, std::size_t learners) const override {
    auto out = std::make_unique<Trees>(settings_, slots, true);
    out->grow(slots, learners);
    return out;
  }

  TreeExperts& tree(std::size_t k) { return trees_[k]; }
  std::size_t bytes() const {
    std::size_t sum = tested_.bytes() + columns_.bytes();
    for (const TreeExperts& tree : trees_) sum += tree.bytes();
    return sum;
  }

  double weight(std::size_t, std::size_t) const override { return 0.0; }
  std::size_t words() const override { return 0; }
  bool is_possible(std::size_t, float) const override { return false; }
  std::size_t slots() const override { return 0; }
  bool touched(std::size_t) const override { return false; }
  bool read_run(std::size_t, float*) const override { return false; }
  void write_run(std::size_t, const float*) override {}

  void visit(State& state) override {
    tested_.take({nullptr, nullptr, 0});
    if (settings_.nodes->grows()) tested_.visit(state);
    if (settings_.learner != nullptr) columns_.visit(state);
    for (std::size_t k = 0; k < trees_.size(); ++k) {
      StateWithin own(state, trees_.size() > 1 ? std::to_string(k).append(".") : "");
      trees_[k].visit(own, columns_.learned());
    }
  }
  bool sound() const override {
    return (!settings_.nodes->grows() || tested_.sound(slots_)) && columns_.sound(slots_) &&
           std::all_of(trees_.begin(), trees_.end(),
                       [this](const TreeExperts& tree) { return tree.sound(tested_.size()); });
  }

 private:
  TreeSettings settings_;
  std::size_t slots_;
  Tested tested_;
  NodeColumns columns_;
  std::vector<TreeExperts> trees_;
  Row row_{}, mapped_{};
};

class TreesRule final : public LearningRule {
 public:
  // Names are those that the template's nodes test, with their keys; `node` is the rule of their learners, or null.
  TreesRule(std::shared_ptr<const Template> nodes, std::vector<std::uint64_t> keys, std::vector<std::string> names,
            std::uint64_t seed, std::shared_ptr<const LearningRule> node)
      : nodes_(std::move(nodes)),
        keys_(std::move(keys)),
        names_(std::move(names)),
        seed_(seed),
        node_(std::move(node)) {}

  void ask(Features& features) const override {
    if (features.exact())
      for (std::size_t i = 0; i < keys_.size(); ++i) features.slot_or_new(keys_[i], names_[i]);
  }

  std::unique_ptr<Learners> learners(const AnyLoss& loss, const Features& features, bool several, bool) const override {
    TreeSettings settings{nodes_, {}, Row::nothing, seed_, loss, nullptr};
    if (features.intercept()) settings.intercept = features.intercept_slot();
    Tested order;
    std::vector<std::uint32_t> numbers;
    for (const std::uint64_t key : keys_) {
      settings.features.push_back(features.slot(key));
      numbers.push_back(order.add(settings.features.back()));
    }
    if (!nodes_->grows()) settings.nodes = std::make_shared<Template>(nodes_->with_features(numbers));
    if (node_) settings.learner = node_->learners(loss, Features(0, 0, true, features.intercept()), false, false);
    return std::make_unique<Trees>(std::move(settings), features.slots(), several);
  }

 private:
  std::shared_ptr<const Template> nodes_;
  std::vector<std::uint64_t> keys_;
  std::vector<std::string> names_;
  std::uint64_t seed_;
  std::shared_ptr<const LearningRule> node_;
};

}  // namespace afterwit
