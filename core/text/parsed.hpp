// What a parser made of a piece of text.
#pragma once

#include <cstdint>
#include <vector>

#include "rows/rows.hpp"
#include "text/faults.hpp"

namespace afterwit {

struct ParsedText {
  Rows rows;
  std::int64_t consumed = 0;
  std::int64_t lines = 0;
  std::int64_t skipped = 0;
  bool stopped = false;            // at a bad line
  std::vector<BadLine> bad_lines;  // the first few, and the one stopped at; lines and offsets count from `begin`
};

constexpr std::size_t kept_bad_lines = 5;

}  // namespace afterwit
