// Prints the bits of probabilities by the learners over columns for several classes; built for one kind of CPU and for
// several, it must print the same.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "dense/class_neighbours.hpp"
#include "dense/class_network.hpp"
#include "dense/class_newton.hpp"
#include "dense/class_trees.hpp"
#include "dense/columns.hpp"
#include "numeric/keyed.hpp"

using namespace afterwit;

namespace {

// Classes come one after another; every seventh column has few values, so that there are ties.
template <class Member>
void print(const char* name, Member model, std::size_t d, std::size_t classes) {
  Columns columns(d, true, Member::moments);
  std::vector<std::uint32_t> slots(d + 1);
  for (std::size_t j = 0; j <= d; ++j) slots[j] = static_cast<std::uint32_t>(j);
  std::vector<float> x(d + 1);
  std::vector<double> p(classes);
  std::size_t met = 1;
  std::printf("%s, %zu columns, %zu classes:", name, d, classes);
  for (std::size_t t = 0; t < 400; ++t) {
    for (std::size_t j = 0; j < d; ++j) {
      const double u = keyed_uniform(d, t * d + j);
      x[j] = j % 7 == 0 ? static_cast<float>(static_cast<int>(5.0 * u)) : static_cast<float>(u);
    }
    const DenseRow row = columns.look({slots.data(), x.data(), d + 1});
    model.reserve(row.d, met);
    model.predict(row, p.data());
    for (std::size_t c = 0; c < met; ++c) std::printf(" %a", p[c]);
    met = met < classes && t % 3 == 2 ? met + 1 : met;
    const double place = (0.7 * static_cast<double>(x[d - 1]) + 0.3 * keyed_uniform(1, t)) * static_cast<double>(met);
    const std::size_t y = std::min(static_cast<std::size_t>(place), met - 1);
    model.reserve(row.d, met);
    model.learn(row, y, 0.5 + keyed_uniform(2, t));
    columns.learn();
  }
  std::printf("\n");
}

}  // namespace

int main() {
  for (const std::size_t classes : {1, 2, 3, 8, 9, 33, 100})
    for (const std::size_t d : {1, 5, 40}) {
      print("newton", ClassNewton(1.0, 0.0, false), d, classes);
      print("newton that fades", ClassNewton(0.5, 0.01, true), d, classes);
      print("network", ClassNetwork(20, 0.01, 3), d, classes);
      print("neighbours", ClassNeighbours(7, 100), d, classes);
      print("trees", ClassTrees(9, 100, 0.3, 3), d, classes);
    }
}
