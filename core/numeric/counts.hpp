// Numbers of rounds and rows, which are kept as doubles.
#pragma once

#include <cmath>

namespace afterwit {

inline bool is_count(double value) { return value >= 0.0 && value < 0x1p53 && value == std::floor(value); }

}  // namespace afterwit
