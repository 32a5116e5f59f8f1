"""Mutants of what a report says: the baseline, what is counted of labels, the curve."""

LEDGER, BASELINE, CONFUSION = (f"core/learning/{name}.hpp" for name in ("ledger", "baseline", "confusion"))
BIND, ACCOUNT = "core/learning/learning_bind.cpp", "src/afterwit/learning/account.py"
TESTS = "tests/learning/test_baseline.py::"
TWO, NUMBERS, SEVERAL = (TESTS + name for name in ("test_two_labels", "test_numbers", "test_several_classes"))
LATE = f"{TESTS}test_classes_whose_labels_come_late"
WINDOW = TESTS + "test_the_window_has_its_own"
MANY = TESTS + "test_many_classes_leave_some_out"
CURVE_OF_WINDOWS = TESTS + "test_the_curve_has_that_of_the_window"
CURVE = "tests/learning/test_report.py::test_the_curve_is_evenly_spread_and_at_powers_of_two"
RESUMED = TESTS + "test_an_account_goes_on_from_the_state_of_another"
SHOWN, PLOTS = "tests/shown/test_html.py::", "tests/plots/test_plots.py::"
#: Of RunningMean::add.
MEAN = "\n    ".join(
    (
        "const double before = y - mean_;",
        "mean_ += h / (W + h) * before;",
        "spread_ += h * before * (y - mean_);",
    )
)
#: What is said of a row, and what is learned from it then.
SAYS, LEARNS = "means[r] = mean_.mean();", "mean_.add(y[r], h == nullptr ? 1.0 : h[r], W);"
OLDER = TESTS + "test_an_account_of_an_older_version_has_no_baseline"
MUTANTS = [
    (BASELINE, "if (!(h > 0.0)) return;\n    " + MEAN, MEAN, NUMBERS),
    (BASELINE, "spread_ += h * before * (y - mean_);", "spread_ += h * before * before;", NUMBERS),
    (BASELINE, "return positive() >= negative();", "return positive() > negative();", TWO),
    (BASELINE, "(own[i] + 0.5) / (all[i] + 1.0)", "(own[i] + 1.0) / (all[i] + 2.0)", TWO),
    (BASELINE, "0.5 * (met_ + 1.0)", "0.5 * met_", SEVERAL),
    (BASELINE, "met_ += own.came > 0.0 ? 0.0 : 1.0;", "met_ += 1.0;", SEVERAL),
    (BASELINE, "own.came > all_[usual_].came", "own.came >= all_[usual_].came", LATE),
    (BASELINE, "[](const Tally& t) { return t.came > 0.0; }", "[](const Tally&) { return true; }", RESUMED),
    (CONFUSION, "if (came >= most || said >= most) return;", "if (said >= most) return;", MANY),
    (CONFUSION, "counts_[came * size_ + said] += h;", "counts_[said * size_ + came] += h;", SEVERAL),
    (LEDGER, f"{SAYS}\n        {LEARNS}", f"{LEARNS} {SAYS}", NUMBERS),
    (LEDGER, "row.baseline_errors = tallies_.usual() == came ? 0.0 : h;", "", SEVERAL),
    (LEDGER, "best == code && best < width", "best == code", f"{TESTS}test_who_knows_no_class_is_wrong_of_a_stranger"),
    (LEDGER, "rows % stride_ != 0 && !std::has_single_bit(rows)", "rows % stride_ != 0", CURVE),
    (LEDGER, "rows > most_points * stride_", "rows >= most_points * stride_", CURVE),
    (LEDGER, "while (totals_.rows > static_cast<double>(most_points * stride_)) stride_ *= 2;", "", RESUMED),
    (LEDGER, "window_curve_[kept] = window_curve_[i];", "", CURVE_OF_WINDOWS),
    ("core/learning/window.hpp", "sum.baseline_errors += row.baseline_errors;", "", WINDOW),
    (BIND, "self.mean().set(unknown, unknown);", "self.mean().set(0.0, 0.0);", OLDER),
    (BIND, "known ? static_cast<std::size_t>(usual) : Tallies::nobody", "Tallies::nobody", RESUMED),
    (
        "src/afterwit/shown/html.py",
        "{escape(printable(word))}",
        "{printable(word)}",
        f"{SHOWN}test_names_are_no_markup",
    ),
    (
        "src/afterwit/shown/html.py",
        "{escape(printable(words))}",
        "{words}",
        f"{SHOWN}test_words_are_escaped_where_they_stand",
    ),
    (
        "src/afterwit/plots/curve.py",
        "total[ends] - total[starts]",
        "total[ends]",
        f"{PLOTS}test_lately_is_over_the_last_rows",
    ),
    (
        ACCOUNT,
        "came if weight is None else came[weight > 0.0]",
        "came",
        f"{TESTS}test_classes_of_weight_zero_were_not_met",
    ),
]
