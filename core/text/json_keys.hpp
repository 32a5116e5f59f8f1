// The keys of the objects that a text has had, each with what its value is read for. Most rows have the keys of the one
// before, in the same order: then a key is compared once, and neither scanned nor hashed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "rows/cells.hpp"
#include "rows/names.hpp"
#include "text/columns_met.hpp"

namespace afterwit {

enum class JsonRole { feature, target, weight, unread };

class JsonKeys;

struct JsonKey {
  std::string name;
  JsonRole role = JsonRole::unread;
  CellUse use = CellUse::plain;
  std::optional<std::size_t> id;   // which of the ids it is, whatever else it is
  const JsonKey* space = nullptr;  // of a key inside: that of its object
  std::uint64_t key = 0, group = 0;
  std::unique_ptr<CellFeatures> cell{};  // of a key of which more is known than its name
  std::unique_ptr<JsonKeys> inside{};    // the keys of its objects
  std::uint64_t row = 0;                 // the last one that had it
  Presence rows{};
  JsonKey* next = nullptr;  // the key that came behind it
  bool plain = false;       // in JSON it is spelled as it is

  std::string shown() const { return space == nullptr || space->name.empty() ? name : space->name + "^" + name; }
};

class JsonKeys {
 public:
  // The key that comes behind `before` most often; null if nothing did.
  JsonKey* expected(const JsonKey* before) const { return before == nullptr ? first_ : before->next; }

  // The key of this name, from now on the one expected behind `before`; `make(name)` makes it when it is new.
  template <class Make>
  JsonKey& find(std::string_view name, JsonKey* before, Make make) {
    const auto known = by_name_.find(name);
    JsonKey* found = known == by_name_.end() ? nullptr : known->second;
    if (found == nullptr) {
      found = &keys_.emplace_back(make(std::string(name)));
      by_name_.emplace(found->name, found);
      bytes_ += name.size();
    }
    (before == nullptr ? first_ : before->next) = found;
    return *found;
  }

  const std::deque<JsonKey>& all() const { return keys_; }
  std::deque<JsonKey>& all() { return keys_; }
  std::size_t bytes() const { return bytes_; }

 private:
  struct Hash {
    std::size_t operator()(std::string_view name) const { return hash_bytes(name); }
  };

  std::deque<JsonKey> keys_;
  std::unordered_map<std::string_view, JsonKey*, Hash> by_name_;
  JsonKey* first_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace afterwit
