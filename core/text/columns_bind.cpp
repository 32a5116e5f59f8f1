#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <stdexcept>

#include "python/announced.hpp"
#include "python/arrays.hpp"
#include "python/lock.hpp"
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
  In<double> numbers{};
  In<std::int64_t> offsets{};
  In<std::uint8_t> bytes{}, missing{};
  In<std::int32_t> codes{};
  nb::object categories{};
};

BoundColumn number_column(const std::string& name, In<double> values) {
  BoundColumn bound{{.name = name, .numbers = values.data(), .strings = {}}, values.size()};
  bound.numbers = values;
  return bound;
}

BoundColumn string_column(const std::string& name, In<std::int64_t> offsets, In<std::uint8_t> bytes, Missing missing,
                          bool splits) {
  const Strings strings = strings_of(offsets, bytes, missing);
  BoundColumn bound{{.name = name, .strings = strings, .splits = splits}, offsets.size() - 1};
  bound.offsets = offsets;
  bound.bytes = bytes;
  if (missing) bound.missing = *missing;
  return bound;
}

BoundColumn category_column(const std::string& name, In<std::int32_t> codes, nb::handle_t<Categories> categories) {
  const auto* of = nb::inst_ptr<Categories>(categories);
  for (std::size_t i = 0; i < codes.size(); ++i)
    if (codes.data()[i] >= static_cast<std::int64_t>(of->size()))
      throw std::invalid_argument("a code lies behind the categories");
  BoundColumn bound{{.name = name, .strings = {}, .codes = codes.data(), .categories = of}, codes.size()};
  bound.codes = codes;
  bound.categories = nb::borrow(categories);
  return bound;
}

// Keys, values, row starts, names and groups when asked, and the place of the first number that is no finite float.
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
    bad = nb::make_tuple(table.bad_row, table.bad_column, columns[table.bad_column].numbers[table.bad_row]);
  return nb::make_tuple(to_numpy(std::move(table.rows.kept.wide_keys)), to_numpy(std::move(table.rows.kept.doubles)),
                        to_numpy(std::move(table.rows.starts)), keep_names ? nb::cast(table.rows.names) : nb::none(),
                        keep_groups ? nb::cast(to_numpy(std::move(table.rows.groups))) : nb::none(), bad);
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
             Missing missing, bool splits) {
            new (self) Categories(column, splits, strings_of(offsets, bytes, missing), offsets.size() - 1);
          },
          "column"_a, "offsets"_a, "bytes"_a, "missing"_a.none(), "splits"_a)
      .def("__len__", &Categories::size);
  nb::class_<BoundColumn>(m, "Column", "One column of a block of rows.")
      .def("__len__", [](const BoundColumn& self) { return self.rows; })
      .def_prop_ro("name", [](const BoundColumn& self) { return self.column.name; });
  m.def("number_column", &number_column, "name"_a, "values"_a, "A column of numbers; a NaN is an empty cell.");
  m.def("string_column", &string_column, "name"_a, "offsets"_a, "bytes"_a, "missing"_a.none(), "splits"_a,
        "A column of UTF-8 strings: each a word, or a text that is split into words.");
  m.def("category_column", &category_column, "name"_a, "codes"_a, "categories"_a,
        "A column of categories; a negative code is an empty cell.");
  m.def("rows_of_columns", &rows_of_columns, "columns"_a, "rows"_a, "keep_names"_a, "keep_groups"_a);
  m.def("split_objects", &split_objects, "objects"_a, "missing"_a);
});
