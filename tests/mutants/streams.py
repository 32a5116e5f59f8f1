"""Slips in streams, parsers, lessons, reports and checks, and the tests that notice them."""

STREAMS, LEARNING, CHECKS = "src/afterwit/streams/", "src/afterwit/learning/", "src/afterwit/checks/"
KEY, CACHE, CHAIN = "tests/streams/test_cache_key.py", "tests/streams/test_cache.py", "tests/streams/test_chain.py"
LESSON, LIMIT = "tests/learning/test_lesson.py", "tests/learning/test_limit_holdout_window.py"
REPORT, COLLISIONS = "tests/learning/test_report.py", "tests/learning/test_collisions.py"
OPTION, WISH = f"{KEY}::test_another_value_of_one_option", f"{KEY}::test_another_wish_of_the_learner"
FILE = f"{KEY}::test_a_file_of_another_size_time_or_inode"
DICTS = f"{LESSON}::test_a_learner_of_dicts_alone_gets_every_row_with_its_importance"
ADDED_UP = f"{LESSON}::test_a_learner_of_dicts_alone_gets_features_of_one_name_added_up"
WRAPPED = f"{LESSON}::test_a_learner_that_wraps_one_of_ours_gets_features_by_name"
GONE = f"{LESSON}::test_a_batch_is_gone_before_the_next_is_made"
GREW = "tests/streams/test_csv.py::test_a_last_record_that_grew_is_refused"
RETURNED = "tests/streams/test_vw.py::test_resuming_from_every_position"
SKIPPED = f"{LESSON}::test_every_report_counts_the_lines_that_were_skipped"
ASKED = f"{LESSON}::test_learners_compared_get_what_each_of_them_asks_for"
TWO_LABELS = f"{LESSON}::test_where_one_learns_two_labels_all_do"
FIRST_ROWS = f"{LIMIT}::test_the_first_rows_of_a_batch_have_all_that_is_theirs"
RESUMED = f"{LIMIT}::test_left_and_resumed"
CACHES = f"{CHAIN}::test_files_that_are_not_there"
UNSEEN = "tests/streams/test_ahead.py::test_a_signal_that_does_not_wake_the_consumer_is_seen"
ORDER = f"{CHAIN}::test_files_in_another_order_are_refused"
BITES = "tests/checks/test_checks.py::test_a_check_bites"
PLAYERS = "tests/checks/test_player_checks.py::test_a_check_bites"
SETTINGS = "tests/linear/test_expansion.py::test_wrong_settings"
SAME = "tests/test_registry.py::test_what_is_not_the_same"
UTF8 = "tests/text/test_svmlight.py::test_a_class_is_utf8_where_python_says_so"
ODD = "tests/linear/test_slots.py::test_odd_values_are_found_wherever_they_stand"
MEET = "tests/linear/test_slots.py::test_two_that_meet_are_found_wherever_they_stand"
INDEX = "tests/linear/test_slots.py::test_weights_by_index"
BESIDE = "tests/streams/test_tables.py::test_labels_beside_the_table_stay_with_their_rows_when_it_is_resumed"
KEYS = "tests/text/test_mappings.py::test_a_name_keeps_its_key_for_ever"
FOUND, UNDECIDED = "tests/streams/test_found_labels.py", "tests/learning/test_undecided.py"
ALIKE = f"{FOUND}::test_every_input_decides_alike"
DRIPS = f"{FOUND}::test_standard_input_loses_nothing_and_waits_for_the_first_batch"
TOLD = f"{UNDECIDED}::test_it_learns_as_if_it_had_been_told_before"

