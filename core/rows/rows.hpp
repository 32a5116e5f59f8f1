// A block of parsed rows: what every parser yields and every learner reads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "numeric/multiversion.hpp"
#include "rows/buffer.hpp"

namespace afterwit {

// Copies n numbers of each kind; returns the bits of all keys together.
template <class Key, class Value>
AFTERWIT_MULTIVERSION std::uint64_t copy_features(const std::uint64_t* __restrict keys, const double* __restrict values,
                                                  std::size_t n, Key* __restrict to_keys, Value* __restrict to_values) {
  std::uint64_t together = 0;
  for (std::size_t i = 0; i < n; ++i) {
    together |= keys[i];
    to_keys[i] = static_cast<Key>(keys[i]);
  }
  for (std::size_t i = 0; i < n; ++i) to_values[i] = static_cast<Value>(values[i]);
  return together;
}

// The features of finished rows. Packed, the values are floats, and the keys have 32 bits until one needs more: half
// the memory, and half of what another thread must fetch.
struct PackedFeatures {
  bool packed = false;
  bool wide = true;
  std::size_t size = 0;
  std::size_t expected = 0;  // how many there will be, about
  Buffer<std::uint32_t> narrow_keys;
  Buffer<std::uint64_t> wide_keys;
  Buffer<float> singles;
  Buffer<double> doubles;

  explicit PackedFeatures(bool packed) : packed(packed), wide(!packed) {}

  void reserve(std::size_t n) {
    wide ? wide_keys.reserve(n) : narrow_keys.reserve(n);
    packed ? singles.reserve(n) : doubles.reserve(n);
  }
  void add(const std::uint64_t* keys, const double* values, std::size_t n) {
    reserve(size == 0 ? n : std::max(size + n, expected));  // after the first row it is known which keys
    if (!packed)
      copy_features(keys, values, n, wide_keys.data() + size, doubles.data() + size);
    else if (wide)
      copy_features(keys, values, n, wide_keys.data() + size, singles.data() + size);
    else if (copy_features(keys, values, n, narrow_keys.data() + size, singles.data() + size) >> 32 != 0) {
      widen();
      return add(keys, values, n);
    }
    size += n;
    wide ? wide_keys.resize(size) : narrow_keys.resize(size);
    packed ? singles.resize(size) : doubles.resize(size);
  }

 private:
  void widen() {
    wide = true;
    wide_keys.reserve(narrow_keys.capacity());
    wide_keys.resize(size);
    for (std::size_t i = 0; i < size; ++i) wide_keys[i] = narrow_keys[i];
    narrow_keys = {};
  }
};

// Row r has the features starts[r] .. starts[r + 1], in order of appearance; a key may appear twice. Groups and names
// are there only where they were wanted, weights only where one is not 1, or where all were wanted (`weighted`). An id
// comes along with a row and is no feature of it: of each column of ids, one text a row.
struct Rows {
  Buffer<std::uint64_t> keys;  // of the row that is being read
  Buffer<double> values;
  PackedFeatures kept;  // of those before
  Buffer<std::int64_t> starts{0};
  Buffer<double> y;
  bool weighted = false;
  Buffer<double> weight;
  Buffer<std::uint64_t> groups;
  std::vector<std::string> names;
  std::vector<std::vector<std::string>> ids;

  explicit Rows(bool packed = false) : kept(packed) {}

  std::size_t size() const { return y.size(); }
  void add(std::uint64_t key, double value) {
    keys.push_back(key);
    values.push_back(value);
  }
  void end_row(double label, double importance = 1) {
    if (importance != 1 && !weighted) {
      weighted = true;
      for (std::size_t i = 0; i < y.size(); ++i) weight.push_back(1);
    }
    if (weighted) weight.push_back(importance);
    y.push_back(label);
    kept.add(keys.data(), values.data(), keys.size());
    keys.resize(0);
    values.resize(0);
    starts.push_back(static_cast<std::int64_t>(kept.size));
  }
  // Forgets the features since the last row.
  void drop_row() {
    keys.resize(0);
    values.resize(0);
    if (groups.size() > kept.size) groups.resize(kept.size);
    if (names.size() > kept.size) names.resize(kept.size);
    for (auto& texts : ids)
      if (texts.size() > size()) texts.resize(size());
  }
};

}  // namespace afterwit
