// Steps with a symmetric matrix P that is kept whole, rows `stride` apart: k = P x, and P - c k k'. Each entry is
// computed by itself in a fixed order, so the bits do not depend on the width of the machine's vectors.
//
// `stride` is a multiple of eight and k has as many entries. Between the n columns in use and the next multiple of
// eight P is 0 in their rows, and so are x, k and what is subtracted there: whole vectors, with nothing left over.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "numeric/lanes.hpp"
#include "numeric/multiversion.hpp"

namespace afterwit {

// x . y, where one of them is 0 between n and the next multiple of eight.
inline double dot(const double* x, const double* y, std::size_t n) {
  Eight sum[2] = {}, a, b;
  for (std::size_t j = 0; j < n; j += 8) {
    load(x + j, a);
    load(y + j, b);
    sum[0] += a * b;
  }
  return add_lanes(sum);
}

// w += step k
inline void add_multiple(double* w, double step, const double* k, std::size_t n) {
  Eight own, other;
  for (std::size_t j = 0; j < n; j += 8) {
    load(w + j, own);
    load(k + j, other);
    store(own + step * other, w + j);
  }
}

// k = P x; returns x . k. Where P is small, eight entries of k at a time stay in a register; where it is large, its
// rows are read as they lie. Each entry is the same sum either way.
AFTERWIT_MULTIVERSION inline double multiply(const double* __restrict P, std::size_t stride, std::size_t n,
                                             const double* __restrict x, double* __restrict k) {
  if (n <= 32) {
    for (std::size_t j = 0; j < n; j += 8) {
      Eight sum{}, row;
      for (std::size_t i = 0; i < n; ++i) {
        if (x[i] == 0.0) continue;
        load(P + i * stride + j, row);
        sum += x[i] * row;
      }
      store(sum, k + j);
    }
  } else {
    std::fill_n(k, (n + 7) / 8 * 8, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
      if (x[i] == 0.0) continue;
      for (std::size_t j = 0; j < n; ++j) k[j] += x[i] * P[i * stride + j];
    }
  }
  return dot(x, k, n);
}

// c, or less where rounding would make an entry of the diagonal of P - c k k' negative: with c = 1/(1/h + x . k) in
// place of h, k_j^2 <= P_jj x . k keeps it, but for rounding, which a huge h would make a matter of size.
inline double most_share(const double* __restrict diagonal, std::size_t n, const double* __restrict k, double c) {
  std::int64_t beyond = 0;
  for (std::size_t j = 0; j < n; ++j) beyond |= c * (k[j] * k[j]) > diagonal[j] ? 1 : 0;
  for (std::size_t j = 0; beyond != 0 && j < n; ++j)
    if (c * (k[j] * k[j]) > diagonal[j]) c = diagonal[j] / (k[j] * k[j]);
  return c;
}

// P = growth (P - c k k')
AFTERWIT_MULTIVERSION inline void subtract_square(double* __restrict P, std::size_t stride, std::size_t n, double c,
                                                  const double* __restrict k, double growth) {
  for (std::size_t i = 0; i < n; ++i) {
    const double ki = k[i];  // c (k_i k_j), not (c k_i) k_j: the matrix stays symmetric to the bit
    for (std::size_t j = 0; j < n; j += 8) {
      Eight row, own;
      load(P + i * stride + j, row);
      load(k + j, own);
      store((row - c * (ki * own)) * growth, P + i * stride + j);
    }
  }
}

// The same for the diagonal, which is kept beside P as well; and there what rounding made negative is 0, and what is
// below `first` grows by `walk`.
AFTERWIT_MULTIVERSION inline void hold_diagonal(double* __restrict P, std::size_t stride, std::size_t n, double c,
                                                const double* __restrict k, double growth, double first, double walk,
                                                double* __restrict diagonal) {
  for (std::size_t j = 0; j < n; ++j) {
    const double own = (diagonal[j] - c * (k[j] * k[j])) * growth, held = own < 0.0 ? 0.0 : own;
    diagonal[j] = held + (held < first ? walk : 0.0);
  }
  for (std::size_t j = 0; j < n; ++j) P[j * stride + j] = diagonal[j];
}
inline void read_diagonal(const double* P, std::size_t stride, std::size_t n, double* diagonal) {
  for (std::size_t j = 0; j < n; ++j) diagonal[j] = P[j * stride + j];
}

}  // namespace afterwit
