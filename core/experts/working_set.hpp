// The numbers of the rounds 1, 2, ..., t whose newcomers are still alive: all of them, or O(log t) so chosen that any
// [s, t] has one in its first half.
//
// tau = r 2^k, r odd, lives in rounds tau .. tau + 2^(k+2). At most 2 (1 + log2 t) live at a time, each round
// has one newcomer, and [t1, t2] is covered by at most 1 + log2(t2 - t1 + 1) lives that begin in it.
// Source: Luo 2016, section 2.3.3 (Hazan, Seshadhri 2007); errata 33.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace afterwit {

inline bool survives(std::uint64_t tau, std::uint64_t t) {
  const std::uint64_t power = tau & (~tau + 1);
  return t - tau <= 4 * power;
}

// S_t in order of birth, for t up to 2^53: beyond, powers of two would overflow.
inline std::vector<std::uint64_t> alive(std::uint64_t t, bool all) {
  std::vector<std::uint64_t> out;
  if (all) {
    for (std::uint64_t tau = 1; tau <= t; ++tau) out.push_back(tau);
    return out;
  }
  for (std::uint64_t power = 1; power <= t; power *= 2) {
    std::uint64_t last = t / power * power;
    if (last / power % 2 == 0) last -= last >= power ? power : 0;
    for (std::uint64_t tau = last; tau >= power && survives(tau, t); tau -= 2 * power) {
      out.push_back(tau);
      if (tau < 2 * power) break;
    }
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace afterwit
