"""tools/mutants.py: every entry still applies, and what becomes of a C++ file."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.mutants import Mutant, complaints, mutated, read


def test_every_mutant_applies() -> None:
    assert complaints(read()) == []


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        (("a.py", "x", "y", "test_a.py"), "before occurs 2 times, expected once; write it anew"),
        (("a.py", "z", "y", "test_a.py"), "before occurs 0 times, expected once"),
        (("a.py", "1", "1", "test_a.py"), "before and after are the same"),
        (("b.py", "1", "2", "test_a.py"), "there is no such file"),
        (("a.py", "1", "2", "test_a.py test_b.py"), "there is no test `test_b.py`"),
        (("a.py", "1", "2", "test_a.py::test_two[a-1]"), "there is no test `test_a.py::test_two[a-1]`"),
        (("a.py", "1", "2", ""), "there is no test `(none)`"),
    ],
)
def test_what_does_not_apply_is_named(entry: tuple[str, str, str, str], words: str, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = x + 1")
    (tmp_path / "test_a.py").write_text("def test_one(): pass")
    assert complaints([Mutant(1, "topic", "a.py", "1", "2", "test_a.py::test_one[b]")], tmp_path) == []
    (found,) = complaints([Mutant(1, "topic", *entry)], tmp_path)
    assert found.startswith(f"topic: {entry[0]}: `{entry[1]}` -> `{entry[2]}`: {words}")


def test_one_that_stands_twice_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("1")
    (tmp_path / "test_a.py").write_text("")
    entry = ("a.py", "1", "2", "test_a.py")
    (found,) = complaints([Mutant(1, "topic", *entry), Mutant(2, "other", *entry)], tmp_path)
    assert found == "other: a.py: `1` -> `2`: it stands twice; leave one out"


def test_expressions_and_statements_one_inside_the_other() -> None:
    text = "if (a < b) s += x;"
    mutants = [
        Mutant(1, "t", "a.hpp", "s += x;", "", "test"),
        Mutant(2, "t", "a.hpp", "x", "y", "test"),
        Mutant(3, "t", "a.hpp", "a < b", "a <= b", "test"),
        Mutant(4, "t", "a.hpp", "a < b", "b < a", "test"),
    ]
    assert mutated(text, mutants) == (
        '#include "mutant.hpp"\n'
        "if ((mutant(3) ? (a <= b) : ((mutant(4) ? (b < a) : (a < b))))) "
        "if (mutant(1)) {  } else { s += (mutant(2) ? (y) : (x)); }"
    )
    with pytest.raises(SystemExit, match="overlap"):
        mutated(text, [Mutant(1, "t", "a.hpp", "a < b", "b", "test"), Mutant(2, "t", "a.hpp", "b) s", "s", "test")])
