// ML-Poly: polynomial weights with one rate per expert.
//
//   p_{t,k} prop. to I_{t,k} eta_{t-1,k} [R_{t-1,k}]_+,   r_{t,k} = I_{t,k} (p_t . l_t - l_{t,k}),
//   R_{t,k} = R_{t-1,k} + r_{t,k},   eta_{t,k} = 1/(1 + V_{t,k}),   V_{t,k} = V_{t-1,k} + r_{t,k}^2
//
// and all awake alike while none of them has R > 0. Nothing depends on K, so that experts may come late. The 1 is the
// square of the range of the losses; in the free form, for losses of any scale, it is the largest r_{s,k}^2 so far, of
// all k (there the theorem does not hold). Source: Gaillard et al. 2014 (ML-Poly); the free form: the package opera.
#pragma once

#include <algorithm>
#include <array>

#include "experts/player.hpp"

namespace afterwit {

namespace ml_pol {

template <bool rated>
void move(double loss, const double* __restrict l, const double* __restrict I, double* __restrict R,
          double* __restrict V, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    const double r = rated ? I[i] * (loss - l[i]) : loss - l[i];
    R[i] += r;
    V[i] += r * r;
  }
}

// The largest r^2 so far of each with a prior.
inline void note(double loss, const double* __restrict l, const double* __restrict I, const double* __restrict q,
                 double* __restrict B, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    const double r = (I ? I[i] : 1.0) * (loss - l[i]);
    B[i] = q[i] > 0.0 && r * r > B[i] ? r * r : B[i];
  }
}

inline void weights(const double* __restrict R, const double* __restrict V, const double* __restrict q,
                    double* __restrict w, std::size_t n, double square) {
  for (std::size_t i = 0; i < n; ++i) w[i] = q[i] * ((R[i] > 0.0 ? R[i] : 0.0) / (square + V[i]));
}

}  // namespace ml_pol

struct MLPolRule {
  static constexpr bool sleeps = true;

  Doubles R = {}, V = {};

  auto vectors() { return std::array{Named{"R", R}, Named{"V", V}}; }
  void begin(const double*, std::size_t) {}
  void weigh(const double* q, double* w, std::size_t n) { ml_pol::weights(R.data(), V.data(), q, w, n, 1.0); }

  void rescale(double factor) {
    for (double& r : R) r *= factor;
    for (double& v : V) v *= factor * factor;
  }

  void update(double loss, const double* l, const double* I, const double* q, double* w, std::size_t n) {
    if (I)
      ml_pol::move<true>(loss, l, I, R.data(), V.data(), n);
    else
      ml_pol::move<false>(loss, l, nullptr, R.data(), V.data(), n);
    weigh(q, w, n);
  }
};

struct FreeMLPolRule {
  static constexpr bool sleeps = true, free = true;

  MLPolRule sums = {};
  Doubles B = {};  // the largest r^2 of each

  auto vectors() { return std::array{Named{"R", sums.R}, Named{"V", sums.V}, Named{"B", B}}; }
  void begin(const double*, std::size_t) {}

  void weigh(const double* q, double* w, std::size_t n) {
    const double largest = B.empty() ? 0.0 : *std::max_element(B.begin(), B.end());
    ml_pol::weights(sums.R.data(), sums.V.data(), q, w, n, largest > 0.0 ? largest : 1.0);
  }

  void rescale(double factor) {
    sums.rescale(factor);
    for (double& square : B) square *= factor * factor;
  }

  void update(double loss, const double* l, const double* I, const double* q, double* w, std::size_t n) {
    ml_pol::note(loss, l, I, q, B.data(), n);
    sums.update(loss, l, I, q, w, n);
    weigh(q, w, n);
  }
};

}  // namespace afterwit
