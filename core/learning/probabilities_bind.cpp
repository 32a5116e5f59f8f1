#include <vector>

#include "learning/probabilities.hpp"
#include "python/announced.hpp"
#include "python/arrays.hpp"
#include "python/lock.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace afterwit;

namespace {

using Matrix = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

Out2<double> probabilities(Matrix raw, bool several) {
  const std::size_t rows = raw.shape(0), K = raw.shape(1);
  std::vector<double> p(rows * K);
  {
    const WithoutGil unlocked;
    if (several && K > 0)
      for (std::size_t t = 0; t < rows; ++t) shares(raw.data() + t * K, K, p.data() + t * K);
    else
      std::transform(raw.data(), raw.data() + p.size(), p.begin(), sigmoid);
  }
  return to_numpy(std::move(p), rows, K);
}

}  // namespace

static const afterwit::Announced announced("learning/probabilities", [](nb::module_& m) {
  m.def("probability", &sigmoid, "margin"_a, "Of +1, for a margin of logistic loss.");
  m.def("probabilities", &probabilities, "raw"_a, "several"_a,
        "Of +1 for each margin, or with several classes of each of them in every row.");
});
