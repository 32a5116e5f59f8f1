// Some entries of vectors side by side, and back to their places: each on its own, so every version has the same bits.
// Which ones is a byte per eight entries, bit k for entry k.
#pragma once

#include <cstddef>
#include <cstdint>

#include "numeric/multiversion.hpp"
#ifdef AFTERWIT_V4
#include <immintrin.h>
#endif

namespace afterwit {

// Marks the entries i < n with a[i] > least and b[i] > 0, n a multiple of 8, and packs those of a, and of c unless it
// is null; how many. The packed vectors must have room for n.
AFTERWIT_ANY inline std::size_t pack(const double* a, double least, const double* b, const double* c, std::size_t n,
                                     std::uint8_t* marks, double* packed_a, double* packed_c) {
  std::size_t m = 0;
  for (std::size_t i = 0; i < n; i += 8) {
    unsigned mark = 0;
    for (std::size_t k = 0; k < 8; ++k) {
      const unsigned in = static_cast<unsigned>(a[i + k] > least) & static_cast<unsigned>(b[i + k] > 0.0);
      packed_a[m] = a[i + k];  // of use if it is in
      if (c) packed_c[m] = c[i + k];
      mark |= in << k;
      m += in;
    }
    marks[i / 8] = static_cast<std::uint8_t>(mark);
  }
  return m;
}

// Puts packed entries, times their factors, back to where the marks say, and 0 elsewhere.
AFTERWIT_ANY inline void unpack(const double* packed, const std::uint8_t* marks, const double* factors, std::size_t n,
                                double* out) {
  std::size_t m = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t in = (marks[i / 8] >> (i % 8)) & 1u;
    out[i] = in ? packed[m] * factors[i] : 0.0;
    m += in;
  }
}

#ifdef AFTERWIT_V4
AFTERWIT_V4 inline std::size_t pack(const double* a, double least, const double* b, const double* c, std::size_t n,
                                    std::uint8_t* marks, double* packed_a, double* packed_c) {
  const __m512d above = _mm512_set1_pd(least), zero = _mm512_setzero_pd();
  std::size_t m = 0;
  for (std::size_t i = 0; i < n; i += 8) {
    const __m512d x = _mm512_loadu_pd(a + i), y = _mm512_loadu_pd(b + i);
    const __mmask8 mark = _mm512_cmp_pd_mask(x, above, _CMP_GT_OQ) & _mm512_cmp_pd_mask(y, zero, _CMP_GT_OQ);
    marks[i / 8] = mark;
    _mm512_storeu_pd(packed_a + m, _mm512_maskz_compress_pd(mark, x));
    if (c) _mm512_storeu_pd(packed_c + m, _mm512_maskz_compress_pd(mark, _mm512_loadu_pd(c + i)));
    m += static_cast<std::size_t>(__builtin_popcount(mark));
  }
  return m;
}

AFTERWIT_V4 inline void unpack(const double* packed, const std::uint8_t* marks, const double* factors, std::size_t n,
                               double* out) {
  for (std::size_t i = 0; i < n; i += 8) {
    const __mmask8 mark = marks[i / 8];
    const __m512d x = _mm512_maskz_expandloadu_pd(mark, packed);
    _mm512_storeu_pd(out + i, _mm512_mul_pd(x, _mm512_loadu_pd(factors + i)));
    packed += __builtin_popcount(mark);
  }
}
#endif

}  // namespace afterwit
