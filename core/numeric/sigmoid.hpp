// 1/(1 + e^-m) and its inverse.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "numeric/exponential.hpp"
#include "numeric/multiversion.hpp"
#include "numeric/vector_exp.hpp"

namespace afterwit {

inline double sigmoid(double m) {
  const double e = afterwit::exp(-std::fabs(m));
  return (m >= 0.0 ? 1.0 : e) / (1.0 + e);  // one quotient: which of two cannot be foreseen
}

// Of n margins, each within +-600.
AFTERWIT_MULTIVERSION inline void sigmoids(const double* __restrict m, std::size_t n, double* __restrict p) {
  for (std::size_t i = 0; i < n; ++i) p[i] = 1.0 / (1.0 + vector::exp(-m[i]));
}

// The margin of a probability that is cut to [1e-6, 1 - 1e-6].
inline double logit(double p) {
  const double cut = std::clamp(p, 1e-6, 1.0 - 1e-6);
  return log(cut / (1.0 - cut));
}

}  // namespace afterwit
