// A learner for each node, over the columns of its tree: a node knows the features that the tree has met, and no table
// of all slots.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "learners/learners.hpp"
#include "numeric/state.hpp"

namespace afterwit {

class NodeLearners {
 public:
  explicit NodeLearners(std::shared_ptr<const Learners> fresh) : fresh_(std::move(fresh)) {}

  bool any() const { return fresh_ != nullptr; }
  void add() { all_.push_back(fresh_->fresh(1, 1)); }

  double look(std::size_t node, const Row& row, std::size_t columns) {
    all_[node]->grow(columns, 1);
    double raw;
    all_[node]->look(row, &raw);
    return std::isfinite(raw) ? std::clamp(raw, -1e60, 1e60) : 0.0;
  }
  // The row that was looked at last; a new node has not seen it.
  void learn(std::size_t node, const Row& row, std::size_t columns, double y, double h, bool is_new) {
    if (is_new) look(node, row, columns);
    all_[node]->learn(&y, &h);
  }

  std::size_t bytes() const {
    std::size_t sum = 0;
    for (const auto& each : all_) sum += each->slots() * each->words() * sizeof(float);
    return sum;
  }

  void visit(State& state, std::size_t nodes, std::size_t columns) {
    if (!any()) return;
    const std::size_t words = fresh_->words();
    state.expect("runs", {"node, column and word", nodes, columns * words, columns * words});
    all_.resize(nodes);
    for (auto& each : all_)
      if (!each) each = fresh_->fresh(columns, 1);
    Fields names(nullptr);
    fresh_->fresh(1, 1)->visit(names);
    std::vector<std::vector<double>> fields(names.count, std::vector<double>(nodes));
    for (std::size_t i = 0; i < nodes; ++i) {
      Fields own(nullptr);
      all_[i]->visit(own);
      for (std::size_t f = 0; f < own.count; ++f) fields[f][i] = own.values[f];
    }
    for (std::size_t f = 0; f < names.count; ++f)
      state.numbers(std::string("node_").append(names.names[f]).c_str(), fields[f].data(), {"node", nodes, 1, 1});
    std::vector<float> runs(nodes * columns * words);
    for (std::size_t i = 0; i < nodes; ++i) {
      all_[i]->grow(columns, 1);
      for (std::size_t j = 0; j < columns; ++j) all_[i]->read_run(j, runs.data() + (i * columns + j) * words);
    }
    state.numbers("runs", runs.data(), {"node, column and word", nodes, columns * words, columns * words});
    sound_ = true;
    for (std::size_t i = 0; i < nodes; ++i) {
      std::vector<double> own(names.count);
      for (std::size_t f = 0; f < names.count; ++f) own[f] = fields[f][i];
      Fields put(own.data());
      all_[i]->visit(put);
      for (std::size_t j = 0; j < columns; ++j) {
        const float* run = runs.data() + (i * columns + j) * words;
        for (std::size_t word = 0; word < words; ++word)
          sound_ = sound_ && std::isfinite(run[word]) && fresh_->is_possible(word, run[word]);
        if (sound_ && std::any_of(run, run + words, [](float v) { return v != 0.0f; })) all_[i]->write_run(j, run);
      }
    }
  }
  bool sound() const {
    return sound_ && std::all_of(all_.begin(), all_.end(), [](const auto& each) { return each->sound(); });
  }

 private:
  // The numbers of one learner in the order in which it shows them: read, or put there.
  class Fields final : public State {
   public:
    explicit Fields(const double* given) : given_(given) {}
    void number(const char* name, double& value) override { take(name, value); }
    void numbers(const char* name, double* first, const Shape&) override { take(name, *first); }
    void numbers(const char* name, float* first, const Shape&) override { take(name, *first); }

    std::vector<std::string> names;
    std::vector<double> values;
    std::size_t count = 0;

   private:
    template <class Number>
    void take(const char* name, Number& value) {
      if (given_ != nullptr) value = static_cast<Number>(given_[count]);
      names.emplace_back(name);
      values.push_back(value);
      ++count;
    }
    const double* given_;
  };

  std::shared_ptr<const Learners> fresh_;
  std::vector<std::unique_ptr<Learners>> all_;  // by node
  bool sound_ = true;
};

}  // namespace afterwit
