#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "python/announced.hpp"
#include "rows/cells.hpp"
#include "text/csv.hpp"
#include "text/parser_bind.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace afterwit {
namespace {

using Words = std::vector<std::string>;

// What a CSV is read for, beside its features.
struct CsvNames {
  std::optional<std::string> target, weight;
  Words ids;
};

CsvRole role_of(const std::string& name, const CsvNames& names, const CellRules& cells, bool labelled) {
  if (name == names.target) return labelled ? CsvRole::target : CsvRole::unused;
  if (name == names.weight) return labelled ? CsvRole::weight : CsvRole::unused;
  if (!cells.reads(namespace_hash(name))) return CsvRole::unused;
  switch (cells.use(name)) {
    case CellUse::text:
      return CsvRole::text;
    case CellUse::category:
      return CsvRole::category;
    case CellUse::date:
      return CsvRole::date;
    case CellUse::plain:
      break;
  }
  return CsvRole::number_or_word;
}

std::vector<CsvColumn> columns_of(const Words& headings, const CsvNames& names, const CellRules& cells, bool labelled) {
  std::vector<CsvColumn> columns;
  for (const std::string& name : headings) {
    const auto found = std::find(names.ids.begin(), names.ids.end(), name);
    std::optional<std::size_t> id;
    if (found != names.ids.end()) id = static_cast<std::size_t>(found - names.ids.begin());
    columns.emplace_back(name, role_of(name, names, cells, labelled), id);
  }
  return columns;
}

// The first record that is not blank: its cells, and how many bytes and lines it takes with what is before it. When the
// data ends too early: where the quote is that is open, or None if none is.
using CsvHeader = std::tuple<std::vector<nb::bytes>, std::int64_t, std::int64_t>;

std::variant<std::monostate, std::int64_t, CsvHeader> csv_header(nb::bytes data, char separator, bool final) {
  const char *p = data.c_str(), *end = p + data.size();
  CsvScanner scanner(separator, p, end);
  std::string scratch;
  std::int64_t lines = 0;
  while (p != end) {
    std::vector<nb::bytes> cells;
    const CsvRecord record = scanner.walk(p, final, [&](std::size_t, const CsvCell& cell) {
      const std::string_view text = cell.plain(scratch);
      cells.emplace_back(text.data(), text.size());
    });
    if (!record.whole) {
      if (record.quote == nullptr) return {};
      return record.quote - data.c_str();
    }
    p = record.behind;
    lines += record.lines;
    if (record.fields != 0) return CsvHeader(std::move(cells), p - data.c_str(), lines);
  }
  return {};
}

}  // namespace
}  // namespace afterwit

static const afterwit::Announced announced("text/csv", [](nb::module_& m) {
  using namespace afterwit;
  m.def("csv_header", &csv_header, "data"_a, "separator"_a, "final"_a,
        "The cells of the first record, the bytes and the lines up to its end; if it is not whole, where "
        "its open quote is, or None.");
  bind_parser<CsvParser>(m, "CsvParser", "Parses the records behind the header of a CSV piece by piece.")
      .def(
          "__init__",
          [](Parser<CsvParser>* self, const Words& headings, char separator, const std::optional<std::string>& target,
             const std::optional<std::string>& weight, const Words& ids, const std::string& kind, const Words& classes,
             const CellRules* cells, bool names, bool groups, bool packed, bool skip, std::int64_t longest_record) {
            static const CellRules plain;
            const CellRules& rules = cells == nullptr ? plain : *cells;
            CsvParser parser(label_reader(kind, classes),
                             columns_of(headings, {target, weight, ids}, rules, kind != "none"),
                             {separator, skip, names, groups, packed, longest_record, rules.rules != 1});
            new (self) Parser<CsvParser>(std::move(parser), names, groups);
          },
          "headings"_a, "separator"_a, nb::kw_only(), "target"_a = nb::none(), "weight"_a = nb::none(),
          "ids"_a = nb::make_tuple(), "kind"_a = "real", "classes"_a = nb::make_tuple(), "cells"_a.none() = nb::none(),
          "names"_a = false, "groups"_a = false, "packed"_a = false, "skip"_a = false, "longest_record"_a = 64 << 20);
});
