// Rows of a CSR matrix with indices and values of any width, a cache-sized piece at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "learners/model.hpp"
#include "rows/buffer.hpp"

namespace afterwit {

// An array of integers or floats of 32 or 64 bits.
struct Numbers {
  enum class Kind { int32, int64, uint32, uint64, float32, float64 };
  const void* data;
  std::size_t size;
  Kind kind;

  template <class To>
  void copy(std::size_t first, std::size_t last, To* out) const {
    switch (kind) {
      case Kind::int32:
        return convert(static_cast<const std::int32_t*>(data), first, last, out);
      case Kind::int64:
        return convert(static_cast<const std::int64_t*>(data), first, last, out);
      case Kind::uint32:
        return convert(static_cast<const std::uint32_t*>(data), first, last, out);
      case Kind::uint64:
        return convert(static_cast<const std::uint64_t*>(data), first, last, out);
      case Kind::float32:
        return convert(static_cast<const float*>(data), first, last, out);
      case Kind::float64:
        return convert(static_cast<const double*>(data), first, last, out);
    }
  }

 private:
  template <class From, class To>
  static void convert(const From* from, std::size_t first, std::size_t last, To* out) {
    for (std::size_t i = first; i < last; ++i) out[i - first] = static_cast<To>(from[i]);
  }
};

// Whether no key is negative and all values are small, seen in one pass over memory that may be far.
template <class Key, class Value>
AFTERWIT_MULTIVERSION bool all_plain(const Key* keys, const Value* values, std::size_t n) {
  std::uint64_t large = 0;
  Key together = 0;
  for (std::size_t i = 0; i < n; ++i) {
    large |= static_cast<std::uint64_t>(!is_small(values[i]));
    together |= keys[i];
  }
  return large == 0 && (std::is_unsigned_v<Key> || static_cast<std::make_signed_t<Key>>(together) >= 0);
}

class Csr {
 public:
  static constexpr std::size_t piece = 4096;  // non-zeros, or one row

  Csr(Numbers indices, Numbers values, Numbers starts) : indices_(indices), values_(values) {
    if (starts.size == 0) throw std::invalid_argument("indptr is empty, expected one more entry than rows");
    starts_.resize(starts.size);
    starts.copy(0, starts.size, starts_.data());
    const auto stored = static_cast<std::int64_t>(indices.size < values.size ? indices.size : values.size);
    for (std::size_t r = 0; r < rows(); ++r)
      if (starts_[r] > starts_[r + 1]) throw std::invalid_argument("indptr goes down at row " + std::to_string(r + 1));
    if (starts_[0] < 0 || starts_[rows()] > stored) throw std::invalid_argument("indptr does not fit indices and data");
  }

  std::size_t rows() const { return starts_.size() - 1; }

  // Lets a model learn the rows where they lie; false, and nothing is learned, where they need a closer look: a value
  // that is large, a negative column, or a model that wants more than keys and values.
  bool learn(Model& model, std::span<const double> y, std::span<const double> weights, std::size_t classes,
             double* raw) const {
    using Kind = Numbers::Kind;
    if (!model.is_plain()) return false;
    if (indices_.kind == Kind::int32 && values_.kind == Kind::float64)
      return learn_as<std::int32_t, double>(model, y, weights, classes, raw);
    if (indices_.kind == Kind::int32 && values_.kind == Kind::float32)
      return learn_as<std::int32_t, float>(model, y, weights, classes, raw);
    if (indices_.kind == Kind::int64 && values_.kind == Kind::float64)
      return learn_as<std::int64_t, double>(model, y, weights, classes, raw);
    if (indices_.kind == Kind::uint32 && values_.kind == Kind::float32)
      return learn_as<std::uint32_t, float>(model, y, weights, classes, raw);
    if (indices_.kind == Kind::uint64 && values_.kind == Kind::float32)
      return learn_as<std::uint64_t, float>(model, y, weights, classes, raw);
    return false;
  }

  // The row behind the piece that begins at row `first`.
  std::size_t end_of_piece(std::size_t first) const {
    std::size_t last = first + 1;
    while (last < rows() && static_cast<std::size_t>(starts_[last + 1] - starts_[first]) <= piece) ++last;
    return last;
  }

  // The rows [first, last), valid until the next call.
  RowsView view(std::size_t first, std::size_t last) {
    const auto begin = static_cast<std::size_t>(starts_[first]), end = static_cast<std::size_t>(starts_[last]);
    keys_.resize(end - begin);
    numbers_.resize(end - begin);
    piece_starts_.resize(last - first + 1);
    indices_.copy(begin, end, keys_.data());
    values_.copy(begin, end, numbers_.data());
    for (std::size_t r = first; r <= last; ++r) piece_starts_[r - first] = starts_[r] - starts_[first];
    const bool is_signed = indices_.kind == Numbers::Kind::int32 || indices_.kind == Numbers::Kind::int64;
    std::uint64_t together = 0;
    for (std::size_t i = 0; i < keys_.size(); ++i) together |= keys_[i];
    if (is_signed && together >> 63 != 0) throw std::invalid_argument("indices has a negative column");
    return {{keys_.data(), keys_.size()},
            {numbers_.data(), numbers_.size()},
            {piece_starts_.data(), piece_starts_.size()},
            {},
            {}};
  }

 private:
  template <class Key, class Value>
  bool learn_as(Model& model, std::span<const double> y, std::span<const double> weights, std::size_t classes,
                double* raw) const {
    const auto* keys = static_cast<const Key*>(indices_.data);
    const auto* values = static_cast<const Value*>(values_.data);
    const auto begin = static_cast<std::size_t>(starts_[0]), end = static_cast<std::size_t>(starts_[rows()]);
    if (!all_plain(keys + begin, values + begin, end - begin)) return false;
    model.learn_plain(PlainRows<Key, Value>{keys, values, starts_.data(), rows()}, y, weights, classes, raw);
    return true;
  }

  Numbers indices_, values_;
  Buffer<std::int64_t> starts_;
  Buffer<std::uint64_t> keys_;
  Buffer<double> numbers_;
  Buffer<std::int64_t> piece_starts_;
};

}  // namespace afterwit
