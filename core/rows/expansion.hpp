// What a model makes of a row's features before they get their slots: some groups left out, n-grams of the words of a
// text, products of features of two or three groups. A group is the hash of a namespace or column; 0 is none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "rows/names.hpp"

namespace afterwit {

class Expansion {
 public:
  static constexpr std::size_t most = std::size_t{1} << 22;  // features of one row

  std::vector<std::vector<std::uint64_t>> products;       // two or three groups each
  std::unordered_map<std::uint64_t, std::size_t> ngrams;  // group to the longest run of words
  std::unordered_set<std::uint64_t> kept, ignored;        // nothing kept means all

  bool any() const { return !products.empty() || !ngrams.empty() || !kept.empty() || !ignored.empty(); }

  // One row: in place of the features given, those that the model sees, with names if `named` (a key without one is its
  // number). False when there would be more than `most`.
  bool expand(std::span<const std::uint64_t> given, std::span<const double> given_values,
              std::span<const std::uint64_t> given_groups, std::span<const std::string_view> given_names, bool named) {
    keys.clear();
    values.clear();
    names.clear();
    groups_.clear();
    named_ = named;
    for (std::size_t i = 0; i < given.size(); ++i) {
      const std::uint64_t group = given_groups.empty() ? 0 : given_groups[i];
      if (ignored.contains(group) || (!kept.empty() && !kept.contains(group)) || given_values[i] == 0.0) continue;
      groups_.push_back(group);
      push(given[i], given_values[i],
           !named_               ? std::string()
           : given_names.empty() ? std::to_string(given[i])
                                 : std::string(given_names[i]));
    }
    const std::size_t plain = keys.size();
    if (!ngrams.empty()) add_ngrams(plain);
    for (const auto& product : products)
      if (!add_products(product, plain)) return false;
    return true;
  }

  std::vector<std::uint64_t> keys;
  std::vector<double> values;
  std::vector<std::string> names;

 private:
  static std::uint64_t joined(std::uint64_t a, std::uint64_t b, std::uint64_t how) {
    return scramble(fold(a ^ how, 0x9FB21C651E98DF25ull) ^ b) | (1ull << 63);
  }

  void push(std::uint64_t key, double value, std::string name) {
    keys.push_back(key);
    values.push_back(value);
    if (named_) names.push_back(std::move(name));
  }

  // Runs of 2 to n features of one group that stand side by side, the shorter first.
  void add_ngrams(std::size_t plain) {
    for (std::size_t i = 0; i < plain; ++i) {
      const auto found = ngrams.find(groups_[i]);
      if (found == ngrams.end()) continue;
      std::uint64_t key = keys[i];
      double value = values[i];
      std::string name = named_ ? names[i] : std::string();
      for (std::size_t j = i + 1; j < plain && j < i + found->second && groups_[j] == groups_[i]; ++j) {
        key = joined(key, keys[j], 1);
        value *= values[j];
        if (named_) name += " " + names[j];
        push(key, value, name);
      }
    }
  }

  bool add_products(const std::vector<std::uint64_t>& product, std::size_t plain) {
    members_.resize(product.size());
    std::size_t count = 1;
    for (std::size_t g = 0; g < product.size(); ++g) {
      members_[g].clear();
      for (std::size_t i = 0; i < plain; ++i)
        if (groups_[i] == product[g]) members_[g].push_back(i);
      count *= members_[g].size();
      if (count > most) return false;
    }
    if (keys.size() + count > most) return false;
    multiply(product, 0, 0, 0, 1.0, {});
    return true;
  }

  // Features of one group with itself: each pair once, and each with itself.
  void multiply(const std::vector<std::uint64_t>& product, std::size_t g, std::size_t from, std::uint64_t key,
                double value, const std::string& name) {
    const bool same = g > 0 && product[g] == product[g - 1];
    for (std::size_t m = same ? from : 0; m < members_[g].size(); ++m) {
      const std::size_t i = members_[g][m];
      const std::uint64_t next = g == 0 ? keys[i] : joined(key, keys[i], 2);
      const std::string longer = !named_ ? std::string() : g == 0 ? names[i] : name + "*" + names[i];
      if (g + 1 == product.size())
        push(next, value * values[i], longer);
      else
        multiply(product, g + 1, m, next, value * values[i], longer);
    }
  }

  bool named_ = false;
  std::vector<std::uint64_t> groups_;
  std::vector<std::vector<std::size_t>> members_;
};

}  // namespace afterwit
