// Columns into rows: {"price": 3.5, "city": "Rome"} for the row of a table, with the same keys in the same order as the
// mapping of its cells. A zero is left out, as in a dense array; a NaN, or a string that is missing, is an empty cell.
#pragma once

#include <cfloat>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rows/names.hpp"
#include "rows/rows.hpp"
#include "rows/words.hpp"

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

// The features of a column's strings: `column=text`, or `column^word` for each word of a text.
class StringFeatures {
 public:
  StringFeatures(std::string column, bool splits) : column_(std::move(column)), splits_(splits) {
    space_ = namespace_hash(column_);
    joined_ = column_ + "=";
  }

  // Calls f(key, name) for each; the name is built only when f asks for it.
  template <class F>
  void each(std::string_view text, F f) {
    if (splits_) {
      for_each_word(text, [&](std::string_view word) {
        f(key_of_name(word, space_), [&] { return column_ + "^" + std::string(word); });
      });
      return;
    }
    joined_.resize(column_.size() + 1);
    joined_ += text;
    f(key_of_name(joined_), [&] { return joined_; });
  }

 private:
  std::string column_;
  bool splits_;
  std::uint64_t space_ = 0;
  std::string joined_;
};

// The features of each category of a column, hashed once: category c has keys[starts[c]] .. keys[starts[c + 1]].
struct Categories {
  std::vector<std::uint64_t> keys;
  std::vector<std::size_t> starts{0};
  std::vector<std::string> names;

  Categories(const std::string& column, bool splits, const Strings& strings, std::size_t count) {
    StringFeatures features(column, splits);
    for (std::size_t c = 0; c < count; ++c) {
      if (strings.has(c))
        features.each(strings[c], [&](std::uint64_t key, auto name) {
          keys.push_back(key);
          names.push_back(name());
        });
      starts.push_back(keys.size());
    }
  }
  std::size_t size() const { return starts.size() - 1; }
};

// One column of a block of rows: numbers, strings, or codes of categories (a negative code is an empty cell).
struct Column {
  std::string name;
  const double* numbers = nullptr;
  Strings strings;
  bool splits = false;
  const std::int32_t* codes = nullptr;
  const Categories* categories = nullptr;
};

struct TableRows {
  Rows rows;
  // The first number that is not a finite float, if any: then the rows end before it.
  std::int64_t bad_row = -1;
  std::size_t bad_column = 0;
};

class ColumnReader {
 public:
  ColumnReader(const std::vector<Column>& columns, bool keep_names, bool keep_groups)
      : columns_(columns), keep_names_(keep_names), keep_groups_(keep_groups) {
    for (const Column& column : columns) {
      features_.emplace_back(column.name, column.splits);
      keys_.push_back(key_of_name(column.name));
      groups_.push_back(namespace_hash(column.name));
    }
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
    const Column& column = columns_[c];
    if (column.numbers != nullptr) {
      const double value = column.numbers[row];
      if (value == 0.0 || std::isnan(value)) return true;
      if (!(std::fabs(value) <= FLT_MAX)) return false;
      push(c, keys_[c], value, [&] { return column.name; });
    } else if (column.categories != nullptr) {
      const Categories& of = *column.categories;
      if (column.codes[row] < 0) return true;
      const auto code = static_cast<std::size_t>(column.codes[row]);
      for (std::size_t i = of.starts[code]; i < of.starts[code + 1]; ++i)
        push(c, of.keys[i], 1.0, [&] { return of.names[i]; });
    } else if (column.strings.has(row)) {
      features_[c].each(column.strings[row], [&](std::uint64_t key, auto name) { push(c, key, 1.0, name); });
    }
    return true;
  }

  template <class Name>
  void push(std::size_t c, std::uint64_t key, double value, Name name) {
    out_.rows.add(key, value);
    if (keep_groups_) out_.rows.groups.push_back(groups_[c]);
    if (keep_names_) out_.rows.names.push_back(name());
  }

  const std::vector<Column>& columns_;
  bool keep_names_;
  bool keep_groups_;
  std::vector<StringFeatures> features_;
  std::vector<std::uint64_t> keys_;
  std::vector<std::uint64_t> groups_;
  TableRows out_;
};

}  // namespace afterwit
