// A text through a parser, at once and in pieces.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "mutation.hpp"
#include "outcome.hpp"

namespace fuzz {

template <class Parser>
Outcome read_at_once(Parser& parser, std::string_view text, const Wants& wants) {
  Outcome outcome;
  const Exact exact(text);
  outcome.add(parser.parse(exact.begin(), exact.end(), true, INT64_MAX), text.size(), wants);
  require(outcome.stopped || outcome.consumed == static_cast<std::int64_t>(text.size()), "reads to the end");
  require(outcome.lines <= 1 + std::count(text.begin(), text.end(), '\n'), "counts no more lines than there are");
  return outcome;
}

template <class Parser>
Outcome read_in_pieces(Parser& parser, std::string_view text, const Wants& wants, Random& random) {
  Outcome outcome;
  const std::size_t step = 1 + random.below(random.one_in(2) ? 20 + text.size() / 20 : 1 + text.size());
  const bool few = random.one_in(3);  // rows at a time
  std::size_t upto = 0;
  for (;;) {
    const bool final = upto == text.size();
    upto = std::min(text.size(), upto + 1 + random.below(step));
    for (;;) {
      const auto from = static_cast<std::size_t>(outcome.consumed);
      const Exact exact(text.substr(from, upto - from));
      const std::size_t most = few ? 1 + random.below(3 + text.size() / 100) : SIZE_MAX / 2;
      const auto parsed = parser.parse(exact.begin(), exact.end(), final, static_cast<std::int64_t>(most));
      outcome.add(parsed, upto - from, wants);
      require(parsed.rows.size() <= most, "no more rows than asked for");
      if (outcome.stopped) return outcome;
      if (parsed.rows.size() < most) break;
    }
    if (final) return outcome;
  }
}

}  // namespace fuzz
