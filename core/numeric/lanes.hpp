// Sums in sixteen running lanes: term i goes to lane i mod 16, and the lanes are added pairwise at the end.
// The order is fixed, so the bits do not depend on the width of the machine's vectors.
#pragma once

#include <cstddef>
#include <cstring>

namespace afterwit {

constexpr std::size_t lanes = 16;

inline double add_lanes(const double* sum) {
  double eight[8], four[4];
  for (std::size_t l = 0; l < 8; ++l) eight[l] = sum[l] + sum[l + 8];
  for (std::size_t l = 0; l < 4; ++l) four[l] = eight[l] + eight[l + 4];
  return (four[0] + four[2]) + (four[1] + four[3]);
}

// The same over `columns` sums at once: lane l of column k is sum[l * columns + k]; the results are sum[0 .. columns).
inline void add_lanes(double* sum, std::size_t columns) {
  for (std::size_t width = lanes / 2; width > 0; width /= 2)
    for (std::size_t l = 0; l < width; ++l)
      for (std::size_t k = 0; k < columns; ++k) sum[l * columns + k] += sum[(l + width) * columns + k];
}

// Half of the lanes in one value, for sums that are to stay in registers; as wide as the CPU's vectors or a few of
// them.
using Eight = double __attribute__((vector_size(64)));

inline void load(const double* from, Eight& to) { std::memcpy(&to, from, sizeof to); }
inline void store(const Eight& from, double* to) { std::memcpy(to, &from, sizeof from); }

inline double add_lanes(Eight (&halves)[2]) {
  double sum[lanes / 2];
  store(halves[0] + halves[1], sum);
  for (std::size_t width = lanes / 4; width > 0; width /= 2)
    for (std::size_t l = 0; l < width; ++l) sum[l] += sum[l + width];
  return sum[0];
}

}  // namespace afterwit
