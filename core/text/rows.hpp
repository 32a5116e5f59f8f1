// A block of parsed rows: what every parser yields and every learner reads.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "text/buffer.hpp"

namespace afterwit {

// Row r has the features starts[r] .. starts[r + 1], in order of appearance; a key may appear twice. Groups and names
// are there only where they were wanted, weights only where one is not 1.
struct Rows {
  Buffer<std::uint64_t> keys;
  Buffer<double> values;
  Buffer<std::int64_t> starts{0};
  Buffer<double> y;
  Buffer<double> weight;
  Buffer<std::uint64_t> groups;
  std::vector<std::string> names;

  std::size_t size() const { return y.size(); }
  void add(std::uint64_t key, double value) {
    keys.push_back(key);
    values.push_back(value);
  }
  void end_row(double label, double importance = 1) {
    if (importance != 1 && weight.empty())
      for (std::size_t i = 0; i < y.size(); ++i) weight.push_back(1);
    if (importance != 1 || !weight.empty()) weight.push_back(importance);
    y.push_back(label);
    starts.push_back(static_cast<std::int64_t>(keys.size()));
  }
  // Forgets the features since the last row.
  void drop_row() {
    const auto count = static_cast<std::size_t>(starts.back());
    keys.resize(count);
    values.resize(count);
    if (groups.size() > count) groups.resize(count);
    if (names.size() > count) names.resize(count);
  }
};

}  // namespace afterwit
