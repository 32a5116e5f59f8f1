// Prints the bits of some games, and how many exponentials a round of AdaNormalHedge takes; built for one kind of CPU
// and for several, it must print the same.
#include <cstdio>
#include <limits>
#include <vector>

#include "experts/ada_normal_hedge.hpp"
#include "experts/hedge.hpp"
#include "experts/player.hpp"
#include "experts/second_order.hpp"
#include "numeric/keyed.hpp"

using namespace afterwit;

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// Losses of which the first experts have the smaller ones, so that some weights vanish; every `nap`-th sleeps.
std::vector<double> game(std::size_t rows, std::size_t N, std::size_t nap) {
  std::vector<double> out(rows * N);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const double better = static_cast<double>(i % N) < 0.3 * static_cast<double>(N) ? 0.9 : 1.0;
    out[i] = nap && i % nap == 0 ? nan : better * keyed_uniform(N, i);
  }
  return out;
}

template <class Rule>
void play(const char* name, const Rule& rule, std::size_t rows, std::size_t N, std::size_t nap) {
  PlayerOf<Rule> player(rule, 0.0, 1.0);
  std::vector<double> q(N), p(N);
  for (std::size_t i = 0; i < N; ++i) q[i] = static_cast<double>(i % 5);  // some have no prior
  player.add(q);
  std::vector<double> loss(rows);
  const BadEntry fault = player.run({game(rows, N, nap).data(), nullptr, rows}, {.loss = loss.data()});
  player.play(nullptr, p.data());
  std::printf("%s %zu %zu %d", name, N, nap, static_cast<int>(fault.what));
  for (const std::vector<double>& some : {loss, p})
    for (const double x : some) std::printf(" %a", x);
  std::printf("\n");
}

// Those with R > -1 and a prior, up to whole blocks.
void exponentials(std::size_t n) {
  std::vector<double> R(n), C(n), q(n);
  std::size_t with_weight = 0;
  for (std::size_t i = 0; i < n; ++i) {
    R[i] = i % 3 == 0 ? -1.0 : 6.0 * keyed_uniform(1, i) - 3.0, C[i] = keyed_uniform(2, i),
    q[i] = i % 4 == 1 ? 0.0 : 1.0;
    with_weight += R[i] > -1.0 && q[i] > 0.0;
  }
  normal::Packed some;
  const std::size_t packed = some.fill(R.data(), C.data(), q.data(), n);
  std::printf("exponentials %zu of %zu for %zu:", packed, n, with_weight);
  for (std::size_t k = 0; k < packed; ++k) std::printf(" %a %a", some.R[k], some.C[k]);
  std::printf("\n");
}

}  // namespace

int main() {
  for (const std::size_t n : {16, 112, 1024}) exponentials(n);
  for (const std::size_t N : {1, 7, 100, 1500})
    for (const std::size_t nap : {0, 11}) {
      play("AdaNormalHedge", AdaNormalHedgeRule{}, 300, N, nap);
      play("NormalHedgeDT", NormalHedgeDTRule{}, 300, N, nap);
      play("AdaptMLProd", AdaptMLProdRule{}, 300, N, nap);
      if (nap == 0) play("Hedge", HedgeRule{0.0, 0.0, 0.0}, 300, N, nap);
    }
}
