// Coin betting: every feature has a purse, bets a part of it on its next gradient, and the bet is its weight.
//   w_i = eps tanh(Z_i/(A_i + 2)) (1 + R_i)/L_i,   Z_i = -sum g_i/L_i,   A_i = sum |g_i|/L_i,   R_i = -sum g_i w_i/eps
// COCOB of Orabona, Tommasi 2017, per coordinate. L_i, which they know, is the largest |x_i|
// or |g_i| so far; x_i is seen before the bet. When it grows Z_i is put in its units and A_i stays: what the proof
// wants of the purse, eps exp(Z^2/(2 (A + 1)))/sqrt(A + 1), then only becomes less. It wants A + 2 in the bet, not A
// + 1. A gradient above L_i is cut to it, once.
//
// The normalised form is that of Vowpal Wabbit's --coin: with x_i/s_i for x_i, s_i the largest |x_i|, and M_i the
// largest |g| or 1,
//   p = eps (W/N) sum_i Z_i (1 + R_i)/(M_i (M_i + A_i)) x_i/s_i,   W = sum h,   N = sum h |x/s|^2
// where predictions are clipped as the loss says; labels that are numbers are in units of their range with 0, and
// squared loss is halved. A purse never falls below 2^-20 of the endowment, nor grows beyond FLT_MAX of it.
#pragma once

#include <array>
#include <cfloat>
#include <cmath>

#include "linear/kernel.hpp"
#include "linear/pooled.hpp"
#include "linear/scaled.hpp"

namespace afterwit {

// tanh within +-1 to 2e-12 by its continued fraction, and beyond that of +-1: |Z| is at most A.
inline double bounded_tanh(double t) {
  t = t < -1.0 ? -1.0 : t > 1.0 ? 1.0 : t;
  const double q = t * t;
  return t * (135135.0 + q * (17325.0 + q * (378.0 + q))) / (135135.0 + q * (62370.0 + q * (3150.0 + q * 28.0)));
}

struct CoinBettingRule : PlainRule {
  static constexpr std::size_t words = 4;  // Z, A, R, L
  struct Totals {
    double t = 0.0;  // rounds with a gradient
  };
  static constexpr std::array<const char*, 1> fields{"t"};
  struct Descent {
    double slope;
  };
  static constexpr double least_purse = 0x1p-20;  // of the endowment; in exact numbers it is never as small

  double eps = 1.0;

  // What is bet on x/L', in units of the endowment.
  template <class Number>
  static double bet(const Number* cell, double z) {
    return bounded_tanh(z / (static_cast<double>(cell[1]) + 2.0)) * (1.0 + static_cast<double>(cell[2]));
  }
  template <class Number>
  static std::array<double, 1> look(const Number* cell, float x) {
    const double L = larger(cell[3], x);
    return {bet(cell, static_cast<double>(cell[0]) * (static_cast<double>(cell[3]) / L)) *
            (static_cast<double>(x) / L)};
  }
  template <class Sums>
  double predict(const Totals&, const Loss&, const Sums& sums) const {
    return eps * sums[0];
  }
  template <class Sums>
  bool begin(Totals& totals, const Loss& loss, const Sums& sums, double y, double h, Descent& d) const {
    d.slope = h * loss.derivative(eps * sums[0], y);
    if (d.slope == 0.0) return false;
    totals.t += 1.0;
    return true;
  }
  static void step(const Totals&, const Loss&, Descent&, double, double) {}
  template <class Number>
  static void move(Number* cell, float x, const Descent& d, double) {
    const double L = larger(cell[3], x), z = static_cast<double>(cell[0]) * (static_cast<double>(cell[3]) / L);
    const double pull = d.slope * static_cast<double>(x), size = std::fabs(pull) < FLT_MAX ? std::fabs(pull) : FLT_MAX;
    const double most = size > L ? size : L, g = size > L ? std::copysign(1.0, pull) : pull / L;
    const double won = static_cast<double>(cell[2]) - g * bet(cell, z);
    put(cell[1], static_cast<double>(cell[1]) + std::fabs(g));
    put(cell[2], won > least_purse - 1.0 ? won : least_purse - 1.0);
    const double A = cell[1], Z = (z - g) * (L / most);
    put(cell[0], Z < -A ? -A : Z > A ? A : Z);
    put(cell[3], most);
  }
  template <class Number>
  double weight(const Totals&, const Number* cell) const {
    return per_scale(eps * bet(cell, cell[0]), cell[3]);
  }
  static bool is_possible(std::size_t word, float value) {
    return word == 0 || (word == 2 ? value >= -1.0f : value >= 0.0f);
  }
  static bool sound(const Totals& totals) { return is_count(totals.t); }
};

// In a pool, in units of the endowment a:
//   m = (t/N) sum (a + R) Z/(M (M + A)) xs, with t and N before this row;   Z and A times ratio when s grows
//   M = max(M, h |g|, 1);   R -= h g xs (a + R) Z/(M (M + A));   Z -= h g xs;   A += |h g xs|
struct PooledCoin : PlainPooled {
  static constexpr std::size_t words = 4;  // Z, A, R, M
  struct Descent {
    double g;
  };
  static constexpr double least_purse = 0x1p-20;

