// Decimal literals: an optional sign, digits with an optional point, an optional exponent, and nothing else.
//
// The value is the double nearest to the literal (ties to even), as Python's float() gives. With a mantissa of at
// most 2^53 and a power of ten of at most 22 both are exact doubles, so one multiplication or division rounds once and
// rounds right (Clinger 1990). All others go to std::from_chars.
#pragma once

#include <charconv>
#include <cstdint>
#include <system_error>

namespace afterwit {

enum class NumberStatus { good, malformed, infinite };

inline bool is_digit(char c) { return static_cast<unsigned char>(c - '0') <= 9; }

namespace detail {

inline constexpr double kPowersOfTen[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                          1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

// Where the first nonzero digit of [digits, end) stands: 1 for 3.5, 2 for 35, 0 for 0.35, -1 for 0.035.
inline std::int64_t first_digit_place(const char* digits, const char* end) {
  std::int64_t whole = 0;
  const char* p = digits;
  for (; p != end && *p == '0'; ++p) {
  }
  for (; p != end && is_digit(*p); ++p) ++whole;
  if (whole > 0 || p == end || *p != '.') return whole;
  const char* fraction = ++p;
  for (; p != end && *p == '0'; ++p) {
  }
  return fraction - p;
}

// A checked literal without its sign; `exponent` is what is written after the e.
inline NumberStatus round_exactly(const char* digits, const char* end, std::int64_t exponent, double& value) {
  value = 0.0;
  if (std::from_chars(digits, end, value).ec != std::errc::result_out_of_range) return NumberStatus::good;
  value = 0.0;
  return first_digit_place(digits, end) + exponent > 0 ? NumberStatus::infinite : NumberStatus::good;
}

// The digits after an e; false if there are none. Stops growing far above the length of any line.
inline bool read_exponent(const char*& p, const char* end, std::int64_t& exponent) {
  bool negative = false;
  if (p != end && (*p == '-' || *p == '+')) negative = *p++ == '-';
  if (p == end || !is_digit(*p)) return false;
  for (; p != end && is_digit(*p); ++p) {
    if (exponent < 1'000'000'000'000) exponent = 10 * exponent + (*p - '0');
  }
  if (negative) exponent = -exponent;
  return true;
}

}  // namespace detail

// Reads the longest literal at p and leaves p behind it; p stays where it is if there is none.
inline NumberStatus read_number(const char*& p, const char* end, double& value) {
  const char* s = p;
  bool negative = false;
  if (s != end && (*s == '-' || *s == '+')) negative = *s++ == '-';

  const char* digits = s;
  std::uint64_t mantissa = 0;  // wraps above 19 digits, and is then not used
  for (; s != end && is_digit(*s); ++s) mantissa = 10 * mantissa + static_cast<std::uint64_t>(*s - '0');
  std::int64_t count = s - digits;
  std::int64_t power = 0;
  if (s != end && *s == '.') {
    const char* fraction = ++s;
    for (; s != end && is_digit(*s); ++s) mantissa = 10 * mantissa + static_cast<std::uint64_t>(*s - '0');
    power = fraction - s;
    count -= power;
  }
  if (count == 0) return NumberStatus::malformed;

  std::int64_t exponent = 0;
  if (s != end && (*s == 'e' || *s == 'E') && !detail::read_exponent(++s, end, exponent)) {
    return NumberStatus::malformed;
  }
  power += exponent;
  p = s;
  NumberStatus status = NumberStatus::good;
  if (count <= 19 && mantissa <= std::uint64_t{1} << 53 && power >= -22 && power <= 22) {
    value = static_cast<double>(mantissa);
    value = power < 0 ? value / detail::kPowersOfTen[-power] : value * detail::kPowersOfTen[power];
  } else {
    status = detail::round_exactly(digits, s, exponent, value);
  }
  if (negative) value = -value;
  return status;
}

// All of [p, end) as one number.
inline NumberStatus parse_number(const char* p, const char* end, double& value) {
  const NumberStatus status = read_number(p, end, value);
  return p == end ? status : NumberStatus::malformed;
}

enum class IndexStatus { good, malformed, negative, too_large };

// All of [p, end) as a feature's index, 0 .. 2^32 - 1.
inline IndexStatus parse_index(const char* p, const char* end, std::uint64_t& index) {
  const bool negative = p != end && *p == '-';
  if (negative) ++p;
  if (p == end) return IndexStatus::malformed;
  index = 0;
  bool fits = true;
  for (; p != end; ++p) {
    if (!is_digit(*p)) return IndexStatus::malformed;
    if (fits) index = 10 * index + static_cast<std::uint64_t>(*p - '0');
    fits = fits && index <= UINT32_MAX;
  }
  if (negative) return IndexStatus::negative;
  return fits ? IndexStatus::good : IndexStatus::too_large;
}

}  // namespace afterwit
