// Keys and values to slots and floats, all features of a row at once: no arithmetic, so every version has the same
// bits.
#pragma once

#include <cfloat>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "numeric/lanes.hpp"
#include "numeric/multiversion.hpp"
#ifdef AFTERWIT_V4
#include <immintrin.h>
#endif

namespace afterwit {

// What is to be known of n features before they are a row.
struct RowFacts {
  std::uint64_t key_bits;  // of all keys together
  bool in_range;           // no value is zero or out of range
  bool ascends;            // the slots do, so that no two meet
};

inline std::uint32_t mask_of_slots(unsigned bits) { return static_cast<std::uint32_t>((std::uint64_t{1} << bits) - 1); }

// Writes slots and values, for which there is room up to a multiple of 16.
template <class Key, class Value>
AFTERWIT_MULTIVERSION RowFacts plain_row(const Key* __restrict keys, const Value* __restrict values, std::size_t n,
                                         unsigned bits, std::uint32_t* __restrict slots, float* __restrict x) {
  const std::uint32_t mask = mask_of_slots(bits);
  Key together = 0;
  for (std::size_t i = 0; i < n; ++i) {
    slots[i] = static_cast<std::uint32_t>(keys[i]) & mask;
    together |= keys[i];
  }
  std::uint64_t odd = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const Value size = std::fabs(values[i]);
    odd |=
        static_cast<std::uint64_t>(!(size >= Value{FLT_MIN})) | static_cast<std::uint64_t>(!(size <= Value{FLT_MAX}));
    x[i] = static_cast<float>(values[i]);
  }
  std::uint32_t falls = 0;
  for (std::size_t i = 1; i < n; ++i) falls |= static_cast<std::uint32_t>(slots[i] <= slots[i - 1]);
  return {static_cast<std::uint64_t>(together), odd == 0, falls == 0};
}

// What comes packed from a file or from SciPy has versions of its own, whose last vector needs no loop behind it.
AFTERWIT_ANY inline RowFacts plain_row(const std::uint32_t* keys, const float* values, std::size_t n, unsigned bits,
                                       std::uint32_t* slots, float* x) {
  return plain_row<>(keys, values, n, bits, slots, x);
}
AFTERWIT_ANY inline RowFacts plain_row(const std::uint64_t* keys, const float* values, std::size_t n, unsigned bits,
                                       std::uint32_t* slots, float* x) {
  return plain_row<>(keys, values, n, bits, slots, x);
}
AFTERWIT_ANY inline RowFacts plain_row(const std::int32_t* keys, const double* values, std::size_t n, unsigned bits,
                                       std::uint32_t* slots, float* x) {
  return plain_row<>(keys, values, n, bits, slots, x);
}

