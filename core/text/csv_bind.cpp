#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "python/announced.hpp"
#include "python/arrays.hpp"
#include "python/lock.hpp"
#include "text/csv.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace afterwit {
namespace {

struct CsvParsed {
  Keys keys;
  Values values;
  Out<std::int64_t> starts;
  Out<double> y;
  std::optional<Out<double>> weight;
  std::optional<std::vector<std::string>> names;
  std::optional<Out<std::uint64_t>> groups;
  std::int64_t consumed, lines, skipped;
  bool stopped;
  std::vector<BadCell> bad_cells;
};

LabelReader label_reader(const std::string& kind, const std::vector<std::string>& classes) {
  if (kind == "real" || kind == "none") return LabelReader(LabelKind::real, {});
  if (kind == "binary") return LabelReader(LabelKind::binary, classes);
  if (kind == "classes") return LabelReader(LabelKind::classes, classes);
  throw std::invalid_argument("kind is `" + kind + "`, expected `real`, `binary`, `classes` or `none`");
}

std::vector<CsvColumn> columns_of(const std::vector<std::string>& headings, const std::optional<std::string>& target,
                                  const std::optional<std::string>& weight, const std::vector<std::string>& text,
                                  bool labelled) {
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

// A parser that works without the GIL, behind a lock of its own.
class Csv {
 public:
  Csv(const std::vector<std::string>& headings, char separator, const std::optional<std::string>& target,
      const std::optional<std::string>& weight, const std::string& kind, const std::vector<std::string>& classes,
      const std::vector<std::string>& text, bool names, bool groups, bool packed, bool skip,
      std::int64_t longest_record)
      : options_{separator, skip, names, groups, packed, longest_record},
        parser_(label_reader(kind, classes), columns_of(headings, target, weight, text, kind != "none"), options_) {}

  CsvParsed parse(nb::bytes data, std::size_t offset, bool final, std::int64_t max_rows) {
    if (offset > data.size()) throw std::invalid_argument("offset lies behind the data");
    const char *begin = data.c_str() + offset, *end = data.c_str() + data.size();
    CsvParser::Result result;
    {
      const WithoutGil without_gil;
      const std::lock_guard locked(mutex_);
      result = parser_.parse(begin, end, final, max_rows);
    }
    for (BadCell& cell : result.bad_cells) cell.bad.offset += static_cast<std::int64_t>(offset);
    Rows& rows = result.rows;
    CsvParsed parsed{keys_of(rows.kept),
                     values_of(rows.kept),
                     to_numpy(std::move(rows.starts)),
                     to_numpy(std::move(rows.y)),
                     std::nullopt,
                     std::nullopt,
                     std::nullopt,
                     result.consumed,
                     result.lines,
                     result.skipped,
                     result.stopped,
                     std::move(result.bad_cells)};
    if (parser_.weighted()) parsed.weight = to_numpy(std::move(result.weight));
    if (options_.names) parsed.names = std::move(result.names);
    if (options_.groups) parsed.groups = to_numpy(std::move(result.groups));
    return parsed;
  }

  std::vector<ClassName> classes() const {
    const std::lock_guard locked(mutex_);
    return parser_.classes();
  }

  std::size_t class_count() const {
    const std::lock_guard locked(mutex_);
    return parser_.classes().size();
  }

 private:
  CsvOptions options_;
  CsvParser parser_;
  mutable std::mutex mutex_;
};

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
  nb::class_<BadCell>(m, "BadCell", "A bad record: where, in which column (from 0), and its number of fields.")
      .def_ro("bad", &BadCell::bad)
      .def_ro("field", &BadCell::field)
      .def_ro("fields", &BadCell::fields);
  nb::class_<CsvParsed>(m, "CsvParsed", "Rows, how far the data was read, and what was wrong with it.")
      .def_ro("keys", &CsvParsed::keys, nb::rv_policy::reference)
      .def_ro("values", &CsvParsed::values, nb::rv_policy::reference)
      .def_ro("starts", &CsvParsed::starts, nb::rv_policy::reference)
      .def_ro("y", &CsvParsed::y, nb::rv_policy::reference)
      .def_ro("weight", &CsvParsed::weight, nb::rv_policy::reference)
      .def_ro("names", &CsvParsed::names)
      .def_ro("groups", &CsvParsed::groups, nb::rv_policy::reference)
      .def_ro("consumed", &CsvParsed::consumed)
      .def_ro("lines", &CsvParsed::lines)
      .def_ro("skipped", &CsvParsed::skipped)
      .def_ro("stopped", &CsvParsed::stopped)
      .def_ro("bad_cells", &CsvParsed::bad_cells);
  nb::class_<Csv>(m, "CsvParser", "Parses the records behind the header of a CSV piece by piece.")
      .def(nb::init<const std::vector<std::string>&, char, const std::optional<std::string>&,
                    const std::optional<std::string>&, const std::string&, const std::vector<std::string>&,
                    const std::vector<std::string>&, bool, bool, bool, bool, std::int64_t>(),
           "headings"_a, "separator"_a, nb::kw_only(), "target"_a = nb::none(), "weight"_a = nb::none(),
           "kind"_a = "real", "classes"_a = nb::make_tuple(), "text"_a = nb::make_tuple(), "names"_a = false,
           "groups"_a = false, "packed"_a = false, "skip"_a = false, "longest_record"_a = 64 << 20)
      .def("parse", &Csv::parse, "data"_a, "offset"_a, "final"_a, "max_rows"_a,
           "Whole records of data[offset:] (and the rest if final), at most max_rows rows.")
      .def_prop_ro("classes", &Csv::classes, "The classes in order of their codes.")
      .def_prop_ro("class_count", &Csv::class_count);
});
