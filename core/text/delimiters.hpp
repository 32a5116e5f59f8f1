// Where the words of a text end: the places of every colon, of every byte up to the space, and where it is asked for
// of every bar, found 64 bytes at a time.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "numeric/multiversion.hpp"
#include "text/buffer.hpp"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace afterwit {

template <bool bars>
bool is_delimiter(char c) {
  return c == ':' || static_cast<unsigned char>(c) <= ' ' || (bars && c == '|');
}

// Bit i is set where p[i] is a delimiter; reads 64 bytes.
template <bool bars>
std::uint64_t delimiters_of_64(const char* p) {
  std::uint64_t mask = 0;
#if defined(__SSE2__)
  const __m128i space = _mm_set1_epi8(' '), colon = _mm_set1_epi8(':'), bar = _mm_set1_epi8('|');
  for (int i = 0; i < 4; ++i) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p + 16 * i));
    const __m128i blank = _mm_cmpeq_epi8(_mm_min_epu8(bytes, space), bytes);
    __m128i found = _mm_or_si128(blank, _mm_cmpeq_epi8(bytes, colon));
    if constexpr (bars) found = _mm_or_si128(found, _mm_cmpeq_epi8(bytes, bar));
    mask |= static_cast<std::uint64_t>(static_cast<std::uint32_t>(_mm_movemask_epi8(found))) << (16 * i);
  }
#else
  for (int i = 0; i < 64; ++i) mask |= static_cast<std::uint64_t>(is_delimiter<bars>(p[i])) << i;
#endif
  return mask;
}

// The offsets of the delimiters, in order; how many. `first` must have room for 64 more than there are bytes.
template <bool bars>
AFTERWIT_MULTIVERSION std::size_t write_delimiters(const char* begin, std::size_t size, std::uint32_t* const first) {
  std::uint32_t* out = first;
  std::size_t i = 0;
  for (; i + 64 <= size; i += 64) {
    std::uint64_t mask = delimiters_of_64<bars>(begin + i);
    const int count = std::popcount(mask);
    // Twelve at a time, whether they are there or not: a loop that ends after `count` would be mispredicted.
    for (int k = 0; k < count; k += 12)
      for (int j = 0; j < 12; ++j) {
        out[k + j] = static_cast<std::uint32_t>(i) + static_cast<std::uint32_t>(std::countr_zero(mask));
        mask &= mask - 1;
      }
    out += count;
  }
  for (; i < size; ++i)
    if (is_delimiter<bars>(begin[i])) *out++ = static_cast<std::uint32_t>(i);
  return static_cast<std::size_t>(out - first);
}

template <bool bars>
void find_delimiters(const char* begin, const char* end, Buffer<std::uint32_t>& places) {
  const auto size = static_cast<std::size_t>(end - begin);
  places.resize(size + 64);
  places.resize(write_delimiters<bars>(begin, size, places.data()));
}

}  // namespace afterwit
