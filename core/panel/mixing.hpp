// The mean of the members' predictions, weighed by a player who learns their losses.
//   p = sum_i pi_i p_i,   l_i = (p_i - y)^2, for numbers in units of the range of the labels, this one included
// With `told` the player learns its loss as that of p, which by convexity is at most sum_i pi_i l_i: its regret bounds
// that of p either way. Several classes: p and p_i are probabilities of all of them, and l_i = |p_i - e_y|^2/2.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "panel/combiner.hpp"
#include "panel/weigher.hpp"

namespace afterwit {

class ClassMixing final : public ClassCombiner {
 public:
  explicit ClassMixing(Weigher weigher) : weigher_(std::move(weigher)) {}

  void seat(std::size_t members) override { weigher_.seat(members); }
  void look(const ClassVoices& voices, double* p) override {
    voices.mix(weigher_.play(voices.awake), mixed_);
    std::copy(mixed_.begin(), mixed_.end(), p);
  }
  void learn(const ClassVoices& voices, std::size_t y, double h) override {
    for (std::size_t i = 0; i < voices.size; ++i) weigher_.losses[i] = loss(voices.of(i), voices.classes, y);
    weigher_.learn(voices.awake, loss(mixed_.data(), voices.classes, y), h, false);
  }
  void visit(State& state) override { weigher_.visit(state); }
  bool sound() const override { return weigher_.sound(); }
  void append_weights(std::vector<double>& out) const override {
    out.insert(out.end(), weigher_.weights().begin(), weigher_.weights().end());
  }
  const Weigher* weigher() const override { return &weigher_; }

  // |p - e_y|^2/2
  static double loss(const double* p, std::size_t classes, std::size_t y) {
    double square = 0.0;
    for (std::size_t c = 0; c < classes; ++c) square += p[c] * p[c];
    return std::clamp(0.5 * (square + 1.0) - p[y], 0.0, 1.0);
  }

 private:
  Weigher weigher_;
  std::vector<double> mixed_;
};

class Mixing final : public Combiner {
 public:
  Mixing(Weigher weigher, bool told) : weigher_(std::move(weigher)), told_(told) {}

  std::unique_ptr<Combiner> copy() const override { return std::make_unique<Mixing>(weigher_.fresh(), told_); }
  std::unique_ptr<ClassCombiner> for_classes() const override {
    return std::make_unique<ClassMixing>(weigher_.fresh());
  }
  void seat(std::size_t members, const std::vector<std::size_t>&) override { weigher_.seat(members); }

  double look(const Voices& voices) override {
    const std::vector<double>& weights = weigher_.play(voices.awake);
    double sum = 0.0, weight = 0.0;
    for (std::size_t i = 0; i < voices.size; ++i) {
      weight += weights[i];
      sum += weights[i] * voices.p[i];
    }
    return mixed_ = weight > 0.0 ? sum : voices.nobody();
  }
  void learn(const Voices& voices, const Answer& answer) override {
    const double scale = answer.numbers ? 1.0 / answer.after.range() : 1.0;
    const auto loss = [&](double p) { return std::min(1.0, (p - answer.y) * scale * ((p - answer.y) * scale)); };
    for (std::size_t i = 0; i < voices.size; ++i) weigher_.losses[i] = loss(voices.p[i]);
    weigher_.learn(voices.awake, loss(mixed_), answer.h, told_);
  }

  void visit(State& state) override { weigher_.visit(state); }
  bool sound() const override { return weigher_.sound(); }
  void append_weights(std::vector<double>& out) const override {
    out.insert(out.end(), weigher_.weights().begin(), weigher_.weights().end());
  }
  const Weigher* weigher() const override { return &weigher_; }

 private:
  Weigher weigher_;
  bool told_;
  double mixed_ = 0.0;
};

}  // namespace afterwit
