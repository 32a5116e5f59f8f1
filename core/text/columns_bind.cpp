#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <any>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "python/announced.hpp"
#include "python/arrays.hpp"
#include "python/lock.hpp"
#include "rows/cells.hpp"
#include "text/columns.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace afterwit {
namespace {

using Missing = std::optional<In<std::uint8_t>>;

Strings strings_of(const In<std::int64_t>& offsets, const In<std::uint8_t>& bytes, const Missing& missing) {
  if (offsets.size() == 0) throw std::invalid_argument("offsets is empty, expected one more than there are strings");
  const std::int64_t* offset = offsets.data();
  bool fits = offset[0] >= 0 && static_cast<std::size_t>(offset[offsets.size() - 1]) <= bytes.size();
  for (std::size_t i = 1; i < offsets.size(); ++i) fits = fits && offset[i - 1] <= offset[i];
  if (!fits) throw std::invalid_argument("offsets do not lie within the bytes");
  if (missing && missing->size() != offsets.size() - 1)
    throw std::invalid_argument("missing does not have one entry per string");
  return {offset, reinterpret_cast<const char*>(bytes.data()), missing ? missing->data() : nullptr};
}

// A column with what keeps its arrays alive.
struct BoundColumn {
  Column column;
  std::size_t rows = 0;
  std::any owned{};
};

// The features of a column, or of a field of the column `space`.
CellFeatures features_of(const std::string& name, const CellRules& rules, const std::string& space) {
  return {name, space.empty() ? rules.use(name) : CellUse::plain, rules.rules, space};
}

BoundColumn number_column(const std::string& name, In<double> values, const CellRules& rules,
                          const std::string& space) {
  return {{.features = features_of(name, rules, space), .numbers = values.data()}, values.size(), values};
}

BoundColumn string_column(const std::string& name, In<std::int64_t> offsets, In<std::uint8_t> bytes, Missing missing,
                          const CellRules& rules, const std::string& space) {
  const Strings strings = strings_of(offsets, bytes, missing);
  return {{.features = features_of(name, rules, space), .strings = strings},
          offsets.size() - 1,
          std::make_tuple(offsets, bytes, missing)};
}

BoundColumn category_column(const std::string& name, In<std::int32_t> codes, nb::handle_t<Categories> categories,
                            const CellRules& rules, const std::string& space) {
  const auto* of = nb::inst_ptr<Categories>(categories);
  for (std::size_t i = 0; i < codes.size(); ++i)
    if (codes.data()[i] >= static_cast<std::int64_t>(of->size()))
      throw std::invalid_argument("a code lies behind the categories");
  return {{.features = features_of(name, rules, space), .codes = codes.data(), .categories = of},
          codes.size(),
          std::make_tuple(codes, nb::object(nb::borrow(categories)))};
}

BoundColumn time_column(const std::string& name, In<std::int64_t> times, std::int64_t per_day, const CellRules& rules,
                        const std::string& space) {
  if (per_day != 1 && (per_day < 24 || per_day % 24 != 0))
    throw std::invalid_argument("per_day is " + std::to_string(per_day) + ", expected 1 or a multiple of 24");
  return {
      {.features = features_of(name, rules, space), .times = times.data(), .per_day = per_day}, times.size(), times};
}

BoundColumn made_column(const std::string& name, In<std::uint64_t> keys, In<double> values, In<std::int64_t> starts,
                        nb::list names, In<std::uint64_t> groups) {
  const std::size_t n = keys.size();
  NameViews known = views_of(names);
  bool fits =
      starts.size() > 0 && starts.data()[0] == 0 && starts.data()[starts.size() - 1] == static_cast<std::int64_t>(n);
  for (std::size_t i = 1; i < starts.size(); ++i) fits = fits && starts.data()[i - 1] <= starts.data()[i];
  if (!fits || values.size() != n || groups.size() != n || known.views.size() != n)
    throw std::invalid_argument("the features do not fit the rows");
  const auto texts = std::make_tuple(known.owned, known.unescaped);
  return {{.features = {name, CellUse::plain, CellRules::newest},
           .made = {keys.data(), values.data(), starts.data(), groups.data(), std::move(known.views)}},
          starts.size() - 1,
          std::make_tuple(keys, values, starts, groups, texts)};
}

// What is wrong with a cell: the number, the text, or None for a time.
nb::object bad_cell(const Column& column, const TableRows& table) {
  if (column.numbers != nullptr || column.made.starts != nullptr) return nb::cast(table.bad_number);
  if (column.times != nullptr) return nb::none();
  return nb::bytes(table.bad_text.data(), table.bad_text.size());
}

// Keys, values, row starts, names and groups when asked, and the place of the first cell that is wrong, with what it
// is.
nb::tuple rows_of_columns(const std::vector<const BoundColumn*>& bound, std::size_t rows, bool keep_names,
                          bool keep_groups) {
  std::vector<Column> columns;
  for (const BoundColumn* column : bound) {
    if (column->rows != rows) throw std::invalid_argument("the columns are not of one length");
    columns.push_back(column->column);
  }
  TableRows table;
  {
    const WithoutGil unlocked;
    table = ColumnReader(columns, keep_names, keep_groups).read(rows);
  }
  nb::object bad = nb::none();
  if (table.bad_row >= 0)
    bad = nb::make_tuple(table.bad_row, table.bad_column, bad_cell(columns[table.bad_column], table));
  return nb::make_tuple(to_numpy(std::move(table.rows.kept.wide_keys)), to_numpy(std::move(table.rows.kept.doubles)),
                        to_numpy(std::move(table.rows.starts)), keep_names ? nb::cast(table.rows.names) : nb::none(),
                        keep_groups ? nb::cast(to_numpy(std::move(table.rows.groups))) : nb::none(), bad);
}

// Numbers as words are spelled: offsets, bytes, and which are missing.
template <class T>
nb::tuple spelled_numbers(In<T> values) {
  std::vector<std::int64_t> offsets{0};
  std::vector<std::uint8_t> bytes, missing(values.size(), 0);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const T value = values.data()[i];
    if constexpr (std::is_floating_point_v<T>) missing[i] = std::isnan(value);
    std::string text;
    if constexpr (std::is_floating_point_v<T>)
      text = spelled(value);
    else
      text = std::to_string(value);
    bytes.insert(bytes.end(), text.begin(), text.end());
    offsets.push_back(static_cast<std::int64_t>(bytes.size()));
  }
  return nb::make_tuple(to_numpy(std::move(offsets)), to_numpy(std::move(bytes)), to_numpy(std::move(missing)));
}

