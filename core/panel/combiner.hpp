// One prediction out of those of a panel's members. A combiner sees probabilities p_i of +1 and margins m_i, or for
// numbers predictions p_i = m_i; its form for several classes sees the probabilities of all of them. A member that
// sleeps has no weight.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

#include "learners/targets.hpp"
#include "numeric/state.hpp"
#include "panel/weigher.hpp"

namespace afterwit {

// What the members say of a row, and their margins cut to +-8; `awake` is null where all are. A sleeper's m and p are
// 0.
struct Voices {
  const double *m, *p, *cut, *awake;
  std::size_t size;
  Targets targets;  // the labels before the row, at least one, where they are numbers

  bool numbers() const { return targets.rounds > 0.0; }
  bool sleeps(std::size_t i) const { return awake != nullptr && awake[i] == 0.0; }
  // What is said where all sleep.
  double nobody() const { return numbers() ? targets.mean : 0.5; }
};

// What came: y in {0, 1}, or a number with the labels of the rows before and with it.
struct Answer {
  bool numbers;
  double y, h;
  Targets before, after;
  double first;                    // of the labels that are numbers
  const double* losses = nullptr;  // of two classes, each member's log loss
};

// The same for several classes: p has a row of probabilities for each member.
struct ClassVoices {
  const double *p, *awake;
  std::size_t size, classes;

  const double* of(std::size_t i) const { return p + i * classes; }
  // The mean of what they say by these weights, or where all are 0 the same for every class.
  void mix(const std::vector<double>& weights, std::vector<double>& out) const {
    double sum = 0.0;
    out.assign(classes, 0.0);
    for (std::size_t i = 0; i < size; ++i) {
      if (weights[i] == 0.0) continue;
      sum += weights[i];
      for (std::size_t c = 0; c < classes; ++c) out[c] += weights[i] * of(i)[c];
    }
    if (sum == 0.0) std::fill(out.begin(), out.end(), 1.0 / static_cast<double>(classes));
  }
  bool sleeps(std::size_t i) const { return awake != nullptr && awake[i] == 0.0; }
};

class ClassCombiner {
 public:
  virtual ~ClassCombiner() = default;
  virtual void seat(std::size_t members) = 0;  // called once, before all else

  // Probabilities of all classes.
  virtual void look(const ClassVoices& voices, double* p) = 0;
  // About the voices that were looked at last: the class is y.
  virtual void learn(const ClassVoices& voices, std::size_t y, double h) = 0;

  virtual void visit(State& state) = 0;
  virtual bool sound() const = 0;
  virtual void append_weights(std::vector<double>& out) const = 0;
  virtual const Weigher* weigher() const { return nullptr; }
};

class Combiner {
 public:
  virtual ~Combiner() = default;
  virtual std::unique_ptr<Combiner> copy() const = 0;              // fresh
  virtual std::unique_ptr<ClassCombiner> for_classes() const = 0;  // fresh
  // Called once, before all else: how many there are, and which of them sit on the panel itself.
  virtual void seat(std::size_t members, const std::vector<std::size_t>& own) = 0;

  // A probability, or a number within the range of the labels.
  virtual double look(const Voices& voices) = 0;
  // About the voices that were looked at last.
  virtual void learn(const Voices& voices, const Answer& answer) = 0;

  virtual void visit(State& state) = 0;
  virtual bool sound() const = 0;
  // Member by member, how much of its prediction is whose; of a stacker, by what each is multiplied.
  virtual void append_weights(std::vector<double>& out) const = 0;
  // The player behind, if it has one.
  virtual const Weigher* weigher() const { return nullptr; }
};

}  // namespace afterwit
