// The worst regret on the intervals of one length: max over s, i of sum_{t = s+1 .. s+n} r_{t,i}.
// Luo 2016, section 2.3.3, adaptive regret. From the sums S_t = r_1 + ... + r_t, S_0 = 0, row by row: S_{s+n,i} -
// S_{s,i} has the distance n N in memory for every s and i, so one sweep over flat numbers does it. O(T N) per length.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "numeric/lanes.hpp"
#include "numeric/multiversion.hpp"

namespace afterwit {

struct WorstInterval {
  double regret;
  std::size_t start;   // the rounds [start, start + n), counted from 0
  std::size_t expert;  // of equals the earliest start, then the smallest expert
};

AFTERWIT_MULTIVERSION inline double largest_difference(const double* __restrict late, const double* __restrict early,
                                                       std::size_t n) {
  double best[lanes];
  std::fill(best, best + lanes, -std::numeric_limits<double>::infinity());
  std::size_t j = 0;
  for (; j + lanes <= n; j += lanes)
    for (std::size_t l = 0; l < lanes; ++l) {
      const double d = late[j + l] - early[j + l];
      best[l] = d > best[l] ? d : best[l];
    }
  for (; j < n; ++j) best[0] = std::max(best[0], late[j] - early[j]);
  return *std::max_element(best, best + lanes);
}

// r is T x N; the sums are (T + 1) x N.
inline std::vector<double> running_sums(std::span<const double> r, std::size_t N) {
  std::vector<double> S(r.size() + N);
  for (std::size_t j = 0; j < r.size(); ++j) S[j + N] = S[j] + r[j];
  return S;
}

// 1 <= n <= T, N >= 1.
inline WorstInterval worst_interval(std::span<const double> S, std::size_t N, std::size_t n) {
  constexpr std::size_t block = 4096;  // where the best is, is looked for in one block only
  const double *early = S.data(), *late = early + n * N;
  const std::size_t count = S.size() - n * N;
  double best = -std::numeric_limits<double>::infinity();
  std::size_t place = 0;
  for (std::size_t j = 0; j < count; j += block) {
    const double found = largest_difference(late + j, early + j, std::min(block, count - j));
    if (found > best) best = found, place = j;
  }
  while (late[place] - early[place] != best) ++place;
  return {best, place / N, place % N};
}

}  // namespace afterwit
