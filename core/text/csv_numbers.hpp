// CSV as a table of numbers: every cell is a number, or missing, which is NaN; a zero stays a zero. One column may hold
// words that name the rows, and some are not read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "numeric/number.hpp"
#include "text/csv_record.hpp"
#include "text/csv_scanner.hpp"
#include "text/faults.hpp"

namespace afterwit {

class CsvNumbers {
 public:
  enum class Role { number, name, unread };

  struct Result {
    std::vector<double> values;       // row after row, of the columns that are numbers
    std::vector<std::string> names;   // one a row where there is such a column
    std::vector<std::int64_t> lines;  // where each row begins, counted from 1 at `begin`
    std::int64_t consumed = 0;
    std::int64_t passed = 0;  // lines
    bool stopped = false;     // at a bad record, which is
    BadLine bad{};
  };

  CsvNumbers(std::vector<Role> columns, char separator, std::int64_t longest_record)
      : columns_(std::move(columns)), separator_(separator), longest_(longest_record) {}

  // Reads whole records of [begin, end), and the rest if `final`, up to the first bad one.
  Result parse(const char* begin, const char* end, bool final) const {
    Result result;
    CsvScanner scanner(separator_, begin, end);
    std::string scratch;
    for (const char* p = begin; p != end;) {
      const std::size_t values = result.values.size(), names = result.names.size();
      CsvProblem problem;
      std::string_view extra;
      const CsvRecord record = scanner.walk(p, final, [&](std::size_t field, const CsvCell& cell) {
        if (field == columns_.size()) extra = cell.text;
        if (field >= columns_.size() || problem.fault != Fault::none) return;
        const Fault fault = read(columns_[field], cell.plain(scratch), result);
        if (fault != Fault::none) problem = {fault, field, cell.text};
      });
      const bool waits = !record.whole && !final && end - p <= longest_;
      if (!waits) judge({columns_.size(), longest_}, record, p, end, extra, problem);
      if (waits || problem.fault != Fault::none) {
        result.values.resize(values);
        result.names.resize(names);
        result.stopped = !waits;
        if (!waits) result.bad = bad_record(problem, begin, p, record, result.passed);
        break;
      }
      if (record.fields != 0) result.lines.push_back(result.passed + 1);
      p = record.behind;
      result.passed += record.lines;
      result.consumed = p - begin;
    }
    return result;
  }

 private:
  static Fault read(Role role, std::string_view text, Result& result) {
    if (role == Role::name) {
      result.names.emplace_back(text);
      return Fault::none;
    }
    if (role == Role::unread) return Fault::none;
    double value = std::numeric_limits<double>::quiet_NaN();
    if (!is_missing(text)) {
      const NumberStatus status = parse_number(text.data(), text.data() + text.size(), value);
      if (status == NumberStatus::infinite || says_infinity(text)) return Fault::value_infinite;
      if (status == NumberStatus::malformed) return Fault::value_not_number;
    }
    result.values.push_back(value);
    return Fault::none;
  }

  std::vector<Role> columns_;
  char separator_;
  std::int64_t longest_;
};

}  // namespace afterwit
