// The splits of a forest in bytes, so that a row goes down 32 trees at once:
//   grades   of each column the thresholds of all nodes, ascending; of one column at most 254
//   code(x) = how many of them are below x,   so that   x > grade_r   is   code(x) > r
// The bytes of a node are its column and its r, or 255 where it is not split. A row ends in the leaves in which it ends
// by its numbers (dense/tree.hpp). There are codes for at most 64 columns, and where the CPU has the vectors.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "dense/bins.hpp"
#include "dense/tree.hpp"
#include "numeric/aligned.hpp"
#include "numeric/multiversion.hpp"
#ifdef AFTERWIT_V3
#include <immintrin.h>
#endif

namespace afterwit {

namespace tree_codes {

constexpr std::size_t together = 32;           // trees
constexpr std::size_t table = 16, tables = 4;  // columns in a table of codes, tables at most
constexpr std::size_t ladder = 256, rungs = 16;

// Node by node the bytes of 32 trees, less 128: vectors compare bytes with a sign.
struct alignas(64) Trees {
  std::array<std::array<std::uint8_t, together>, Splits::inner> columns, codes;
};
constexpr std::uint8_t sign = 128, unsplit = 255;

// Of each column 256 grades, infinite behind the last, and every sixteenth of them once more.
struct Grades {
  const float *all, *steps;
  std::size_t columns;
};

// Writes the leaf of each tree, if this CPU can.
AFTERWIT_ANY inline bool descend(const Grades&, const float*, const Trees*, std::size_t, std::uint8_t*) {
  return false;
}

#ifdef AFTERWIT_V3
#define AFTERWIT_INLINE_V3 __attribute__((target("arch=x86-64-v3"), always_inline)) inline

AFTERWIT_INLINE_V3 std::size_t count_below(const float* grades, __m256 x) {
  const int low = _mm256_movemask_ps(_mm256_cmp_ps(_mm256_loadu_ps(grades), x, _CMP_LT_OQ));
  const int high = _mm256_movemask_ps(_mm256_cmp_ps(_mm256_loadu_ps(grades + 8), x, _CMP_LT_OQ));
  return static_cast<std::size_t>(__builtin_popcount(static_cast<unsigned>(low | high << 8)));
}

AFTERWIT_INLINE_V3 __m256i load(const std::array<std::uint8_t, together>& bytes) {
  return _mm256_load_si256(reinterpret_cast<const __m256i*>(bytes.data()));
}

// All ones where the row goes right.
template <std::size_t count>
AFTERWIT_INLINE_V3 __m256i goes_right(const Trees& trees, std::size_t k, const __m256i* codes) {
  const __m256i column = load(trees.columns[k]);
  __m256i code;
  if constexpr (count == 1) {
    code = _mm256_shuffle_epi8(codes[0], column);
  } else {
    code = _mm256_setzero_si256();
    for (std::size_t t = 0; t < count; ++t) {  // of the columns in another table the highest bit is set: code 0
      const __m256i within = _mm256_sub_epi8(column, _mm256_set1_epi8(static_cast<char>(t * table)));
      const __m256i place = _mm256_adds_epu8(within, _mm256_set1_epi8(0x70));
      code = _mm256_or_si256(code, _mm256_shuffle_epi8(codes[t], place));
    }
  }
  return _mm256_cmpgt_epi8(code, load(trees.codes[k]));
}

// The leaves below node k, counted from the leftmost of them.
template <std::size_t count, std::size_t k>
AFTERWIT_INLINE_V3 __m256i leaves_below(const Trees& trees, const __m256i* codes) {
  const __m256i right = goes_right<count>(trees, k, codes);
  if constexpr (2 * k + 1 >= Splits::inner) {
    return _mm256_and_si256(right, _mm256_set1_epi8(1));
  } else {
    constexpr char half = k == 0 ? 16 : k < 3 ? 8 : k < 7 ? 4 : 2;
    const __m256i below = _mm256_blendv_epi8(leaves_below<count, 2 * k + 1>(trees, codes),
                                             leaves_below<count, 2 * k + 2>(trees, codes), right);
    return _mm256_or_si256(below, _mm256_and_si256(right, _mm256_set1_epi8(half)));
  }
}

template <std::size_t count>
AFTERWIT_INLINE_V3 void descend_by(const std::uint8_t* row, const Trees* trees, std::size_t blocks,
                                   std::uint8_t* leaves) {
  __m256i codes[count];
  for (std::size_t t = 0; t < count; ++t)
    codes[t] = _mm256_broadcastsi128_si256(_mm_load_si128(reinterpret_cast<const __m128i*>(row + t * table)));
  for (std::size_t b = 0; b < blocks; ++b)
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(leaves + b * together), leaves_below<count, 0>(trees[b], codes));
}

AFTERWIT_V3 inline bool descend(const Grades& grades, const float* x, const Trees* trees, std::size_t blocks,
                                std::uint8_t* leaves) {
  alignas(table) std::uint8_t row[table * tables] = {};
  for (std::size_t j = 0; j < grades.columns; ++j) {
    const __m256 value = _mm256_set1_ps(x[j]);
    const std::size_t step = count_below(grades.steps + j * rungs, value) * rungs;
    row[j] = static_cast<std::uint8_t>(step + count_below(grades.all + j * ladder + step, value) - sign);
  }
  if (grades.columns <= table)
    descend_by<1>(row, trees, blocks, leaves);
  else if (grades.columns <= 2 * table)
    descend_by<2>(row, trees, blocks, leaves);
  else
    descend_by<tables>(row, trees, blocks, leaves);
  return true;
}
#undef AFTERWIT_INLINE_V3
#endif

}  // namespace tree_codes

