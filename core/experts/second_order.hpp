// Adapt-ML-Prod and BOA: one rate per expert, which falls with the sum of its squared regrets.
//
//   p_{t,k} prop. to I_{t,k} eta_{t-1,k} exp(eta_{t-1,k} M_{t-1,k}),   r_{t,k} = I_{t,k} (p_t . l_t - l_{t,k}),
//   V_{t,k} = V_{t-1,k} + r_{t,k}^2,   eta_{t,k} = min{1/2, sqrt(ln K/(a + V_{t,k}))},
//   Adapt-ML-Prod, a = 1:  M_t = M_{t-1} + ln(1 + eta_{t-1} r_t)/eta_{t-1},   M_0 = -ln K/eta_0
//   BOA,           a = 0:  M_t = M_{t-1} + r_t - eta_{t-1} r_t^2,             M_0 = 0
//
// Adapt-ML-Prod's w_t = (w_{t-1} (1 + eta_{t-1} r_t))^(eta_t/eta_{t-1}), w_0 = 1/K, has ln w_t/eta_t = M_t. What is
// kept of M begins at 0. Source: Gaillard et al. 2014 (Adapt-ML-Prod); Wintenberger 2017 (BOA with several learning
// rates); errata 29. BOA's 1/2 is 1/(2E) for the range E = 1 of the losses; free_boa.hpp knows none.
#pragma once

#include <array>
#include <cmath>
#include <limits>

#include "experts/player.hpp"
#include "numeric/exponential.hpp"
#include "numeric/vector_exp.hpp"
#include "numeric/vector_log.hpp"

namespace afterwit {

namespace second_order {

constexpr double nothing = -std::numeric_limits<double>::max();

template <bool prod>
inline double rate(double V, double logs) {
  const double eta = std::sqrt(logs / (prod ? 1.0 + V : V));
  return eta < 0.5 ? eta : 0.5;
}

// One round of everything but the weights.
template <bool prod, bool rated>
void move(double loss, const double* __restrict l, const double* __restrict I, double* __restrict R,
          double* __restrict V, double* __restrict M, const double* __restrict eta, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    const double r = rated ? I[i] * (loss - l[i]) : loss - l[i];
    R[i] += r;
    V[i] += r * r;
    M[i] += prod ? vector::log1p(eta[i] * r) / eta[i] : r - eta[i] * r * r;
  }
}

// The rates and eta (M - start); the largest of these among those with a prior.
template <bool prod>
double exponents(const double* __restrict V, const double* __restrict M, const double* __restrict q,
                 double* __restrict eta, double* __restrict x, std::size_t n, double logs, double start) {
  double most[lanes];
  for (std::size_t k = 0; k < lanes; ++k) most[k] = nothing;
  for (std::size_t i = 0; i < n; i += lanes)
    for (std::size_t k = 0; k < lanes; ++k) {
      eta[i + k] = rate<prod>(V[i + k], logs);
      x[i + k] = eta[i + k] * (M[i + k] - start);
      const double own = q[i + k] > 0.0 ? x[i + k] : nothing;
      most[k] = own > most[k] ? own : most[k];
    }
  double out = nothing;
  for (std::size_t k = 0; k < lanes; ++k) out = most[k] > out ? most[k] : out;
  return out;
}

// q eta e^(x - most), where x - most is not so low that it is nothing.
inline void weights(double* __restrict x, const double* __restrict eta, const double* __restrict q, std::size_t n,
                    double most) {
  for (std::size_t i = 0; i < n; ++i) {
    const double down = (x[i] - most) * vector::per_ln2;
    const bool alive = (down >= -vector::largest) & (q[i] > 0.0);
    x[i] = alive ? q[i] * (eta[i] * vector::exp2(alive ? down : 0.0)) : 0.0;
  }
}

}  // namespace second_order

template <bool prod>
struct SecondOrderRule {
  static constexpr bool sleeps = true;

  Doubles R = {}, V = {}, M = {};
  double t = 0.0;
  Doubles eta = {};
  double logs = 0.0, start = 0.0;

  auto vectors() { return std::array{Named{"R", R}, Named{"V", V}, Named{"M", M}}; }
  auto numbers() { return std::array{Named{"rounds", t}}; }

  void begin(const double*, std::size_t N) {
    logs =
        log(N > 1 ? static_cast<double>(N) : 2.0);  // one expert is played whatever its rate, but it must be a number
    start = prod ? logs / second_order::rate<prod>(0.0, logs) : 0.0;
    eta.resize(padded(N));
  }

  void weigh(const double* q, double* w, std::size_t n) {
    const double most = second_order::exponents<prod>(V.data(), M.data(), q, eta.data(), w, n, logs, start);
    second_order::weights(w, eta.data(), q, n, most);
  }

  void among(const double* I, const double* q, double* w, std::size_t n) const {
    double most = second_order::nothing;
    for (std::size_t i = 0; i < n; ++i) {
      const bool awake = I[i] > 0.0 && q[i] > 0.0;
      w[i] = awake ? eta[i] * (M[i] - start) : second_order::nothing;
      most = w[i] > most ? w[i] : most;
    }
    for (std::size_t i = 0; i < n; ++i) w[i] = w[i] > second_order::nothing ? eta[i] * exp(w[i] - most) : 0.0;
  }

  void rescale(double factor) {
    for (std::size_t i = 0; i < V.size(); ++i) {
      R[i] *= factor, M[i] *= factor, V[i] *= factor * factor;
      eta[i] = second_order::rate<prod>(V[i], logs);
    }
  }

  void update(double loss, const double* l, const double* I, const double* q, double* w, std::size_t n) {
    t += 1.0;
    if (I)
      second_order::move<prod, true>(loss, l, I, R.data(), V.data(), M.data(), eta.data(), n);
    else
      second_order::move<prod, false>(loss, l, nullptr, R.data(), V.data(), M.data(), eta.data(), n);
    weigh(q, w, n);
  }
};

using AdaptMLProdRule = SecondOrderRule<true>;
using BoaRule = SecondOrderRule<false>;

}  // namespace afterwit
