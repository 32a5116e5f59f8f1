// The softmax of n margins: p_c = e^(m_c - max m)/sum_k e^(m_k - max m). What is more than 100 below the largest counts
// as 100 below it, so that no probability is 0. The sum is in the order of the classes.
#pragma once

#include <cstddef>

#include "numeric/multiversion.hpp"
#include "numeric/vector_exp.hpp"

namespace afterwit {

AFTERWIT_MULTIVERSION inline void softmax(const double* __restrict m, std::size_t n, double* __restrict p) {
  double largest = n > 0 ? m[0] : 0.0, sum = 0.0;
  for (std::size_t c = 1; c < n; ++c) largest = m[c] > largest ? m[c] : largest;
  for (std::size_t c = 0; c < n; ++c) {
    const double gap = m[c] - largest;
    p[c] = vector::exp(gap > -100.0 ? gap : -100.0);
  }
  for (std::size_t c = 0; c < n; ++c) sum += p[c];
  for (std::size_t c = 0; c < n; ++c) p[c] /= sum;
}

}  // namespace afterwit
