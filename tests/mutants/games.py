"""Mutants of separation, of games and of bandits."""

SEPARATION = "tests/games/test_separation.py"
FORMULA = f"'{SEPARATION}::test_the_optimistic_perceptron_is_algorithm_1[0.0-300-6]'"
PASSES = f"{SEPARATION}::test_the_cyclic_perceptron_is_the_perceptron_of_many_passes"

GAME = "tests/games/test_zero_sum.py::test_it_is_the_formula"

DRIFTING = "tests/games/test_drifting_game.py"

BANDIT = "tests/bandits/test_exp3.py::test_it_is_algorithm_24"

MUTANTS = [
    ("core/bandits/exp3.hpp", "loss / p[arm]", "loss", BANDIT),
    ("core/bandits/exp3.hpp", "std::has_single_bit(rounds + 2)", "std::has_single_bit(rounds + 1)", BANDIT),
    ("core/bandits/exp3.hpp", "(1.0 + N * root_e)", "(N * root_e)", BANDIT),
    (
        "src/afterwit/bandits/exp3.py",
        "        self._native = native\n        return BanditHistory",
        "        return BanditHistory",
        "tests/bandits/test_exp3.py::test_run_is_draw_and_update_and_looking_changes_nothing",
    ),
    (
        "src/afterwit/potentials/minimax.py",
        "hull = np.maximum(hull, chord)",
        "hull = chord",
        f"{DRIFTING}::test_the_recursion_is_equation_2_1",
    ),
    (
        "src/afterwit/potentials/minimax.py",
        "(at[z] - hull) / (self.drift - z)",
        "(at[z] - hull) / (2.0 * (self.drift - z))",
        f"{DRIFTING}::test_boost_by_majority_comes_out",
    ),
    (
        "src/afterwit/games/drifting_game.py",
        "self.player.update(steps - steps.min())",
        "self.player.update(np.maximum(steps, 0.0))",
        f"{DRIFTING}::test_theorem_1_both_ways",
    ),
    (
        "src/afterwit/games/drifting_game.py",
        "self.potential.log_weight(self.positions, t)",
        "-self.potential.log_weight(self.positions, t)",
        f"{DRIFTING}::test_players_come_out_to_the_last_digit",
    ),
    ("core/games/zero_sum.hpp", "column_.rate = -2.0 / ratio", "column_.rate = -2.0 * ratio", GAME),
    ("core/games/zero_sum.hpp", "(ahead.empty() ? 0.0 : ahead[i])", "0.0", GAME),
    ("core/games/zero_sum.hpp", "out[j] += side.weights[some[k]] * a[j];", "", GAME),
    ("core/games/optimistic_perceptron.hpp", "2.0 * pseudo_[k] - before_[k]", "pseudo_[k]", FORMULA),
    ("core/games/optimistic_perceptron.hpp", "total *= factor;", "", FORMULA),
    ("core/games/optimistic_perceptron.hpp", "S_[i] += margin;", "S_[i] = margin;", FORMULA),
    ("core/games/optimistic_perceptron.hpp", "for (double& x : next_) x *= factor;", "", FORMULA),
    (
        "core/games/cyclic_perceptron.hpp",
        "points_->dot(at_, w_.data()) <= 0.0",
        "points_->dot(at_, w_.data()) < 0.0",
        PASSES,
    ),
    ("core/games/cyclic_perceptron.hpp", "visits = (visits + n - 1) / n * n;", "", PASSES),
    ("core/games/cyclic_perceptron.hpp", "clean_ = mistaken ? 0 : clean_ + 1;", "clean_ = clean_ + 1;", PASSES),
    (
        "src/afterwit/games/points.py",
        "np.add.reduceat(values[order], first)",
        "values[kept]",
        f"{SEPARATION}::test_a_feature_that_comes_twice_in_a_row_is_added_up",
    ),
    (
        "core/games/points.hpp",
        "return equal(i, j, -1.0);",
        "return equal(i, j, 1.0);",
        f"{SEPARATION}::test_odd_points_have_a_sentence",
    ),
]
