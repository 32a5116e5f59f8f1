"""Mutants of panels, of what linear learners share on them, and of the default learner."""

TESTS = "tests/panel/"
RECIPE = TESTS + "test_auto_formula.py::test_it_is_the_recipe"
WIDE = TESTS + "test_auto_formula.py::test_it_is_the_recipe_of_rows_with_too_many_features"
THEOREM = TESTS + "test_theorem.py::test_regret_is_within_its_bound"
PANEL, AUTO = TESTS + "test_panel.py::", TESTS + "test_auto.py::"
MUTANTS = [
    ("core/panel/weigher.hpp", "if (unit_ > 0.0) player_->rescale(unit_ / h);", "", THEOREM),
    ("core/panel/weigher.hpp", "own *= share;", "", RECIPE),
    ("core/panel/weigher.hpp", "player_->sleeps() ? awake : nullptr", "nullptr", WIDE),
    (
        "core/panel/mixing.hpp",
        "weigher_.learn(voices.awake, loss(mixed_), answer.h, told_);",
        "weigher_.learn(voices.awake, loss(mixed_), answer.h, !told_);",
        THEOREM,
    ),
    ("core/panel/mixing.hpp", "1.0 / answer.after.range()", "1.0 / answer.before.range()", THEOREM),
    ("core/panel/sharing.hpp", "voices.sleeps(i) ? mixed_ : voices.p[i]", "voices.p[i]", WIDE),
    ("core/panel/sharing.hpp", "error_weight_ += answer.h;", "error_weight_ += 1.0;", RECIPE),
    (
        "core/panel/stacking.hpp",
        "step_by(P, w_.data(), -g / c * share, share, 1.0, 1.0 / lambda_, rho_ / lambda_);",
        "step_by(P, w_.data(), -g / c * share, share, 1.0, 1.0 / lambda_, 0.0);",
        RECIPE,
    ),
    (
        "core/panel/seat.hpp",
        "member_ ? is_not_finite : is_too_wide",
        "is_not_finite",
        PANEL + "test_gains_are_those_of_the_best_trees_and_what_is_held_is_said",
    ),
    (
        "core/panel/class_panel.hpp",
        "was_too_wide_ || !seat->settings.fitted(row_)",
        "true",
        TESTS + "test_classes.py::test_a_thousand_classes_one_class_and_no_row",
    ),
    (
        "core/panel/stacking.hpp",
        "looks_at_ = own;",
        "for (std::size_t i = 0; i < members; ++i) looks_at_.push_back(i);",
        RECIPE,
    ),
    (
        "core/panel/panel.hpp",
        "if (std::isnan(outputs_[place.first + k])) asleep_[place.first + k] = place.seat->why_asleep(k);",
        "",
        PANEL + "test_a_guest_that_says_nothing_once_sleeps_for_good",
    ),
    (
        "core/panel/panel.hpp",
        "!numbers_ || answer.after.range() > 0.0",
        "true",
        TESTS + "test_extremes.py::test_labels_that_never_change " + THEOREM,
    ),
    ("core/panel/panel.hpp", "if (first) first_ = *y;", "", RECIPE),
    (
        "core/panel/panel.hpp",
        "place.offset < 0 ? 0.0 : prediction(place.offset)",
        "0.0",
        PANEL + "test_a_member_upon_another_adds_to_its_prediction",
    ),
    (
        "core/panel/seat.hpp",
        "row.was_too_wide || !settings_.fitted(row.dense)",
        "row.too_wide || !settings_.fits(row.dense)",
        WIDE,
    ),
    (
        "core/dense/dense.hpp",
        "8.0 * nonzeros >= static_cast<double>(d)",
        "true",
        PANEL + "test_trees_sleep_where_rows_are_sparse",
    ),
    (
        "core/dense/columns.hpp",
        "for (std::size_t j = 0; j < slots_.size(); ++j) nonzeros_ += count_[j];",
        "",
        PANEL + "test_trees_take_a_thousand_columns_where_rows_are_not_sparse",
    ),
    (
        "core/panel/history.hpp",
        "return t < 1.5 * power && power > 1.0 ? 1.5 * power : 2.0 * power;",
        "return 2.0 * power;",
        PANEL + "test_standing_says_what_was_lost",
    ),
    (
        "core/panel/scores.hpp",
        "i < K && voices.sleeps(i)",
        "false",
        PANEL + "test_a_guest_that_says_nothing_once_sleeps_for_good",
    ),
    ("core/linear/pool.hpp", "told.now.N += h * told.squares;", "told.now.N += told.squares;", RECIPE),
    ("core/linear/pool.hpp", "ratio[i + l] = before / most;", "ratio[i + l] = Number{1};", RECIPE),
    ("core/linear/pooled.hpp", "numbers_ ? 2.0 * g : g", "g", RECIPE),
    (
        "src/afterwit/panel/auto.py",
        "return self._take(first) if weight != 0.0 else None",
        "return self._take(first)",
        AUTO + "test_nothing_is_told_by_a_row_that_is_not_learned",
    ),
    (
        "src/afterwit/panel/auto.py",
        'other.__dict__ | {"task": self.task, "_lock": self._lock}',
        'other.__dict__ | {"_lock": self._lock}',
        AUTO + "test_a_state_of_another_task_is_refused",
    ),
    (
        "src/afterwit/panel/auto.py",
        "player = AdaNormalHedgeTV if self.drift else AdaNormalHedge\n",
        "player = AdaNormalHedge\n",
        AUTO + "test_settings_make_another_learner",
    ),
    ("src/afterwit/panel/combiners.py", "self.player._rule, numbers", "self.player._rule, False", RECIPE),
    (
        "src/afterwit/panel/panel.py",
        "yield from ((f",
        "_ = ((f",
        PANEL + "test_guests_of_a_panel_on_a_panel",
    ),
    (
        "src/afterwit/panel/panel.py",
        'check_values(b, "X", 1)',
        "pass",
        PANEL + "test_wrong_rows_reach_no_guest",
    ),
    (
        "src/afterwit/panel/panel.py",
        "k - pooled + min(1, pooled)",
        "k",
        PANEL + "test_a_member_upon_another_adds_to_its_prediction",
    ),
    (
        "src/afterwit/panel/standing.py",
        "member.square is not None and member.rows == itself.rows",
        "member.square is not None",
        TESTS + "test_theorem.py::test_who_slept_is_not_the_best",
    ),
    ("src/afterwit/panel/standing.py", 'mixing["C"], best) * mixing["unit"]', 'mixing["C"], best)', THEOREM),
]