// Python objects as numbers (NaN where there is none) and strings (offsets, bytes, missing); the last is the place of
// the first object that is neither, or -1.
nb::tuple split_objects(nb::list objects, In<std::uint8_t> missing) {
  const std::size_t size = nb::len(objects);
  if (missing.size() != size) throw std::invalid_argument("missing does not have one entry per object");
  std::vector<double> numbers(size, std::nan(""));
  std::vector<std::int64_t> offsets{0};
  std::vector<std::uint8_t> bytes, no_string(size, 1);
  std::int64_t bad = -1;
  for (std::size_t i = 0; i < size; ++i) {
    PyObject* object = PyList_GetItem(objects.ptr(), static_cast<Py_ssize_t>(i));
    if (object == nullptr) throw nb::python_error();
    if (missing.data()[i] == 0 && PyUnicode_Check(object)) {
      Py_ssize_t length;
      const char* text = PyUnicode_AsUTF8AndSize(object, &length);
      if (text == nullptr) {
        PyErr_Clear();
        bad = static_cast<std::int64_t>(i);
        break;
      }
      bytes.insert(bytes.end(), text, text + length);
      no_string[i] = 0;
    } else if (missing.data()[i] == 0) {
      if (!real_number(object, numbers[i])) {
        bad = static_cast<std::int64_t>(i);
        break;
      }
    }
    offsets.push_back(static_cast<std::int64_t>(bytes.size()));
  }
  return nb::make_tuple(to_numpy(std::move(numbers)), to_numpy(std::move(offsets)), to_numpy(std::move(bytes)),
                        to_numpy(std::move(no_string)), bad);
}

}  // namespace
}  // namespace afterwit

static const afterwit::Announced announced("text/columns", [](nb::module_& m) {
  using namespace afterwit;
  nb::class_<Categories>(m, "Categories", "The features of each category of a column, hashed once.")
      .def(
          "__init__",
          [](Categories* self, const std::string& column, In<std::int64_t> offsets, In<std::uint8_t> bytes,
             Missing missing, const CellRules& rules, const std::string& space) {
            new (self)
                Categories(features_of(column, rules, space), strings_of(offsets, bytes, missing), offsets.size() - 1);
          },
          "column"_a, "offsets"_a, "bytes"_a, "missing"_a.none(), "rules"_a, "space"_a = "")
      .def("__len__", &Categories::size);
  nb::class_<BoundColumn>(m, "Column", "One column of a block of rows.")
      .def("__len__", [](const BoundColumn& self) { return self.rows; })
      .def_prop_ro("name", [](const BoundColumn& self) { return self.column.features.column(); });
  m.def("number_column", &number_column, "name"_a, "values"_a, "rules"_a, "space"_a = "",
        "A column of numbers; a NaN is an empty cell. With a `space`, a field of that column.");
  m.def("string_column", &string_column, "name"_a, "offsets"_a, "bytes"_a, "missing"_a.none(), "rules"_a,
        "space"_a = "", "A column of UTF-8 strings.");
  m.def("category_column", &category_column, "name"_a, "codes"_a, "categories"_a, "rules"_a, "space"_a = "",
        "A column of categories; a negative code is an empty cell.");
  m.def("time_column", &time_column, "name"_a, "times"_a, "per_day"_a, "rules"_a, "space"_a = "",
        "A column of times since 1970-01-01, a day having so many; the least number is an empty cell.");
  m.def("made_column", &made_column, "name"_a, "keys"_a, "values"_a, "starts"_a, "names"_a, "groups"_a,
        "A column whose features are made already.");
  m.def("spelled_numbers", &spelled_numbers<std::int64_t>, "values"_a.noconvert());
  m.def("spelled_numbers", &spelled_numbers<std::uint64_t>, "values"_a.noconvert());
  m.def("spelled_numbers", &spelled_numbers<double>, "values"_a.noconvert(),
        "Numbers as words are spelled: offsets, bytes, and which are missing.");
  m.def("rows_of_columns", &rows_of_columns, "columns"_a, "rows"_a, "keep_names"_a, "keep_groups"_a);
  m.def("split_objects", &split_objects, "objects"_a, "missing"_a);
});
