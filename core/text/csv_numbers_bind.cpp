#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <vector>

#include "python/announced.hpp"
#include "python/arrays.hpp"
#include "python/lock.hpp"
#include "text/csv_numbers.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace afterwit;

namespace {

// (values, names or None, lines, bytes and lines that were read, the bad cell or None).
nb::tuple csv_numbers(nb::bytes data, char separator, std::size_t columns, std::optional<std::size_t> name,
                      const std::vector<std::size_t>& unread, bool final, std::int64_t longest_record) {
  std::vector<CsvNumbers::Role> roles(columns, CsvNumbers::Role::number);
  for (const std::size_t column : unread) {
    if (column >= columns) throw std::invalid_argument("there is no such column");
    roles[column] = CsvNumbers::Role::unread;
  }
  if (name && *name >= columns) throw std::invalid_argument("there is no such column");
  if (name) roles[*name] = CsvNumbers::Role::name;
  const CsvNumbers parser(roles, separator, longest_record);
  CsvNumbers::Result result;
  const char *begin = data.c_str(), *end = begin + data.size();
  {
    const WithoutGil unlocked;
    result = parser.parse(begin, end, final);
  }
  const std::size_t rows = result.lines.size();
  const auto width = static_cast<std::size_t>(std::count(roles.begin(), roles.end(), CsvNumbers::Role::number));
  nb::object names = nb::none(), bad = nb::none();
  if (name) {
    nb::list words;
    for (const std::string& word : result.names) words.append(text_of(word));
    names = words;
  }
  if (result.stopped) bad = nb::cast(result.bad);
  return nb::make_tuple(to_numpy(std::move(result.values), rows, width), names, to_numpy(std::move(result.lines)),
                        result.consumed, result.passed, bad);
}

}  // namespace

static const afterwit::Announced announced("text/csv_numbers", [](nb::module_& m) {
  m.def(
      "csv_numbers", &csv_numbers, "data"_a, "separator"_a, "columns"_a, "name"_a.none(), "unread"_a, "final"_a,
      "longest_record"_a,
      "Whole records as rows of numbers, NaN where a cell is missing, without the columns that are left `unread`: the "
      "values, the words of the column `name`, the line of each row, the bytes and lines read, and the bad cell that "
      "ended it.");
});
