// Raw predictions of logistic loss as probabilities: of +1, or of each of several classes, learned one against all,
//   p_k = sigmoid(m_k) / sum_j sigmoid(m_j).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "numeric/exponential.hpp"
#include "numeric/sigmoid.hpp"

namespace afterwit {

inline double log_sigmoid(double m) {
  return m >= 0.0 ? -afterwit::log1p(afterwit::exp(-m)) : m - afterwit::log1p(afterwit::exp(m));
}

// Of one row of K margins; all sigmoids may be too small for a double.
inline void shares(const double* m, std::size_t K, double* p) {
  const double most = log_sigmoid(*std::max_element(m, m + K));
  double sum = 0.0;
  for (std::size_t k = 0; k < K; ++k) sum += p[k] = afterwit::exp(log_sigmoid(m[k]) - most);
  for (std::size_t k = 0; k < K; ++k) p[k] /= sum;
}

}  // namespace afterwit
