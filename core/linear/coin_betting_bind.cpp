#include "linear/coin_betting.hpp"
#include "linear/rule_bind.hpp"

using namespace afterwit;

static const Announced announced("linear/coin_betting", [](nb::module_& m) {
  bind_linear_rule<CoinBettingRule, double>(m, "CoinBettingRule", "endowment"_a);
  bind_linear_rule<NormalizedCoinBettingRule, double, bool, bool>(m, "NormalizedCoinBettingRule", "endowment"_a,
                                                                  "numbers"_a, "squared"_a);
});
