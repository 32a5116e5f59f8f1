// How a dense learner gets to Python.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <type_traits>
#include <utility>

#include "dense/dense.hpp"
#include "python/announced.hpp"

namespace afterwit {

namespace nb = nanobind;
using namespace nb::literals;

// The member with its settings as a rule of Python, and with them its form for several classes, unless that is void;
// `settings` are the names of its constructor's arguments, in order.
template <class Member, class Classes, class... Setting, class... Name>
void bind_dense_rule(nb::module_& m, const char* name, const Name&... settings) {
  m.def(
      name,
      [](Setting... given, bool numbers, std::size_t width, std::size_t wide) {
        auto fresh = std::make_shared<DenseMemberOf<Member>>(Member(given..., numbers), numbers);
        std::shared_ptr<const ClassMember> classes;
        if constexpr (!std::is_void_v<Classes>)
          if (!numbers) classes = std::make_shared<ClassMemberOf<Classes>>(Classes(given...));
        return DenseRule({std::move(fresh), numbers, width, wide, std::move(classes)});
      },
      settings..., "numbers"_a, "width"_a, "wide"_a = 0);
}

}  // namespace afterwit