  double a = 16.0;

  template <class Number>
  double bet(const Number* cell, double ratio, double M) const {
    const double z = static_cast<double>(cell[0]) * ratio, A = static_cast<double>(cell[1]) * ratio;
    return (a + static_cast<double>(cell[2])) * z / (M * (M + A));
  }
  template <class Number>
  static double at_least_one(Number M) {
    return M > Number{1} ? static_cast<double>(M) : 1.0;
  }
  template <class Number>
  std::array<double, 1> look(const Number* cell, const Seen<Number>& seen) const {
    return {bet(cell, seen.ratio, at_least_one(cell[3])) * static_cast<double>(seen.xs)};
  }
  static double factor(const PoolTotals& pool, const Targets& targets) {
    const double range = targets.rounds > 0.0 ? targets.range() : 1.0;
    return pool.N > 0.0 ? std::min(pool.t / pool.N, double{FLT_MAX}) * range : 0.0;
  }
  template <class Sums>
  static double output(const PoolTotals& pool, const Targets& targets, const Sums& sums) {
    return factor(pool, targets) * sums[0];
  }
  template <class Sums>
  static bool begin(const ToldRow& row, const Sums& sums, Descent& d) {
    d.g = row.h * Slope(row, output(row.past, row.before, sums)).g;
    return true;
  }
  template <class Number>
  void move(Number* cell, const Seen<Number>& seen, const Descent& d, Number) const {
    const double ratio = seen.ratio, before = at_least_one(cell[3]), size = std::fabs(d.g);
    const double M = size > before ? size : before, pull = d.g * static_cast<double>(seen.xs);
    const double won = static_cast<double>(cell[2]) - pull * bet(cell, ratio, M), least = a * (least_purse - 1.0);
    put(cell[0], static_cast<double>(cell[0]) * ratio - pull);
    put(cell[1], static_cast<double>(cell[1]) * ratio + std::fabs(pull));
    put(cell[2], won > least ? won : least);
    put(cell[3], M);
  }
  template <class Number>
  double weight(const PoolTotals& pool, const Targets& targets, const Number* cell, double s, double) const {
    return per_scale(factor(pool, targets) * bet(cell, 1.0, at_least_one(cell[3])), s);
  }
  static bool is_possible(std::size_t word, float value) { return word == 0 || word == 2 || value >= 0.0f; }
};

struct NormalizedCoinBettingRule : PlainRule {
  static constexpr std::size_t words = 5, sums = 2;  // Z, A, R, s, M
  struct Totals {
    double W = 0.0;
    double N = 0.0;
    LabelRange labels;
  };
  static constexpr std::array<const char*, 4> fields{"W", "N", "lowest", "highest"};
  struct Descent {
    double g;
  };

