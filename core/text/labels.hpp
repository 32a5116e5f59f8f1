// Labels: the first word of a line to the number that a learner is given.
#pragma once

#include <cfloat>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "numeric/number.hpp"
#include "rows/label_kind.hpp"
#include "text/faults.hpp"
#include "text/utf8.hpp"

namespace afterwit {

// A class is an integer or a word: `3`, `+3`, `003` and `3.0` are all the integer 3.
using ClassName = std::variant<std::int64_t, std::string>;

// real: any number that fits a float. binary: -1, 0 and 1, or the two names given, as -1 and +1. classes: codes in
// order of first appearance, or positions in the names given; `as_written`, `3` and `3.0` are two words, and a fraction
// is one, too. none: whatever it is, 0.
class LabelReader {
 public:
  LabelReader(LabelKind kind, const std::vector<std::string>& names, bool as_written = false)
      : kind_(kind), fixed_(!names.empty()), as_written_(as_written) {
    for (const std::string& name : names) {
      std::int64_t integer = 0;
      if (read_integer(name, integer) == Fault::none) {
        add(integer);
      } else {
        add(name);
      }
    }
  }

  LabelKind kind() const { return kind_; }

  Fault read(std::string_view token, double& y) {
    if (kind_ == LabelKind::none) {
      y = 0;
      return Fault::none;
    }
    if (kind_ == LabelKind::classes) return read_class(token, y);
    if (fixed_) {
      const Fault fault = read_class(token, y);
      y = 2 * y - 1;
      return fault;
    }
    const NumberStatus status = parse_number(token.data(), token.data() + token.size(), y);
    if (status == NumberStatus::malformed) return Fault::label_not_number;
    if (kind_ == LabelKind::real) {
      if (status != NumberStatus::good) return Fault::label_infinite;
      return std::abs(y) > FLT_MAX ? Fault::label_too_large : Fault::none;
    }
    if (status != NumberStatus::good || (y != 1 && y != 0 && y != -1)) return Fault::label_not_binary;
    if (y == 0) y = -1;
    return Fault::none;
  }

  const std::vector<ClassName>& classes() const { return classes_; }

  // Forgets the classes from number `count` on: their line turned out to be bad.
  void shrink(std::size_t count) {
    for (; classes_.size() > count; classes_.pop_back()) {
      if (const auto* integer = std::get_if<std::int64_t>(&classes_.back())) {
        integers_.erase(*integer);
      } else {
        words_.erase(std::get<std::string>(classes_.back()));
      }
    }
  }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };

  // label_not_number says that the token is a word.
  static Fault read_integer(std::string_view token, std::int64_t& integer) {
    const char *p = token.data(), *end = p + token.size();
    const char* digits = p != end && *p == '+' ? p + 1 : p;
    const auto [rest, error] = std::from_chars(digits, end, integer);
    const bool two_signs = digits != p && digits != end && *digits == '-';
    if (rest == end && error != std::errc::invalid_argument && !two_signs) {
      return error == std::errc() ? Fault::none : Fault::label_too_large;
    }
    double value = 0;
    const NumberStatus status = parse_number(p, end, value);
    if (status == NumberStatus::malformed) return Fault::label_not_number;
    if (status != NumberStatus::good || std::abs(value) > 0x1p53 || value != std::trunc(value)) {
      return Fault::label_not_integer;
    }
    integer = static_cast<std::int64_t>(value);
    return Fault::none;
  }

  Fault read_class(std::string_view token, double& y) {
    std::int64_t integer = 0;
    const Fault fault = as_written_ ? Fault::label_not_number : read_integer(token, integer);
    if (fault == Fault::none) {
      const auto known = integers_.find(integer);
      if (known == integers_.end()) return fixed_ ? Fault::label_unknown : give_code(add(integer), y);
      return give_code(known->second, y);
    }
    const auto known = words_.find(token);
    if (known != words_.end()) return give_code(known->second, y);
    if (fixed_) return Fault::label_unknown;
    if (fault != Fault::label_not_number) return fault;
    if (!is_utf8(token)) return Fault::label_not_utf8;
    return give_code(add(std::string(token)), y);
  }

  static Fault give_code(std::size_t code, double& y) {
    y = static_cast<double>(code);
    return Fault::none;
  }

  std::size_t add(std::int64_t integer) {
    integers_.emplace(integer, classes_.size());
    classes_.emplace_back(integer);
    return classes_.size() - 1;
  }

  std::size_t add(const std::string& word) {
    words_.emplace(word, classes_.size());
    classes_.emplace_back(word);
    return classes_.size() - 1;
  }

  LabelKind kind_;
  bool fixed_;
  bool as_written_;
  std::vector<ClassName> classes_;
  std::unordered_map<std::int64_t, std::size_t> integers_;
  std::unordered_map<std::string, std::size_t, Hash, std::equal_to<>> words_;
};

}  // namespace afterwit
