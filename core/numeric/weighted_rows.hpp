// out = sum_j z_j W_j over the rows of W, which are `stride` numbers apart. Row j goes to running sum j mod 4, and the
// four are added pairwise: the order is fixed, so the bits do not depend on the width of the machine's vectors.
#pragma once

#include <cstddef>
#include <cstring>

#include "numeric/multiversion.hpp"

namespace afterwit {

constexpr std::size_t row_sums = 4;

// `stride` is a multiple of 64 bytes.
template <class Number>
AFTERWIT_MULTIVERSION void weighted_rows(const Number* __restrict W, std::size_t stride, const Number* __restrict z,
                                         std::size_t rows, Number* __restrict out) {
  typedef Number Numbers __attribute__((vector_size(64)));
  constexpr std::size_t width = sizeof(Numbers) / sizeof(Number);
  for (std::size_t k = 0; k < stride; k += width) {
    Numbers sums[row_sums] = {};
    std::size_t j = 0;
    for (; j + row_sums <= rows; j += row_sums)
      for (std::size_t i = 0; i < row_sums; ++i) {
        Numbers w;
        std::memcpy(&w, W + (j + i) * stride + k, sizeof w);
        sums[i] += w * z[j + i];
      }
    for (std::size_t i = 0; i < row_sums; ++i) {
      if (j + i >= rows) break;
      Numbers w;
      std::memcpy(&w, W + (j + i) * stride + k, sizeof w);
      sums[i] += w * z[j + i];
    }
    const Numbers sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
    std::memcpy(out + k, &sum, sizeof sum);
  }
}

}  // namespace afterwit
