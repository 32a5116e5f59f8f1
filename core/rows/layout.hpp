// How rows become slots of a table: what Python's Features says.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "rows/cells.hpp"
#include "rows/expansion.hpp"
#include "rows/features.hpp"

namespace afterwit {

struct Layout {
  Features features;
  Expansion expansion;
  CellRules cells;
  bool groups;

  Layout(unsigned bits, std::uint64_t seed, bool exact, bool intercept,
         std::vector<std::vector<std::uint64_t>> products, const std::map<std::uint64_t, std::size_t>& ngrams,
         CellRules cell_rules)
      : features(bits, seed, exact, intercept), cells(std::move(cell_rules)) {
    expansion.products = std::move(products);
    expansion.ngrams.insert(ngrams.begin(), ngrams.end());
    expansion.kept = cells.kept;
    expansion.ignored = cells.ignored;
    groups = expansion.any();
  }
};

}  // namespace afterwit
