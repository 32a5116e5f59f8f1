#include <limits>
#include <stdexcept>
#include <string>

#include "python/announced.hpp"
#include "python/arrays.hpp"
#include "python/lock.hpp"
#include "regret/intervals.hpp"
#include "regret/shifting.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace afterwit;

namespace {

using Matrix = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

nb::tuple interval_regret(Matrix r, In<std::int64_t> lengths) {
  const std::size_t T = r.shape(0), N = r.shape(1), count = lengths.shape(0);
  for (std::size_t j = 0; j < count; ++j)
    if (N == 0 || lengths.data()[j] < 1 || static_cast<std::size_t>(lengths.data()[j]) > T)
      throw std::invalid_argument("a length is `" + std::to_string(lengths.data()[j]) + "`, expected 1 to " +
                                  std::to_string(N == 0 ? 0 : T));
  std::vector<double> regret(count);
  std::vector<std::int64_t> start(count), expert(count);
  {
    const WithoutGil unlocked;
    const std::vector<double> S = running_sums({r.data(), r.size()}, N);
    for (std::size_t j = 0; j < count; ++j) {
      const WorstInterval worst = worst_interval(S, N, static_cast<std::size_t>(lengths.data()[j]));
      regret[j] = worst.regret;
      start[j] = static_cast<std::int64_t>(worst.start);
      expert[j] = static_cast<std::int64_t>(worst.expert);
    }
  }
  return nb::make_tuple(to_numpy(std::move(regret)), to_numpy(std::move(start)), to_numpy(std::move(expert)));
}

nb::tuple shifting_regret(Matrix r, std::size_t segments) {
  if (r.shape(1) == 0) throw std::invalid_argument("there are no experts, expected one or more");
  if (r.shape(0) > std::numeric_limits<std::uint32_t>::max() || r.shape(1) > std::numeric_limits<std::uint32_t>::max())
    throw std::invalid_argument("there are more than 2^32 rounds or experts");
  Shifting found;
  {
    const WithoutGil unlocked;
    found = best_partitions({r.data(), r.size()}, r.shape(1), segments);
  }
  return nb::make_tuple(to_numpy(std::move(found.regret)), to_numpy(std::move(found.segments)),
                        to_numpy(std::move(found.first)), to_numpy(std::move(found.expert)));
}

}  // namespace

static const afterwit::Announced announced("regret", [](nb::module_& m) {
  m.def("interval_regret", &interval_regret, "r"_a, "lengths"_a,
        "The worst regret on the intervals of each length, where it starts and to whom.");
  m.def("shifting_regret", &shifting_regret, "r"_a, "segments"_a,
        "The regret to the best partitions into 1, 2, ... segments; how many segments each has, their first rounds and "
        "their experts.");
});
