// The words of one learner from the runs of a row, anywhere in a table, to blocks of sixteen features word by word, and
// back: no arithmetic, so every version has the same bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "numeric/lanes.hpp"
#include "numeric/multiversion.hpp"
#ifdef AFTERWIT_V4
#include <immintrin.h>
#endif

namespace afterwit {

// Where they lie: the learner's first word in the run of place 0, and the places of the row's features, 2^shift numbers
// each, n of them and then up to a multiple of sixteen those of features of value 0. A place may be -1.
template <class Number>
struct Runs {
  Number* first;
  unsigned shift;
  const std::uint32_t* places;
  std::size_t n;

  Number* at(std::size_t i) const {
    return first + (static_cast<std::ptrdiff_t>(static_cast<std::int32_t>(places[i])) << shift);
  }
};

namespace runs {

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

// Four words side by side, of which the first `words` are of interest; a block begins every `size` floats. (Where they
// lie is given part by part, in registers.)
AFTERWIT_ANY inline void gather_fours(const float* first, unsigned shift, const std::uint32_t* places, std::size_t n,
                                      float* block, std::size_t words, std::size_t size) {
  const Runs<const float> from{first, shift, places, n};
  for (std::size_t i = 0; i < from.n; i += lanes, block += size)
    for (std::size_t l = 0; l < lanes; l += 4) {
      Four a = load(from.at(i + l)), b = load(from.at(i + l + 1));
      Four c = load(from.at(i + l + 2)), d = load(from.at(i + l + 3));
      transpose(a, b, c, d);
      store(block + l, a);
      if (words > 1) store(block + lanes + l, b);
      if (words > 2) store(block + 2 * lanes + l, c);
      if (words > 3) store(block + 3 * lanes + l, d);
    }
}

AFTERWIT_ANY inline void scatter_fours(float* first, unsigned shift, const std::uint32_t* places, std::size_t n,
                                       const float* block, std::size_t words, std::size_t size) {
  const Runs<float> to{first, shift, places, n};
  for (std::size_t i = 0; i < to.n; i += lanes, block += size)
    for (std::size_t l = 0; l < lanes; l += 4) {
      Four a = load(block + l), b = words > 1 ? load(block + lanes + l) : Four{};
      Four c = words > 2 ? load(block + 2 * lanes + l) : Four{}, d = words > 3 ? load(block + 3 * lanes + l) : Four{};
      transpose(a, b, c, d);
      store(to.at(i + l), a);
      store(to.at(i + l + 1), b);
      store(to.at(i + l + 2), c);
      store(to.at(i + l + 3), d);
    }
}

// Single words. (Written one by one, they would have to reach the cache before a vector of them could be read.)
inline Four four_words(const Runs<const float>& from, std::size_t i) {
  return Four{*from.at(i), *from.at(i + 1), *from.at(i + 2), *from.at(i + 3)};
}
AFTERWIT_ANY inline void gather_words(const float* first, unsigned shift, const std::uint32_t* places, std::size_t n,
                                      float* block) {
  const Runs<const float> from{first, shift, places, n};
  for (std::size_t i = 0; i < from.n; i += lanes, block += lanes)
    for (std::size_t l = 0; l < lanes; l += 4) store(block + l, four_words(from, i + l));
}

#ifdef AFTERWIT_V4
// The same four times over in one vector: quarter k has the runs 4 k to 4 k + 3. (With masks of all, because GCC 12
// warns of its own intrinsics without.)
constexpr __mmask16 all = 0xFFFF;

AFTERWIT_V4 inline void transpose(__m512& a, __m512& b, __m512& c, __m512& d) {
  const __m512 ab_low = _mm512_maskz_unpacklo_ps(all, a, b), ab_high = _mm512_maskz_unpackhi_ps(all, a, b);
  const __m512 cd_low = _mm512_maskz_unpacklo_ps(all, c, d), cd_high = _mm512_maskz_unpackhi_ps(all, c, d);
  a = _mm512_maskz_shuffle_ps(all, ab_low, cd_low, 0x44);
  b = _mm512_maskz_shuffle_ps(all, ab_low, cd_low, 0xEE);
  c = _mm512_maskz_shuffle_ps(all, ab_high, cd_high, 0x44);
  d = _mm512_maskz_shuffle_ps(all, ab_high, cd_high, 0xEE);
}

// The runs i, i + 4, i + 8 and i + 12.
AFTERWIT_V4 inline __m512 every_fourth(const Runs<const float>& from, std::size_t i) {
  __m512 four = _mm512_zextps128_ps512(_mm_loadu_ps(from.at(i)));
  four = _mm512_maskz_insertf32x4(all, four, _mm_loadu_ps(from.at(i + 4)), 1);
  four = _mm512_maskz_insertf32x4(all, four, _mm_loadu_ps(from.at(i + 8)), 2);
  return _mm512_maskz_insertf32x4(all, four, _mm_loadu_ps(from.at(i + 12)), 3);
}
AFTERWIT_V4 inline void every_fourth(const Runs<float>& to, std::size_t i, __m512 four) {
  _mm_storeu_ps(to.at(i), _mm512_maskz_extractf32x4_ps(0xF, four, 0));
  _mm_storeu_ps(to.at(i + 4), _mm512_maskz_extractf32x4_ps(0xF, four, 1));
  _mm_storeu_ps(to.at(i + 8), _mm512_maskz_extractf32x4_ps(0xF, four, 2));
  _mm_storeu_ps(to.at(i + 12), _mm512_maskz_extractf32x4_ps(0xF, four, 3));
}

AFTERWIT_V4 inline void gather_fours(const float* first, unsigned shift, const std::uint32_t* places, std::size_t n,
                                     float* block, std::size_t words, std::size_t size) {
  const Runs<const float> from{first, shift, places, n};
  for (std::size_t i = 0; i < from.n; i += lanes, block += size) {
    __m512 a = every_fourth(from, i), b = every_fourth(from, i + 1);
    __m512 c = every_fourth(from, i + 2), d = every_fourth(from, i + 3);
    transpose(a, b, c, d);
    _mm512_storeu_ps(block, a);
    if (words > 1) _mm512_storeu_ps(block + lanes, b);
    if (words > 2) _mm512_storeu_ps(block + 2 * lanes, c);
    if (words > 3) _mm512_storeu_ps(block + 3 * lanes, d);
  }
}

AFTERWIT_V4 inline void scatter_fours(float* first, unsigned shift, const std::uint32_t* places, std::size_t n,
                                      const float* block, std::size_t words, std::size_t size) {
  const Runs<float> to{first, shift, places, n};
  const __m512 zero = _mm512_setzero_ps();
  for (std::size_t i = 0; i < to.n; i += lanes, block += size) {
    __m512 a = _mm512_loadu_ps(block), b = words > 1 ? _mm512_loadu_ps(block + lanes) : zero;
    __m512 c = words > 2 ? _mm512_loadu_ps(block + 2 * lanes) : zero;
    __m512 d = words > 3 ? _mm512_loadu_ps(block + 3 * lanes) : zero;
    transpose(a, b, c, d);
    every_fourth(to, i, a);
    every_fourth(to, i + 1, b);
    every_fourth(to, i + 2, c);
    every_fourth(to, i + 3, d);
  }
}

AFTERWIT_V4 inline void gather_words(const float* first, unsigned shift, const std::uint32_t* places, std::size_t n,
                                     float* block) {
  const Runs<const float> from{first, shift, places, n};
  for (std::size_t i = 0; i < from.n; i += lanes, block += lanes) {
    __m512 words = _mm512_zextps128_ps512(four_words(from, i));
    words = _mm512_maskz_insertf32x4(all, words, four_words(from, i + 4), 1);
    words = _mm512_maskz_insertf32x4(all, words, four_words(from, i + 8), 2);
    _mm512_storeu_ps(block, _mm512_maskz_insertf32x4(all, words, four_words(from, i + 12), 3));
  }
}
#endif

// Floats that a learner of so many words has in a run: fours of them are moved by one instruction.
constexpr std::size_t room(std::size_t words) { return words < 3 ? words : (words + 3) / 4 * 4; }

template <std::size_t words, class Number>
void gather(const Runs<const Number>& from, Number* __restrict block) {
  constexpr std::size_t size = words * lanes;
  if constexpr (std::is_same_v<Number, float> && words == 1) {
    gather_words(from.first, from.shift, from.places, from.n, block);
  } else if constexpr (std::is_same_v<Number, float> && words > 2) {
    for (std::size_t w = 0; w < words; w += 4)
      gather_fours(from.first + w, from.shift, from.places, from.n, block + w * lanes, words - w, size);
  } else {
    for (std::size_t i = 0; i < from.n; i += lanes, block += size)
      for (std::size_t l = 0; l < lanes; ++l)
        for (std::size_t w = 0; w < words; ++w) block[w * lanes + l] = from.at(i + l)[w];
  }
}

template <std::size_t words, class Number>
void scatter(const Runs<Number>& to, const Number* __restrict block) {
  constexpr std::size_t size = words * lanes;
  if constexpr (std::is_same_v<Number, float> && words > 2) {
    for (std::size_t w = 0; w < words; w += 4)
      scatter_fours(to.first + w, to.shift, to.places, to.n, block + w * lanes, words - w, size);
  } else {
    for (std::size_t i = 0; i < to.n; i += lanes, block += size)
      for (std::size_t l = 0; l < lanes; ++l)
        for (std::size_t w = 0; w < words; ++w) to.at(i + l)[w] = block[w * lanes + l];
  }
}

}  // namespace runs

}  // namespace afterwit
