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
#include "text/csv.hpp"
#include "text/parser_bind.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace afterwit {
namespace {

using Words = std::vector<std::string>;

std::vector<CsvColumn> columns_of(const Words& headings, const std::optional<std::string>& target,
                                  const std::optional<std::string>& weight, const Words& text, bool labelled) {
  std::vector<CsvColumn> columns;
  for (const std::string& name : headings) {
    CsvRole role = CsvRole::number_or_word;
    if (name == target)
      role = labelled ? CsvRole::target : CsvRole::unused;
    else if (name == weight)
      role = labelled ? CsvRole::weight : CsvRole::unused;
    else if (std::find(text.begin(), text.end(), name) != text.end())
      role = CsvRole::text;
    columns.emplace_back(name, role);
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
             const std::optional<std::string>& weight, const std::string& kind, const Words& classes, const Words& text,
             bool names, bool groups, bool packed, bool skip, std::int64_t longest_record) {
            CsvParser parser(label_reader(kind, classes), columns_of(headings, target, weight, text, kind != "none"),
                             {separator, skip, names, groups, packed, longest_record});
            new (self) Parser<CsvParser>(std::move(parser), names, groups);
          },
          "headings"_a, "separator"_a, nb::kw_only(), "target"_a = nb::none(), "weight"_a = nb::none(),
          "kind"_a = "real", "classes"_a = nb::make_tuple(), "text"_a = nb::make_tuple(), "names"_a = false,
          "groups"_a = false, "packed"_a = false, "skip"_a = false, "longest_record"_a = 64 << 20);
});
