// Learners with their features and their head: keys in, raw predictions out. All input is checked before anything
// changes.
#pragma once

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "learners/head.hpp"
#include "learners/learners.hpp"
#include "rows/expansion.hpp"
#include "rows/features.hpp"
#include "rows/row.hpp"

namespace afterwit {

// Borrowed rows (rows/rows.hpp has the same layout and owns). names is empty, or has one name per key.
struct RowsView {
  std::span<const std::uint64_t> keys;
  std::span<const double> values;
  std::span<const std::int64_t> starts;
  std::span<const std::string_view> names;
  std::span<const std::uint64_t> groups;

  std::size_t size() const { return starts.size() - 1; }
};

// Whether a value is so small that not even a row of 2^40 of them could add up to more than a float holds.
template <class Value>
bool is_small(Value value) {
  return std::fabs(value) <= static_cast<Value>(1e26);
}

template <class Value>
AFTERWIT_MULTIVERSION bool all_small(const Value* values, std::size_t n) {
  std::uint64_t large = 0;
  for (std::size_t i = 0; i < n; ++i) large |= static_cast<std::uint64_t>(!is_small(values[i]));
  return large == 0;
}

// Rows whose keys and values are of any type; row r is starts[r] .. starts[r + 1].
template <class Key, class Value>
struct PlainRows {
  const Key* keys;
  const Value* values;
  const std::int64_t* starts;
  std::size_t size;
};

class Model {
 public:
  Model(Features features, Expansion expansion, std::unique_ptr<Learners> learners, std::unique_ptr<Head> head)
      : features_(std::move(features)),
        expansion_(std::move(expansion)),
        learners_(std::move(learners)),
        head_(std::move(head)),
        plain_(!features_.exact() && !expansion_.any()) {}

  const Features& features() const { return features_; }
  Features& features() { return features_; }
  Learners& learners() { return *learners_; }
  const Learners& learners() const { return *learners_; }
  void set_learners(std::unique_ptr<Learners> learners) { learners_ = std::move(learners); }
  const Head& head() const { return *head_; }

  // How many raw predictions there are for each row, where whoever asks knows so many classes.
  std::size_t width(std::size_t classes = 0) const { return head_->width(*learners_, classes); }

  // raw has rows x width() entries.
  void predict(const RowsView& rows, double* raw) {
    check_rows(rows);
    for (std::size_t r = 0; r < rows.size(); ++r, raw += width()) learners_->look(seen(rows, r), raw);
  }

  // Predicts each row, then learns it; a row of weight 0 is only predicted. raw has rows x width(classes) entries.
  void learn(const RowsView& rows, std::span<const double> y, std::span<const double> weights, std::size_t classes,
             double* raw) {
    check(rows, y, weights, classes);
    learn_checked(rows, y, weights, classes, raw);
  }

  // The same for a single row, one call each.
  void predict_one(const RowsView& row, double* raw) {
    if (!is_plain()) return predict(row, raw);
    build_one(row);
    learners_->look(one_.row(), raw);
  }
  void learn_one(const RowsView& row, double y, double h, std::size_t classes) {
    one_raw_.resize(width(classes));
    if (!is_plain() || h == 0.0) return learn(row, {&y, 1}, {&h, 1}, classes, one_raw_.data());
    build_one(row);
    check_labels(1, {&y, 1}, {&h, 1}, classes);
    features_.note(one_.key_bits());
    head_->learn(*learners_, features_.slots(), one_.row(), y, h, one_raw_.size(), one_raw_.data(), nullptr);
  }

  // The same for rows and labels that were checked.
  void learn_checked(const RowsView& rows, std::span<const double> y, std::span<const double> weights,
                     std::size_t classes, double* raw) {
    if (is_plain()) return learn_plain(plain(rows), y, weights, classes, raw);
    const std::size_t width = this->width(classes);
    for (std::size_t r = 0; r < rows.size(); ++r, raw += width) {
      const double h = weights.empty() ? 1.0 : weights[r];
      const Row row = h == 0.0 ? seen(rows, r) : built(rows, r);  // weight 0 brings not even a new name
      head_->learn(*learners_, features_.slots(), row, y[r], h, width, raw, nullptr);
    }
  }

  // Whether nothing but keys and values matters.
  bool is_plain() const { return plain_; }

  // The common case, with the next row built while this one is learned; rows and labels were checked.
  template <class Key, class Value>
  void learn_plain(const PlainRows<Key, Value>& rows, std::span<const double> y, std::span<const double> weights,
                   std::size_t classes, double* raw) {
    if (rows.size == 0) return;
    const std::size_t width = this->width(classes), slots = features_.slots();
    RowBuilder* now = &row_;
    RowAhead<Key, Value> next(*this, rows, &next_row_);
    hash(rows, 0, *now);
    for (; next.r <= rows.size; ++next.r, raw += width, std::swap(now, next.builder)) {
      const std::size_t r = next.r - 1;
      const double h = weights.empty() ? 1.0 : weights[r];
      if (h != 0.0) features_.note(now->key_bits());
      head_->learn(*learners_, slots, now->row(), y[r], h, width, raw, next.r < rows.size ? &next : nullptr);
    }
  }

