// Text of one row a line, piece by piece: what every line format shares. A Format reads one line in two ways: plain
// lines quickly, from the places of their delimiters, and any line with care.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "rows/buffer.hpp"
#include "rows/rows.hpp"
#include "text/delimiters.hpp"
#include "text/faults.hpp"
#include "text/labels.hpp"
#include "text/parsed.hpp"

namespace afterwit {

// A Format has
//   kBarDelimits                                      whether a `|` ends a word;
//   read_line(p, end, rows)                           one line without its end: adds a row, none, or says the problem;
//   read_plain_line(text, p, places, next, rows)      the line at p, whose first delimiter is places[next]; returns the
//                                                     delimiter behind it, or 0 and changes nothing. Eight bytes before
//                                                     p may be read. A feature takes at least two bytes;
//   classes().
template <class Format>
class LineParser {
 public:
  LineParser(Format format, bool skip, bool packed = false)
      : format_(std::move(format)), skip_(skip), packed_(packed) {}

  // Reads whole lines of [begin, end), and the rest if `final`, up to max_rows rows. A bad line is dropped and
  // counted when skipping, and otherwise ends the work before it.
  ParsedText parse(const char* begin, const char* end, bool final, std::int64_t max_rows) {
    ParsedText result;
    result.rows = Rows(packed_);
    result.rows.kept.expected = most_keys_ + most_keys_ / 16;  // about as many as before: growing copies what is there
    std::swap(result.rows.keys, keys_);
    std::swap(result.rows.values, values_);
    const char* p = begin;
    bool goes_on = true;
    while (goes_on && p != end && result.rows.size() < static_cast<std::uint64_t>(max_rows)) {
      // The first lines have no eight bytes before them; a last one that does not end is in no window.
      const char* stop = p - begin < 8 ? p : window_end(p, end);
      goes_on = stop == p ? read_careful_line(begin, p, end, final, result)
                          : read_window(begin, p, stop, static_cast<std::uint64_t>(max_rows), result);
    }
    result.consumed = p - begin;
    most_keys_ = std::max(most_keys_, result.rows.kept.size);
    std::swap(result.rows.keys, keys_);
    std::swap(result.rows.values, values_);
    return result;
  }

  const std::vector<ClassName>& classes() const { return format_.classes(); }
  auto columns_met() const
    requires requires(const Format& format) { format.columns_met(); }
  {
    return format_.columns_met();
  }

 private:
  static constexpr std::size_t kWindow = 1 << 15;

  // Behind the last whole line of the next few, or p.
  static const char* window_end(const char* p, const char* end) {
    const char* stop = end - p > static_cast<std::ptrdiff_t>(kWindow) ? p + kWindow : end;
    while (stop != p && stop[-1] != '\n') --stop;
    return stop;
  }

  // False when nothing more is to be read: an unfinished line, or a bad one that is not skipped.
  bool read_careful_line(const char* begin, const char*& p, const char* end, bool final, ParsedText& result) {
    const auto* newline = static_cast<const char*>(std::memchr(p, '\n', static_cast<std::size_t>(end - p)));
    if (newline == nullptr && !final) return false;
    const char* stop = newline == nullptr ? end : newline;
    const Problem problem = format_.read_line(p, stop != p && stop[-1] == '\r' ? stop - 1 : stop, result.rows);
    if (problem.fault != Fault::none) {
      if (result.bad_lines.size() < kept_bad_lines) {
        const auto length = static_cast<std::int64_t>(problem.token.size());
        const char* token = problem.token.data();
        result.bad_lines.push_back({problem.fault, result.lines + 1, token - p + 1, token - begin, length});
      }
      result.stopped = !skip_;
      if (result.stopped) return false;
      ++result.skipped;
    }
    p = newline == nullptr ? end : newline + 1;
    ++result.lines;
    return true;
  }

  // The whole lines of [p, stop).
  bool read_window(const char* begin, const char*& p, const char* stop, std::uint64_t max_rows, ParsedText& result) {
    find_delimiters<Format::kBarDelimits>(p, stop, places_);
    result.rows.keys.reserve(kWindow / 2);
    result.rows.values.reserve(kWindow / 2);
    const char* text = p;
    std::size_t next = 0;
    while (p != stop && result.rows.size() < max_rows) {
      const std::size_t behind = format_.read_plain_line(text, p, places_.data(), next, result.rows);
      if (behind != 0) {
        next = behind;
        p = text + places_[next - 1] + 1;
        ++result.lines;
      } else {
        if (!read_careful_line(begin, p, stop, true, result)) return false;
        while (next < places_.size() && text + places_[next] < p) ++next;
      }
    }
    return true;
  }

  Format format_;
  bool skip_;
  bool packed_;
  std::size_t most_keys_ = 0;
  Buffer<std::uint64_t> keys_;  // room for a row
  Buffer<double> values_;
  Buffer<std::uint32_t> places_;
};

}  // namespace afterwit
