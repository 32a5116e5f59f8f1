// The perceptron: on a mistake, y <w, x> <= 0, it adds the example.
//   w_{t+1} = w_t + h y_t x_t   if y_t <w_t, x_t> <= 0,   w_1 = 0
// Sharan lecture 19, Algorithm 2; a zero margin is a mistake (errata 3). Guarantee: Theorem 4, as errata 2 has it.
#pragma once

#include <array>

#include "linear/kernel.hpp"

namespace afterwit {

struct PerceptronRule : PlainRule {
  struct Totals {
    double mistakes = 0.0;
  };
  static constexpr std::array<const char*, 1> fields{"mistakes"};

  template <class Sums>
  static bool begin(Totals& totals, const Loss&, const Sums& sums, double y, double h, Descent& d) {
    if (y * sums[0] > 0.0) return false;
    totals.mistakes += 1.0;
    d.step = h * y;
    return true;
  }
  static void step(const Totals&, const Loss&, Descent&, double, double) {}
  static bool sound(const Totals& totals) { return is_count(totals.mistakes); }
};

}  // namespace afterwit