  // Refuse what is wrong, with its place; rows are counted from 1.
  void check(const RowsView& rows, std::span<const double> y, std::span<const double> weights, std::size_t classes) {
    check_rows(rows);
    check_names(rows);
    check_labels(rows.size(), y, weights, classes);
  }
  void check_rows(const RowsView& rows) {
    if (rows.starts.empty() || rows.starts[0] != 0 || rows.keys.size() != rows.values.size() ||
        rows.starts.back() != static_cast<std::int64_t>(rows.keys.size()))
      throw std::invalid_argument("row starts do not fit the number of features; expected 0, ..., " +
                                  std::to_string(rows.keys.size()));
    if (!rows.names.empty() && rows.names.size() != rows.keys.size())
      throw std::invalid_argument("there must be one name per feature");
    for (std::size_t r = 0; r < rows.size(); ++r)
      if (rows.starts[r] > rows.starts[r + 1])
        throw std::invalid_argument("row starts go down at row " + std::to_string(r + 1));
    if (!rows.groups.empty() && rows.groups.size() != rows.keys.size())
      throw std::invalid_argument("there must be one group per feature");
    if (!all_small(rows.values.data(), rows.values.size()))
      for (std::size_t r = 0; r < rows.size(); ++r) check_row(rows, r);
    if (expansion_.any())
      for (std::size_t r = 0; r < rows.size(); ++r) {
        const auto [seen, place] = expanded(rows, r);
        if (!all_small(seen.values.data(), seen.values.size())) check_row(seen, place);
      }
  }

  void check_labels(std::size_t rows, std::span<const double> y, std::span<const double> weights,
                    std::size_t classes) const {
    if (y.size() != rows)
      throw std::invalid_argument("y has " + std::to_string(y.size()) + " entries, expected " + std::to_string(rows) +
                                  " (one per row)");
    if (!weights.empty() && weights.size() != rows)
      throw std::invalid_argument("weight has " + std::to_string(weights.size()) + " entries, expected " +
                                  std::to_string(rows) + " (one per row)");
    const std::size_t wrong = head_->first_wrong(y, weights, classes);
    if (wrong < rows) throw std::invalid_argument(at(wrong) + head_->complaint(shown(y[wrong]), classes));
    for (std::size_t r = 0; r < weights.size(); ++r)
      if (!(weights[r] >= 0.0 && weights[r] <= FLT_MAX))
        throw std::invalid_argument(at(r) + "the weight is " + shown(weights[r]) +
                                    "; expected a finite number, 0 or more, at most 3.4028234e38");
  }

  // What the learners see of a row, unchanged by it; valid until the next one. A name that exact features have not met
  // adds nothing, but has its place in the row, as it has when it is learned: the sums go through the same lanes.
  Row seen(const RowsView& given, std::size_t given_r) {
    const auto [rows, r] = expanded(given, given_r);
    if (!features_.exact()) {
      hash(plain(rows), r, row_);
      return row_.row();
    }
    row_.clear();
    unmet_.clear();
    const auto known = static_cast<std::uint32_t>(features_.slots());
    for (auto i = rows.starts[r]; i < rows.starts[r + 1]; ++i) {
      if (rows.values[i] == 0.0) continue;
      std::uint32_t slot = features_.slot(rows.keys[i]);
      if (slot == Features::absent)
        slot = unmet_.try_emplace(rows.keys[i], known + static_cast<std::uint32_t>(unmet_.size())).first->second;
      row_.add(slot, rows.values[i]);
    }
    row_.finish(features_);
    if (!unmet_.empty()) row_.silence(known);
    return row_.row();
  }

  // A number as messages have it.
  static std::string shown(double number) {
    char text[32];
    std::snprintf(text, sizeof text, "`%g`", number);
    return text;
  }

 private:
  static PlainRows<std::uint64_t, double> plain(const RowsView& rows) {
    return {rows.keys.data(), rows.values.data(), rows.starts.data(), rows.size()};
  }

  template <class Key, class Value>
  void hash(const PlainRows<Key, Value>& rows, std::size_t r, RowBuilder& row) const {
    const auto first = static_cast<std::size_t>(rows.starts[r]);
    const auto n = static_cast<std::size_t>(rows.starts[r + 1]) - first;
    row.hashed(rows.keys + first, rows.values + first, n, features_);
  }

  // The row after the one that is being learned.
  template <class Key, class Value>
  struct RowAhead final : NextRow {
    RowAhead(const Model& model, const PlainRows<Key, Value>& rows, RowBuilder* builder)
        : model(model), rows(rows), builder(builder) {}
    // Asks for rows that may be far away in memory, too: a vector that waits for them would hold up all behind it. Not
    // in a function of its own, which g++ takes for one without effect.
    void build() override {
      constexpr std::int64_t ahead = 512, line = 64;  // features, bytes
      const std::int64_t first = rows.starts[r] + ahead;
      const std::int64_t last = std::min(rows.starts[r + 1] + ahead, rows.starts[rows.size]);
      for (std::int64_t i = first; i < last; i += line / sizeof(Value)) __builtin_prefetch(rows.values + i);
      for (std::int64_t i = first; i < last; i += line / sizeof(Key)) __builtin_prefetch(rows.keys + i);
      model.hash(rows, r, *builder);
    }
    Row row() const override { return builder->row(); }

