// From keys to slots of a weight table. Hashed: the low bits of the key (with seed 0, index k < 2^bits is slot k), the
// intercept in a slot of its own at 2^bits. Exact: slots in order of first appearance, the intercept in slot 0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "rows/names.hpp"

namespace afterwit {

class Features {
 public:
  static constexpr std::uint32_t absent = 0xFFFFFFFFu;

  Features(unsigned bits, std::uint64_t seed, bool exact, bool intercept)
      : bits_(bits), seed_(seed), exact_(exact), intercept_(intercept) {}

  unsigned bits() const { return bits_; }
  std::uint64_t seed() const { return seed_; }
  bool exact() const { return exact_; }
  bool intercept() const { return intercept_; }
  std::uint32_t intercept_slot() const { return exact_ ? 0u : 1u << bits_; }
  std::size_t slots() const { return exact_ ? keys_.size() + 1 : (std::size_t{1} << bits_) + 1; }

  // Hashed mode only.
  std::uint32_t hashed_slot(std::uint64_t key) const {
    const std::uint64_t mixed = seed_ == 0 ? key : scramble(key ^ scramble(seed_));
    return static_cast<std::uint32_t>(mixed & ((1ull << bits_) - 1));
  }
  // The slot of a key, or `absent` for a name that exact mode has not met.
  std::uint32_t slot(std::uint64_t key) const {
    if (!exact_) return hashed_slot(key);
    const auto found = slots_.find(key);
    return found == slots_.end() ? absent : found->second;
  }
  // Exact mode: the slot of a key, a new one if it was not met before.
  std::uint32_t slot_or_new(std::uint64_t key, std::string_view name) {
    const auto [found, is_new] = slots_.try_emplace(key, static_cast<std::uint32_t>(keys_.size() + 1));
    if (is_new) {
      keys_.push_back(key);
      names_.emplace_back(name);
    }
    return found->second;
  }
  void clear() {
    slots_.clear();
    keys_.clear();
    names_.clear();
    key_bits_ = 0;
  }

  // The keys learned from, their bits together: below 2^bits and unseeded, every slot is the index of the feature in
  // it.
  void note(std::uint64_t key) { key_bits_ |= key; }
  bool slots_are_indices() const { return !exact_ && seed_ == 0 && key_bits_ < (1ull << bits_); }

  const std::vector<std::uint64_t>& keys() const { return keys_; }
  const std::vector<std::string>& names() const { return names_; }
  std::uint64_t key_bits() const { return key_bits_; }

 private:
  unsigned bits_;
  std::uint64_t seed_;
  bool exact_;
  bool intercept_;
  std::uint64_t key_bits_ = 0;
  std::unordered_map<std::uint64_t, std::uint32_t> slots_;
  std::vector<std::uint64_t> keys_;
  std::vector<std::string> names_;
};

}  // namespace afterwit
