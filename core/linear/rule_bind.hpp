// How an update rule gets to Python.
#pragma once

#include <nanobind/nanobind.h>

#include "linear/kernel.hpp"
#include "python/announced.hpp"

namespace afterwit {

namespace nb = nanobind;
using namespace nb::literals;

// The rule as a class of Python; `settings` are the names of its members, in their order.
template <class Rule, class... Setting, class... Name>
void bind_linear_rule(nb::module_& m, const char* name, const Name&... settings) {
  nb::class_<RuleOf<Rule>, LearningRule>(m, name).def(
      "__init__", [](RuleOf<Rule>* self, Setting... given) { new (self) RuleOf<Rule>(Rule{{}, given...}); },
      settings...);
}

}  // namespace afterwit
