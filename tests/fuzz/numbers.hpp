// Number parsing against a grammar written anew and the C library.
#pragma once

#include <cfloat>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string>

#include "mutation.hpp"
#include "numeric/digits.hpp"
#include "numeric/number.hpp"
#include "outcome.hpp"
#include "rows/names.hpp"
#include "text/values.hpp"

namespace fuzz {

inline bool same(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }

inline bool is_literal(const std::string& text) {
  const auto digits = [&](std::size_t& i) {
    const std::size_t from = i;
    while (i < text.size() && std::strchr("0123456789", text[i]) != nullptr && text[i] != '\0') ++i;
    return i - from;
  };
  std::size_t i = !text.empty() && (text[0] == '-' || text[0] == '+');
  std::size_t count = digits(i);
  if (i < text.size() && text[i] == '.') count += digits(++i);
  if (count == 0) return false;
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    ++i;
    if (i < text.size() && (text[i] == '-' || text[i] == '+')) ++i;
    if (digits(i) == 0) return false;
  }
  return i == text.size();
}

// Whether it is a number.
inline bool check_number(const std::string& text) {
  using afterwit::NumberStatus;
  const Exact exact(text);
  double value = 0;
  const NumberStatus status = afterwit::parse_number(exact.begin(), exact.end(), value);
  require((status != NumberStatus::malformed) == is_literal(text), "a number is what the grammar says");
  const double expected = std::strtod(text.c_str(), nullptr);
  if (status == NumberStatus::good) require(same(value, expected), "the value is the nearest double");
  if (status == NumberStatus::infinite) require(std::isinf(expected), "infinite is what is above the largest double");

  std::uint64_t index = 0;
  if (afterwit::parse_index(exact.begin(), exact.end(), index) == afterwit::IndexStatus::good)
    require(index <= UINT32_MAX && same(static_cast<double>(index), expected), "an index is its number");
  const std::uint64_t key = afterwit::key_of_name(text);
  require(key < afterwit::numeric_keys || key >> 63 == 1, "a key is a number or a hash");

  // The quick ways, which read eight bytes before the end and the delimiter behind it.
  const Exact padded("12345678" + text + "\n");
  const char *p = padded.begin() + 8, *end = padded.end() - 1;
  double quick = 0;
  const bool good = status == NumberStatus::good;
  if (afterwit::read_short_number(p, end, quick)) require(good && same(quick, value), "a short number is the number");
  if (text.find_first_of(std::string(" :\t\r\n\v\f|\0", 9)) == text.npos) {
    const bool fits = good && std::fabs(value) <= FLT_MAX;
    require(afterwit::read_plain_value(p, end, quick) == fits, "a plain value is a number that fits a float");
    require(!fits || same(quick, value), "a plain value is the number");
  }
  if (!text.empty()) require(afterwit::key_in_text({p, text.size()}, 0) == key, "a key in a text is the key");
  return good;
}

}  // namespace fuzz
