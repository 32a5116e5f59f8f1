// Wright's omega function (Corless, Jeffrey 2002) by its logarithm: the v with v + e^v = c, from Taylor series around
// nodes a quarter apart. The nearest singularities are at c = -1 +- i pi, so eight terms leave less than (1/8 / pi)^8 =
// 7e-12 of an error.
#pragma once

#include <array>
#include <cstddef>

#include "numeric/exponential.hpp"

namespace afterwit {

class Wright {
 public:
  static constexpr double least = -16.0, most = 112.0;  // c of the arguments

  static double log_omega(double c) {
    static const Wright known;
    return known.at(c);
  }

 private:
  static constexpr std::size_t terms = 8, nodes = static_cast<std::size_t>(4.0 * (most - least)) + 1;
  using Series = std::array<double, terms>;

  Wright() {
    double v = least;
    for (std::size_t i = 0; i < nodes; ++i) {
      const double c = least + 0.25 * static_cast<double>(i);
      for (int step = 0; step < 8; ++step) v -= (v + exp(v) - c) / (1.0 + exp(v));  // from the node before
      series_[i] = series_at(v);
    }
  }

  // v' (1 + w) = 1 and w' = w v' for w = e^v, coefficient by coefficient.
  static Series series_at(double v) {
    Series a{v}, w{exp(v)};
    for (std::size_t n = 0; n + 1 < terms; ++n) {
      double sum = n == 0 ? 1.0 : 0.0, grown = 0.0;
      for (std::size_t j = 0; j < n; ++j) sum -= static_cast<double>(j + 1) * a[j + 1] * w[n - j];
      a[n + 1] = sum / (static_cast<double>(n + 1) * (1.0 + w[0]));
      for (std::size_t j = 0; j <= n; ++j) grown += static_cast<double>(j + 1) * a[j + 1] * w[n - j];
      w[n + 1] = grown / static_cast<double>(n + 1);
    }
    return a;
  }

  double at(double c) const {
    const auto i = static_cast<std::size_t>(4.0 * (c - least) + 0.5);
    const double t = c - (least + 0.25 * static_cast<double>(i)), t2 = t * t;
    const Series& a = series_[i];
    return ((a[0] + t * a[1]) + t2 * (a[2] + t * a[3])) + t2 * t2 * ((a[4] + t * a[5]) + t2 * (a[6] + t * a[7]));
  }

  std::array<Series, nodes> series_;
};

}  // namespace afterwit
