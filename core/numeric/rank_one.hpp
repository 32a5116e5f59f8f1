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

// k = P x; returns x . k. Where P is small, all of k stays in registers; where it is large, its rows are read as they
// lie. Each entry is the same sum either way.
template <std::size_t blocks>
inline void multiply_few(const double* P, std::size_t stride, std::size_t n, const double* x, double* k) {
  Eight sum[blocks] = {}, row;
  for (std::size_t i = 0; i < n; ++i) {
    if (x[i] == 0.0) continue;
    for (std::size_t b = 0; b < blocks; ++b) {
      load(P + i * stride + 8 * b, row);
      sum[b] += x[i] * row;
    }
  }
  for (std::size_t b = 0; b < blocks; ++b) store(sum[b], k + 8 * b);
}
inline double multiply(const double* __restrict P, std::size_t stride, std::size_t n, const double* __restrict x,
                       double* __restrict k) {
  if (n <= 8) {
    multiply_few<1>(P, stride, n, x, k);
  } else if (n <= 16) {
    multiply_few<2>(P, stride, n, x, k);
  } else if (n <= 24) {
    multiply_few<3>(P, stride, n, x, k);
  } else if (n <= 32) {
    multiply_few<4>(P, stride, n, x, k);
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
  for (std::size_t j = 0; j < n; j += 8)  // (whole vectors: behind the n-th k is 0)
    for (std::size_t l = j; l < j + 8; ++l) beyond |= c * (k[l] * k[l]) > diagonal[l] ? 1 : 0;
  for (std::size_t j = 0; beyond != 0 && j < n; ++j)
    if (c * (k[j] * k[j]) > diagonal[j]) c = diagonal[j] / (k[j] * k[j]);
  return c;
}

// P = growth (P - c k k')
template <bool grows>
inline void subtract_square(double* __restrict P, std::size_t stride, std::size_t n, double c,
                            const double* __restrict k, double growth) {
  for (std::size_t i = 0; i < n; ++i) {
    const double ki = k[i];  // c (k_i k_j), not (c k_i) k_j: the matrix stays symmetric to the bit
    for (std::size_t j = 0; j < n; j += 8) {
      Eight row, own;
      load(P + i * stride + j, row);
      load(k + j, own);
      const Eight less = row - c * (ki * own);
      store(grows ? less * growth : less, P + i * stride + j);
    }
  }
}

// The same for the diagonal, which is kept beside P as well; and there what rounding made negative is 0, and what is
// below `first` grows by `walk`.
inline void hold_diagonal(double* __restrict P, std::size_t stride, std::size_t n, double c, const double* __restrict k,
                          double growth, double first, double walk, double* __restrict diagonal) {
  const Eight zero = {}, place = {0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0};
  for (std::size_t j = 0; j < n; j += 8) {
    Eight before, own;
    load(diagonal + j, before);
    load(k + j, own);
    const Eight next = (before - c * (own * own)) * growth, held = next < zero ? zero : next;
    const Eight walked = held + (held < zero + first ? zero + walk : zero);
    store(place + static_cast<double>(j) < zero + static_cast<double>(n) ? walked : before, diagonal + j);
  }
  for (std::size_t j = 0; j < n; ++j) P[j * stride + j] = diagonal[j];
}
inline void read_diagonal(const double* P, std::size_t stride, std::size_t n, double* diagonal) {
  for (std::size_t j = 0; j < n; ++j) diagonal[j] = P[j * stride + j];
}

// A matrix with what is kept beside it.
struct RankOne {
  double* P;
  std::size_t stride, n;
  double *k, *diagonal;
};

// k = P x, x . k, and c/(f + c x . k), or less where rounding asks for it; 0 unless x . k > 0.
struct Reach {
  double reach, share;
};
AFTERWIT_MULTIVERSION __attribute__((flatten)) inline Reach reach_of(const RankOne& matrix, const double* x, double c,
                                                                     double f) {
  const RankOne m = matrix;
  const double reach = multiply(m.P, m.stride, m.n, x, m.k);
  return {reach, reach > 0.0 ? most_share(m.diagonal, m.n, m.k, c / (f + c * reach)) : 0.0};
}

// w += step k unless w is null, and P = growth (P - share k k'), its diagonal held.
AFTERWIT_MULTIVERSION __attribute__((flatten)) inline void step_by(const RankOne& matrix, double* w, double step,
                                                                   double share, double growth, double first,
                                                                   double walk) {
  const RankOne m = matrix;
  if (w != nullptr) add_multiple(w, step, m.k, m.n);
  if (growth == 1.0)
    subtract_square<false>(m.P, m.stride, m.n, share, m.k, growth);
  else
    subtract_square<true>(m.P, m.stride, m.n, share, m.k, growth);
  hold_diagonal(m.P, m.stride, m.n, share, m.k, growth, first, walk, m.diagonal);
}

}  // namespace afterwit