MUTANTS = [
    # Lessons and comparisons
    (LEARNING + "lesson.py", "if weight != 0.0:", "if weight != 1.0:", DICTS),
    (LEARNING + "lesson.py", "if weight != 0.0:", "if True:", DICTS),
    (LEARNING + "lesson.py", "model.learn_one(x, y, weight)", "model.learn_one(x, y)", DICTS),
    (LEARNING + "lesson.py", "return Wants(names=True)", "return Wants()", WRAPPED),
    (LEARNING + "lesson.py", "wants if takes_batches else replace(wants, names=True)", "wants", WRAPPED),
    (LEARNING + "pieces.py", "batch.groups[a:b]", "batch.groups", FIRST_ROWS),
    (LEARNING + "pieces.py", "batch.names[a:b]", "batch.names[first:end]", FIRST_ROWS),
    (LEARNING + "lesson.py", "([float(loss) for loss in state[name]] for", "([] for", RESUMED),
    (LEARNING + "lesson.py", 'for name in ("later", "later_held"))', 'for name in ("later", "later"))', RESUMED),
    (LEARNING + "lesson.py", 'self.skipped = max(self.skipped, getattr(self.stream, "skipped", 0))', "pass", SKIPPED),
    (LEARNING + "passes.py", 'int(getattr(stream, "skipped", 0))', "0", SKIPPED),
    (LEARNING + "comparison.py", 'int(getattr(self.stream, "skipped", 0))', "0", SKIPPED),
    (LEARNING + "comparison.py", "all(want.packed", "any(want.packed", ASKED),
    (LEARNING + "comparison.py", "any(want.groups", "all(want.groups", ASKED),
    (LEARNING + "comparison.py", "kind=labels_of(model).kind", "kind=self.labels.kind", TWO_LABELS),
    (LEARNING + "comparison.py", "len(set(wanted)) > 1", "len(kinds) > 1", TWO_LABELS),
    # Reports
    (
        LEARNING + "report.py",
        '(totals["signs"] == 1.0 and totals["rows"] > 0.0)',
        'totals["signs"] == 1.0',
        f"{REPORT}::test_a_report_without_rows_knows_nothing",
    ),
    (
        LEARNING + "lines.py",
        "enumerate(report.later_passes, 2)",
        "enumerate(report.later_passes, 1)",
        f"{REPORT}::test_what_people_read",
    ),
    (
        LEARNING + "lines.py",
        "None if report.log_loss == report.mean_loss else report.log_loss",
        "report.log_loss",
        f"{REPORT}::test_what_people_read",
    ),
    (LEARNING + "report.py", 'if name != "_look"', "if name", f"{REPORT}::test_a_report_is_pickled_without_its_stream"),
    # The key of a cache
    (STREAMS + "text.py", '"format": self.format.name if self.format else None,', "", OPTION),
    (STREAMS + "text.py", '"on_error": self.on_error,', "", OPTION),
    (STREAMS + "text.py", '"classes": self.classes,', "", OPTION),
    (STREAMS + "text.py", '"batch_rows": self.batch_rows,', "", OPTION),
    (STREAMS + "csv.py", '"target": self.target,', "", OPTION),
    (STREAMS + "csv.py", '"weight": self.weight,', "", OPTION),
    (STREAMS + "csv.py", '"separator": self.separator,', "", OPTION),
    (STREAMS + "csv.py", '"on_error": self.on_error,', "", OPTION),
    (STREAMS + "csv.py", '"classes": self.classes,', "", OPTION),
    (STREAMS + "csv.py", '"batch_rows": self.batch_rows,', "", OPTION),
    (STREAMS + "cache.py", '"library": version,', "", f"{KEY}::test_another_version_of_the_library"),
    (STREAMS + "cache.py", "[labels.kind, labels.classes]", "[labels.kind]", WISH),
    (STREAMS + "cache.py", "[labels.kind, labels.classes]", "[labels.classes]", WISH),
    (STREAMS + "cache.py", "astuple(wants)", "astuple(wants)[:3]", WISH),
    (
        STREAMS + "cache.py",
        "found.st_size, found.st_mtime_ns, found.st_ino",
        "found.st_size, found.st_mtime_ns, 0",
        FILE,
    ),
    (STREAMS + "cache.py", "found.st_size, found.st_mtime_ns, found.st_ino", "found.st_size, 0, found.st_ino", FILE),
    # Which labels a stream has
    (STREAMS + "labels.py", "found <= {-1, 1} or found <= {0, 1}", "found <= {-1, 0, 1}", ALIKE),
    (STREAMS + "labels.py", "key=_negative_first if words else None", "key=_negative_first", ALIKE),
    (STREAMS + "labels.py", " and abs(number) <= LARGEST_CLASS", "", ALIKE),
    (STREAMS + "labels.py", "code = self._codes.get(number_or_word(label))", "pass", ALIKE),
    (STREAMS + "labels.py", "str(name).lower() not in NEGATIVE", "str(name) not in NEGATIVE", ALIKE),
    (
        STREAMS + "chain.py",
        "labels = decision or labels",
        "pass",
        f"{FOUND}::test_files_keep_to_what_the_first_has_decided",
    ),
    (STREAMS + "chain.py", "decision = decision or batch.labels", "decision = batch.labels", ALIKE),
    (STREAMS + "text_pass.py", "within and not self._blocks.longer(lines + 1)", "within", DRIPS),
    (
        STREAMS + "text_pass.py",
        "len(parsed.y) == most or parsed.stopped",
        "parsed.stopped",
        f"{FOUND}::test_a_pipe_is_not_waited_for_when_there_are_rows_enough",
    ),
    (STREAMS + "cache.py", "map(partial(replace, labels=decision), batches)", "batches", ALIKE),
    (
        "core/text/labels.hpp",
        "as_written_ ? Fault::label_not_number : read_integer(token, integer)",
        "read_integer(token, integer)",
        "tests/text/test_svmlight.py::test_labels",
    ),
    (
        LEARNING + "lesson.py",
        "            self.first = self.current = self._ledgers(self.model)",
        "            pass",
        TOLD,
    ),
    (
        LEARNING + "lesson.py",
        "self.model, self.labels = model, labels_of(model)",
        "self.model = model",
        f"{UNDECIDED}::test_left_after_any_batch_and_resumed",
    ),
    (
        LEARNING + "comparison.py",
        'if labels.kind != "auto"]',
        "]",
        f"{UNDECIDED}::test_compared_with_learners_that_have_decided_those_win",
    ),
    (
        LEARNING + "passes.py",
        "        model = registry.fresh(model)",
        "        pass",
        f"{UNDECIDED}::test_it_is_evaluated_and_still_undecided",
    ),
    # Where a stream goes on
    (STREAMS + "text_pass.py", "or (not ended and self._blocks.block)", "", GREW),
    (STREAMS + "text_pass.py", "has_open_classes or (self._file", "False or (self._file", RETURNED),
    (LEARNING + "lesson.py", "del whole, batch, piece", "del whole", GONE),
    (
        STREAMS + "cache.py",
        "if batch.position != last:",
        "if False:",
        f"{CACHE}::test_a_source_that_changes_where_its_cache_is_damaged",
    ),
    (
        STREAMS + "cache.py",
        "if start is not None and last == start:",
        "if start is not None:",
        f"{CACHE}::test_no_row_is_given_twice_where_the_cache_of_a_resumed_run_is_damaged",
    ),
    (STREAMS + "ahead.py", "timeout=PATIENCE", "", UNSEEN),
    (STREAMS + "chain.py", "not path.endswith(ENDING) and ", "", CACHES),
    (STREAMS + "chain.py", 'zlib.crc32(last.crc.to_bytes(4, "little"), before.crc)', "last.crc ^ before.crc", ORDER),
    (
        STREAMS + "chain.py",
        'zlib.crc32(last.crc.to_bytes(4, "little"), before.crc)',
        'zlib.crc32(last.crc.to_bytes(4, "little")) ^ before.crc',
        ORDER,
    ),
    (STREAMS + "chain.py", "lines[:KEPT_BAD_LINES]", "lines", f"{CHAIN}::test_errors_name_their_file"),
    (STREAMS + "arrays.py", "row.get(name, 0.0) + value", "value", ADDED_UP),
    (
        STREAMS + "arrays.py",
        'real_array("X", data[:end])',
        'real_array("X", data)',
        "tests/streams/test_arrays.py::test_csr_with_longer_arrays_than_it_needs",
    ),
    (STREAMS + "arrow_tables.py", "self._at + skip, self._at + end", "self._at, self._at + end", BESIDE),
    # Features, and what is the same
    (
        "src/afterwit/features.py",
        'words.rpartition(":")',
        'words.partition(":")',
        "tests/linear/test_expansion.py::test_what_is_just_allowed",
    ),
    ("src/afterwit/features.py", "0 <= self.seed < 2**64", "0 <= self.seed <= 2**64", SETTINGS),
    ("src/afterwit/registry/plain.py", "a.dtype == b.dtype and a.shape", "a.shape", SAME),
    ("src/afterwit/registry/plain.py", "and a.shape == b.shape and", "and", SAME),
    # Checks that would find nothing
    (CHECKS + "shared.py", "ensure(callable(getattr(model, method, None))", "ensure(True", BITES),
    (CHECKS + "shared.py", "ensure(type(model).__name__ in shown", "ensure(True", BITES),
    (CHECKS + "steps.py", "for known in ([], rows):", "for known in ([],):", BITES),
    (CHECKS + "steps.py", "bool(np.isfinite(prediction(learner, {})).all())", "True", BITES),
    (CHECKS + "steps.py", "ensure(unchanged(holds(alone), learner)", "ensure(True", BITES),
    (CHECKS + "steps.py", "ensure(same(many, single)", "ensure(True", BITES),
    (CHECKS + "shared.py", "ensure(same(registry.settings(copy), settings)", "ensure(True", BITES),
    (CHECKS + "shared.py", "ensure(not same(taught, new)", "ensure(True", BITES),
    (CHECKS + "shared.py", "ensure(kind.unchanged(taught, copy)", "ensure(True", BITES),
    (CHECKS + "shared.py", "ensure(kind.unchanged(taught, model)", "ensure(True", BITES),
    (
        CHECKS + "shared.py",
        'ensure(kind.unchanged(kind.holds(model), copy), f"{name(model)} learns',
        'ensure(True, f"{name(model)} learns',
        BITES,
    ),
    (
        CHECKS + "learners.py",
        'ensure(unchanged(holds(learner), copy), f"{name(learner)} depends',
        'ensure(True, f"{name(learner)} depends',
        BITES,
    ),
    (
        CHECKS + "wrong_input.py",
        'ensure(unchanged(before, learner), f"{name(learner)} refused the value',
        'ensure(True, f"{name(learner)} refused the value',
        BITES,
    ),
    (CHECKS + "wrong_input.py", "ensure(bool(np.isfinite(prediction(learner, x)).all())", "ensure(True", BITES),
    (CHECKS + "wrong_input.py", "for few in ([], [y], [y, y, y]):", "for few in ([], [y]):", BITES),
    (CHECKS + "players.py", "ensure(same(first, again)", "ensure(True", PLAYERS),
    (CHECKS + "players.py", "ensure(len(history.loss) == size", "ensure(True", PLAYERS),
    (CHECKS + "players.py", "ensure(math.isclose(loss, expected, rel_tol=1e-9, abs_tol=1e-9)", "ensure(True", PLAYERS),
    (CHECKS + "players.py", "ensure(same(PLAYERS.holds(alone), PLAYERS.holds(player))", "ensure(True", PLAYERS),
    (CHECKS + "players.py", "for confidence in (-0.5, 1.5, math.nan):", "for confidence in (1.5, math.nan):", PLAYERS),
    (
        CHECKS + "shared.py",
        'ensure(kind.unchanged(before, model), f"{name(model)} refused',
        'ensure(True, f"{name(model)} refused',
        PLAYERS,
    ),
    (
        CHECKS + "players.py",
        'ensure(PLAYERS.unchanged(before, player), f"{name(player)} learned',
        'ensure(True, f"{name(player)} learned',
        PLAYERS,
    ),
    (CHECKS + "players.py", "ensure(abs(float(p.sum()) - awake) < 1e-9", "ensure(True", PLAYERS),
    (CHECKS + "players.py", "ensure(not weights(player, np.zeros(losses.shape[1])).any()", "ensure(True", PLAYERS),
    # The core
    (
        "core/rows/expansion.hpp",
        "given_values[i] == 0.0",
        "false",
        "tests/linear/test_expansion.py::test_a_word_of_value_0_stands_between_no_others",
    ),
    (
        "core/text/columns.hpp",
        "strings.has(c)",
        "true",
        "tests/streams/test_tables.py::test_a_category_that_is_missing",
    ),
    ("core/text/utf8.hpp", "lead < 0xC2 || lead > 0xF4", "lead < 0xC0 || lead > 0xF4", UTF8),
    ("core/text/utf8.hpp", "if (lead == 0xE0) low = 0xA0;", "", UTF8),
    ("core/text/utf8.hpp", "if (lead == 0xED) high = 0x9F;", "", UTF8),
    ("core/text/utf8.hpp", "if (lead == 0xF0) low = 0x90;", "", UTF8),
    ("core/text/utf8.hpp", "if (lead == 0xF4) high = 0x8F;", "", UTF8),
    ("core/rows/plain_row.hpp", "before = slot;", "", MEET),
    (
        "core/rows/plain_row.hpp",
        "odd |= static_cast<__mmask16>(odd_low | odd_high << lanes / 2);",
        "odd |= static_cast<__mmask16>(odd_low);",
        ODD,
    ),
    (
        "core/numeric/number.hpp",
        "fits = fits && index <= UINT32_MAX;",
        "fits = fits && index < UINT32_MAX;",
        "tests/text/test_svmlight.py::test_good_lines",
    ),
    ("core/text/labels.hpp", "!two_signs", "true", "tests/text/test_svmlight.py::test_labels"),
    (
        "core/text/labels.hpp",
        "std::abs(value) > 0x1p53",
        "std::abs(value) > 0x1p62",
        "tests/text/test_svmlight.py::test_bad_lines",
    ),
    ("core/rows/row.hpp", "n += std::fabs(value) >= FLT_MIN;", "n += std::fabs(value) > 0;", ODD),
    ("core/rows/features.hpp", "key_bits_ < (1ull << bits_)", "key_bits_ <= (1ull << bits_)", INDEX),
    ("core/rows/names.hpp", "hash_bytes(name, 1) | 1", "hash_bytes(name, 2) | 1", KEYS),
    (
        "core/rows/names.hpp",
        "h = fold(h ^ word, 0xE7037ED1A0B428DBull) + word;",
        "h = fold(h ^ word, 0xE7037ED1A0B428DBull);",
        KEYS,
    ),
    (
        "core/rows/collisions.hpp",
        "out.worst.back().size() < most",
        "true",
        f"{COLLISIONS}::test_of_many_in_one_slot_and_many_such_slots_some_are_named",
    ),
    (
        "core/python/mappings.hpp",
        "is_column ? cells_.use(name) : CellUse::plain",
        "cells_.use(name)",
        "tests/text/test_mappings.py::test_a_column_of_text_is_not_looked_for_inside_a_namespace",
    ),
    (
        "core/learning/ledger.hpp",
        "if (y != 1.0 && y != -1.0) totals_.signs = 0.0;",
        "if (y != 1.0 && y != -1.0 && h > 0.0) totals_.signs = 0.0;",
        f"{REPORT}::test_numbers_that_are_all_signs_have_an_error_rate",
    ),
    (
        "core/learning/ledger.hpp",
        "*error = 0.5 * ties / (positives * negatives);",
        "*error = 0.25 * ties / (positives * negatives);",
        f"{REPORT}::test_the_area_may_be_off_by_half_of_what_shares_a_bin",
    ),
    (
        "core/learning/window.hpp",
        "rows_ = std::move(rows);\n    oldest_ = 0;",
        "rows_ = std::move(rows);",
        f"{LIMIT}::test_a_ledger_goes_on_from_the_state_of_another",
    ),
]
