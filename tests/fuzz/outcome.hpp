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

#include "text/csv.hpp"
#include "text/lines.hpp"

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

// One reading of one piece, whatever the reader.
struct Piece {
  const afterwit::Rows& rows;
  const afterwit::Buffer<double>& weight;
  const afterwit::Buffer<std::uint64_t>& groups;
  const std::vector<std::string>& names;
  std::int64_t consumed, lines, skipped;
  bool stopped;
  std::vector<afterwit::BadLine> bad;
};

inline Piece piece_of(const afterwit::ParsedLines& lines, bool skip) {
  const afterwit::Rows& rows = lines.rows;
  const bool stopped = !skip && !lines.bad_lines.empty();
  return {rows,        rows.weight,   rows.groups, rows.names,     lines.consumed,
          lines.lines, lines.skipped, stopped,     lines.bad_lines};
}

inline Piece piece_of(const afterwit::CsvParser::Result& csv, bool) {
  std::vector<afterwit::BadLine> bad;
  for (const afterwit::BadCell& cell : csv.bad_cells) bad.push_back(cell.bad);
  return {csv.rows, csv.weight, csv.groups, csv.names, csv.consumed, csv.lines, csv.skipped, csv.stopped, bad};
}

struct Wants {
  bool skip, names, groups, packed;
};

struct Outcome {
  std::vector<std::uint64_t> keys, groups;
  std::vector<double> values, y, weight;
  std::vector<std::int64_t> starts{0};
  std::vector<std::string> names;
  std::int64_t consumed = 0, lines = 0, skipped = 0;
  bool stopped = false;
  std::vector<std::int64_t> first_bad;  // fault, line, column, offset, length

  void add(const Piece& piece, std::size_t size, const Wants& wants) {
    check(piece, size, wants);
    const afterwit::Rows& rows = piece.rows;
    const auto before = static_cast<std::int64_t>(keys.size());
    const afterwit::PackedFeatures& kept = rows.kept;
    const std::size_t n = kept.size;
    for (std::size_t i = 0; i < n; ++i) keys.push_back(kept.wide ? kept.wide_keys[i] : kept.narrow_keys[i]);
    for (std::size_t i = 0; i < n; ++i)
      values.push_back(kept.packed ? static_cast<double>(kept.singles[i]) : kept.doubles[i]);
    if (wants.groups) groups.insert(groups.end(), piece.groups.data(), piece.groups.data() + n);
    if (wants.names) names.insert(names.end(), piece.names.begin(), piece.names.end());
    for (std::size_t r = 0; r < rows.size(); ++r) {
      starts.push_back(before + rows.starts[r + 1]);
      y.push_back(rows.y[r]);
      weight.push_back(piece.weight.empty() ? 1.0 : piece.weight[r]);
    }
    if (first_bad.empty() && !piece.bad.empty()) {
      const afterwit::BadLine& bad = piece.bad[0];
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
           same_bits(weight, other.weight) && starts == other.starts && names == other.names &&
           consumed == other.consumed && lines == other.lines && skipped == other.skipped && stopped == other.stopped &&
           first_bad == other.first_bad;
  }

 private:
  static bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0);
  }

  static void check(const Piece& piece, std::size_t size, const Wants& wants) {
    const afterwit::Rows& rows = piece.rows;
    const afterwit::PackedFeatures& kept = rows.kept;
    const std::size_t n = kept.size;
    require((kept.wide ? kept.wide_keys.size() : kept.narrow_keys.size()) == n, "as many keys as it says");
    require((kept.packed ? kept.singles.size() : kept.doubles.size()) == n, "as many values as keys");
    require(kept.packed == wants.packed && (kept.packed || kept.wide), "packed where it may be");
    require(rows.starts.size() == rows.size() + 1 && rows.starts[0] == 0, "one start more than rows, from 0");
    for (std::size_t r = 0; r < rows.size(); ++r) require(rows.starts[r] <= rows.starts[r + 1], "starts ascend");
    require(rows.starts.back() == static_cast<std::int64_t>(n), "the last start is the number of keys");
    require(!wants.groups || piece.groups.size() == n, "as many groups as keys");
    require(!wants.names || piece.names.size() == n, "as many names as keys");
    require(piece.weight.empty() || piece.weight.size() == rows.size(), "as many weights as rows");
    for (std::size_t i = 0; i < n; ++i)
      require(std::fabs(kept.packed ? static_cast<double>(kept.singles[i]) : kept.doubles[i]) <= FLT_MAX,
              "values fit a float");
    for (std::size_t r = 0; r < rows.size(); ++r) require(std::fabs(rows.y[r]) <= FLT_MAX, "labels fit a float");
    for (std::size_t r = 0; r < piece.weight.size(); ++r)
      require(piece.weight[r] >= 0 && piece.weight[r] <= FLT_MAX, "weights are not negative and fit a float");
    require(piece.consumed >= 0 && piece.consumed <= static_cast<std::int64_t>(size), "reads no more than there is");
    require(piece.skipped <= piece.lines, "skips no more lines than there are");
    require(wants.skip || piece.skipped == 0, "skips only where it may");
    for (const afterwit::BadLine& bad : piece.bad) {
      require(bad.fault != afterwit::Fault::none && bad.line >= 1 && bad.column >= 1, "a bad line has its place");
      require(bad.offset >= 0 && bad.length >= 0 && bad.offset + bad.length <= static_cast<std::int64_t>(size),
              "the token of a bad line is in the text");
    }
  }
};

}  // namespace fuzz
