// Random numbers by key: the draw of a round depends on the seed and the round alone, so that looking changes nothing.
#pragma once

#include <cstdint>

namespace afterwit {

// The finaliser of SplitMix64 (Steele et al. 2014): every bit of the key changes half of the result.
inline std::uint64_t scrambled(std::uint64_t key) {
  key = (key ^ (key >> 30)) * 0xBF58476D1CE4E5B9ull;
  key = (key ^ (key >> 27)) * 0x94D049BB133111EBull;
  return key ^ (key >> 31);
}

// Uniform on the multiples of 2^-53 in [0, 1).
inline double keyed_uniform(std::uint64_t seed, std::uint64_t round) {
  constexpr std::uint64_t golden = 0x9E3779B97F4A7C15ull;
  return static_cast<double>(scrambled(scrambled(seed + golden) + (round + 1) * golden) >> 11) * 0x1p-53;
}

}  // namespace afterwit
