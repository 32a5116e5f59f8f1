"""Mutants of mixtures without a scale, among sleepers, with targets that come late or never, and of rows that wait."""

LATE = "tests/experts/test_mixture_late.py"
FORECASTS = "tests/cli/test_forecasts.py"

MUTANTS = [
    (
        "core/experts/free_boa.hpp",
        "V >= 1e-12 * largest ? V : largest",
        "V",
        f"{LATE}::test_who_is_level_with_the_player_does_not_take_all",
    ),
    (
        "core/experts/free_boa.hpp",
        "r - eta[i] * r * r",
        "r",
        "'tests/experts/test_formulas.py::test_a_rule_is_its_formula[Boa, free-random]'",
    ),
    (
        "core/experts/free_boa.hpp",
        "V[i] *= factor * factor",
        "V[i] *= factor",
        f"'{LATE}::test_without_a_range_no_scale_is_known[boa-0.0]'",
    ),
    (
        "core/experts/ml_pol.hpp",
        "largest > 0.0 ? largest : 1.0",
        "1.0",
        "'tests/experts/test_formulas.py::test_a_rule_is_its_formula[MLPol, free-random]'",
    ),
    (
        "core/experts/ml_pol.hpp",
        "for (double& square : B) square *= factor * factor;",
        "",
        f"'{LATE}::test_without_a_range_no_scale_is_known[ml-pol-0.0]'",
    ),
    (
        "core/experts/player.hpp",
        "I[i] * own.l[i] + (1.0 - I[i]) * met",
        "I[i] * own.l[i]",
        "'tests/experts/test_formulas.py::test_confidences[Hedge, rate-random]'",
    ),
    (
        "core/experts/hedge.hpp",
        "I[i] > 0.0 && q[i] > 0.0 && L[i] < least",
        "q[i] > 0.0 && L[i] < least",
        "tests/experts/specimens/test_hedge.py::test_weights_that_vanish_beside_sleepers",
    ),
    (
        "core/experts/delayed.hpp",
        "!fault && somebody(now)",
        "!fault",
        "tests/experts/specimens/test_delayed.py::test_experts_come_late_and_sleep",
    ),
    (
        "core/experts/delayed.hpp",
        "players_[turn_]->rescale(factor);",
        "players_[0]->rescale(factor);",
        f"'{LATE}::test_those_that_take_turns_are_mixtures_of_their_own[AdaNormalHedge()-5]'",
    ),
    (
        "core/experts/mixture.hpp",
        "if (!somebody) player.pass(1);",
        "",
        f"'{LATE}::test_those_that_take_turns_are_mixtures_of_their_own[AdaNormalHedge()-5]'",
    ),
    (
        "src/afterwit/experts/mixture.py",
        "native.skip(len(rows.forecasts))",
        "pass",
        f"{LATE}::test_a_row_of_no_importance_is_a_round",
    ),
    (
        "src/afterwit/experts/mixture.py",
        "ahead.skip(len(none))",
        "pass",
        f"{LATE}::test_a_row_of_no_importance_is_a_round",
    ),
    (
        "src/afterwit/experts/mixture.py",
        "self.player.for_range(forecast_range is not None)",
        "self.player.for_range(True)",
        f"{LATE}::test_a_range_is_made_use_of",
    ),
    (
        "src/afterwit/cli/aggregate.py",
        "later=goes_on",
        "later=False",
        f"'{FORECASTS}::test_two_halves_are_one_run[[]]'",
    ),
    (
        "src/afterwit/cli/aggregate.py",
        "int(np.flatnonzero(told)[-1]) + 1",
        "len(told)",
        f"{FORECASTS}::test_two_halves_are_one_run",
    ),
    (
        "src/afterwit/cli/aggregate.py",
        "not goes_on and (told.all()",
        "(told.all()",
        f"{FORECASTS}::test_pictures_of_later_rounds_and_of_late_targets",
    ),
    (
        "src/afterwit/cli/forecasts.py",
        "[name for name in columns if name in names]",
        "columns",
        f"{FORECASTS}::test_a_saved_mixture_predicts",
    ),
    (
        "src/afterwit/learning/pending.py",
        "len(self._rows) > self.delay",
        "len(self._rows) >= self.delay",
        "'tests/learning/test_late.py::test_it_is_the_protocol[OnlineNewton-7]'",
    ),
    (
        "src/afterwit/learning/lesson.py",
        "self.pending.flush(self.model)",
        "pass",
        "tests/learning/test_late.py::test_with_a_limit_rows_held_out_and_passes",
    ),
]
