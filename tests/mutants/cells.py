"""What cells become: dates, categories, booleans, columns that are not looked at, and ids."""

DATES, RULE, IDS = "tests/text/test_dates.py", "tests/streams/test_one_rule.py", "tests/streams/test_ids.py"
SAME = f"{RULE}::test_every_input_gives_the_same_features"
BEFORE = f"{RULE}::test_rules_1_are_what_they_were"
NEVER_READ = f"{RULE}::test_a_column_that_is_not_looked_at_is_never_read"
MANY = f"{DATES}::test_one_moment_in_many_texts"
NO_DATE = f"{DATES}::test_what_is_no_date"
PYTHON = f"{DATES}::test_texts_and_datetimes_are_what_python_says"
UNITS = f"{DATES}::test_times_as_numbers_of_every_unit"
STORED = "tests/stored/rules/test_rules.py"
NAMED = "tests/cli/test_columns_named.py"
LIKELY = f"{IDS}::test_columns_that_look_like_ids"

MUTANTS = [
    ("core/rows/dates.hpp", "if (rest < 0) --day, rest += per_day;", "", UNITS),
    ("core/rows/dates.hpp", "more && whole.hour < 0 ? 0 : whole.hour", "whole.hour", SAME),
    ("core/rows/dates.hpp", "seconds - offset", "seconds + offset", MANY),
    ("core/rows/dates.hpp", "hour > 23", "hour > 24", NO_DATE),
    ("core/rows/dates.hpp", "second > 59", "second > 60", NO_DATE),
    ("core/rows/dates.hpp", "if (!date.ok()) return false;", "", NO_DATE),
    ("core/rows/dates.hpp", "return in_years(moment);", "return true;", PYTHON),
    ("core/rows/dates.hpp", "more = more || *p != '0'", "more = true", MANY),
    ("core/rows/dates.hpp", "weekday(at).iso_encoding()", "weekday(at).c_encoding()", PYTHON),
    ("core/rows/dates.hpp", "return p != fraction;", "return true;", NO_DATE),
    (
        "core/rows/cells.hpp",
        "std::fabs(value) >= 1e-4",
        "std::fabs(value) >= 1e-3",
        f"{RULE}::test_spelled_as_python_does",
    ),
    ("core/rows/cells.hpp", "if (value == 0) value = 0;", "", SAME),
    ("core/rows/cells.hpp", "rules_ != 1 && text.empty()", "text.empty()", BEFORE),
    (
        "core/rows/cells.hpp",
        "rules_ != 1 && (use_ == CellUse::category || use_ == CellUse::text)",
        "(use_ == CellUse::category || use_ == CellUse::text)",
        STORED,
    ),
    ("core/rows/cells.hpp", "text = spelled(*value);", "static_cast<void>(value);", SAME),
    (
        "core/text/csv.hpp",
        "(first == 't' || first == 'f') && options_.booleans",
        "first == 't' || first == 'f'",
        STORED,
    ),
    ("core/text/csv.hpp", "boolean ? spelled(*boolean) : text", "text", SAME),
    ("core/text/csv_bind.cpp", "if (!cells.reads(namespace_hash(name))) return CsvRole::unused;", "", NEVER_READ),
    ("core/python/mappings.hpp", "!reads_all_ && is_column", "false", NEVER_READ),
    (
        "core/python/mappings.hpp",
        "cells_.numbers_are_plain()",
        "true",
        f"{RULE}::test_every_input_gives_the_same_predictions",
    ),
    (
        "core/python/mappings.hpp",
        "if (micros < 0) micros += 1000000, --seconds;",
        "",
        f"{DATES}::test_offsets_of_microseconds",
    ),
    (
        "core/rows/rows.hpp",
        "if (texts.size() > size()) texts.resize(size());",
        "",
        f"{IDS}::test_a_bad_record_takes_its_ids_with_it",
    ),
    ("src/afterwit/features.py", '{"rules": 1}', "{}", STORED),
    ("src/afterwit/streams/arrow_tables.py", "    if pa.types.is_decimal(array.type):  #", "    if False:  #", SAME),
    ("src/afterwit/streams/likely_ids.py", "_ALMOST * rows <= len(words) <= rows and ", "", LIKELY),
    (
        "src/afterwit/streams/likely_ids.py",
        "len(numbers) >= rows - 1 and ",
        "",
        f"{IDS}::test_numbers_in_some_rows_are_no_ids",
    ),
    (
        "src/afterwit/streams/ids.py",
        "name not in (*ids, target, weight)",
        "True",
        f"{IDS}::test_a_model_keeps_out_what_was_an_id_when_it_was_taught",
    ),
    (
        "src/afterwit/learning/pieces.py",
        "texts[first:end] for texts",
        "texts for texts",
        f"{IDS}::test_pieces_of_batches_have_their_ids",
    ),
    ("src/afterwit/cli/arguments.py", "range(first + 1, end)", "range(first, end)", NAMED),
    ("src/afterwit/learning/checkpoint.py", "if key not in said", "if key in said", "tests/stored/test_stored.py"),
]
