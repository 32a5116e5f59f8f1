"""Slips in reading JSON lines, and the tests that notice them."""

SCANNER, PARSER, KEYS = "core/text/json_scanner.hpp", "core/text/json.hpp", "core/text/json_keys.hpp"
STREAM, MAPPINGS = "src/afterwit/streams/json_lines.py", "core/python/mappings.hpp"
TEXT, STREAMS = "tests/text/test_json.py", "tests/streams/test_json_lines.py"
VALUES, NUMBERS = f"{TEXT}::test_values_and_what_is_none", f"{TEXT}::test_numbers_are_those_of_python_to_the_last_bit"
DEEP = f"{TEXT}::test_what_is_not_read_is_checked_without_recursion"
ROWS, MET = f"{TEXT}::test_rows", "tests/streams/test_columns_met.py"
AFTER = f"{MET}::test_after_any_number_of_rows"
LEARNED = f"{MET}::test_a_model_was_taught_the_rows_that_it_learned"
REFUSED = "tests/text/test_mappings.py::test_what_is_not_a_feature_is_refused"

MUTANTS = [
    # What is a string, and what a number
    (SCANNER, "low < 0xDC00 || low >= 0xE000", "low >= 0xE000", VALUES),
    (SCANNER, "ascii = ascii && (high & (stops ^ (stops - 1))) == 0;", "", VALUES),
    (SCANNER, "0x10000 + ((code - 0xD800) << 10)", "((code - 0xD800) << 10)", ROWS),
    (SCANNER, "(*p == '0' && p + 1 != end && is_digit(p[1]))", "false", NUMBERS),
    (SCANNER, "(c + 1 == p || !is_digit(c[1]))", "c + 1 == p", NUMBERS),
    (SCANNER, "depth == deepest", "depth + 1 == deepest", DEEP),
    (SCANNER, "is_object[depth - 1] ? '}' : ']'", "is_object[0] ? '}' : ']'", DEEP),
    # A key is told from those that are like it, and comes once
    (PARSER, "open[size + 1] == '\"'", "true", ROWS),
    (PARSER, "key->row == row_", "false", VALUES),
    (
        PARSER,
        "key.group = space == nullptr ? namespace_hash(key.name) : space->group;",
        "key.group = namespace_hash(key.name);",
        ROWS,
    ),
    (PARSER, "for (JsonKey* key : met_) key->rows.forget(rows_);", "", f"{MET}::test_bad_rows_tell_nothing"),
    ("core/text/columns_met.hpp", "if (unbroken == row) unbroken = row + 1;", "unbroken = row + 1;", AFTER),
    ("core/text/vw_namespaces.hpp", "each.rows.forget(rows_);", "", f"{MET}::test_bad_rows_tell_nothing"),
    (PARSER, "labels_.shrink(known);", "", f"{TEXT}::test_a_class_of_a_dropped_line_is_forgotten"),
    (PARSER, 'number.text == "-0" ? "0" : number.text', "number.text", VALUES),
    # The stream, and dicts beside it
    ("src/afterwit/schema.py", "if unbroken < rows", "if unbroken <= rows", AFTER),
    ("src/afterwit/streams/text_pass.py", "rows - self.unseen", "rows", f"{MET}::test_a_lesson_that_goes_on"),
    ("src/afterwit/learning/lesson.py", "known_after(self.stream, self.rows)", "known_of(self.stream)", LEARNED),
    ("src/afterwit/streams/cache.py", "self._stream.schema_told(self._met, rows)", "self._stream.schema", LEARNED),
    ("src/afterwit/streams/chain.py", "max(rows - starts[file], 0)", "rows", LEARNED),
    (
        STREAM,
        "ignore=(*wants.ignore, *self._left_out)",
        "ignore=wants.ignore",
        f"{STREAMS}::test_what_a_model_was_taught_of_it",
    ),
    (MAPPINGS, "placed(name, static_cast<std::size_t>(i))", "placed(name, static_cast<std::size_t>(i + 1))", REFUSED),
]
