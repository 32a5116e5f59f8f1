// Columns into rows: {"price": 3.5, "city": "Rome"} for the row of a table, with the same keys in the same order as the
// mapping of its cells (rows/cells.hpp has the rule). A zero is left out, as in a dense array; a NaN, or a string that
// is missing, is an empty cell.
#pragma once

#include <cfloat>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rows/cells.hpp"
#include "rows/dates.hpp"
#include "rows/rows.hpp"

namespace afterwit {

// String i is bytes[offsets[i]] .. bytes[offsets[i + 1]]; `missing` may be null, and then none is.
struct Strings {
  const std::int64_t* offsets = nullptr;
  const char* bytes = nullptr;
  const std::uint8_t* missing = nullptr;

  bool has(std::size_t i) const { return missing == nullptr || missing[i] == 0; }
  std::string_view operator[](std::size_t i) const {
    return {bytes + offsets[i], static_cast<std::size_t>(offsets[i + 1] - offsets[i])};
  }
};

// The features of each category of a column, hashed once: category c has keys[starts[c]] .. keys[starts[c + 1]].
struct Categories {
  std::vector<std::uint64_t> keys;
  std::vector<std::size_t> starts{0};
  std::vector<std::string> names;

  Categories(CellFeatures features, const Strings& strings, std::size_t count) {
    for (std::size_t c = 0; c < count; ++c) {
      if (strings.has(c))
        features.word(strings[c], [&](std::uint64_t key, double, auto name) {
          keys.push_back(key);
          names.push_back(name());
        });
      starts.push_back(keys.size());
    }
  }
  std::size_t size() const { return starts.size() - 1; }
};

// Features that were made before, row after row.
struct MadeFeatures {
  const std::uint64_t* keys = nullptr;
  const double* values = nullptr;
  const std::int64_t* starts = nullptr;
  const std::uint64_t* groups = nullptr;
  std::vector<std::string_view> names;
};

// One column of a block of rows, or a field of a column that is a namespace: numbers, strings, codes of categories (a
// negative code is an empty cell), times in units of which a day has `per_day`, or features as they are.
struct Column {
  CellFeatures features;
  const double* numbers = nullptr;
  Strings strings{};
  const std::int32_t* codes = nullptr;
  const Categories* categories = nullptr;
  const std::int64_t* times = nullptr;
  std::int64_t per_day = 1;
  MadeFeatures made{};
};

struct TableRows {
  Rows rows;
  // The first cell that is wrong, if any: then the rows end before it. A number is no finite float, a text no date, a
  // time not in the years that there are.
  std::int64_t bad_row = -1;
  std::size_t bad_column = 0;
  double bad_number = 0;
  std::string_view bad_text{};
};

class ColumnReader {
 public:
  ColumnReader(std::vector<Column>& columns, bool keep_names, bool keep_groups)
      : columns_(columns), keep_names_(keep_names), keep_groups_(keep_groups) {
    for (const Column& column : columns) groups_.push_back(column.features.group());
  }

  TableRows read(std::size_t rows) {
    out_.rows.kept.reserve(rows * columns_.size());
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::size_t c = 0; c < columns_.size(); ++c) {
        if (!read_cell(c, row)) {
          out_.bad_row = static_cast<std::int64_t>(row);
          out_.bad_column = c;
          return std::move(out_);
        }
      }
      out_.rows.end_row(0.0);
    }
    return std::move(out_);
  }

 private:
  bool read_cell(std::size_t c, std::size_t row) {
    Column& column = columns_[c];
    const auto push = [&](std::uint64_t key, double value, auto name) { this->push(groups_[c], key, value, name); };
    if (column.numbers != nullptr) {
      const double value = column.numbers[row];
      if (value == 0.0 || std::isnan(value)) return true;
      if (!fits(value)) return false;
      column.features.number(value, push);
    } else if (column.categories != nullptr) {
      const Categories& of = *column.categories;
      if (column.codes[row] < 0) return true;
      const auto code = static_cast<std::size_t>(column.codes[row]);
      for (std::size_t i = of.starts[code]; i < of.starts[code + 1]; ++i)
        push(of.keys[i], 1.0, [&] { return of.names[i]; });
    } else if (column.times != nullptr) {
      const std::int64_t time = column.times[row];
      return time == not_a_time || read_moment(column, moment_of(time, column.per_day), push);
    } else if (column.made.starts != nullptr) {
      return read_made(column.made, row);
    } else if (column.strings.has(row)) {
      const std::string_view text = column.strings[row];
      if (column.features.use() == CellUse::date) return read_text_date(column, text, push);
      column.features.word(text, push);
    }
    return true;
  }

  template <class F>
  bool read_moment(Column& column, const Moment& moment, F push) {
    if (!in_years(moment)) return false;
    column.features.moment(moment, [&](std::uint64_t key, double value, auto name) {
      if (value != 0.0) push(key, value, name);
    });
    return true;
  }
  template <class F>
  bool read_text_date(Column& column, std::string_view text, F push) {
    Moment moment;
    out_.bad_text = text;
    return text.empty() || (read_date(text, moment) && read_moment(column, moment, push));
  }
  bool read_made(const MadeFeatures& made, std::size_t row) {
    for (auto i = made.starts[row]; i < made.starts[row + 1]; ++i) {
      if (made.values[i] == 0.0) continue;
      if (!fits(made.values[i])) return false;
      push(made.groups[i], made.keys[i], made.values[i],
           [&] { return std::string(made.names[static_cast<std::size_t>(i)]); });
    }
    return true;
  }
  bool fits(double value) {
    out_.bad_number = value;
    return std::fabs(value) <= FLT_MAX;
  }

  template <class Name>
  void push(std::uint64_t group, std::uint64_t key, double value, Name name) {
    out_.rows.add(key, value);
    if (keep_groups_) out_.rows.groups.push_back(group);
    if (keep_names_) out_.rows.names.push_back(name());
  }

  std::vector<Column>& columns_;
  bool keep_names_;
  bool keep_groups_;
  std::vector<std::uint64_t> groups_;
  TableRows out_;
};

}  // namespace afterwit
