// From a feature's name to its 64-bit key. A name that is a plain decimal number below 2^32 is its own key, so index 17
// and the name "17" are one feature; any other name is hashed, and its key is 2^63 or more. A namespace adds its hash.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "numeric/digits.hpp"

namespace afterwit {

// The two halves of a 128-bit product, folded: every bit of the result depends on every bit of both factors.
inline std::uint64_t fold(std::uint64_t a, std::uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

inline std::uint64_t scramble(std::uint64_t h) {
  h = fold(h ^ 0x9E3779B97F4A7C15ull, 0xD6E8FEB86659FD93ull);
  return fold(h ^ 0xA0B428DB5A3C9E17ull, 0xCA5A826395121157ull);
}

// Fewer than eight bytes as a number, the first one lowest, by reads that stay within them and may overlap.
inline std::uint64_t few_bytes(const char* p, std::size_t n) {
  if (n >= 4) {
    std::uint32_t first, last;
    std::memcpy(&first, p, 4);
    std::memcpy(&last, p + n - 4, 4);
    return first | static_cast<std::uint64_t>(last) << (8 * (n - 4));
  }
  if (n == 0) return 0;
  const auto byte = [&](std::size_t i) { return std::uint64_t{static_cast<unsigned char>(p[i])} << (8 * i); };
  return byte(0) | byte(n / 2) | byte(n - 1);
}

// Whether two names are one. They are short: a call of memcmp would take longer than all of it. Reads may overlap.
inline bool same_bytes(std::string_view a, std::string_view b) {
  const char *p = a.data(), *q = b.data();
  std::size_t left = a.size();
  if (left != b.size()) return false;
  if (left < 4) return left == 0 || (p[0] == q[0] && p[left / 2] == q[left / 2] && p[left - 1] == q[left - 1]);
  if (left < 8) return std::memcmp(p, q, 4) == 0 && std::memcmp(p + left - 4, q + left - 4, 4) == 0;
  for (; left > 8; p += 8, q += 8, left -= 8)
    if (std::memcmp(p, q, 8) != 0) return false;
  return std::memcmp(p + left - 8, q + left - 8, 8) == 0;
}

// Eight bytes at a time; the length goes in first, so that trailing zero bytes count. With `reads_before`, the eight
// bytes before the end may be read although the text is shorter.
template <bool reads_before = false>
std::uint64_t hash_bytes(std::string_view bytes, std::uint64_t start = 0) {
  std::uint64_t h = scramble(start ^ bytes.size());
  const char* p = bytes.data();
  std::size_t left = bytes.size();
  for (; left >= 8; p += 8, left -= 8) {
    std::uint64_t word;
    std::memcpy(&word, p, 8);
    h = fold(h ^ word, 0xE7037ED1A0B428DBull) + word;
  }
  std::uint64_t tail = 0;
  if (!reads_before && bytes.size() < 8) {
    tail = few_bytes(p, left);
  } else if (left > 0) {
    std::memcpy(&tail, p + left - 8, 8);
    tail >>= 8 * (8 - left);
  }
  return scramble(h ^ tail);
}

constexpr std::uint64_t numeric_keys = 1ull << 32;  // keys below are numbers
constexpr std::uint64_t no_namespace = 0;

inline std::uint64_t namespace_hash(std::string_view name) { return hash_bytes(name, 1) | 1; }

// The number that `name` spells in its shortest form, or numeric_keys.
inline std::uint64_t number_of_name(std::string_view name) {
  if (name.empty() || name.size() > 10 || (name.size() > 1 && name[0] == '0')) return numeric_keys;
  std::uint64_t number = 0;
  for (const char c : name) {
    if (c < '0' || c > '9') return numeric_keys;
    number = number * 10 + static_cast<std::uint64_t>(c - '0');
  }
  return number < numeric_keys ? number : numeric_keys;
}

// Features of one namespace that are numbers stay neighbours: key = hash(namespace) + number.
inline std::uint64_t key_of_number(std::uint64_t number, std::uint64_t space = no_namespace) { return space + number; }

inline std::uint64_t key_of_name(std::string_view name, std::uint64_t space = no_namespace) {
  const std::uint64_t number = number_of_name(name);
  if (number < numeric_keys) return key_of_number(number, space);
  return hash_bytes(name, space) | (1ull << 63);
}

// The same in a buffer, where the eight bytes before the name's end may be read.
inline std::uint64_t key_in_text(std::string_view name, std::uint64_t space) {
  if (static_cast<unsigned char>(name[0] - '0') > 9) return hash_bytes<true>(name, space) | (1ull << 63);
  const bool is_short = name.size() <= 8 && (name[0] != '0' || name.size() == 1);
  std::uint64_t number;
  if (is_short && read_digits(name.data() + name.size(), static_cast<unsigned>(name.size()), number))
    return key_of_number(number, space);
  return key_of_name(name, space);
}

}  // namespace afterwit