#ifdef AFTERWIT_V4
namespace packed {

// The low halves of the keys that are in, the others 0; their bits go to `together`.
AFTERWIT_V4 inline __m512i low_halves(const std::uint32_t* keys, __mmask16 in, __m512i& together) {
  const __m512i low = _mm512_maskz_loadu_epi32(in, keys);
  together = _mm512_or_si512(together, low);
  return low;
}
AFTERWIT_V4 inline __m512i low_halves(const std::uint64_t* keys, __mmask16 in, __m512i& together) {
  const __m512i a = _mm512_maskz_loadu_epi64(static_cast<__mmask8>(in), keys);
  const __m512i b = _mm512_maskz_loadu_epi64(static_cast<__mmask8>(in >> lanes / 2), keys + lanes / 2);
  together = _mm512_or_si512(together, _mm512_or_si512(a, b));
  const __m512i even = _mm512_set_epi32(30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0);
  return _mm512_maskz_permutex2var_epi32(0xFFFF, a, even, b);
}

// The values that are in, the others 0; those that are zero or out of range are marked.
AFTERWIT_V4 inline __m512 floats(const float* values, __mmask16 in, __mmask16& odd) {
  constexpr int least = 0x00800000, most = 0x7F7FFFFF;  // FLT_MIN and FLT_MAX, whose bits are in their order
  const __m512 x = _mm512_maskz_loadu_ps(in, values);
  const __m512i size = _mm512_and_si512(_mm512_castps_si512(x), _mm512_set1_epi32(0x7FFFFFFF));
  const __m512i above = _mm512_sub_epi32(size, _mm512_set1_epi32(least));
  odd |= _mm512_mask_cmpgt_epu32_mask(in, above, _mm512_set1_epi32(most - least));
  return x;
}
AFTERWIT_V4 inline __m256 eight_floats(const double* values, __mmask8 in, __mmask8& odd) {
  const __m512d value = _mm512_maskz_loadu_pd(in, values);
  const __m512d size = _mm512_abs_pd(value);
  odd = in & ~(_mm512_cmp_pd_mask(size, _mm512_set1_pd(FLT_MIN), _CMP_GE_OQ) &
               _mm512_cmp_pd_mask(size, _mm512_set1_pd(FLT_MAX), _CMP_LE_OQ));
  return _mm512_maskz_cvtpd_ps(0xFF, value);
}
AFTERWIT_V4 inline __m512 floats(const double* values, __mmask16 in, __mmask16& odd) {
  __mmask8 odd_low, odd_high;
  const __m256 low = eight_floats(values, static_cast<__mmask8>(in), odd_low);
  const __m256 high = eight_floats(values + lanes / 2, static_cast<__mmask8>(in >> lanes / 2), odd_high);
  odd |= static_cast<__mmask16>(odd_low | odd_high << lanes / 2);
  return _mm512_maskz_insertf32x8(0xFFFF, _mm512_castps256_ps512(low), high, 1);
}

template <class Key, class Value>
AFTERWIT_V4 inline RowFacts plain_row(const Key* keys, const Value* values, std::size_t n, unsigned bits,
                                      std::uint32_t* slots, float* x) {
  const __m512i mask = _mm512_set1_epi32(static_cast<int>(mask_of_slots(bits))), minus_one = _mm512_set1_epi32(-1);
  __m512i together = _mm512_setzero_si512(), before = minus_one;
  __mmask16 odd = 0, falls = 0;
  for (std::size_t i = 0; i < n; i += lanes) {
    const auto in = static_cast<__mmask16>(n - i >= lanes ? 0xFFFF : (1u << (n - i)) - 1);
    const __m512i slot = _mm512_mask_and_epi32(minus_one, in, low_halves(keys + i, in, together), mask);
    _mm512_storeu_si512(slots + i, slot);
    falls |= _mm512_mask_cmple_epi32_mask(in, slot, _mm512_maskz_alignr_epi32(0xFFFF, slot, before, lanes - 1));
    before = slot;
    _mm512_storeu_ps(x + i, floats(values + i, in, odd));
  }
  Key each[sizeof together / sizeof(Key)];
  _mm512_storeu_si512(each, together);
  std::uint64_t key_bits = 0;
  for (const Key one : each) key_bits |= one;
  return {key_bits, odd == 0, falls == 0};
}

}  // namespace packed

AFTERWIT_V4 inline RowFacts plain_row(const std::uint32_t* keys, const float* values, std::size_t n, unsigned bits,
                                      std::uint32_t* slots, float* x) {
  return packed::plain_row(keys, values, n, bits, slots, x);
}
AFTERWIT_V4 inline RowFacts plain_row(const std::uint64_t* keys, const float* values, std::size_t n, unsigned bits,
                                      std::uint32_t* slots, float* x) {
  return packed::plain_row(keys, values, n, bits, slots, x);
}
// No column is negative.
AFTERWIT_V4 inline RowFacts plain_row(const std::int32_t* keys, const double* values, std::size_t n, unsigned bits,
                                      std::uint32_t* slots, float* x) {
  return packed::plain_row(reinterpret_cast<const std::uint32_t*>(keys), values, n, bits, slots, x);
}
#endif

}  // namespace afterwit
