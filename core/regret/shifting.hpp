// The best partition into at most k segments with one expert each, for every k <= K: R_k = max sum_t r_{t, i(t)}.
//   G_{k,t}(i) = r_{t,i} + max(G_{k,t-1}(i), max_j G_{k-1,t-1}(j)),   G_{k,0} = 0,   R_k = max_i G_{k,T}(i)
// Luo 2016, section 2.3.3, tracking the best expert; exactly K segments and at most K are the same where K <= T,
// because neighbours may have one expert. O(T N K) time; beside the N K of G, O(T K) memory: for every k and t the best
// i and where its segment began, which is all that the way back needs. Of equals the smallest expert, and no shift.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "numeric/multiversion.hpp"

namespace afterwit {

struct Shifting {
  std::vector<double> regret;               // R_1 .. R_K
  std::vector<std::int64_t> segments;       // how many of them each k has
  std::vector<std::int64_t> first, expert;  // of all segments, k by k, in the order of rounds
};

// One k in one round: extends every G by r, or enters it from the best of k - 1; returns the best i.
AFTERWIT_MULTIVERSION inline std::size_t extend(double* __restrict G, std::int64_t* __restrict since,
                                                const double* __restrict r, std::size_t N, double enter,
                                                std::int64_t now) {
  for (std::size_t i = 0; i < N; ++i) {
    const bool shifts = enter > G[i];
    G[i] = (shifts ? enter : G[i]) + r[i];
    since[i] = shifts ? now : since[i];
  }
  std::size_t best = 0;
  for (std::size_t i = 1; i < N; ++i) best = G[i] > G[best] ? i : best;
  return best;
}

// r is T x N, N >= 1.
inline Shifting best_partitions(std::span<const double> r, std::size_t N, std::size_t K) {
  const std::size_t T = r.size() / N;
  struct End {
    std::uint32_t expert, since;
  };
  std::vector<double> G(K * N), best(K);
  std::vector<std::int64_t> since(K * N);
  std::vector<End> ends(T * K);
  for (std::size_t t = 0; t < T; ++t)
    for (std::size_t k = K; k-- > 0;) {  // downwards: k - 1 must still be that of the round before
      const double enter = k > 0 ? best[k - 1] : -std::numeric_limits<double>::infinity();
      double* of_k = G.data() + k * N;
      const std::size_t i =
          extend(of_k, since.data() + k * N, r.data() + t * N, N, enter, static_cast<std::int64_t>(t));
      best[k] = of_k[i];
      ends[t * K + k] = {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(since[k * N + i])};
    }
  Shifting out;
  out.regret = best;
  for (std::size_t k = 0; k < K; ++k) {
    std::vector<End> way;
    for (std::size_t t = T, left = k; t > 0; --left) {
      way.push_back(ends[(t - 1) * K + left]);
      t = way.back().since;
    }
    out.segments.push_back(static_cast<std::int64_t>(way.size()));
    for (std::size_t j = way.size(); j-- > 0;) {
      out.first.push_back(way[j].since);
      out.expert.push_back(way[j].expert);
    }
  }
  return out;
}

}  // namespace afterwit
