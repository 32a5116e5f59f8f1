// Prints what is made of the packed features of rows of every small size, ordinary and odd; built for one kind of CPU
// and for several, it must print the same.
#include <cfloat>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <vector>

#include "numeric/keyed.hpp"
#include "rows/plain_row.hpp"

using namespace afterwit;

namespace {

constexpr float odd_values[] = {0.0f, -0.0f, FLT_MIN / 2, std::numeric_limits<float>::infinity(),
                                std::numeric_limits<float>::quiet_NaN()};
constexpr float values_at_the_edge[] = {FLT_MIN, -FLT_MIN, FLT_MAX, -FLT_MAX, 1.0f};

template <class Key, class Value>
void print(const std::vector<Key>& keys, const std::vector<Value>& values, unsigned bits) {
  const std::size_t n = keys.size(), room = (n + lanes - 1) / lanes * lanes;
  std::vector<std::uint32_t> slots(room);
  std::vector<float> x(room);
  const RowFacts look = plain_row(keys.data(), values.data(), n, bits, slots.data(), x.data());
  std::printf("%zu bytes, %zu keys, %u bits: %llx, %s, %s:", sizeof(Key), n, bits,
              static_cast<unsigned long long>(look.key_bits), look.in_range ? "in range" : "odd",
              look.ascends ? "ascends" : "falls");
  for (std::size_t i = 0; i < n; ++i) std::printf(" %u:%a", slots[i], static_cast<double>(x[i]));
  std::printf("\n");
}

// Ascending keys; at place `odd`, if there is one, a value that is out of range; at place `equal`, the key before it.
template <class Key, class Value>
void print_row(std::size_t n, unsigned bits, std::size_t odd, std::size_t equal) {
  std::vector<Key> keys(n);
  std::vector<Value> values(n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto high = static_cast<std::uint64_t>(keyed_uniform(n, i) * 0x1p31) << (sizeof(Key) == 8 ? 33 : 30);
    keys[i] = static_cast<Key>((3 * i + 1) | (high & static_cast<std::uint64_t>(std::numeric_limits<Key>::max())));
    values[i] = i % 7 == 3 ? values_at_the_edge[i % 5] : static_cast<Value>(keyed_uniform(bits, i) - 0.5);
  }
  if (odd < n) values[odd] = static_cast<Value>(odd_values[(odd + n) % 5]);
  if constexpr (sizeof(Value) == sizeof(double))
    if (odd < n && n % 2 == 0) values[odd] = 2.0 * FLT_MAX;
  if (equal > 0 && equal < n) keys[equal] = keys[equal - 1];
  print(keys, values, bits);
}

}  // namespace

int main() {
  const std::size_t nowhere = 1000;
  for (std::size_t n = 0; n < 50; ++n)
    for (const unsigned bits : {1u, 18u, 30u})
      for (const std::size_t place : {std::size_t{0}, n / 2, std::size_t{15}, std::size_t{16}, n - 1, nowhere})
        for (const bool both : {false, true}) {
          print_row<std::uint32_t, float>(n, bits, place, both ? place : nowhere);
          print_row<std::uint64_t, float>(n, bits, both ? nowhere : place, place);
          print_row<std::int32_t, double>(n, bits, place, both ? place : nowhere);
        }
}
