// The namespaces that the rows of a text have had. Most rows have those of the one before, in the same order: then a
// namespace is compared once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "text/columns_met.hpp"

namespace afterwit {

class VwNamespaces {
 public:
  static constexpr std::size_t most = 1 << 10, most_bytes = 1 << 20;  // of names; beyond, none is told

  void meet(std::string_view name, std::uint64_t hash) {
    if (expected_ >= met_.size() || hashes_[expected_] != hash) expected_ = place(name, hash);
    if (expected_ < met_.size()) met_[expected_++].rows.meet(rows_);
  }
  void end_row() { ++rows_, expected_ = 0; }
  void drop_row() {
    for (ColumnMet& each : met_) each.rows.forget(rows_);
    expected_ = 0;
  }

  // In the order in which they came; nothing if they are too many, or features have been outside of any.
  std::optional<ColumnsMet> all() const {
    if (many_) return {};
    ColumnsMet told{rows_};
    for (const ColumnMet& each : met_) {
      if (!each.rows.met()) continue;
      if (each.name.empty()) return {};
      told.columns.push_back(each);
    }
    return told;
  }

 private:
  std::size_t place(std::string_view name, std::uint64_t hash) {
    if (many_) return 0;
    const auto [found, is_new] = places_.try_emplace(hash, met_.size());
    if (!is_new) return found->second;
    bytes_ += name.size();
    if (met_.size() == most || bytes_ > most_bytes) {
      many_ = true;
      met_.clear(), hashes_.clear(), places_.clear();
      return 0;
    }
    met_.push_back({std::string(name), {}});
    hashes_.push_back(hash);
    return met_.size() - 1;
  }

  std::vector<ColumnMet> met_;
  std::vector<std::uint64_t> hashes_;
  std::unordered_map<std::uint64_t, std::size_t> places_;
  std::size_t expected_ = 0, bytes_ = 0;
  std::int64_t rows_ = 0;
  bool many_ = false;
};

}  // namespace afterwit
