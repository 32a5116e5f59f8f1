// How rows become slots of a table: what Python's Features says.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "rows/expansion.hpp"
#include "rows/features.hpp"

namespace afterwit {

struct Layout {
  Features features;
  Expansion expansion;
  std::vector<std::string> text;
  bool groups;

  Layout(unsigned bits, std::uint64_t seed, bool exact, bool intercept,
         std::vector<std::vector<std::uint64_t>> products, const std::map<std::uint64_t, std::size_t>& ngrams,
         const std::vector<std::uint64_t>& kept, const std::vector<std::uint64_t>& ignored,
         std::vector<std::string> text_columns)
      : features(bits, seed, exact, intercept), text(std::move(text_columns)) {
    expansion.products = std::move(products);
    expansion.ngrams.insert(ngrams.begin(), ngrams.end());
    expansion.kept.insert(kept.begin(), kept.end());
    expansion.ignored.insert(ignored.begin(), ignored.end());
    groups = expansion.any();
  }
};

}  // namespace afterwit
