#include "dense/class_trees.hpp"
#include "dense/dense_bind.hpp"
#include "dense/rolling_trees.hpp"

using namespace afterwit;

static const Announced announced("dense/rolling_trees", [](nb::module_& m) {
  bind_dense_rule<RollingTrees, ClassTrees, std::size_t, std::size_t, double, std::uint64_t>(
      m, "rolling_trees_rule", "trees"_a, "window"_a, "rate"_a, "seed"_a);
});
