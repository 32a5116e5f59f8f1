// Prints the bits of predictions by nearest neighbours; built for one kind of CPU and for several, it must print the
// same.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "dense/columns.hpp"
#include "dense/neighbours.hpp"
#include "numeric/keyed.hpp"

using namespace afterwit;

namespace {

// Some columns have few values, so that there are ties; `scale` may be where floats end.
void print(std::size_t k, std::size_t d, bool numbers, float scale) {
  Columns columns(d, false, Neighbours::moments);
  Neighbours model(k, 400, numbers);
  Targets targets;
  std::vector<std::uint32_t> slots(d);
  for (std::size_t j = 0; j < d; ++j) slots[j] = static_cast<std::uint32_t>(j);
  std::vector<float> x(d);
  std::printf("%zu neighbours, %zu columns:", k, d);
  for (std::size_t t = 0; t < 600; ++t) {
    for (std::size_t j = 0; j < d; ++j) {
      const double u = keyed_uniform(d, t * d + j);
      x[j] = scale * (j % 3 == 0 ? static_cast<float>(static_cast<int>(5.0 * u)) : static_cast<float>(u));
    }
    const DenseRow row = columns.look({slots.data(), x.data(), d});
    model.reserve(row.d);
    std::printf(" %a", model.predict(row, targets));
    const double y = numbers ? keyed_uniform(1, t) : keyed_uniform(1, t) < 0.5 ? -1.0 : 1.0;
    const Targets after = targets.with(y, 1.0);
    model.learn(row, targets, after, y, 0.5 + keyed_uniform(2, t));
    targets = after;
    columns.learn();
  }
  std::printf("\n");
}

}  // namespace

int main() {
  for (const std::size_t k : {1, 7, 32, 33, 64})
    for (const std::size_t d : {1, 3, 11, 50, 300}) print(k, d, d % 2 == 0, 1.0f);
  print(7, 5, false, 1e37f);
  print(7, 5, true, 1e-38f);
}