    const Model& model;
    const PlainRows<Key, Value>& rows;
    RowBuilder* builder;
    std::size_t r = 1;
  };

  // The row as the model sees it: a place in rows that hold it.
  std::pair<RowsView, std::size_t> expanded(const RowsView& rows, std::size_t r) {
    if (!expansion_.any()) return {rows, r};
    const auto first = static_cast<std::size_t>(rows.starts[r]),
               n = static_cast<std::size_t>(rows.starts[r + 1]) - first;
    const auto part = [&](auto all) { return all.empty() ? all : all.subspan(first, n); };
    if (!expansion_.expand(part(rows.keys), part(rows.values), part(rows.groups), part(rows.names), features_.exact()))
      throw std::invalid_argument(at(r) + "interactions make more than " + std::to_string(Expansion::most) +
                                  " features of it; interact smaller groups");
    names_.assign(expansion_.names.begin(), expansion_.names.end());
    expanded_starts_[1] = static_cast<std::int64_t>(expansion_.keys.size());
    return {{expansion_.keys, expansion_.values, expanded_starts_, names_, {}}, 0};
  }

  // What the learners see of a row that is to be learned, with a slot for every new name.
  Row built(const RowsView& given, std::size_t given_r) {
    const auto [rows, r] = expanded(given, given_r);
    if (!features_.exact()) {
      hash(plain(rows), r, row_);
      features_.note(row_.key_bits());
      return row_.row();
    }
    row_.clear();
    for (auto i = rows.starts[r]; i < rows.starts[r + 1]; ++i) {
      if (rows.values[i] == 0.0) continue;  // as if it were not there
      const std::uint64_t key = rows.keys[i];
      row_.add(rows.names.empty() ? features_.slot_or_new(key, std::to_string(key))
                                  : features_.slot_or_new(key, rows.names[i]),
               rows.values[i]);
    }
    row_.finish(features_);
    learners_->grow(features_.slots(), learners_->learners());
    return row_.row();
  }

  // A single plain row most often has the keys of the single row before it: then their slots are known.
  void build_one(const RowsView& row) {
    if (std::ranges::equal(row.keys, one_keys_) && one_.refill(row.values.data(), row.values.size())) return;
    check_rows(row);
    one_keys_.assign(row.keys.begin(), row.keys.end());
    hash(plain(row), 0, one_);
  }

  void check_row(const RowsView& rows, std::size_t r) {
    double largest = 0.0;
    for (auto i = rows.starts[r]; i < rows.starts[r + 1]; ++i) {
      const double size = std::fabs(rows.values[i]);
      if (!(size <= FLT_MAX))
        throw std::invalid_argument(place(rows, r, i) + " is " + shown(rows.values[i]) +
                                    ", expected a finite number that fits a 32-bit float");
      if (size > largest) largest = size;
    }
    if (largest * static_cast<double>(rows.starts[r + 1] - rows.starts[r]) <= FLT_MAX) return;
    row_.clear();  // only here can features that meet in one slot add up to more than a float holds
    Features mergers(31, 0, false, false);
    for (auto i = rows.starts[r]; i < rows.starts[r + 1]; ++i)
      row_.add(features_.exact() ? mergers.hashed_slot(rows.keys[i]) : features_.hashed_slot(rows.keys[i]),
               rows.values[i]);
    if (!row_.finish(features_))
      throw std::invalid_argument(at(r) + "features that share a slot add up to more than a 32-bit float holds");
  }

  void check_names(const RowsView& rows) const {
    if (!features_.exact() || !rows.names.empty()) return;
    for (std::size_t r = 0; r < rows.size(); ++r)
      for (auto i = rows.starts[r]; i < rows.starts[r + 1]; ++i)
        if (rows.keys[i] >= numeric_keys)
          throw std::invalid_argument(place(rows, r, i) +
                                      " has no name; exact features need the names of the features");
  }

  // Rows are counted from 1, as in every message.
  static std::string at(std::size_t r) { return "row " + std::to_string(r + 1) + ": "; }

  static std::string place(const RowsView& rows, std::size_t r, std::int64_t i) {
    const std::string name = !rows.names.empty()           ? std::string(rows.names[i])
                             : rows.keys[i] < numeric_keys ? std::to_string(rows.keys[i])
                                                           : "number " + std::to_string(i - rows.starts[r] + 1);
    return at(r) + "feature `" + name + "`";
  }

  Features features_;
  Expansion expansion_;
  std::vector<std::string_view> names_;
  std::int64_t expanded_starts_[2] = {};
  std::unique_ptr<Learners> learners_;
  std::unique_ptr<Head> head_;
  bool plain_;
  RowBuilder row_, next_row_, one_;
  std::vector<std::uint64_t> one_keys_;  // of the row in one_
  std::unordered_map<std::uint64_t, std::uint32_t> unmet_;
  std::vector<double> one_raw_;
};

}  // namespace afterwit
