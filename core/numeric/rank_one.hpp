// Steps with a symmetric matrix P that is kept whole, rows `stride` apart: k = P x, and P - c k k'. Each entry is
// computed by itself in a fixed order, so the bits do not depend on the width of the machine's vectors.
#pragma once

#include <cstddef>

#include "numeric/multiversion.hpp"

namespace afterwit {

// k = P x; returns x . k
AFTERWIT_MULTIVERSION inline double multiply(const double* __restrict P, std::size_t stride, std::size_t n,
                                             const double* __restrict x, double* __restrict k) {
  for (std::size_t j = 0; j < n; ++j) k[j] = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    const double xi = x[i];
    if (xi == 0.0) continue;
    const double* __restrict row = P + i * stride;
    for (std::size_t j = 0; j < n; ++j) k[j] += xi * row[j];
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

// P = (P - c k k')/f
AFTERWIT_MULTIVERSION inline void subtract_square(double* __restrict P, std::size_t stride, std::size_t n, double c,
                                                  const double* __restrict k, double f) {
  for (std::size_t i = 0; i < n; ++i) {
    double* __restrict row = P + i * stride;
    const double ki = k[i];  // c (k_i k_j), not (c k_i) k_j: the matrix stays symmetric to the bit
    if (f == 1.0)
      for (std::size_t j = 0; j < n; ++j) row[j] -= c * (ki * k[j]);
    else
      for (std::size_t j = 0; j < n; ++j) row[j] = (row[j] - c * (ki * k[j])) / f;
  }
}

}  // namespace afterwit
