// CSV as rows: the cell `3.5` of the column `price` is the feature `price` with that value, `Rome` of `city` is
// `city=Rome` with value 1, as in a mapping (rows/cells.hpp has the rule). Zeros and missing cells are no features;
// `inf` is a bad number, not a word. Each cell is judged alone.
#pragma once

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "numeric/digits.hpp"
#include "numeric/number.hpp"
#include "rows/cells.hpp"
#include "rows/dates.hpp"
#include "rows/names.hpp"
#include "rows/rows.hpp"
#include "rows/words.hpp"
#include "text/csv_record.hpp"
#include "text/csv_scanner.hpp"
#include "text/faults.hpp"
#include "text/labels.hpp"
#include "text/parsed.hpp"
#include "text/utf8.hpp"

namespace afterwit {

enum class CsvRole { number_or_word, text, category, date, target, weight, unused };

struct CsvColumn {
  CsvColumn(std::string heading, CsvRole its_role, std::optional<std::size_t> its_id = {})
      : name(std::move(heading)),
        role(its_role),
        id(its_id),
        key(key_of_name(name)),
        group(namespace_hash(name)),
        word(name + '='),
        word_start(word.size()) {
    if (role == CsvRole::date) dates.emplace(name, no_namespace);
  }

  std::string name;
  CsvRole role;
  std::optional<std::size_t> id;  // which of the columns of ids it is, whatever else it is
  std::uint64_t key, group;
  std::string word;  // `name=`, and behind it whatever stood in the last cell
  std::size_t word_start;
  std::optional<DateFeatures> dates;
};

struct CsvOptions {
  char separator = ',';
  bool skip = false;
  bool names = false;
  bool groups = false;
  bool packed = false;
  std::int64_t longest_record = 0;  // in bytes
  bool booleans = true;             // whether `true` is 1, and no word
};

class CsvParser {
 public:
  CsvParser(LabelReader labels, std::vector<CsvColumn> columns, CsvOptions options)
      : labels_(std::move(labels)), columns_(std::move(columns)), options_(options) {
    for (const CsvColumn& column : columns_) {
      weighted_ = weighted_ || column.role == CsvRole::weight;
      ids_ += column.id.has_value();
    }
  }

  // Reads whole records of [begin, end), and the rest if `final`, up to max_rows rows. A bad record is dropped and
  // counted when skipping, and otherwise ends the work before it, as a quote that is not closed always does.
  ParsedText parse(const char* begin, const char* end, bool final, std::int64_t max_rows) {
    ParsedText result;
    result.rows = Rows(options_.packed);
    result.rows.weighted = weighted_;
    result.rows.ids.resize(ids_);
    begin_ = begin;
    CsvScanner scanner(options_.separator, begin, end);
    const char* p = begin;
    while (p != end && static_cast<std::int64_t>(result.rows.size()) < max_rows) {
      known_ = labels_.classes().size();
      problem_ = {};
      const CsvRecord record = scanner.walk(p, final, [&](std::size_t field, const CsvCell& cell) {
        if (problem_.fault == Fault::none || field == columns_.size()) read_cell(field, cell, result.rows);
      });
      if (!record.whole && !final && end - p <= options_.longest_record) {
        drop_row(result.rows);
        break;
      }
      const bool ends_all = judge({columns_.size(), options_.longest_record}, record, p, end, extra_, problem_);
      if (problem_.fault != Fault::none) {
        drop_row(result.rows);
        result.stopped = ends_all || !options_.skip;
        if (result.stopped || result.bad_lines.size() < kept_bad_lines)
          result.bad_lines.push_back(bad_record(problem_, begin, p, record, result.lines));
        if (result.stopped) break;
        ++result.skipped;
      } else if (record.fields != 0) {
        result.rows.end_row(y_, weight_);
      }
      p = record.behind;
      result.lines += record.lines;
    }
    result.consumed = p - begin;
    return result;
  }

  const std::vector<ClassName>& classes() const { return labels_.classes(); }

 private:
  void drop_row(Rows& rows) {
    labels_.shrink(known_);
    rows.drop_row();
  }

  void read_cell(std::size_t field, const CsvCell& cell, Rows& rows) {
    if (field >= columns_.size()) {
      if (field == columns_.size()) extra_ = cell.text;
      return;
    }
    CsvColumn& column = columns_[field];
    if (column.id) read_id(column, field, cell, rows);
    if (column.role == CsvRole::unused || problem_.fault != Fault::none) return;
    const std::string_view text = cell.plain(scratch_);
    const bool missing = is_missing(text);
    Fault fault = Fault::none;
    if (column.role == CsvRole::target)
      fault = missing ? Fault::label_missing : labels_.read(text, y_);
    else if (column.role == CsvRole::weight)
      fault = missing ? Fault::weight_missing : read_weight(text);
    else if (!missing)
      fault = read_feature(column, text, !cell.doubled && text.data() + text.size() - begin_ >= 8, rows);
    if (fault != Fault::none) problem_ = {fault, field, cell.text};
  }

