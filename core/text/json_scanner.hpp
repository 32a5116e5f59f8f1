// One line of JSON (RFC 8259), token by token: every string is UTF-8 and has its escapes undone, every number is a
// literal of that grammar, and what is not asked for is checked all the same, without recursion.
#pragma once

#include <bit>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "numeric/number.hpp"
#include "text/faults.hpp"
#include "text/utf8.hpp"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace afterwit {

struct JsonNumber {
  std::string_view text;
  double value = 0;
  bool fits = true;    // in a double
  bool whole = false;  // written without a point and an exponent
};

// `at` is where the line is read; each function leaves it behind what it has read. False says that `problem` is set.
class JsonScanner {
 public:
  static constexpr std::size_t deepest = 512;

  const char* at = nullptr;
  const char* end = nullptr;
  Problem problem;

  // `limit`, at or behind the end, is where the bytes end that may be read.
  void begin(const char* line, const char* line_end, const char* limit) {
    at = line;
    end = line_end;
    limit_ = limit;
    problem = {};
  }

  bool fail(Fault fault, std::string_view token) {
    problem = {fault, token};
    return false;
  }
  // What stands here, up to what ends a value.
  std::string_view token() const {
    const char* p = at;
    if (p != end && *p == '"') {
      while (++p != end && *p != '"') {
      }
      return {at, static_cast<std::size_t>((p == end ? p : p + 1) - at)};
    }
    while (p != end && !ends_value(*p)) ++p;
    return {at, static_cast<std::size_t>((p == at && p != end ? p + 1 : p) - at)};
  }
  bool fail_here(Fault fault) { return fail(fault, token()); }

  void skip_blanks() {
    while (at != end && is_json_blank(*at)) ++at;
  }

  // The string whose quote is here; it lies in the line, or in `scratch` where it had escapes.
  bool string(std::string_view& text, std::string& scratch) {
    const char* const open = at;
    bool escaped = false, ascii = true;
    const char* p = open + 1;
    for (;;) {
      p = string_stop(p, ascii);
      if (p == end) return fail(Fault::json_not_closed, {open, static_cast<std::size_t>(end - open)});
      if (*p == '"') break;
      if (*p != '\\') return fail(Fault::json_control, {p, 1});
      escaped = true;
      p += p + 1 == end ? 1 : 2;
    }
    text = {open + 1, static_cast<std::size_t>(p - open - 1)};
    at = p + 1;
    if (!ascii && !is_utf8(text)) return fail(Fault::text_not_utf8, text);
    return !escaped || undo_escapes(text, scratch);
  }

  bool number(JsonNumber& number) {
    const char* const first = at;
    const char* p = first + (*first == '-');
    const bool digit = p != end && is_digit(*p);
    if (!digit || (*p == '0' && p + 1 != end && is_digit(p[1]))) return fail_here(Fault::json_number);
    p = first;
    const NumberStatus status = read_number(p, end, number.value);
    number.text = {first, static_cast<std::size_t>(p - first)};
    if (status == NumberStatus::malformed || (p != end && !ends_value(*p))) return fail_here(Fault::json_number);
    number.whole = true;
    for (const char* c = first; c != p; ++c) {
      if (*c == '.' && (c + 1 == p || !is_digit(c[1]))) return fail_here(Fault::json_number);
      number.whole &= *c <= '9' && *c != '.';  // an `e` is above
    }
    number.fits = status == NumberStatus::good;
    at = p;
    return true;
  }

  // `true`, `false` or `null`, whichever `word` is.
  bool word(std::string_view word) {
    if (token() != word) return fail_here(Fault::json_word);
    at += word.size();
    return true;
  }

  // Up to the first thing in an object or array, whose bracket is here; false, and behind it, if it is empty.
  bool enter(char close) {
    ++at;
    skip_blanks();
    if (at == end || *at != close) return true;
    ++at;
    return false;
  }
  // Behind a value: up to the next one, or behind the bracket that closes: then `done`.
  bool next(char close, const char* open, bool& done) {
    skip_blanks();
    if (at == end) return fail(Fault::json_not_closed, {open, static_cast<std::size_t>(end - open)});
    done = *at == close;
    if (done) return ++at, true;
    if (*at != ',') return fail_here(Fault::json_no_comma);
    const char* comma = at++;
    skip_blanks();
    if (at != end && *at == close) return fail(Fault::json_comma_too_many, {comma, 1});
    return true;
  }
  // Behind a key: up to its value.
  bool colon() {
    skip_blanks();
    if (at == end || *at != ':') return fail_here(Fault::json_no_colon);
    ++at;
    skip_blanks();
    return true;
  }

  // Any value.
  bool skip_value() {
    std::bitset<deepest> is_object;
    const char* opened[deepest];
    std::size_t depth = 0;
    for (;;) {
      bool open = false;
      if (at != end && (*at == '{' || *at == '[')) {
        if (depth == deepest) return fail(Fault::json_too_deep, {at, 1});
        opened[depth] = at;
        is_object[depth] = *at == '{';
        open = enter(*at == '{' ? '}' : ']');
        depth += open;
      } else if (!skip_scalar()) {
        return false;
      }
      while (!open && depth != 0) {
        bool done = false;
        if (!next(is_object[depth - 1] ? '}' : ']', opened[depth - 1], done)) return false;
        if (!done) break;
        --depth;
      }
      if (depth == 0) return true;
      if (is_object[depth - 1] && !skip_key()) return false;
    }
  }

