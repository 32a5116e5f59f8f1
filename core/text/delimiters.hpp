// Where the words of a text end: the places of every colon, of every byte up to the space, and where it is asked for
// of every bar, found 64 bytes at a time.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "numeric/multiversion.hpp"
#include "rows/buffer.hpp"

#ifdef AFTERWIT_V4
#include <immintrin.h>
#elif defined(__SSE2__)
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
AFTERWIT_MULTIVERSION std::size_t delimiters_one_by_one(const char* begin, std::size_t size,
                                                        std::uint32_t* const first) {
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

AFTERWIT_ANY inline std::size_t write_delimiters(const char* begin, std::size_t size, bool bars, std::uint32_t* first) {
  return bars ? delimiters_one_by_one<true>(begin, size, first) : delimiters_one_by_one<false>(begin, size, first);
}

#ifdef AFTERWIT_V4
// Sixteen offsets are made at once, and those of delimiters moved together.
AFTERWIT_V4 inline std::size_t write_delimiters(const char* begin, std::size_t size, bool bars, std::uint32_t* first) {
  const __m512i space = _mm512_set1_epi8(' '), colon = _mm512_set1_epi8(':'), bar = _mm512_set1_epi8('|');
  __m512i offsets = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
  std::uint32_t* out = first;
  std::size_t i = 0;
  for (; i + 64 <= size; i += 64) {
    const __m512i bytes = _mm512_loadu_si512(begin + i);
    std::uint64_t mask = _mm512_cmple_epu8_mask(bytes, space) | _mm512_cmpeq_epi8_mask(bytes, colon);
    if (bars) mask |= _mm512_cmpeq_epi8_mask(bytes, bar);
    for (int part = 0; part < 4; ++part, offsets = _mm512_add_epi32(offsets, _mm512_set1_epi32(16))) {
      const int before = std::popcount(mask & ((1ull << (16 * part)) - 1));
      const auto these = static_cast<__mmask16>(mask >> (16 * part));
      _mm512_storeu_si512(out + before, _mm512_maskz_compress_epi32(these, offsets));
    }
    out += std::popcount(mask);
  }
  for (; i < size; ++i)
    if (is_delimiter<true>(begin[i]) && (bars || begin[i] != '|')) *out++ = static_cast<std::uint32_t>(i);
  return static_cast<std::size_t>(out - first);
}
#endif

template <bool bars>
void find_delimiters(const char* begin, const char* end, Buffer<std::uint32_t>& places) {
  const auto size = static_cast<std::size_t>(end - begin);
  places.resize(size + 64);
  places.resize(write_delimiters(begin, size, bars, places.data()));
}

}  // namespace afterwit
