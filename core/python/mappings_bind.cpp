#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "python/announced.hpp"
#include "python/arrays.hpp"
#include "python/mappings.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace afterwit;

namespace {

// Keys, values, row starts and (when asked) names of a list of dicts.
nb::tuple rows_of_mappings(nb::list mappings, bool keep_names, bool keep_groups, const CellRules* cells) {
  MappingReader reader(keep_names, keep_groups, cells == nullptr ? CellRules() : *cells);
  std::vector<std::int64_t> starts{0};
  const std::size_t size = mappings.size();
  for (std::size_t r = 0; r < size; ++r) {
    // Owned, because reading it may call into Python, where the list can change.
    const nb::object mapping = nb::borrow(PyList_GetItem(mappings.ptr(), static_cast<Py_ssize_t>(r)));
    if (!PyDict_Check(mapping.ptr())) throw nb::type_error("a row must be a dict of names to numbers or words");
    reader.add(mapping.ptr());
    starts.push_back(static_cast<std::int64_t>(reader.keys.size()));
    if (mappings.size() != size) throw std::runtime_error("the rows changed while they were read; give a copy of them");
  }
  nb::object names = keep_names ? nb::cast(reader.names) : nb::none();
  return nb::make_tuple(to_numpy(std::move(reader.keys)), to_numpy(std::move(reader.values)),
                        to_numpy(std::move(starts)), names,
                        keep_groups ? nb::cast(to_numpy(std::move(reader.groups))) : nb::none());
}

}  // namespace

static const afterwit::Announced announced("python/mappings", [](nb::module_& m) {
  m.def("rows_of_mappings", &rows_of_mappings, "mappings"_a, "keep_names"_a, "keep_groups"_a,
        "cells"_a.none() = nb::none());
  m.def(
      "group_of_name", [](nb::str name) { return namespace_hash(bytes_of(name)); }, "name"_a,
      "The 64-bit hash of a group: a namespace, or a column.");
  m.def(
      "key_of_name", [](nb::str name) { return key_of_name(bytes_of(name)); }, "name"_a,
      "The 64-bit key of a feature's name.");
  m.def(
      "key_in_namespace",
      [](nb::str space, nb::str name) { return key_of_name(bytes_of(name), namespace_hash(bytes_of(space))); },
      "namespace"_a, "name"_a);
});
