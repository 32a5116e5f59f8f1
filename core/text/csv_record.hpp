// What the readers of CSV have in common: which cells say nothing, and what is wrong with a record.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "text/csv_scanner.hpp"
#include "text/faults.hpp"

namespace afterwit {

struct CsvProblem {
  Fault fault = Fault::none;
  std::size_t field = 0;
  std::string_view token;
};

// Of a record: how many columns it should have, and how many bytes it may have.
struct CsvForm {
  std::size_t columns;
  std::int64_t longest;
};

// What is wrong with the form of a record is told rather than what is wrong in its cells; true if it ends the work.
// `extra` is the first cell behind the last column.
inline bool judge(const CsvForm& form, const CsvRecord& record, const char* p, const char* end, std::string_view extra,
                  CsvProblem& problem) {
  const char* stop = record.whole ? record.behind : end;
  if (stop - p > form.longest) {
    problem = {Fault::record_too_large, 0, {p, p}};
    return true;
  }
  if (!record.whole) {
    problem = {Fault::quote_not_closed, record.fields, {record.quote, record.quote + 1}};
    return true;
  }
  while (stop != p && (stop[-1] == '\n' || stop[-1] == '\r')) --stop;
  if (!record.after_quote.empty())
    problem = {Fault::text_after_quote, record.after_quote_field, record.after_quote};
  else if (record.fields > form.columns)
    problem = {Fault::record_too_long, form.columns, extra};
  else if (record.fields != 0 && record.fields < form.columns)
    problem = {Fault::record_too_short, record.fields, {stop, stop}};
  return false;
}

// The problem of a record before which [begin, ...) had `lines` lines.
inline BadLine bad_record(const CsvProblem& problem, const char* begin, const char* record_begin,
                          const CsvRecord& record, std::int64_t lines) {
  const char* token = problem.token.data();
  std::int64_t line = lines + 1;
  const char* line_begin = record_begin;
  for (const char* p = record_begin; p != token; ++p)
    if (*p == '\n') ++line, line_begin = p + 1;
  const auto length = static_cast<std::int64_t>(problem.token.size());
  return {problem.fault,
          line,
          token - line_begin + 1,
          token - begin,
          length,
          static_cast<std::int64_t>(problem.field),
          static_cast<std::int64_t>(record.fields)};
}

// Nothing, and what R, NumPy, pandas and databases write for it.
inline bool is_missing(std::string_view text) {
  if (text.empty()) return true;
  if (text.size() > 4 || (text[0] != 'N' && text[0] != 'n')) return false;
  return text == "NA" || text == "NaN" || text == "nan" || text == "N/A" || text == "null" || text == "NULL";
}

// What Python, R, NumPy, pandas and databases write for a number that is not finite: `inf`, `-Infinity`, in any case.
inline bool says_infinity(std::string_view text) {
  if (!text.empty() && (text[0] == '+' || text[0] == '-')) text.remove_prefix(1);
  if (text.size() != 3 && text.size() != 8) return false;
  const std::string_view infinity = "infinity";
  return std::equal(text.begin(), text.end(), infinity.begin(), [](char c, char small) { return (c | 32) == small; });
}

}  // namespace afterwit
