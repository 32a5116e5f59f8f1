// Up to eight digits at once, inside one 64-bit word.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#include "text/number.hpp"

namespace afterwit {

namespace detail {

// Eight characters less '0', the last one in the highest byte (little-endian), as a number; false if they are not all
// digits.
inline bool value_of_digits(std::uint64_t word, std::uint64_t& value) {
  const bool digits = ((word | (word + 0x7676767676767676ull)) & 0x8080808080808080ull) == 0;
  word = word * 10 + (word >> 8);  // pairs
  value = ((word & 0x000000FF000000FFull) * 0x000F424000000064ull +
           ((word >> 16) & 0x000000FF000000FFull) * 0x0000271000000001ull) >>
          32;  // pairs of pairs, and the two halves
  return digits;
}

// The n characters (1 to 8) that end before `end`, less '0', behind zeros.
inline std::uint64_t load_digits(const char* end, unsigned n) {
  std::uint64_t word;
  std::memcpy(&word, end - 8, 8);
  return (word ^ 0x3030303030303030ull) & (~0ull << (64 - 8 * n));
}

}  // namespace detail

// The n digits (1 to 8) that end before `end`, as a number; false if they are not all digits. Reads end[-8 .. 0).
inline bool read_digits(const char* end, unsigned n, std::uint64_t& value) {
  return detail::value_of_digits(detail::load_digits(end, n), value);
}

// All of [p, end) as a number of at most eight digits and a point, perhaps with a minus: the value of parse_number;
// false for any other, which may still be a number. Reads end[-8 .. 0).
inline bool read_short_number(const char* p, const char* end, double& value) {
  const bool negative = p != end && *p == '-';
  const auto n = static_cast<unsigned>(end - p) - negative;
  if (n - 1 >= 8) return false;
  std::uint64_t word = detail::load_digits(end, n), digits;
  const std::uint64_t other = word ^ 0x1E1E1E1E1E1E1E1Eull;  // zero where the point is: '.' is '0' ^ 0x1E
  const std::uint64_t point = (other - 0x0101010101010101ull) & ~other & 0x8080808080808080ull;
  double scale = 1.0;
  if (point != 0) {
    if (n == 1) return false;
    const int place = std::countr_zero(point) - 7;  // the point's lowest bit; what is before it moves up over it
    const std::uint64_t before = (1ull << place) - 1;
    word = (word & ~(before | 0xFFull << place)) | (word & before) << 8;
    scale = detail::kPowersOfTen[7 - place / 8];
  }
  if (!detail::value_of_digits(word, digits)) return false;
  // The sign is set as a bit: whether there is one is anybody's guess, a processor's too.
  const auto bits = std::bit_cast<std::uint64_t>(static_cast<double>(digits) / scale);
  value = std::bit_cast<double>(bits | static_cast<std::uint64_t>(negative) << 63);
  return true;
}

}  // namespace afterwit
