"""Slips in what a model remembers of its table, and in what is said of rows."""

SCHEMA, ANSWERS = "src/afterwit/schema.py", "src/afterwit/learning/answers.py"
SOURCES, PREDICT = "src/afterwit/learning/sources.py", "src/afterwit/cli/predict.py"
CSV, TABLES, MODEL = "src/afterwit/streams/csv.py", "src/afterwit/streams/tables.py", "src/afterwit/storage/model.py"
PROBABILITIES = "core/learning/probabilities.hpp"
KNOWS = "tests/test_schema.py::test_a_model_knows_what_it_was_taught"
KEPT = "tests/test_schema.py::test_it_is_kept"
AGAIN = "tests/test_schema.py::test_two_tables_one_after_the_other"
UNLIKE = "tests/test_schema.py::test_what_is_missing_and_what_is_new"
IGNORED = "tests/test_schema.py::test_what_a_model_ignores_may_be_missing"
OTHER = "tests/cli/test_predict.py::test_other_columns_are_said_once_or_refused"
GOES_ON = "tests/cli/test_predict.py::test_what_goes_on_says_other_columns_and_missing_weights"
CALLED_ALIKE = "tests/cli/test_predict.py::test_ids_called_like_what_is_predicted_are_refused"
NO_ID = "tests/cli/test_from.py::test_what_was_learned_is_no_id_from_now_on"
COME_AND_GO = "tests/cli/test_forecasts.py::test_experts_come_and_go_between_files"
NEVER_WOKE = "tests/experts/test_mixture.py::test_who_never_woke_is_no_competitor"
NONE = "tests/cli/test_predict.py::test_no_rows_are_a_header_alone"
MANY = "tests/learning/test_answers.py::test_many_rows_are_one_by_one"
FORMULA = "tests/learning/test_answers.py::test_probabilities_are_those_of_the_formula"
THRESHOLD = "tests/learning/test_answers.py::test_a_threshold"
ZERO = "tests/learning/test_lesson.py::test_labels_and_probabilities"

MUTANTS = [
    (SCHEMA, "name if name in columns else None", "name", KNOWS),
    (SCHEMA, "rare = before ^ after | ", "rare = ", AGAIN),
    (SCHEMA, "| set(self.sometimes)", "", AGAIN),
    (SCHEMA, " and name not in rare]", "]", UNLIKE),
    (SCHEMA, "{*self.columns, *other}", "{*self.columns}", UNLIKE),
    (MODEL, "            model.schema = schema\n", "            pass\n", KEPT),
    (CSV, "            self.target = known.target\n", "            pass\n", KNOWS),
    (TABLES, "            target = known.target\n", "            pass\n", KNOWS),
    (SOURCES, "name not in ignore and", "", IGNORED),
    (SOURCES, "(not keep or name in keep)", "True", IGNORED),
    (PREDICT, "            compare_columns(model, stream, args.strict, labelled=False)\n", "", OTHER),
    ("src/afterwit/cli/taught.py", "if labelled and taught.weight", "if taught.weight", GOES_ON),
    ("src/afterwit/cli/learn.py", "at_last=True, taught=taught", "at_last=True", GOES_ON),
    ("src/afterwit/cli/predictions.py", "            if name in found:\n", "            if False:\n", CALLED_ALIKE),
    ("src/afterwit/cli/continued.py", "(taught.target, taught.weight, *", "(*", NO_ID),
    ("src/afterwit/cli/forecasts.py", "*(table.unread if model.player.sleeps else ())", "", COME_AND_GO),
    ("src/afterwit/experts/hindsight.py", "        history = history.awake()\n", "        pass\n", NEVER_WOKE),
    (PREDICT, 'yield before or b""', 'yield b""', NONE),
    (ANSWERS, "probabilities(model, raw) >= threshold", "probabilities(model, raw) > threshold", THRESHOLD),
    (ANSWERS, "of_margin(raw) >= threshold", "of_margin(raw) > threshold", THRESHOLD),
    (ANSWERS, "bool(raw >= 0.0 if", "bool(raw > 0.0 if", ZERO),
    (ANSWERS, "positive = margins >= 0.0", "positive = margins < 0.0", MANY),
    (PROBABILITIES, "afterwit::exp(log_sigmoid(m[k]) - most)", "afterwit::exp(m[k] - most)", FORMULA),
    (PROBABILITIES, "log_sigmoid(m[k]) - most", "log_sigmoid(m[k])", FORMULA),
]
