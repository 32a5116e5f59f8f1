// What the rows of a text have told of their columns.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace afterwit {

// Which rows had a column: after any number of rows it is known whether one did, and whether each of them did.
struct Presence {
  std::int64_t first = -1;    // the first row that had it
  std::int64_t unbroken = 0;  // how many rows had it before the first that had not

  bool met() const { return first >= 0; }
  void meet(std::int64_t row) {
    if (first < 0) first = row;
    if (unbroken == row) unbroken = row + 1;
  }
  // As if `row`, the last one, had not been.
  void forget(std::int64_t row) {
    if (first == row) first = -1;
    if (unbroken == row + 1) unbroken = row;
  }
};

struct ColumnMet {
  std::string name;
  Presence rows;
};

struct ColumnsMet {
  std::int64_t rows = 0;  // how many there were
  std::vector<ColumnMet> columns{};
};

}  // namespace afterwit