  double eps = 1.0;
  bool numbers = false;  // labels are numbers, not one of two
  bool squared = false;  // the loss

  // Z_i (1 + R_i)/(M (M + A_i)), Z and A put in units of a scale that has grown.
  template <class Number>
  static double bet(const Number* cell, double ratio, double M) {
    const double z = static_cast<double>(cell[0]) * ratio, a = static_cast<double>(cell[1]) * ratio;
    return z * (1.0 + static_cast<double>(cell[2])) / (M * (M + a));
  }
  template <class Number>
  static double at_least_one(Number M) {
    return M > Number{1} ? static_cast<double>(M) : 1.0;
  }
  template <class Number>
  static std::array<double, 2> look(const Number* cell, float x) {
    const double s = larger(cell[3], x), scaled = static_cast<double>(x) / s;
    return {bet(cell, static_cast<double>(cell[3]) / s, at_least_one(cell[4])) * scaled, scaled * scaled};
  }
  double scale(const Totals& totals) const {
    if (!(totals.N > 0.0)) return 0.0;
    const double ratio = totals.W / totals.N;
    return eps * (ratio < FLT_MAX ? ratio : FLT_MAX);
  }
  template <class Sums>
  double predict(const Totals& totals, const Loss& loss, const Sums& sums) const {
    return predicted(totals, loss, scale(totals) * sums[0]);
  }
  template <class Sums>
  bool begin(Totals& totals, const Loss& loss, const Sums& sums, double y, double h, Descent& d) const {
    const double total = scale(totals) * sums[0];
    if (numbers) totals.labels.widen(y);
    d.g = h * loss.derivative(predicted(totals, loss, total), y);
    if (squared && d.g != 0.0) d.g /= 2.0 * totals.labels.range();
    if (d.g == 0.0) return false;
    totals.W += h;
    totals.N += h * sums[1];
    return true;
  }
  static void step(const Totals&, const Loss&, Descent&, double, double) {}
  template <class Number>
  static void move(Number* cell, float x, const Descent& d, double) {
    if (x == 0.0f) return;
    const double s = larger(cell[3], x), ratio = static_cast<double>(cell[3]) / s;
    const double size = std::fabs(d.g) < FLT_MAX ? std::fabs(d.g) : FLT_MAX, before = at_least_one(cell[4]);
    const double M = size > before ? size : before, pull = d.g * (static_cast<double>(x) / s);
    const double won = static_cast<double>(cell[2]) - pull * bet(cell, ratio, M);
    put(cell[0], static_cast<double>(cell[0]) * ratio - pull);
    put(cell[1], static_cast<double>(cell[1]) * ratio + std::fabs(pull));
    put(cell[2], won > CoinBettingRule::least_purse - 1.0 ? won : CoinBettingRule::least_purse - 1.0);
    put(cell[3], s);
    put(cell[4], M);
  }
  template <class Number>
  double weight(const Totals& totals, const Number* cell) const {
    const double range = numbers ? totals.labels.range() : 1.0;
    return per_scale(scale(totals) * range * bet(cell, 1.0, at_least_one(cell[4])), cell[3]);
  }
  static bool is_possible(std::size_t word, float value) { return CoinBettingRule::is_possible(word, value); }
  PooledCoin pooled() const { return {{}, eps}; }
  static bool pools(const Loss& loss) { return is_smooth(loss); }
  static bool sound(const Totals& totals) { return totals.W >= 0.0 && totals.N >= 0.0 && totals.labels.sound(); }

 private:
  double predicted(const Totals& totals, const Loss& loss, double total) const {
    total = total < -FLT_MAX ? -FLT_MAX : total > FLT_MAX ? FLT_MAX : total;
    if (numbers) return totals.labels.clipped(totals.labels.range() * total);
    return loss.clipped(total, 0.0, 0.0);
  }
};

}  // namespace afterwit
