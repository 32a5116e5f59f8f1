// What the bindings of players share: the class `Player` of Python, and how a rule gets into it.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "experts/player.hpp"
#include "numeric/counts.hpp"
#include "python/arrays.hpp"
#include "python/lock.hpp"

namespace afterwit {

namespace nb = nanobind;

struct PyPlayer {
  std::unique_ptr<Player> player;
  std::unique_ptr<Lock> mutex = std::make_unique<Lock>();
};

// The class, for bindings that add methods which only some players have.
inline nb::class_<PyPlayer> player_class() { return nb::borrow<nb::class_<PyPlayer>>(nb::type<PyPlayer>()); }

// The player behind, if it is of this kind.
template <class Kind>
Kind& player_as(PyPlayer& self, const char* otherwise) {
  auto* found = dynamic_cast<Kind*>(self.player.get());
  if (!found) throw std::invalid_argument(otherwise);
  return *found;
}

// A rule of any kind, from which players are made.
class PyRule {
 public:
  virtual ~PyRule() = default;
  virtual std::unique_ptr<Player> player(double low, double high) const = 0;
};

template <class Rule>
class PyRuleOf final : public PyRule {
 public:
  explicit PyRuleOf(Rule rule) : rule_(std::move(rule)) {}
  std::unique_ptr<Player> player(double low, double high) const override {
    return std::make_unique<PlayerOf<Rule>>(rule_, low, high);
  }

 private:
  Rule rule_;
};

// The rule as a class of Python; `settings` name its first members, the arguments of the constructor.
template <class Rule, class... Setting, class... Name>
void bind_rule(nb::module_& m, const char* name, const Name&... settings) {
  nb::class_<PyRuleOf<Rule>, PyRule>(m, name).def(
      "__init__", [](PyRuleOf<Rule>* self, Setting... given) { new (self) PyRuleOf<Rule>(Rule{given...}); },
      settings...);
}

inline void check_rounds(double value, const char* key) {
  if (!is_count(value)) throw std::invalid_argument(std::string("the state's `") + key + "` is no number of rounds");
}

using Matrix = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// (what, row, column, value).
inline nb::tuple fault_of(const BadEntry& entry) {
  constexpr const char* words[] = {"", "loss", "missing", "confidence", "asleep", "nobody"};  // as in BadEntry::What
  const char* what = words[static_cast<std::size_t>(entry.what)];
  return nb::make_tuple(what, entry.row, entry.column, entry.value);
}

}  // namespace afterwit
