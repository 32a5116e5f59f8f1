// Up to eight digits at once, inside one 64-bit word.
#pragma once

#include <cstdint>
#include <cstring>

namespace afterwit {

// The n digits (1 to 8) that end before `end`, as a number; false if they are not all digits. Reads end[-8 .. 0).
inline bool read_digits(const char* end, unsigned n, std::uint64_t& value) {
  std::uint64_t word;
  std::memcpy(&word, end - 8, 8);  // little-endian: the last digit is the highest byte
  word = (word ^ 0x3030303030303030ull) & (~0ull << (64 - 8 * n));
  const bool digits = ((word | (word + 0x7676767676767676ull)) & 0x8080808080808080ull) == 0;
  word = word * 10 + (word >> 8);  // pairs
  value = ((word & 0x000000FF000000FFull) * 0x000F424000000064ull +
           ((word >> 16) & 0x000000FF000000FFull) * 0x0000271000000001ull) >>
          32;  // pairs of pairs, and the two halves
  return digits;
}

}  // namespace afterwit
