// What a reader made of a text, put together from its pieces, and what must hold of it.
#pragma once

#include <cfloat>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "text/parsed.hpp"

namespace fuzz {

// The input at hand, to be shown when something is wrong with it.
inline std::string& now_read() {
  static std::string text;
  return text;
}

inline void require(bool holds, const char* what) {
  if (holds) return;
  std::printf("broken: %s\ninput: ", what);
  for (const char c : now_read())
    if (c >= ' ' && c <= '~' && c != '\\')
      std::putchar(c);
    else
      std::printf("\\x%02x", static_cast<unsigned>(static_cast<unsigned char>(c)));
  std::printf("\n");
  std::fflush(stdout);
  std::_Exit(1);
}

struct Wants {
  bool skip, names, groups, packed;
};

struct Outcome {
  std::vector<std::uint64_t> keys, groups;
  std::vector<double> values, y, weight;
  std::vector<std::int64_t> starts{0};
  std::vector<std::string> names, ids;
  std::int64_t consumed = 0, lines = 0, skipped = 0;
  bool stopped = false;
  std::vector<std::int64_t> first_bad;  // fault, line, column, offset, length

  void add(const afterwit::ParsedText& piece, std::size_t size, const Wants& wants) {
    check(piece, size, wants);
    const afterwit::Rows& rows = piece.rows;
    const auto before = static_cast<std::int64_t>(keys.size());
    const afterwit::PackedFeatures& kept = rows.kept;
    const std::size_t n = kept.size;
    for (std::size_t i = 0; i < n; ++i) keys.push_back(kept.wide ? kept.wide_keys[i] : kept.narrow_keys[i]);
    for (std::size_t i = 0; i < n; ++i)
      values.push_back(kept.packed ? static_cast<double>(kept.singles[i]) : kept.doubles[i]);
    if (wants.groups) groups.insert(groups.end(), rows.groups.data(), rows.groups.data() + n);
    if (wants.names) names.insert(names.end(), rows.names.begin(), rows.names.end());
    for (const auto& texts : rows.ids) ids.insert(ids.end(), texts.begin(), texts.end());
    for (std::size_t r = 0; r < rows.size(); ++r) {
      starts.push_back(before + rows.starts[r + 1]);
      y.push_back(rows.y[r]);
      weight.push_back(rows.weight.empty() ? 1.0 : rows.weight[r]);
    }
    if (first_bad.empty() && !piece.bad_lines.empty()) {
      const afterwit::BadLine& bad = piece.bad_lines[0];
      first_bad = {static_cast<std::int64_t>(bad.fault), lines + bad.line, bad.column, consumed + bad.offset,
                   bad.length};
    }
    consumed += piece.consumed;
    lines += piece.lines;
    skipped += piece.skipped;
    stopped = piece.stopped;
  }

  bool operator==(const Outcome& other) const {
    return keys == other.keys && groups == other.groups && same_bits(values, other.values) && same_bits(y, other.y) &&
           same_bits(weight, other.weight) && starts == other.starts && names == other.names && ids == other.ids &&
           consumed == other.consumed && lines == other.lines && skipped == other.skipped && stopped == other.stopped &&
           first_bad == other.first_bad;
  }

 private:
  static bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0);
  }

  static void check(const afterwit::ParsedText& piece, std::size_t size, const Wants& wants) {
    const afterwit::Rows& rows = piece.rows;
    const afterwit::PackedFeatures& kept = rows.kept;
    const std::size_t n = kept.size;
    require((kept.wide ? kept.wide_keys.size() : kept.narrow_keys.size()) == n, "as many keys as it says");
    require((kept.packed ? kept.singles.size() : kept.doubles.size()) == n, "as many values as keys");
    require(kept.packed == wants.packed && (kept.packed || kept.wide), "packed where it may be");
    require(rows.starts.size() == rows.size() + 1 && rows.starts[0] == 0, "one start more than rows, from 0");
    for (std::size_t r = 0; r < rows.size(); ++r) require(rows.starts[r] <= rows.starts[r + 1], "starts ascend");
    require(rows.starts.back() == static_cast<std::int64_t>(n), "the last start is the number of keys");
    require(!wants.groups || rows.groups.size() == n, "as many groups as keys");
    require(!wants.names || rows.names.size() == n, "as many names as keys");
    for (const auto& texts : rows.ids) require(texts.size() == rows.size(), "as many ids as rows");
    require(rows.weight.empty() || rows.weight.size() == rows.size(), "as many weights as rows");
    for (std::size_t i = 0; i < n; ++i)
      require(std::fabs(kept.packed ? static_cast<double>(kept.singles[i]) : kept.doubles[i]) <= FLT_MAX,
              "values fit a float");
    for (std::size_t r = 0; r < rows.size(); ++r) require(std::fabs(rows.y[r]) <= FLT_MAX, "labels fit a float");
    for (std::size_t r = 0; r < rows.weight.size(); ++r)
      require(rows.weight[r] >= 0 && rows.weight[r] <= FLT_MAX, "weights are not negative and fit a float");
    require(piece.consumed >= 0 && piece.consumed <= static_cast<std::int64_t>(size), "reads no more than there is");
    require(piece.skipped <= piece.lines, "skips no more lines than there are");
    require(wants.skip || piece.skipped == 0, "skips only where it may");
    for (const afterwit::BadLine& bad : piece.bad_lines) {
      require(bad.fault != afterwit::Fault::none && bad.line >= 1 && bad.column >= 1, "a bad line has its place");
      require(bad.offset >= 0 && bad.length >= 0 && bad.offset + bad.length <= static_cast<std::int64_t>(size),
              "the token of a bad line is in the text");
    }
  }
};

}  // namespace fuzz