  void read_id(const CsvColumn& column, std::size_t field, const CsvCell& cell, Rows& rows) {
    const std::string_view text = cell.plain(scratch_);
    if (!is_utf8(text)) problem_ = {Fault::text_not_utf8, field, cell.text};
    rows.ids[*column.id].emplace_back(text);
  }

  Fault read_weight(std::string_view text) {
    const NumberStatus status = parse_number(text.data(), text.data() + text.size(), weight_);
    if (status == NumberStatus::malformed) return Fault::weight_not_number;
    if (weight_ < 0 || (status == NumberStatus::infinite && text[0] == '-')) return Fault::weight_negative;
    return status == NumberStatus::infinite || weight_ > FLT_MAX ? Fault::weight_too_large : Fault::none;
  }

  // `padded`: eight bytes can be read before the end of the text. All that it calls is inlined, however often the rest
  // calls it, too.
  __attribute__((flatten)) Fault read_feature(CsvColumn& column, std::string_view text, bool padded, Rows& rows) {
    if (column.role != CsvRole::number_or_word) return read_named(column, text, rows);
    double value = 0;
    const char *p = text.data(), *end = p + text.size();
    if (static_cast<unsigned char>(*p) <= '9') {  // a digit, a sign, a point
      NumberStatus status = NumberStatus::good;
      if (!padded || !read_short_number(p, end, value)) status = parse_number(p, end, value);
      if (status == NumberStatus::infinite) return Fault::value_infinite;
      if (status == NumberStatus::good) {
        if (std::abs(value) > FLT_MAX) return Fault::value_too_large;
        if (value != 0) add(column, column.key, value, 0, {}, rows);
        return Fault::none;
      }
    }
    if (says_infinity(text)) return Fault::cell_infinite;
    const char first = text[0] | 32;
    if ((first == 't' || first == 'f') && options_.booleans) {
      if (const auto boolean = boolean_of(text)) {
        if (*boolean) add(column, column.key, 1.0, 0, {}, rows);
        return Fault::none;
      }
    }
    return read_word(column, text, rows);
  }

  Fault read_word(CsvColumn& column, std::string_view text, Rows& rows) {
    if (!is_utf8(text)) return Fault::text_not_utf8;
    column.word.resize(column.word_start);
    column.word += text;
    add(column, key_of_name(column.word), 1.0, '=', text, rows);
    return Fault::none;
  }

  // A cell of a column of which more is known than its name. Not inlined: a cell of any other is read more often.
  __attribute__((noinline)) Fault read_named(CsvColumn& column, std::string_view text, Rows& rows) {
    if (column.role == CsvRole::date) {
      Moment moment;
      if (!read_date(text, moment)) return Fault::cell_no_date;
      column.dates->each(moment, [&](std::uint64_t key, double value, auto name) {
        if (value == 0) return;
        rows.add(key, value);
        if (options_.groups) rows.groups.push_back(column.group);
        if (options_.names) rows.names.push_back(name());
      });
      return Fault::none;
    }
    if (column.role == CsvRole::category) {
      const auto boolean = boolean_of(text);
      return read_word(column, boolean ? spelled(*boolean) : text, rows);
    }
    if (!is_utf8(text)) return Fault::text_not_utf8;
    for_each_word(text,
                  [&](std::string_view word) { add(column, key_of_name(word, column.group), 1.0, '^', word, rows); });
    return Fault::none;
  }

  // The feature's name is that of the column, or joined to `rest` by `joint`.
  void add(const CsvColumn& column, std::uint64_t key, double value, char joint, std::string_view rest,
           Rows& rows) const {
    rows.add(key, value);
    if (options_.groups) rows.groups.push_back(column.group);
    if (!options_.names) return;
    std::string& name = rows.names.emplace_back(column.name);
    if (joint == '=' || (joint == '^' && !name.empty())) name += joint;
    name += rest;
  }

  LabelReader labels_;
  std::vector<CsvColumn> columns_;
  CsvOptions options_;
  bool weighted_ = false;
  std::size_t ids_ = 0;
  const char* begin_ = nullptr;  // of what is being parsed
  // Of the record being read:
  double y_ = 0, weight_ = 1;
  std::size_t known_ = 0;
  CsvProblem problem_;
  std::string_view extra_;
  std::string scratch_;
};

}  // namespace afterwit
