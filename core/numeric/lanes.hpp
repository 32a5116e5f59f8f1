// Sums in sixteen running lanes: term i goes to lane i mod 16, and the lanes are added pairwise at the end.
// The order is fixed, so the bits do not depend on the width of the machine's vectors.
#pragma once

#include <cstddef>
#include <cstring>

namespace afterwit {

constexpr std::size_t lanes = 16;

// How long a vector of n numbers is with its lanes full.
inline std::size_t padded(std::size_t n) { return (n + lanes - 1) / lanes * lanes; }

// Half of the lanes in one value, for sums that are to stay in registers; as wide as the CPU's vectors or a few of
// them.
using Eight = double __attribute__((vector_size(64)));

inline void load(const double* from, Eight& to) { std::memcpy(&to, from, sizeof to); }
inline void store(const Eight& from, double* to) { std::memcpy(to, &from, sizeof from); }

// All lanes as one number: `take(a, b)` makes a of a and b, lane by lane.
template <class Take>
inline double over_lanes(Eight (&halves)[2], Take take) {
  take(halves[0], halves[1]);
  double __attribute__((vector_size(32))) four[2];
  std::memcpy(four, halves, sizeof four);
  take(four[0], four[1]);
  double __attribute__((vector_size(16))) two[2];
  std::memcpy(two, four, sizeof two);
  take(two[0], two[1]);
  double out = two[0][0];
  take(out, two[0][1]);
  return out;
}

inline double add_lanes(Eight (&halves)[2]) {
  return over_lanes(halves, [](auto& a, const auto& b) { a += b; });
}
// (Loaded as vectors: else a compiler may add two such sums side by side, lane by lane.)
inline double add_lanes(const double* sum) {
  Eight halves[2];
  load(sum, halves[0]);
  load(sum + lanes / 2, halves[1]);
  return add_lanes(halves);
}
// w_1 + ... + w_n, n a multiple of 16.
inline double add(const double* __restrict w, std::size_t n) {
  Eight sum[2] = {};
  for (std::size_t i = 0; i < n; i += lanes)
    for (std::size_t h = 0; h < 2; ++h) {
      Eight own;
      load(w + i + 8 * h, own);
      sum[h] += own;
    }
  return add_lanes(sum);
}
inline double least_lane(Eight (&halves)[2]) {
  return over_lanes(halves, [](auto& a, const auto& b) { a = b < a ? b : a; });
}
inline double largest_lane(Eight (&halves)[2]) {
  return over_lanes(halves, [](auto& a, const auto& b) { a = b > a ? b : a; });
}
inline double largest_lane(const double* all) {
  Eight halves[2];
  std::memcpy(halves, all, sizeof halves);
  return largest_lane(halves);
}

}  // namespace afterwit