class TreeCodes {
 public:
  static constexpr std::size_t most_columns = tree_codes::table * tree_codes::tables, most_grades = 254;

  // Takes the grades of the trees, and of those to come the edges.
  template <class AnyTree>
  void grade(const AnyTree* trees, std::size_t count, const Bins& bins) {
    columns_ = bins.columns() <= most_columns ? bins.columns() : 0;
    possible_ = columns_ > 0;
    std::vector<std::vector<float>> met(columns_);
    for (std::size_t j = 0; j < columns_; ++j) met[j].assign(bins.edges(j), bins.edges(j) + bins.count(j));
    for (std::size_t i = 0; i < count && possible_; ++i)
      for (const Splits::Node& node : trees[i].nodes)
        if (is_split(node)) met[node.feature].push_back(node.threshold);
    grades_.assign(columns_ * tree_codes::ladder, std::numeric_limits<float>::infinity());
    steps_.resize(columns_ * tree_codes::rungs);
    for (std::size_t j = 0; j < columns_ && possible_; ++j) set_grades(j, met[j]);
    if (possible_) place_all(trees, count);
  }

  // The last of the trees is new.
  template <class AnyTree>
  void add(const AnyTree* trees, std::size_t count) {
    if (!possible_) return;
    if (count > slots()) return place_all(trees, count);
    place(trees[count - 1], (first_ + count - 1) % slots());
  }
  void drop_oldest() {
    if (possible_) first_ = (first_ + 1) % slots();
  }

  // The leaf of each of `count` trees, the oldest first, and behind them, up to a multiple of eight, 0; null where
  // nodes have to be looked at one by one.
  const std::uint8_t* find(const float* x, std::size_t count) {
    if (!possible_ || count == 0) return nullptr;
    const tree_codes::Grades grades{grades_.data(), steps_.data(), columns_};
    if (!tree_codes::descend(grades, x, trees_.data(), trees_.size(), found_.data())) return nullptr;
    // (Those in the first slots once more behind the last one: then all of them are one behind the other.)
    std::copy_n(found_.data(), slots(), found_.data() + slots());
    return found_.data() + first_;
  }

 private:
  std::size_t slots() const { return trees_.size() * tree_codes::together; }
  static bool is_split(const Splits::Node& node) { return std::isfinite(node.threshold); }

  void set_grades(std::size_t j, std::vector<float>& met) {
    std::erase_if(met, [](float v) { return !std::isfinite(v); });
    std::sort(met.begin(), met.end());
    met.erase(std::unique(met.begin(), met.end()), met.end());
    possible_ = met.size() <= most_grades;
    if (!possible_) return;
    float* grades = grades_.data() + j * tree_codes::ladder;
    std::copy(met.begin(), met.end(), grades);
    for (std::size_t r = 0; r < tree_codes::rungs; ++r)
      steps_[j * tree_codes::rungs + r] = grades[(r + 1) * (tree_codes::ladder / tree_codes::rungs) - 1];
  }

  // In as many slots as there are 32s of trees, from the first on.
  template <class AnyTree>
  void place_all(const AnyTree* trees, std::size_t count) {
    trees_.resize((count + tree_codes::together - 1) / tree_codes::together);
    found_.resize(2 * slots());
    first_ = 0;
    for (std::size_t i = 0; i < slots(); ++i) place(i < count ? static_cast<const Splits&>(trees[i]) : Splits{}, i);
  }
  void place(const Splits& tree, std::size_t slot) {
    tree_codes::Trees& block = trees_[slot / tree_codes::together];
    for (std::size_t k = 0; k < Splits::inner; ++k) {
      const Splits::Node& node = tree.nodes[k];
      std::uint8_t code = tree_codes::unsplit;
      if (is_split(node)) {
        const float* grades = grades_.data() + node.feature * tree_codes::ladder;
        code = static_cast<std::uint8_t>(std::lower_bound(grades, grades + most_grades, node.threshold) - grades);
      }
      block.columns[k][slot % tree_codes::together] = static_cast<std::uint8_t>(is_split(node) ? node.feature : 0);
      block.codes[k][slot % tree_codes::together] = static_cast<std::uint8_t>(code - tree_codes::sign);
    }
  }

  bool possible_ = false;
  std::size_t columns_ = 0;
  std::size_t first_ = 0;  // slot of the oldest tree; the next ones follow, behind the last slot from the first on
  std::vector<float, Aligned<float>> grades_, steps_;
  std::vector<tree_codes::Trees, Aligned<tree_codes::Trees>> trees_;
  std::vector<std::uint8_t> found_;
};

}  // namespace afterwit
