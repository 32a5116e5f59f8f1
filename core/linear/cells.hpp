// The words that one learner keeps for a feature: a rule sees them side by side, as they lie in the table.
#pragma once

#include <cfloat>
#include <cstddef>

#include "numeric/lanes.hpp"

namespace afterwit {

// The words of one feature out of a block of sixteen, in which they lie word by word. (A copy, in registers: pointers
// into the block would keep the compiler from working on sixteen features at once.)
template <std::size_t words, class Number>
struct Cell {
  Number word[words];

  explicit Cell(const Number* block) {
    for (std::size_t w = 0; w < words; ++w) word[w] = block[w * lanes];
  }
  void back_to(Number* block) const {
    for (std::size_t w = 0; w < words; ++w) block[w * lanes] = word[w];
  }
};

// What is stored is finite, whatever was computed.
inline float finite_float(double value) {
  const double low = value < FLT_MAX ? value : FLT_MAX;  // one instruction, and so is the next
  return static_cast<float>(low > -FLT_MAX ? low : -FLT_MAX);
}
inline void put(float& word, double value) { word = finite_float(value); }
inline void put(double& word, double value) { word = value; }

}  // namespace afterwit
