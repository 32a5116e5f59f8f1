"""What the code cites is there: keys in docs/sources.md, errata by their number in docs/errata.md, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
KEYS = re.findall(r"^- \*\*(.+?)\*\*: ", (ROOT / "docs/sources.md").read_text(encoding="utf-8"), re.M)
NUMBERS = [int(n) for n in re.findall(r"^(\d+)\. \*\*", (ROOT / "docs/errata.md").read_text(encoding="utf-8"), re.M)]

#: `Luo 2016`, `Hazan, Seshadhri 2007`, `Duchi et al. 2011`, `Sharan lecture 19`.
KEY = re.compile(r"[A-Z][\w-]+(?:(?:, [A-Z][\w-]+| et al\.)? (?:19|20)\d\d\b| lecture \d+)")
ITEMS = re.compile(r"\b[Ee]rrata (\d+(?:(?:,| and| to) \d+)*)")
#: Numbers of documents and of a list that nobody else has: `004 Theorem 6`, `ERRATA B48`, `E29`.
ELSEWHERE = re.compile(r"(?<![\w.,'`+])00[0-4](?=[,:;]? [\"A-Za-z])|\bERRATA\b|(?<![\"\w])[EB]\d{1,2}\b(?!\")")


def faults(text: str) -> list[str]:
    """What a text cites that is not there."""
    text = re.sub(r"\s*\n\s*(?://|#:?)?\s*", " ", text)  # a citation may go on in the next line
    keys = [key for key in KEY.findall(text) if key not in KEYS]
    items = [n for found in ITEMS.findall(text) for n in re.findall(r"\d+", found) if int(n) not in NUMBERS]
    return [*keys, *(f"errata {n}" for n in items), *ELSEWHERE.findall(text)]


def texts(*rooms: str) -> Iterator[Path]:
    for room in rooms:
        for path in sorted((ROOT / room).rglob("*")):
            if path.suffix in {".hpp", ".cpp", ".py", ".pyi"} and path != Path(__file__):
                yield path


@pytest.mark.parametrize("room", ["core", "src", "tests"])
def test_everything_cited_is_in_the_lists(room: str) -> None:
    found = {str(path.relative_to(ROOT)): faults(path.read_text(encoding="utf-8")) for path in texts(room)}
    assert len(found) > 40
    assert {path: each for path, each in found.items() if each} == {}


def test_the_errata_are_numbered_and_of_sources_that_are_listed() -> None:
    assert list(range(1, len(NUMBERS) + 1)) == NUMBERS
    assert faults((ROOT / "docs/errata.md").read_text(encoding="utf-8")) == []


def test_no_key_stands_for_two_sources() -> None:
    assert len(KEYS) == len(set(KEYS)) > 30
    assert [key for key in KEYS if not KEY.fullmatch(key)] == []


def test_both_lists_are_cited() -> None:
    whole = " ".join(path.read_text(encoding="utf-8") for path in texts("core", "src"))
    assert len({key for key in KEY.findall(whole) if key in KEYS}) > 15
    assert len({n for found in ITEMS.findall(whole) for n in re.findall(r"\d+", found)}) > 25


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Source: Luo 2016, Theorem 6; errata 1, 2.", []),
        ("Source: Luo 2015, Theorem 6.", ["Luo 2015"]),
        ("(Duchi, Hazan, Singer 2011)", ["Hazan, Singer 2011"]),
        ("(Hazan,\n// Sheshadri 2007)", ["Hazan, Sheshadri 2007"]),
        ("Sharan lecture 20, Theorem 4", ["Sharan lecture 20"]),
        ("errata 1, 1000 and 2", ["errata 1000"]),
        ("Errata\n    1001: no", ["errata 1001"]),
        ('"004 Theorem 6, Eq. (2.5)"', ["004"]),
        ('001 "Projected OGD"; 002, with', ["001", "002"]),
        ("(ERRATA B48)", ["ERRATA", "B48"]),
        ("as in E29.", ["E29"]),
        ("`003` and 4,000 rows, 0.001 of 10_000 words", []),
    ],
)
def test_a_wrong_citation_is_found(text: str, expected: list[str]) -> None:
    assert faults(text) == expected
