// What the bindings of the players over convex domains share.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <utility>
#include <variant>

#include "convex/point_player.hpp"
#include "python/lock.hpp"

namespace afterwit {

namespace nb = nanobind;

struct PyDomain {
  Domain domain;
};

struct PyPointPlayer {
  std::unique_ptr<PointPlayer> player;
  std::unique_ptr<Lock> mutex = std::make_unique<Lock>();
};

template <class Rule>
PyPointPlayer player_of(Rule rule, const PyDomain& domain) {
  return {std::visit(
      [&](const auto& found) -> std::unique_ptr<PointPlayer> {
        return std::make_unique<PointPlayerOf<Rule, std::decay_t<decltype(found)>>>(std::move(rule), found);
      },
      domain.domain)};
}

}  // namespace afterwit
