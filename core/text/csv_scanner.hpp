// Records of comma-, tab- or semicolon-separated text (RFC 4180): a field may stand in double quotes, and then hold
// separators, newlines and, doubled, quotes. Blanks around a field do not count. A quote inside a field that does not
// begin with one is a quote.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "text/faults.hpp"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace afterwit {

// What stands in a field, without its quotes and the blanks around it.
struct CsvCell {
  std::string_view text;
  bool doubled = false;  // quotes in it are still doubled

  std::string_view plain(std::string& scratch) const {
    if (!doubled) return text;
    scratch.clear();
    for (std::size_t i = 0; i < text.size(); ++i) {
      scratch += text[i];
      if (text[i] == '"') ++i;
    }
    return scratch;
  }

  static std::string_view trimmed(std::string_view text) {
    while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
    return text;
  }
  static bool is_blank(char c) { return c == ' ' || c == '\t'; }
};

// A record that was walked over; a blank line has no fields.
struct CsvRecord {
  bool whole = true;            // false when the text ends inside it
  const char* quote = nullptr;  // of a record that is not whole: the quote that is open
  std::size_t fields = 0;
  std::int64_t lines = 0;
  const char* behind = nullptr;
  std::string_view after_quote;       // what stands wrongly between a closing quote and the end of its field,
  std::size_t after_quote_field = 0;  // and which field that is
};

class CsvScanner {
 public:
  CsvScanner(char separator, const char* begin, const char* end) : separator_(separator), block_(begin), end_(end) {
    load();
  }

  // The record at p, which is where the last one ended; on_cell(field, cell) sees each of its fields. The end of the
  // text ends the record only if `final`.
  template <class F>
  CsvRecord walk(const char* p, bool final, F on_cell) {
    CsvRecord record;
    for (;;) {
      const char* stop = next();
      CsvCell cell;
      bool quoted = stop != end_ && *stop == '"';
      if (quoted && is_blank(p, stop)) {
        const char* open = stop;
        stop = closing_quote(record, cell);
        if (stop == end_) return unfinished(record, open);
        cell.text = {open + 1, stop};
        p = stop + 1;
        stop = behind_quotes();
        if (record.after_quote.empty()) {
          record.after_quote = CsvCell::trimmed({p, without_return(p, stop)});
          record.after_quote_field = record.fields;
        }
      } else {
        if (quoted) stop = behind_quotes();
        cell.text = {p, without_return(p, stop)};
        quoted = false;
      }
      if (stop == end_ && !final) return unfinished(record, nullptr);
      if (!cell.text.empty() && (cell.text.front() <= ' ' || cell.text.back() <= ' '))
        cell.text = CsvCell::trimmed(cell.text);
      const bool ends = stop == end_ || *stop == '\n';
      if (!ends || quoted || record.fields != 0 || !cell.text.empty()) on_cell(record.fields++, cell);
      if (ends) {
        ++record.lines;
        record.behind = stop == end_ ? end_ : stop + 1;
        return record;
      }
      p = stop + 1;
    }
  }

 private:
  static bool is_blank(const char* p, const char* end) {
    while (p != end && CsvCell::is_blank(*p)) ++p;
    return p == end;
  }
  static CsvRecord unfinished(CsvRecord record, const char* quote) {
    record.whole = false;
    record.quote = quote;
    return record;
  }
  // The end of a field, before the CR of a CR LF.
  const char* without_return(const char* p, const char* stop) const {
    return stop != p && stop[-1] == '\r' && (stop == end_ || *stop == '\n') ? stop - 1 : stop;
  }

  const char* closing_quote(CsvRecord& record, CsvCell& cell) {
    for (;;) {
      const char* stop = next();
      if (stop == end_) return stop;
      if (*stop == '\n') ++record.lines;
      if (*stop != '"') continue;
      if (stop + 1 == end_ || stop[1] != '"') return stop;
      cell.doubled = true;
      next();
    }
  }

  const char* behind_quotes() {
    const char* stop = next();
    while (stop != end_ && *stop == '"') stop = next();
    return stop;
  }

  // The next separator, quote or newline, or the end.
  const char* next() {
    while (mask_ == 0) {
      if (end_ - block_ <= 64) return end_;
      block_ += 64;
      load();
    }
    const char* found = block_ + std::countr_zero(mask_);
    mask_ &= mask_ - 1;
    return found;
  }

  void load() {
    if (end_ - block_ >= 64) {
      mask_ = delimiters_of_64(block_);
    } else {
      mask_ = 0;
      for (std::ptrdiff_t i = 0; i < end_ - block_; ++i)
        mask_ |= static_cast<std::uint64_t>(is_delimiter(block_[i])) << i;
    }
  }

  bool is_delimiter(char c) const { return c == separator_ || c == '"' || c == '\n'; }

  std::uint64_t delimiters_of_64(const char* p) const {
    std::uint64_t mask = 0;
#if defined(__SSE2__)
    const __m128i separator = _mm_set1_epi8(separator_), quote = _mm_set1_epi8('"'), newline = _mm_set1_epi8('\n');
    for (int i = 0; i < 4; ++i) {
      const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p + 16 * i));
      const __m128i found = _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(bytes, separator), _mm_cmpeq_epi8(bytes, quote)),
                                         _mm_cmpeq_epi8(bytes, newline));
      mask |= static_cast<std::uint64_t>(static_cast<std::uint32_t>(_mm_movemask_epi8(found))) << (16 * i);
    }
#else
    for (int i = 0; i < 64; ++i) mask |= static_cast<std::uint64_t>(is_delimiter(p[i])) << i;
#endif
    return mask;
  }

  char separator_;
  const char* block_;  // 64 bytes, of which mask_ has the delimiters not met yet
  const char* end_;
  std::uint64_t mask_ = 0;
};

}  // namespace afterwit
