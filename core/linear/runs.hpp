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

// Where they lie: the learner's first word in the run of place 0, how far it is from run to run, and the places of the
// row's features, n of them and then up to a multiple of sixteen `Row::nothing`: that is -1, the run before the first.
template <class Number>
struct Runs {
  Number* first;
  std::size_t stride;
  const std::uint32_t* places;
  std::size_t n;

  Number* at(std::size_t i) const {
    return first +
           static_cast<std::ptrdiff_t>(static_cast<std::int32_t>(places[i])) * static_cast<std::ptrdiff_t>(stride);
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

// Four words side by side, of which the first `words` are of interest; a block begins every `size` floats.
AFTERWIT_ANY inline void gather_fours(const Runs<const float>& from, std::size_t words, std::size_t size,
                                      float* block) {
  for (std::size_t i = 0; i < from.n; i += lanes, block += size)
    for (std::size_t l = 0; l < lanes; l += 4) {
      Four word[4] = {load(from.at(i + l)), load(from.at(i + l + 1)), load(from.at(i + l + 2)),
                      load(from.at(i + l + 3))};
      transpose(word[0], word[1], word[2], word[3]);
      for (std::size_t w = 0; w < words; ++w) store(block + w * lanes + l, word[w]);
    }
}

AFTERWIT_ANY inline void scatter_fours(const Runs<float>& to, std::size_t words, std::size_t size, const float* block) {
  for (std::size_t i = 0; i < to.n; i += lanes, block += size)
    for (std::size_t l = 0; l < lanes; l += 4) {
      Four run[4] = {};
      for (std::size_t w = 0; w < words; ++w) run[w] = load(block + w * lanes + l);
      transpose(run[0], run[1], run[2], run[3]);
      for (std::size_t k = 0; k < 4; ++k) store(to.at(i + l + k), run[k]);
    }
}

// Single words. (Written one by one, they would have to reach the cache before a vector of them could be read.)
inline Four four_words(const Runs<const float>& from, std::size_t i) {
  return Four{*from.at(i), *from.at(i + 1), *from.at(i + 2), *from.at(i + 3)};
}
AFTERWIT_ANY inline void gather_words(const Runs<const float>& from, std::size_t size, float* block) {
  for (std::size_t i = 0; i < from.n; i += lanes, block += size)
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

AFTERWIT_V4 inline void gather_fours(const Runs<const float>& from, std::size_t words, std::size_t size, float* block) {
  for (std::size_t i = 0; i < from.n; i += lanes, block += size) {
    __m512 word[4] = {every_fourth(from, i), every_fourth(from, i + 1), every_fourth(from, i + 2),
                      every_fourth(from, i + 3)};
    transpose(word[0], word[1], word[2], word[3]);
    for (std::size_t w = 0; w < words; ++w) _mm512_storeu_ps(block + w * lanes, word[w]);
  }
}

AFTERWIT_V4 inline void scatter_fours(const Runs<float>& to, std::size_t words, std::size_t size, const float* block) {
  for (std::size_t i = 0; i < to.n; i += lanes, block += size) {
    __m512 run[4] = {};
    for (std::size_t w = 0; w < words; ++w) run[w] = _mm512_loadu_ps(block + w * lanes);
    transpose(run[0], run[1], run[2], run[3]);
    for (std::size_t k = 0; k < 4; ++k) every_fourth(to, i + k, run[k]);
  }
}

AFTERWIT_V4 inline void gather_words(const Runs<const float>& from, std::size_t size, float* block) {
  for (std::size_t i = 0; i < from.n; i += lanes, block += size) {
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
    gather_words(from, size, block);
  } else if constexpr (std::is_same_v<Number, float> && words > 2) {
    for (std::size_t w = 0; w < words; w += 4)
      gather_fours({from.first + w, from.stride, from.places, from.n}, words - w < 4 ? words - w : 4, size,
                   block + w * lanes);
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
      scatter_fours({to.first + w, to.stride, to.places, to.n}, words - w < 4 ? words - w : 4, size, block + w * lanes);
  } else {
    for (std::size_t i = 0; i < to.n; i += lanes, block += size)
      for (std::size_t l = 0; l < lanes; ++l)
        for (std::size_t w = 0; w < words; ++w) to.at(i + l)[w] = block[w * lanes + l];
  }
}

}  // namespace runs

}  // namespace afterwit
