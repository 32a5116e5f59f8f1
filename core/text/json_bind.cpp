#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "python/announced.hpp"
#include "rows/cells.hpp"
#include "text/json.hpp"
#include "text/parser_bind.hpp"

namespace nb = nanobind;
using namespace nb::literals;

static const afterwit::Announced announced("text/json", [](nb::module_& m) {
  using namespace afterwit;
  using Words = std::vector<std::string>;
  bind_parser<JsonParser>(m, "JsonParser", "Parses JSON lines piece by piece.")
      .def(
          "__init__",
          [](Parser<JsonParser>* self, const std::string& target, const std::optional<std::string>& weight,
             const Words& ids, const std::string& kind, const Words& classes, const CellRules* cells, bool names,
             bool groups, bool packed, bool skip) {
            JsonParser parser(
                label_reader(kind, classes),
                {target, weight, ids, cells == nullptr ? CellRules() : *cells, skip, names, groups, packed});
            new (self) Parser<JsonParser>(std::move(parser), names, groups);
          },
          nb::kw_only(), "target"_a = "_label", "weight"_a = nb::none(), "ids"_a = nb::make_tuple(), "kind"_a = "real",
          "classes"_a = nb::make_tuple(), "cells"_a.none() = nb::none(), "names"_a = false, "groups"_a = false,
          "packed"_a = false, "skip"_a = false);
});
