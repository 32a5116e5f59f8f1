// Runs of four floats, anywhere in a table, to blocks of sixteen runs word by word, and back, and single words to
// blocks: no arithmetic, so every version has the same bits. A block begins every `stride` floats; n slots are a
// multiple of sixteen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "numeric/lanes.hpp"
#include "numeric/multiversion.hpp"
#ifdef AFTERWIT_V4
#include <immintrin.h>
#endif

namespace afterwit::runs {

// Slot 0xFFFFFFFF (Row::nothing) is the run before the first.
inline std::ptrdiff_t place(std::uint32_t slot, std::size_t size) {
  return static_cast<std::ptrdiff_t>(static_cast<std::int32_t>(slot)) * static_cast<std::ptrdiff_t>(size);
}

using Four = float __attribute__((vector_size(16)));
using Order = int __attribute__((vector_size(16)));

inline Four load(const float* p) {
  Four four;
  std::memcpy(&four, p, sizeof four);
  return four;
}
inline void store(float* p, const Four& four) { std::memcpy(p, &four, sizeof four); }

template <int... order>
Four shuffled(const Four& a, const Four& b) {
#ifdef __clang__
  return __builtin_shufflevector(a, b, order...);
#else
  return __builtin_shuffle(a, b, Order{order...});
#endif
}

// Four runs of four words become four words of four runs, and back.
inline void transpose(Four& a, Four& b, Four& c, Four& d) {
  const Four ab_low = shuffled<0, 4, 1, 5>(a, b), ab_high = shuffled<2, 6, 3, 7>(a, b);
  const Four cd_low = shuffled<0, 4, 1, 5>(c, d), cd_high = shuffled<2, 6, 3, 7>(c, d);
  a = shuffled<0, 1, 4, 5>(ab_low, cd_low);
  b = shuffled<2, 3, 6, 7>(ab_low, cd_low);
  c = shuffled<0, 1, 4, 5>(ab_high, cd_high);
  d = shuffled<2, 3, 6, 7>(ab_high, cd_high);
}

// Words 0, 1 and 2 of the runs.
AFTERWIT_ANY inline void gather(const float* table, const std::uint32_t* slots, std::size_t n, std::size_t stride,
                                float* block) {
  for (std::size_t i = 0; i < n; i += lanes, block += stride)
    for (std::size_t l = 0; l < lanes; l += 4) {
      const std::uint32_t* slot = slots + i + l;
      Four a = load(table + place(slot[0], 4)), b = load(table + place(slot[1], 4));
      Four c = load(table + place(slot[2], 4)), d = load(table + place(slot[3], 4));
      transpose(a, b, c, d);
      store(block + l, a);
      store(block + lanes + l, b);
      store(block + 2 * lanes + l, c);
    }
}

// Word 1 is taken from place `second` of a block.
AFTERWIT_ANY inline void scatter(float* table, const std::uint32_t* slots, std::size_t n, std::size_t stride,
                                 std::size_t second, const float* block) {
  for (std::size_t i = 0; i < n; i += lanes, block += stride)
    for (std::size_t l = 0; l < lanes; l += 4) {
      const std::uint32_t* slot = slots + i + l;
      Four a = load(block + l), b = load(block + second + l), c = load(block + 2 * lanes + l), d{};
      transpose(a, b, c, d);
      store(table + place(slot[0], 4), a);
      store(table + place(slot[1], 4), b);
      store(table + place(slot[2], 4), c);
      store(table + place(slot[3], 4), d);
    }
}

// Runs of one word. (Written one by one, they would have to reach the cache before a vector of them could be read.)
inline Four four_words(const float* table, const std::uint32_t* slots) {
  return Four{table[place(slots[0], 1)], table[place(slots[1], 1)], table[place(slots[2], 1)],
              table[place(slots[3], 1)]};
}
AFTERWIT_ANY inline void gather_words(const float* table, const std::uint32_t* slots, std::size_t n, std::size_t stride,
                                      float* block) {
  for (std::size_t i = 0; i < n; i += lanes, block += stride)
    for (std::size_t l = 0; l < lanes; l += 4) store(block + l, four_words(table, slots + i + l));
}

#ifdef AFTERWIT_V4
// The same four times over in one vector: quarter k has the runs 4 k to 4 k + 3. (With masks of all, because GCC 12
// warns of its own intrinsics without.)
constexpr __mmask16 all = 0xFFFF;
struct Transposed {
  __m512 a, b, c, d;
};

AFTERWIT_V4 inline Transposed transpose(__m512 a, __m512 b, __m512 c, __m512 d) {
  const __m512 ab_low = _mm512_maskz_unpacklo_ps(all, a, b), ab_high = _mm512_maskz_unpackhi_ps(all, a, b);
  const __m512 cd_low = _mm512_maskz_unpacklo_ps(all, c, d), cd_high = _mm512_maskz_unpackhi_ps(all, c, d);
  return {_mm512_maskz_shuffle_ps(all, ab_low, cd_low, 0x44), _mm512_maskz_shuffle_ps(all, ab_low, cd_low, 0xEE),
          _mm512_maskz_shuffle_ps(all, ab_high, cd_high, 0x44), _mm512_maskz_shuffle_ps(all, ab_high, cd_high, 0xEE)};
}

// The runs of slots 0, 4, 8 and 12.
AFTERWIT_V4 inline __m512 every_fourth(const float* table, const std::uint32_t* slots) {
  __m512 four = _mm512_zextps128_ps512(_mm_loadu_ps(table + place(slots[0], 4)));
  four = _mm512_maskz_insertf32x4(all, four, _mm_loadu_ps(table + place(slots[4], 4)), 1);
  four = _mm512_maskz_insertf32x4(all, four, _mm_loadu_ps(table + place(slots[8], 4)), 2);
  return _mm512_maskz_insertf32x4(all, four, _mm_loadu_ps(table + place(slots[12], 4)), 3);
}
AFTERWIT_V4 inline void every_fourth(float* table, const std::uint32_t* slots, __m512 four) {
  _mm_storeu_ps(table + place(slots[0], 4), _mm512_maskz_extractf32x4_ps(0xF, four, 0));
  _mm_storeu_ps(table + place(slots[4], 4), _mm512_maskz_extractf32x4_ps(0xF, four, 1));
  _mm_storeu_ps(table + place(slots[8], 4), _mm512_maskz_extractf32x4_ps(0xF, four, 2));
  _mm_storeu_ps(table + place(slots[12], 4), _mm512_maskz_extractf32x4_ps(0xF, four, 3));
}

AFTERWIT_V4 inline void gather(const float* table, const std::uint32_t* slots, std::size_t n, std::size_t stride,
                               float* block) {
  for (std::size_t i = 0; i < n; i += lanes, slots += lanes, block += stride) {
    const Transposed words = transpose(every_fourth(table, slots), every_fourth(table, slots + 1),
                                       every_fourth(table, slots + 2), every_fourth(table, slots + 3));
    _mm512_storeu_ps(block, words.a);
    _mm512_storeu_ps(block + lanes, words.b);
    _mm512_storeu_ps(block + 2 * lanes, words.c);
  }
}

AFTERWIT_V4 inline void gather_words(const float* table, const std::uint32_t* slots, std::size_t n, std::size_t stride,
                                     float* block) {
  for (std::size_t i = 0; i < n; i += lanes, slots += lanes, block += stride) {
    __m512 words = _mm512_zextps128_ps512(four_words(table, slots));
    words = _mm512_maskz_insertf32x4(all, words, four_words(table, slots + 4), 1);
    words = _mm512_maskz_insertf32x4(all, words, four_words(table, slots + 8), 2);
    _mm512_storeu_ps(block, _mm512_maskz_insertf32x4(all, words, four_words(table, slots + 12), 3));
  }
}

AFTERWIT_V4 inline void scatter(float* table, const std::uint32_t* slots, std::size_t n, std::size_t stride,
                                std::size_t second, const float* block) {
  for (std::size_t i = 0; i < n; i += lanes, slots += lanes, block += stride) {
    const Transposed runs = transpose(_mm512_loadu_ps(block), _mm512_loadu_ps(block + second),
                                      _mm512_loadu_ps(block + 2 * lanes), _mm512_setzero_ps());
    every_fourth(table, slots, runs.a);
    every_fourth(table, slots + 1, runs.b);
    every_fourth(table, slots + 2, runs.c);
    every_fourth(table, slots + 3, runs.d);
  }
}
#endif

}  // namespace afterwit::runs