  static bool is_json_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

 private:
  static bool ends_value(char c) {
    return is_json_blank(c) || c == ',' || c == '}' || c == ']' || c == ':' || c == '"' || c == '{' || c == '[';
  }

  bool skip_key() {
    std::string_view text;
    if (at == end || *at != '"') return fail_here(Fault::json_no_key);
    return string(text, unread_) && colon();
  }
  bool skip_scalar() {
    std::string_view text;
    JsonNumber number;
    switch (at == end ? '\0' : *at) {
      case '"':
        return string(text, unread_);
      case 't':
        return word("true");
      case 'f':
        return word("false");
      case 'n':
        return word("null");
      case '}':
      case ']':
      case ',':
      case ':':
      case '\0':
        return fail_here(Fault::json_no_value);
      default:
        return starts_number(*at) ? this->number(number) : fail_here(Fault::json_word);
    }
  }
  static bool starts_number(char c) { return is_digit(c) || c == '-' || c == '+' || c == '.'; }

  // The next quote, backslash or control character, or the end; `ascii` stays true if all before it is.
  const char* string_stop(const char* p, bool& ascii) const {
#if defined(__SSE2__)
    const __m128i quote = _mm_set1_epi8('"'), backslash = _mm_set1_epi8('\\'), control = _mm_set1_epi8(0x1F);
    for (; limit_ - p >= 16; p += 16) {
      const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
      const __m128i found = _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(bytes, quote), _mm_cmpeq_epi8(bytes, backslash)),
                                         _mm_cmpeq_epi8(_mm_min_epu8(bytes, control), bytes));
      const auto stops = static_cast<unsigned>(_mm_movemask_epi8(found));
      const auto high = static_cast<unsigned>(_mm_movemask_epi8(bytes));
      if (stops != 0) {
        ascii = ascii && (high & (stops ^ (stops - 1))) == 0;
        return p + std::countr_zero(stops);
      }
      ascii = ascii && high == 0;
    }
#endif
    for (; p != end; ++p) {
      const auto c = static_cast<unsigned char>(*p);
      if (c == '"' || c == '\\' || c < 0x20) return p;
      ascii = ascii && c < 0x80;
    }
    return p;
  }

  // Four hexadecimal digits, or -1.
  static int hexadecimal(const char* p, const char* stop) {
    if (stop - p < 4) return -1;
    int code = 0;
    for (int i = 0; i < 4; ++i) {
      const char c = p[i], small = static_cast<char>(c | 32);
      const int digit = is_digit(c) ? c - '0' : small >= 'a' && small <= 'f' ? small - 'a' + 10 : -1;
      if (digit < 0) return -1;
      code = code * 16 + digit;
    }
    return code;
  }

  static void append_utf8(std::string& out, unsigned code) {
    const auto byte = [&](unsigned bits) { out += static_cast<char>(bits); };
    const auto rest = [&](unsigned shift) { byte(0x80 | ((code >> shift) & 0x3F)); };
    if (code < 0x80) return byte(code);
    if (code < 0x800) return byte(0xC0 | code >> 6), rest(0);
    if (code < 0x10000) return byte(0xE0 | code >> 12), rest(6), rest(0);
    byte(0xF0 | code >> 18), rest(12), rest(6), rest(0);
  }

  bool undo_escapes(std::string_view& text, std::string& scratch) {
    constexpr std::string_view escapes = "\"\\/bfnrt", meant = "\"\\/\b\f\n\r\t";
    scratch.clear();
    const char *p = text.data(), *stop = p + text.size();
    while (p != stop) {
      const auto* backslash = static_cast<const char*>(std::memchr(p, '\\', static_cast<std::size_t>(stop - p)));
      scratch.append(p, backslash == nullptr ? stop : backslash);
      if (backslash == nullptr) break;
      p = backslash + 2;
      const std::size_t known = escapes.find(backslash[1]);
      if (known != escapes.npos) {
        scratch += meant[known];
        continue;
      }
      int code = backslash[1] == 'u' ? hexadecimal(p, stop) : -1;
      if (code < 0) {
        const auto length = static_cast<std::size_t>(stop - backslash);
        return fail(Fault::json_escape, {backslash, backslash[1] != 'u' ? 2 : length < 6 ? length : 6});
      }
      p += 4;
      if (code >= 0xD800 && code < 0xE000) {
        const int low = code < 0xDC00 && stop - p >= 6 && p[0] == '\\' && p[1] == 'u' ? hexadecimal(p + 2, stop) : -1;
        if (low < 0xDC00 || low >= 0xE000) return fail(Fault::json_surrogate, {backslash, 6});
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        p += 6;
      }
      append_utf8(scratch, static_cast<unsigned>(code));
    }
    text = scratch;
    return true;
  }

  const char* limit_ = nullptr;
  std::string unread_;
};

}  // namespace afterwit
