// Prints the bits of predictions by rolling trees; built for one kind of CPU and for several, it must print the same.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <vector>

#include "dense/columns.hpp"
#include "dense/rolling_trees.hpp"
#include "numeric/keyed.hpp"

using namespace afterwit;

namespace {

struct Settings {
  std::size_t trees, window, columns, rows;
  bool numbers;
};

// Some columns have few values, some come late, and the labels turn with time, so that the trees have much to do.
void print(const Settings& is) {
  Columns columns(is.columns, false, RollingTrees::moments);
  RollingTrees model(is.trees, is.window, 0.3, 7, is.numbers);
  Targets targets;
  std::vector<std::uint32_t> slots(is.columns);
  for (std::size_t j = 0; j < is.columns; ++j) slots[j] = static_cast<std::uint32_t>(j);
  std::vector<float> x(is.columns);
  std::printf("%zu trees over %zu rows, %zu columns:", is.trees, is.window, is.columns);
  for (std::size_t t = 0; t < is.rows; ++t) {
    const std::size_t d = t < is.rows / 3 ? (is.columns + 1) / 2 : is.columns;
    for (std::size_t j = 0; j < d; ++j) {
      const double u = keyed_uniform(is.columns, t * is.columns + j);
      x[j] = j % 3 == 1 ? static_cast<float>(static_cast<int>(5.0 * u)) : static_cast<float>(u - 0.5);
    }
    const DenseRow row = columns.look({slots.data(), x.data(), d});
    model.reserve(row.d);
    std::printf(" %a", model.predict(row, targets));
    const double drift = static_cast<double>(t) / static_cast<double>(is.rows);
    const double value = x[0] + x[d / 2] * x[d - 1] - drift * x[d / 3] + 0.2 * keyed_uniform(1, t);
    const double y = is.numbers ? value : value < 0.0 ? -1.0 : 1.0;
    const Targets after = targets.with(y, 1.0);
    model.learn(row, targets, after, y, 0.5 + keyed_uniform(2, t));
    targets = after;
    columns.learn();
  }
  std::printf("\n");
}

}  // namespace

int main() {
  for (const std::size_t d : {1, 2, 10, 16, 17, 32, 33, 64, 65}) {
    print({20, 200, d, 1000, d % 2 == 0});
    print({900, 64, d, 2000, d % 2 != 0});  // more thresholds of a column than there are codes
  }
  print({200, 5000, 7, 9000, false});
}
