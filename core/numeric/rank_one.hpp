// Steps with a symmetric matrix P that is kept whole, rows `stride` apart: k = P x, and P - c k k'. Each entry is
// computed by itself in a fixed order, so the bits do not depend on the width of the machine's vectors.
//
// `stride` is a multiple of eight and k has as many entries. Between the n columns in use and the next multiple of
// eight P is 0 in their rows, and so are k and what is subtracted there: whole vectors, with nothing left over.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "numeric/multiversion.hpp"

namespace afterwit {

typedef double EightDoubles __attribute__((vector_size(64)));

// k = P x; returns x . k. Where P is small, eight entries of k at a time stay in a register; where it is large, its
// rows are read as they lie. Each entry is the same sum either way.
AFTERWIT_MULTIVERSION inline double multiply(const double* __restrict P, std::size_t stride, std::size_t n,
                                             const double* __restrict x, double* __restrict k) {
  if (n <= 32) {
    for (std::size_t j = 0; j < n; j += 8) {
      EightDoubles sum{}, row;
      for (std::size_t i = 0; i < n; ++i) {
        if (x[i] == 0.0) continue;
        std::memcpy(&row, P + i * stride + j, sizeof row);
        sum += x[i] * row;
      }
      std::memcpy(k + j, &sum, sizeof sum);
    }
  } else {
    std::fill_n(k, (n + 7) / 8 * 8, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
      if (x[i] == 0.0) continue;
      for (std::size_t j = 0; j < n; ++j) k[j] += x[i] * P[i * stride + j];
    }
  }
  double sum = 0.0;
  for (std::size_t j = 0; j < n; ++j) sum += x[j] * k[j];
  return sum;
}

// c, or less where rounding would make an entry of the diagonal of P - c k k' negative: with c = 1/(1/h + x . k) in
// place of h, k_j^2 <= P_jj x . k keeps it, but for rounding, which a huge h would make a matter of size.
inline double most_share(const double* P, std::size_t stride, std::size_t n, const double* k, double c) {
  for (std::size_t j = 0; j < n; ++j)
    if (c * (k[j] * k[j]) > P[j * stride + j]) c = P[j * stride + j] / (k[j] * k[j]);
  return c;
}

// P = growth (P - c k k')
AFTERWIT_MULTIVERSION inline void subtract_square(double* __restrict P, std::size_t stride, std::size_t n, double c,
                                                  const double* __restrict k, double growth) {
  for (std::size_t i = 0; i < n; ++i) {
    const double ki = k[i];  // c (k_i k_j), not (c k_i) k_j: the matrix stays symmetric to the bit
    for (std::size_t j = 0; j < n; j += 8) {
      EightDoubles row, own;
      std::memcpy(&row, P + i * stride + j, sizeof row);
      std::memcpy(&own, k + j, sizeof own);
      row = (row - c * (ki * own)) * growth;
      std::memcpy(P + i * stride + j, &row, sizeof row);
    }
  }
}

}  // namespace afterwit
