// The cells of a feature: the words that one learner keeps for it. A rule sees them as `cell[word]`, whether they lie
// side by side, as in the table, or sixteen features apart, as in a block.
#pragma once

#include <cfloat>
#include <cstddef>

#include "numeric/lanes.hpp"

namespace afterwit {

template <class Number>
struct InBlock {
  Number* first;
  Number& operator[](std::size_t word) const { return first[word * lanes]; }
};

// The cells behind the first `words`.
template <class Number>
InBlock<Number> behind(const InBlock<Number>& cell, std::size_t words) {
  return {cell.first + words * lanes};
}
template <class Number>
Number* behind(Number* cell, std::size_t words) {
  return cell + words;
}

// What is stored is finite, whatever was computed.
inline float finite_float(double value) {
  const double low = value < FLT_MAX ? value : FLT_MAX;  // one instruction, and so is the next
  return static_cast<float>(low > -FLT_MAX ? low : -FLT_MAX);
}
inline void put(float& cell, double value) { cell = finite_float(value); }
inline void put(double& cell, double value) { cell = value; }

}  // namespace afterwit
