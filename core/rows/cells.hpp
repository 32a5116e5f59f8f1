// What a cell becomes, the same from every input. A number is the feature `price` with its value, a word `city=Rome`
// with value 1, a boolean the number 1 or 0, a date its parts (rows/dates.hpp), what is missing nothing. A text is
// split into words, `title^word`; in a column of categories numbers are words, too: `zip=10001`. An array of words is
// each of them, `tag=new`, `tag=red`; one of numbers is a feature for each place, `size[0]`, `size[1]`.
//
// Rules 1, of the models that came first, know no dates, no categories and no arrays, take an empty word for a word,
// and never split a number.
#pragma once

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "rows/dates.hpp"
#include "rows/names.hpp"
#include "rows/words.hpp"

namespace afterwit {

// What a model says of a column.
enum class CellUse { plain, text, category, date };

// What a model says of all columns: whole columns by name, groups kept and ignored by their hash (nothing kept means
// all).
struct CellRules {
  static constexpr int newest = 2;

  std::vector<std::string> text, dates, categorical;
  std::unordered_set<std::uint64_t> kept, ignored;
  int rules = newest;

  CellUse use(std::string_view column) const {
    const auto in = [&](const auto& names) { return std::find(names.begin(), names.end(), column) != names.end(); };
    if (in(text)) return CellUse::text;
    if (in(dates)) return CellUse::date;
    return in(categorical) ? CellUse::category : CellUse::plain;
  }
  // Whether the cells of a group are looked at.
  bool reads(std::uint64_t group) const { return !ignored.contains(group) && (kept.empty() || kept.contains(group)); }
  // Whether every number is its column's, whatever the column.
  bool numbers_are_plain() const { return rules == 1 || (text.empty() && dates.empty() && categorical.empty()); }
};

// The boolean that a cell of text spells.
inline std::optional<bool> boolean_of(std::string_view text) {
  if (text == "True" || text == "true" || text == "TRUE") return true;
  if (text == "False" || text == "false" || text == "FALSE") return false;
  return {};
}

inline std::string_view spelled(bool value) { return value ? "True" : "False"; }

// As Python writes it, but for whole numbers, which are written as integers: 0.1, 1e-05, 10001.
inline std::string spelled(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  char digits[400];
  const bool whole = value == std::trunc(value);
  const auto form = whole || std::fabs(value) >= 1e-4 ? std::chars_format::fixed : std::chars_format::scientific;
  if (value == 0) value = 0;  // no minus
  const auto end = whole ? std::to_chars(digits, digits + sizeof digits, value, form, 0)
                         : std::to_chars(digits, digits + sizeof digits, value, form);
  return {digits, end.ptr};
}

// The name of the i-th number of an array.
inline std::string placed(std::string_view name, std::size_t i) {
  return std::string(name) + "[" + std::to_string(i) + "]";
}

// The features of the cells of one column, or of one name in a namespace. f(key, value, name) is called for each; the
// name is built only when f calls it.
class CellFeatures {
 public:
  CellFeatures(std::string column, CellUse use, int rules, std::string space = {})
      : column_(std::move(column)), space_name_(std::move(space)), use_(use), rules_(rules) {
    space_ = space_name_.empty() ? no_namespace : namespace_hash(space_name_);
    words_ = namespace_hash(column_);
    key_ = key_of_name(column_, space_);
    joined_ = column_ + "=";
    spells_ = rules_ != 1 && (use_ == CellUse::category || use_ == CellUse::text);
  }

  CellUse use() const { return use_; }
  const std::string& column() const { return column_; }
  // The group of all its features: the column, or the namespace.
  std::uint64_t group() const { return space_ == no_namespace ? words_ : space_; }

  template <class F>
  void number(double value, F f) {
    if (spells_) return word(spelled(value), f);
    f(key_, value, [&] { return full(column_); });
  }
  template <class F>
  void boolean(bool value, F f) {
    if (spells_) return word(spelled(value), f);
    f(key_, value ? 1.0 : 0.0, [&] { return full(column_); });
  }
  // A word, or the spelling of a number that is one here.
  template <class F>
  void word(std::string_view text, F f) {
    if (use_ == CellUse::text) {
      for_each_word(text, [&](std::string_view one) {
        f(key_of_name(one, words_), 1.0,
          [&] { return column_.empty() ? std::string(one) : column_ + "^" + std::string(one); });
      });
      return;
    }
    if (rules_ != 1 && text.empty()) return;
    if (use_ == CellUse::category)
      if (const auto value = boolean_of(text)) text = spelled(*value);
    joined_.resize(column_.size() + 1);
    joined_ += text;
    f(key_of_name(joined_, space_), 1.0, [&] { return full(joined_); });
  }
  // A moment in the years that there are.
  template <class F>
  void moment(const Moment& at, F f) {
    if (!dates_) dates_.emplace(column_, space_);
    dates_->each(at, [&](std::uint64_t key, double value, auto name) { f(key, value, [&] { return full(name()); }); });
  }

 private:
  std::string full(const std::string& name) const { return space_name_.empty() ? name : space_name_ + "^" + name; }

  std::string column_, space_name_;
  CellUse use_;
  int rules_;
  bool spells_;  // numbers are words here
  std::uint64_t space_ = 0, words_ = 0, key_ = 0;
  std::string joined_;
  std::optional<DateFeatures> dates_;
};

}  // namespace afterwit
