// Convex sets S of points of R^d, and what the players over them ask:
//
//   project(w)    w becomes argmin_{v in S} |v - w|
//   least(L, w)   w becomes argmin_{v in S} L . v, of several points the one nearest to 0: where argmin_{v in S} of
//                 L . v + x |v|^2/2 goes as x goes to 0
//   holds(w)      whether w is in S, up to rounding
//
// Vectors are padded to a multiple of 16 with 0, d of them are coordinates.
// Source: Cesa-Bianchi 2023, "Projected OGD"; the simplex: Duchi et al. 2008, Figure 2.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <variant>
#include <vector>

#include "numeric/aligned.hpp"
#include "numeric/keyed.hpp"
#include "numeric/rank_one.hpp"

namespace afterwit {

// Of points and numbers that come near the edge of a domain.
constexpr double nearly = 1e-9;

inline double largest_size(const double* w, std::size_t d) {
  double most = 0.0;
  for (std::size_t i = 0; i < d; ++i) most = std::max(most, std::fabs(w[i]));
  return most;
}

// |w|, also where the squares are no doubles.
inline double norm(const double* w, std::size_t d) {
  const double square = dot(w, w, d);
  if (square > 1e-200 && square < 1e200) return std::sqrt(square);
  const double most = largest_size(w, d);
  if (most == 0.0) return 0.0;
  double sum = 0.0;
  for (std::size_t i = 0; i < d; ++i) sum += (w[i] / most) * (w[i] / most);
  return most * std::sqrt(sum);
}

// All of R^d.
struct Reals {
  static constexpr bool bounded = false;
  std::size_t d;

  void project(double*) const {}
  void least(const double*, double* w) const { std::fill_n(w, d, 0.0); }  // for L = 0
  bool holds(const double*) const { return true; }
};

// |w| <= radius.
struct Ball {
  static constexpr bool bounded = true;
  std::size_t d;
  double radius;

  void project(double* w) const {
    const double size = norm(w, d);
    if (size > radius)
      for (std::size_t i = 0; i < d; ++i) w[i] = radius * (w[i] / size);
  }
  void least(const double* L, double* w) const {
    const double size = norm(L, d);
    for (std::size_t i = 0; i < d; ++i) w[i] = size > 0.0 ? -radius * (L[i] / size) : 0.0;
  }
  bool holds(const double* w) const { return norm(w, d) <= radius * (1.0 + nearly); }
};

// low_i <= w_i <= high_i.
struct Box {
  static constexpr bool bounded = true;
  std::size_t d;
  std::vector<double> low, high;

  void project(double* w) const {
    for (std::size_t i = 0; i < d; ++i) w[i] = std::min(std::max(w[i], low[i]), high[i]);
  }
  void least(const double* L, double* w) const {
    for (std::size_t i = 0; i < d; ++i)
      w[i] = L[i] > 0.0 ? low[i] : L[i] < 0.0 ? high[i] : std::min(std::max(0.0, low[i]), high[i]);
  }
  bool holds(const double* w) const {
    for (std::size_t i = 0; i < d; ++i) {
      const double near = nearly * std::max(std::fabs(low[i]), std::fabs(high[i]));
      if (!(w[i] >= low[i] - near && w[i] <= high[i] + near)) return false;
    }
    return true;
  }
};

// w_i >= 0, sum_i w_i = 1.
struct Simplex {
  static constexpr bool bounded = true;
  std::size_t d;
  mutable std::vector<double> left = {};  // room for one call

  // w_i becomes [w_i - theta]_+, whose sum is 1. Pivots that are drawn by key find theta in O(d) expected, with no
  // sort. All is told from the largest entry: theta is 1 below it at most, and no digits are lost beside large entries.
  void project(double* w) const {
    double most = w[0];
    for (std::size_t i = 1; i < d; ++i) most = std::max(most, w[i]);
    left.clear();
    for (std::size_t i = 0; i < d; ++i)
      if (w[i] - most > -1.0) left.push_back(w[i] - most);
    double *first = left.data(), *last = first + left.size(), above = 0.0, count = 0.0;
    for (std::uint64_t draw = 0; first != last; ++draw) {
      const auto among = static_cast<std::uint64_t>(last - first);
      const double pivot = first[scrambled(draw + 1) % among];
      double *larger = first, *smaller = last, sum = 0.0;  // [first, larger) > pivot, [smaller, last) < pivot
      for (double* at = first; at < smaller;) {
        if (*at < pivot) {
          std::swap(*at, *--smaller);
          continue;
        }
        sum += *at;
        if (*at > pivot) std::swap(*at, *larger++);
        ++at;
      }
      const double more = static_cast<double>(smaller - first);
      if (above + sum - (count + more) * pivot < 1.0) {
        above += sum, count += more;
        first = smaller;
      } else {
        last = larger;
      }
    }
    const double theta = (above - 1.0) / count;
    for (std::size_t i = 0; i < d; ++i) w[i] = std::max(w[i] - most - theta, 0.0);
  }
  void least(const double* L, double* w) const {
    const double smallest = *std::min_element(L, L + d);
    const auto ties = static_cast<double>(std::count(L, L + d, smallest));
    for (std::size_t i = 0; i < d; ++i) w[i] = L[i] == smallest ? 1.0 / ties : 0.0;
  }
  bool holds(const double* w) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < d; ++i) {
      if (!(w[i] >= -nearly)) return false;
      sum += w[i];
    }
    return std::fabs(sum - 1.0) <= nearly;
  }
};

using Domain = std::variant<Reals, Ball, Box, Simplex>;

inline std::size_t size_of(const Domain& domain) {
  return std::visit([](const auto& found) { return found.d; }, domain);
}

}  // namespace afterwit
