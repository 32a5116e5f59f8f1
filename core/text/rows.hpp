// A block of parsed rows: what every parser yields and every learner reads.
#pragma once

#include <cstdint>
#include <vector>

namespace afterwit {

// Row r has the features starts[r] .. starts[r + 1], in order of appearance; a key may appear twice.
struct Rows {
  std::vector<std::uint64_t> keys;
  std::vector<double> values;
  std::vector<std::int64_t> starts{0};
  std::vector<double> y;

  std::size_t size() const { return y.size(); }
};

}  // namespace afterwit
