#include "dense/class_neighbours.hpp"
#include "dense/dense_bind.hpp"
#include "dense/neighbours.hpp"

using namespace afterwit;

static const Announced announced("dense/neighbours", [](nb::module_& m) {
  bind_dense_rule<Neighbours, ClassNeighbours, std::size_t, std::size_t>(m, "neighbours_rule", "neighbours"_a,
                                                                         "window"_a);
});
