// Prints the bits of some rounds of every rule over every domain; built for one kind of CPU and for several, it must
// print the same.
#include <cstdio>
#include <utility>
#include <variant>
#include <vector>

#include "convex/descent.hpp"
#include "convex/leader.hpp"
#include "numeric/keyed.hpp"

using namespace afterwit;

namespace {

template <class Rule>
void play(const char* name, const Rule& rule, const Domain& domain, double curvature) {
  const std::size_t rows = 200, d = size_of(domain);
  std::vector<double> v(rows * d), loss(rows), points(rows * d);
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = 2.0 * keyed_uniform(d, i) - 1.0;
  std::visit(
      [&](const auto& found) {
        PointPlayerOf<Rule, std::decay_t<decltype(found)>> player(rule, found);
        const BadRound fault = player.run({v.data(), rows, curvature, true}, loss.data(), points.data());
        std::printf("%s %zu %zu %d", name, domain.index(), d, static_cast<int>(fault.what));
        for (const std::vector<double>& some : {loss, points})
          for (const double x : some) std::printf(" %a", x);
        std::printf("\n");
      },
      domain);
}

}  // namespace

int main() {
  for (const std::size_t d : {1, 7, 100, 1500}) {
    const Domain simplex = Simplex{d};
    for (const Domain& domain : {Domain{Reals{d}}, Domain{Ball{d, 2.0}},
                                 Domain{Box{d, std::vector<double>(d, -0.5), std::vector<double>(d, 1.0)}}, simplex}) {
      play("Descent", Descent{0.3, 0.0, true}, domain, 0.0);
      play("Descent, strongly convex", Descent{0.0, 0.5, false}, domain, 0.5);
      play("Leader", Leader{0.0, false, false, false}, domain, 0.5);
      play("Leader, regularised", Leader{0.3, true, false, true}, domain, 0.0);
    }
    play("Leader, entropic", Leader{0.3, true, true, false}, simplex, 0.0);
  }
}
