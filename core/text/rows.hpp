// A block of parsed rows: what every parser yields and every learner reads.
#pragma once

#include <cstdint>

#include "text/buffer.hpp"

namespace afterwit {

// Row r has the features starts[r] .. starts[r + 1], in order of appearance; a key may appear twice.
struct Rows {
  Buffer<std::uint64_t> keys;
  Buffer<double> values;
  Buffer<std::int64_t> starts{0};
  Buffer<double> y;

  std::size_t size() const { return y.size(); }
  void add(std::uint64_t key, double value) {
    keys.push_back(key);
    values.push_back(value);
  }
  void end_row(double label) {
    y.push_back(label);
    starts.push_back(static_cast<std::int64_t>(keys.size()));
  }
  // Forgets the features since the last row.
  void drop_row() {
    keys.resize(static_cast<std::size_t>(starts.back()));
    values.resize(static_cast<std::size_t>(starts.back()));
  }
};

}  // namespace afterwit
