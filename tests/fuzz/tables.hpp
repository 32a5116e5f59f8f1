// A text through the reader of tables of numbers, at once and in pieces.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "mutation.hpp"
#include "numbers.hpp"
#include "outcome.hpp"
#include "text/csv_numbers.hpp"

namespace fuzz {

struct Table {
  std::vector<double> values;
  std::vector<std::string> names;
  std::vector<std::int64_t> lines, bad;
  std::size_t consumed = 0;
  std::int64_t passed = 0;

  // False when it stopped.
  bool add(const afterwit::CsvNumbers& parser, std::string_view text, bool final) {
    const Exact exact(text);
    const auto read = parser.parse(exact.begin(), exact.end(), final);
    require(read.consumed >= 0 && static_cast<std::size_t>(read.consumed) <= text.size(),
            "reads no more than there is");
    require(read.stopped || !final || static_cast<std::size_t>(read.consumed) == text.size(), "reads to the end");
    values.insert(values.end(), read.values.begin(), read.values.end());
    names.insert(names.end(), read.names.begin(), read.names.end());
    for (const std::int64_t line : read.lines) lines.push_back(line + passed);
    if (read.stopped) {
      const afterwit::BadLine& at = read.bad;
      require(at.offset >= 0 && at.offset + at.length <= static_cast<std::int64_t>(text.size()), "the fault is there");
      bad = {static_cast<std::int64_t>(at.fault), at.line + passed, at.column, at.length};
    }
    consumed += static_cast<std::size_t>(read.consumed);
    passed += read.passed;
    return !read.stopped;
  }
};

inline void check_table(std::string_view text, char separator, std::size_t columns, std::int64_t longest,
                        Random& random) {
  using Role = afterwit::CsvNumbers::Role;
  std::vector<Role> roles(columns, Role::number);
  const bool named = random.one_in(2);
  if (named) roles[0] = Role::name;
  if (random.one_in(2)) roles[columns - 1] = Role::unread;
  const bool still_named = std::count(roles.begin(), roles.end(), Role::name) != 0;
  const afterwit::CsvNumbers parser(roles, separator, longest);
  Table whole, pieces;
  whole.add(parser, text, true);
  const auto width = static_cast<std::size_t>(std::count(roles.begin(), roles.end(), Role::number));
  require(whole.values.size() == whole.lines.size() * width, "a row has a number per column");
  require(whole.names.size() == (still_named ? whole.lines.size() : 0), "a row has a name");
  for (const double value : whole.values) require(!std::isinf(value), "a number is finite or missing");
  const std::size_t step = 1 + random.below(1 + text.size());
  for (std::size_t upto = 0;;) {
    const bool final = upto == text.size();
    upto = std::min(text.size(), upto + step);
    if (!pieces.add(parser, text.substr(pieces.consumed, upto - pieces.consumed), final) || final) break;
  }
  require(pieces.names == whole.names && pieces.lines == whole.lines && pieces.bad == whole.bad &&
              std::equal(pieces.values.begin(), pieces.values.end(), whole.values.begin(), whole.values.end(), same),
          "pieces give the table of the whole");
}

}  // namespace fuzz
