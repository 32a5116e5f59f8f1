#include "dense/class_network.hpp"
#include "dense/dense_bind.hpp"
#include "dense/network.hpp"

using namespace afterwit;

static const Announced announced("dense/network", [](nb::module_& m) {
  bind_dense_rule<Network, ClassNetwork, std::size_t, double, std::uint64_t>(m, "network_rule", "hidden"_a, "rate"_a,
                                                                             "seed"_a);
});
