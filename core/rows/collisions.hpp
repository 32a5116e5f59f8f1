// The features of rows as a model sees them, each once, and how many of them meet in one slot of its table. Memory
// grows with the number of distinct features: a stream's features cannot be told apart in less.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "rows/layout.hpp"

namespace afterwit {

struct CollisionCounts {
  std::size_t features = 0, slots = 0, shared = 0;  // shared: features that are not alone in their slot
  std::uint64_t occurrences = 0, shared_occurrences = 0;
  std::vector<std::vector<std::string>> worst;  // the names of features that share a slot
};

class Collisions {
 public:
  explicit Collisions(const Layout& layout) : features_(layout.features), expansion_(layout.expansion) {}

  // One row; names is empty, or has one name per key. False when interactions make too many features of it.
  bool add(std::span<const std::uint64_t> keys, std::span<const double> values, std::span<const std::uint64_t> groups,
           std::span<const std::string_view> names) {
    if (!expansion_.any()) {
      for (std::size_t i = 0; i < keys.size(); ++i) count(keys[i], values[i], names.empty() ? "" : names[i]);
      return true;
    }
    if (!expansion_.expand(keys, values, groups, names, true)) return false;
    for (std::size_t i = 0; i < expansion_.keys.size(); ++i)
      count(expansion_.keys[i], expansion_.values[i], expansion_.names[i]);
    return true;
  }

  // `worst` has at most `most` slots with at most `most` names each, the features that occur most often first.
  CollisionCounts counts(std::size_t most) const {
    CollisionCounts out;
    out.features = met_.size();
    std::vector<Seen> sorted;
    sorted.reserve(met_.size());
    for (const auto& [key, met] : met_) {
      sorted.push_back({features_.exact() ? 0 : features_.hashed_slot(key), key, met.occurrences});
      out.occurrences += met.occurrences;
    }
    if (features_.exact()) {
      out.slots = out.features;
      return out;
    }
    std::sort(sorted.begin(), sorted.end());
    std::vector<Slot> shared;
    for (std::size_t i = 0, last; i < sorted.size(); i = last) {
      std::uint64_t together = 0;
      for (last = i; last < sorted.size() && sorted[last].slot == sorted[i].slot; ++last)
        together += sorted[last].occurrences;
      ++out.slots;
      if (last - i == 1) continue;
      out.shared += last - i;
      out.shared_occurrences += together;
      shared.push_back({together - sorted[i].occurrences, i, last});
    }
    // Worst is where the most occurrences are of others than the slot's most frequent feature.
    const std::size_t shown = std::min(most, shared.size());
    std::partial_sort(
        shared.begin(), shared.begin() + static_cast<std::ptrdiff_t>(shown), shared.end(),
        [](const Slot& a, const Slot& b) { return a.others != b.others ? a.others > b.others : a.first < b.first; });
    for (std::size_t s = 0; s < shown; ++s) {
      out.worst.emplace_back();
      for (std::size_t i = shared[s].first; i < shared[s].last && out.worst.back().size() < most; ++i)
        out.worst.back().push_back(name_of(sorted[i].key));
    }
    return out;
  }

 private:
  struct Met {
    std::uint64_t occurrences = 0;
    std::string name;
  };
  struct Seen {  // by slot, the frequent first, then by key: one order, whatever that of the map
    std::uint32_t slot;
    std::uint64_t key, occurrences;
    bool operator<(const Seen& other) const {
      if (slot != other.slot) return slot < other.slot;
      return occurrences != other.occurrences ? occurrences > other.occurrences : key < other.key;
    }
  };
  struct Slot {
    std::uint64_t others;
    std::size_t first, last;
  };

  void count(std::uint64_t key, double value, std::string_view name) {
    if (value == 0.0) return;  // as if it were not there
    const auto [found, is_new] = met_.try_emplace(key);
    if (is_new) found->second.name = name;
    ++found->second.occurrences;
  }

  std::string name_of(std::uint64_t key) const {
    const std::string& name = met_.at(key).name;
    return name.empty() ? std::to_string(key) : name;
  }

  Features features_;
  Expansion expansion_;
  std::unordered_map<std::uint64_t, Met> met_;
};

}  // namespace afterwit
