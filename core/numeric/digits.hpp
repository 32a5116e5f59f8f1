// Up to eight digits at once, inside one 64-bit word.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#include "numeric/number.hpp"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

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

// The bytes of the last n of eight characters.
inline constexpr std::uint64_t kLast[] = {0,           ~0ull << 56, ~0ull << 48, ~0ull << 40, ~0ull << 32,
                                          ~0ull << 24, ~0ull << 16, ~0ull << 8,  ~0ull};

// The n characters (1 to 8) that end before `end`, less '0', behind zeros.
inline std::uint64_t load_digits(const char* end, unsigned n) {
  std::uint64_t word;
  std::memcpy(&word, end - 8, 8);
  return (word ^ 0x3030303030303030ull) & kLast[n];
}

}  // namespace detail

// The n digits (1 to 8) that end before `end`, as a number; false if they are not all digits. Reads end[-8 .. 0).
inline bool read_digits(const char* end, unsigned n, std::uint64_t& value) {
  return detail::value_of_digits(detail::load_digits(end, n), value);
}

namespace detail {

// Whether [p, end) begins with `0.`, before at most eight more characters.
inline bool is_fraction(const char* p, const char* end) {
  if (static_cast<unsigned>(end - p) - 3 >= 8) return false;
  char head[2];
  std::memcpy(head, p, 2);
  return head[0] == '0' && head[1] == '.';
}

// At most eight digits with a point among them: takes the point out of the word; how many digits are behind it.
inline unsigned close_point(std::uint64_t& word) {
  const std::uint64_t other = word ^ 0x1E1E1E1E1E1E1E1Eull;  // zero where the point is: '.' is '0' ^ 0x1E
  const std::uint64_t point = (other - 0x0101010101010101ull) & ~other & 0x8080808080808080ull;
  // What is before the point moves up over it; without a point all is before it, and nothing moves.
  const std::uint64_t lowest = (point & (~point + 1)) >> 7, before = lowest - 1;
  word = ((word & before) << (point != 0 ? 8 : 0)) | (word & ~before & ~(lowest * 0xFF));
  return 7 - static_cast<unsigned>(std::countr_zero(lowest | 1ull << 63)) / 8;
}

inline double scaled(double digits, unsigned places, bool negative) {
  // The sign is a bit, not a branch: whether there is one is anybody's guess, a processor's too.
  const auto bits = std::bit_cast<std::uint64_t>(digits / kPowersOfTen[places]);
  return std::bit_cast<double>(bits | static_cast<std::uint64_t>(negative) << 63);
}

}  // namespace detail

// All of [p, end) as at most eight digits with a point among them or behind `0.`, perhaps with a minus: the value of
// parse_number; false for any other, which may still be a number. Reads end[-8 .. 0).
inline bool read_short_number(const char* p, const char* end, double& value) {
  const bool negative = p != end && *p == '-';
  p += negative;
  auto n = static_cast<unsigned>(end - p), places = 0u;
  std::uint64_t word, digits;
  if (detail::is_fraction(p, end)) {
    word = detail::load_digits(end, places = n - 2);
  } else {
    if (n - 1 >= 8 || (n == 1 && *p == '.')) return false;
    word = detail::load_digits(end, n);
    places = detail::close_point(word);
  }
  if (!detail::value_of_digits(word, digits)) return false;
  value = detail::scaled(static_cast<double>(digits), places, negative);
  return true;
}

// Pairs `index:value`, both read at once, side by side in one vector; whether all were digits is known at the end.
class DigitPairs {
 public:
  // The index is the `size` characters (1 to 8) before the colon, the value is [colon + 1, end), a short number; false
  // if it is none. Reads eight bytes before the colon and before the end.
  bool read(const char* colon, unsigned size, const char* end, std::uint64_t& index, double& value) {
#if defined(__SSE2__)
    const char* p = colon + 1;
    const bool negative = *p == '-';
    p += negative;
    auto n = static_cast<unsigned>(end - p), places = 0u;
    __m128i both;
    if (detail::is_fraction(p, end)) {
      places = n - 2;
      both = _mm_and_si128(_mm_xor_si128(two(colon - 8, end - 8), _mm_set1_epi8('0')),
                           two(&detail::kLast[size], &detail::kLast[places]));
    } else {
      if (n - 1 >= 8 || (n == 1 && *p == '.')) return false;
      std::uint64_t word = detail::load_digits(end, n);
      places = detail::close_point(word);
      both = _mm_set_epi64x(static_cast<long long>(word), static_cast<long long>(detail::load_digits(colon, size)));
    }
    odd_ = _mm_or_si128(odd_, _mm_subs_epu8(both, _mm_set1_epi8(9)));
    const __m128i tens = _mm_mullo_epi16(_mm_and_si128(both, _mm_set1_epi16(0xFF)), _mm_set1_epi16(10));
    const __m128i pairs = _mm_add_epi16(tens, _mm_srli_epi16(both, 8));
    const __m128i fours = _mm_madd_epi16(pairs, _mm_set1_epi32(0x10064));  // 100 times the first and the second
    const __m128i eights = _mm_add_epi64(_mm_mul_epu32(fours, _mm_set1_epi64x(10000)), _mm_srli_epi64(fours, 32));
    _mm_storel_epi64(reinterpret_cast<__m128i*>(&index), eights);
    value = detail::scaled(_mm_cvtsd_f64(_mm_cvtepi32_pd(_mm_shuffle_epi32(eights, 0xEE))), places, negative);
    return true;
#else
    return read_digits(colon, size, index) && read_short_number(colon + 1, end, value);
#endif
  }
  bool all_digits() const {
#if defined(__SSE2__)
    return _mm_movemask_epi8(_mm_cmpeq_epi8(odd_, _mm_setzero_si128())) == 0xFFFF;
#else
    return true;
#endif
  }

 private:
#if defined(__SSE2__)
  static __m128i two(const void* low, const void* high) {
    const __m128d half = _mm_castsi128_pd(_mm_loadl_epi64(static_cast<const __m128i*>(low)));
    return _mm_castpd_si128(_mm_loadh_pd(half, static_cast<const double*>(high)));
  }
  __m128i odd_ = _mm_setzero_si128();
#endif
};

}  // namespace afterwit
