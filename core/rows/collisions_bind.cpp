#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <stdexcept>

#include "python/announced.hpp"
#include "python/arrays.hpp"
#include "python/lock.hpp"
#include "rows/collisions.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace afterwit;

namespace {

void add(Collisions& self, In<std::uint64_t> keys, In<double> values, In<std::int64_t> starts,
         std::optional<nb::list> names, std::optional<In<std::uint64_t>> groups) {
  const NameViews known = views_of(names);
  const std::size_t n = keys.shape(0);
  const std::span<const std::int64_t> at{starts.data(), starts.shape(0)};
  bool fits = !at.empty() && at.front() == 0 && at.back() == static_cast<std::int64_t>(n) && values.shape(0) == n &&
              (!names || known.views.size() == n) && (!groups || groups->shape(0) == n);
  for (std::size_t r = 1; r < at.size(); ++r) fits = fits && at[r - 1] <= at[r];
  if (!fits) throw std::invalid_argument("the values, row starts, names or groups do not fit the number of features");
  const std::span<const std::string_view> all_names = known.views;
  const std::span<const std::uint64_t> all_groups =
      groups ? std::span<const std::uint64_t>{groups->data(), n} : std::span<const std::uint64_t>{};
  const WithoutGil unlocked;
  for (std::size_t r = 0; r + 1 < at.size(); ++r) {
    const auto first = static_cast<std::size_t>(at[r]), size = static_cast<std::size_t>(at[r + 1]) - first;
    const auto part = [&](auto all) { return all.empty() ? all : all.subspan(first, size); };
    if (!self.add({keys.data() + first, size}, {values.data() + first, size}, part(all_groups), part(all_names)))
      throw std::invalid_argument("row " + std::to_string(r + 1) + ": interactions make more than " +
                                  std::to_string(Expansion::most) + " features of it; interact smaller groups");
  }
}

nb::dict counts(const Collisions& self, std::size_t most) {
  CollisionCounts found;
  {
    const WithoutGil unlocked;
    found = self.counts(most);
  }
  nb::list worst;
  for (const auto& slot : found.worst) {
    nb::list names;
    for (const std::string& name : slot) names.append(text_of(name));
    worst.append(nb::tuple(names));
  }
  nb::dict out;
  out["features"] = found.features;
  out["slots"] = found.slots;
  out["shared"] = found.shared;
  out["occurrences"] = found.occurrences;
  out["shared_occurrences"] = found.shared_occurrences;
  out["worst"] = nb::tuple(worst);
  return out;
}

}  // namespace

static const afterwit::Announced announced("rows/collisions", [](nb::module_& m) {
  nb::class_<Layout>(m, "Layout", "How rows become slots of a table.")
      .def(nb::init<unsigned, std::uint64_t, bool, bool, std::vector<std::vector<std::uint64_t>>,
                    const std::map<std::uint64_t, std::size_t>&, CellRules>(),
           "bits"_a, "seed"_a, "exact"_a, "intercept"_a, "products"_a, "ngrams"_a, "cells"_a);
  nb::class_<Collisions>(m, "CollisionCounter", "Distinct features, and how many of them meet in one slot.")
      .def(nb::init<const Layout&>(), "layout"_a)
      .def("add", &add, "keys"_a, "values"_a, "starts"_a, "names"_a.none() = nb::none(), "groups"_a.none() = nb::none())
      .def("counts", &counts, "most"_a);
});
