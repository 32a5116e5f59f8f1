// The labels so far, where they are numbers.
#pragma once

#include <algorithm>
#include <cfloat>
#include <cmath>

#include "numeric/state.hpp"

namespace afterwit {

struct Targets {
  double rounds = 0.0;  // of their importance
  double mean = 0.0;
  double lowest = 0.0;
  double highest = 0.0;

  Targets with(double y, double h) const {
    if (rounds == 0.0) return {h, y, y, y};
    Targets out{rounds + h, 0.0, std::min(lowest, y), std::max(highest, y)};
    out.mean = out.clipped(mean + (y - mean) * (h / out.rounds));  // which rounding may bring beyond y
    return out;
  }
  double range() const { return highest - lowest; }
  double clipped(double p) const { return p < lowest ? lowest : p > highest ? highest : p; }

  void visit(State& state) {
    state.number("label_rounds", rounds);
    state.number("label_mean", mean);
    state.number("lowest", lowest);
    state.number("highest", highest);
  }
  bool sound() const {
    return std::isfinite(rounds) && rounds >= 0.0 && -lowest <= FLT_MAX && highest <= FLT_MAX && lowest <= mean &&
           mean <= highest;
  }
};

}  // namespace afterwit
