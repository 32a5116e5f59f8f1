// A model as Python holds it, with what its bindings share.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "learners/model.hpp"
#include "python/arrays.hpp"
#include "python/lock.hpp"
#include "python/mappings.hpp"
#include "rows/layout.hpp"

namespace afterwit {

struct PyModel {
  Model model;
  Layout layout;
  std::unique_ptr<MappingReader> reader;  // kept for its memory; whoever reads a row borrows it
  std::unique_ptr<Lock> mutex;
  std::size_t asked = 0;  // names that its rule has asked for
};

inline RowsView view(In<std::uint64_t> keys, In<double> values, In<std::int64_t> starts,
                     std::span<const std::string_view> names = {}) {
  return {{keys.data(), keys.shape(0)}, {values.data(), values.shape(0)}, {starts.data(), starts.shape(0)}, names, {}};
}

inline std::span<const double> span_of(const std::optional<In<double>>& values) {
  return values ? std::span<const double>{values->data(), values->shape(0)} : std::span<const double>{};
}

}  // namespace afterwit
