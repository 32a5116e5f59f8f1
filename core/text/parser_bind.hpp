// What the bindings of all parsers of text share.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "python/arrays.hpp"
#include "python/lock.hpp"
#include "text/columns_met.hpp"
#include "text/labels.hpp"
#include "text/parsed.hpp"

namespace afterwit {

// The same for Python.
struct Parsed {
  Keys keys;
  Values values;
  Out<std::int64_t> starts;
  Out<double> y;
  std::optional<Out<double>> weight;
  std::optional<Out<std::uint64_t>> groups;
  std::optional<nb::list> names;
  std::vector<nb::list> ids;
  std::int64_t consumed, lines, skipped;
  bool stopped;
  std::vector<BadLine> bad_lines;
};

// `words` are classes as they are written: by them a stream finds out which labels it has.
inline LabelReader label_reader(const std::string& kind, const std::vector<std::string>& classes) {
  if (kind == "real") return LabelReader(LabelKind::real, classes);
  if (kind == "binary") return LabelReader(LabelKind::binary, classes);
  if (kind == "classes") return LabelReader(LabelKind::classes, classes);
  if (kind == "words") return LabelReader(LabelKind::classes, {}, true);
  if (kind == "none") return LabelReader(LabelKind::none, classes);
  throw std::invalid_argument("kind is `" + kind + "`, expected `real`, `binary`, `classes`, `words` or `none`");
}

// A parser that works without the GIL, behind a lock of its own.
template <class TextParser>
class Parser {
 public:
  Parser(TextParser parser, bool keep_names, bool keep_groups)
      : parser_(std::move(parser)), keep_names_(keep_names), keep_groups_(keep_groups) {}

  Parsed parse(const In<std::uint8_t>& data, std::size_t offset, bool final, std::int64_t max_rows) {
    if (offset > data.size()) throw std::invalid_argument("offset lies behind the data");
    if (max_rows < 0) throw std::invalid_argument("max_rows is negative");
    const char* text = reinterpret_cast<const char*>(data.data());
    const char *begin = text + offset, *end = text + data.size();
    ParsedText result;
    {
      const WithoutGil without_gil;
      const std::lock_guard locked(mutex_);
      result = parser_.parse(begin, end, final, max_rows);
    }
    for (BadLine& bad : result.bad_lines) bad.offset += static_cast<std::int64_t>(offset);
    Rows& rows = result.rows;
    Parsed parsed{keys_of(rows.kept),
                  values_of(rows.kept),
                  to_numpy(std::move(rows.starts)),
                  to_numpy(std::move(rows.y)),
                  {},
                  {},
                  {},
                  {},
                  result.consumed,
                  result.lines,
                  result.skipped,
                  result.stopped,
                  std::move(result.bad_lines)};
    if (rows.weighted) parsed.weight = to_numpy(std::move(rows.weight));
    if (keep_groups_) parsed.groups = to_numpy(std::move(rows.groups));
    if (keep_names_) parsed.names = texts_of(rows.names);
    for (const auto& texts : rows.ids) parsed.ids.push_back(texts_of(texts));
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

  // None where it cannot be told.
  nb::object columns_met() const {
    std::optional<ColumnsMet> met;
    {
      const std::lock_guard locked(mutex_);
      met = parser_.columns_met();
    }
    if (!met) return nb::none();
    nb::list out;
    for (const auto& [name, rows] : met->columns) out.append(nb::make_tuple(shown(name), rows.first, rows.unbroken));
    return nb::make_tuple(met->rows, out);
  }

 private:
  // Names and ids are bytes; what is not UTF-8 is escaped as Python does for file names.
  static nb::object shown(const std::string& text) {
    nb::object out = text_of(text);
    if (!out.is_valid()) throw nb::python_error();
    return out;
  }
  static nb::list texts_of(const std::vector<std::string>& texts) {
    nb::list out;
    for (const std::string& text : texts) out.append(shown(text));
    return out;
  }

  TextParser parser_;
  bool keep_names_;
  bool keep_groups_;
  mutable std::mutex mutex_;
};

template <class TextParser>
nb::class_<Parser<TextParser>> bind_parser(nb::module_& m, const char* name, const char* text) {
  using namespace nb::literals;
  using P = Parser<TextParser>;
  nb::class_<P> bound(m, name, text);
  bound
      .def("parse", &P::parse, "data"_a.noconvert(), "offset"_a, "final"_a, "max_rows"_a,
           "Whole lines or records of data[offset:] (and the rest if final), at most max_rows rows.")
      .def_prop_ro("classes", &P::classes, "The classes in order of their codes.")
      .def_prop_ro("class_count", &P::class_count);
  if constexpr (requires(const TextParser& parser) { parser.columns_met(); })
    bound.def_prop_ro(
        "columns_met", &P::columns_met,
        "How many rows there were, and their columns as (name, the first row that had it, how many had it before the "
        "first that had not); None if they are too many.");
  return bound;
}

}  // namespace afterwit
