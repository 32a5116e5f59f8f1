// A model as Python holds it, with what its bindings share.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "linear/kernel.hpp"
#include "linear/model.hpp"
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

  template <class Rule>
  static PyModel make(Rule rule, const AnyLoss& loss, const Layout& layout, LabelKind labels, bool many) {
    const std::size_t slots = layout.features.slots();
    std::unique_ptr<Linear> kernel;
    if (many)
      kernel = std::make_unique<Kernel<Rule, false>>(rule, loss, slots, 0);
    else
      kernel = std::make_unique<Kernel<Rule, true>>(rule, loss, slots, 1);
    return {Model(layout.features, layout.expansion, std::move(kernel), labels), layout, nullptr,
            std::make_unique<Lock>()};
  }
};

inline RowsView view(In<std::uint64_t> keys, In<double> values, In<std::int64_t> starts,
                     std::span<const std::string_view> names = {}) {
  return {{keys.data(), keys.shape(0)}, {values.data(), values.shape(0)}, {starts.data(), starts.shape(0)}, names, {}};
}

inline std::span<const double> span_of(const std::optional<In<double>>& values) {
  return values ? std::span<const double>{values->data(), values->shape(0)} : std::span<const double>{};
}

}  // namespace afterwit
