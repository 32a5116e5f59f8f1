"""The parser of VW text: good lines to the bit, bad lines to the column, the same in pieces of any size."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from afterwit._core import Parsed, VwParser, group_of_name, key_in_namespace, key_of_name
from tests.text.bad_lines import BadLine, in_every_place, is_found_and_left_out, with_every_ending
from tests.text.slow_vw import Slow, slow_parse

ALL = 1 << 40

GOOD = (
    b"1 | 17:0.5 price:3.5 red\r\n"
    b"\n"
    b" \t \r\n"
    b"-1 2.5 'row-2|user 17 age:-4.5e-3 |item:0.5 x:4 y\t0:1 007\n"
    b"0 1 0 'tag |a x|b y:2|a x\n"
    b"+1.0 tag| a-name-of-many-letters 4294967295 4294967296:2 \xff\xfe:.5 12345678 123456789:1e3\n"
    b"1\t0\t |\n"
    b"1 |\tz  \tz:0.1234567890123456789 |:2 w"
)


def parse(data: bytes, kind: str = "binary", classes: tuple[str, ...] = (), skip: bool = False) -> Parsed:
    return VwParser(kind, list(classes), skip, True, True).parse(data, 0, True, ALL)


def content(parsed: Parsed) -> list[object]:
    weight = np.ones(len(parsed.y)) if parsed.weight is None else parsed.weight
    arrays = [parsed.keys, parsed.values, parsed.starts, parsed.y, weight]
    return [a.tobytes() for a in arrays] + [None if parsed.groups is None else parsed.groups.tobytes(), parsed.names]


def test_good_lines() -> None:
    parsed = parse(GOOD)
    assert parsed.y.tolist() == [1, -1, -1, 1, 1, 1]
    assert parsed.weight is not None
    assert parsed.weight.tolist() == [1, 2.5, 1, 1, 0, 1]
    assert parsed.starts.tolist() == [0, 3, 9, 12, 18, 18, 21]
    assert parsed.names == [
        *("17", "price", "red", "user^17", "user^age", "item^x", "item^y", "item^0", "item^007", "a^x", "b^y", "a^x"),
        *("a-name-of-many-letters", "4294967295", "4294967296", "\udcff\udcfe", "12345678", "123456789", "z", "z", "w"),
    ]
    assert parsed.values.tolist() == [
        *(0.5, 3.5, 1, 1, -4.5e-3, 2, 0.5, 0.5, 0.5, 1, 2, 1),
        *(1, 1, 2, 0.5, 1, 1000, 1, 0.1234567890123456789, 2),
    ]
    assert parsed.lines == 8


def test_keys_and_groups_are_those_of_dicts() -> None:
    parsed = parse(b"1 | 17 price |user 17 age |7 7\n")
    assert parsed.groups is not None
    user, seven = group_of_name("user"), group_of_name("7")
    expected = [key_of_name("17"), key_of_name("price"), key_in_namespace("user", "17")]
    expected += [key_in_namespace("user", "age"), key_in_namespace("7", "7")]
    assert parsed.keys.tolist() == expected
    assert parsed.groups.tolist() == [0, 0, user, user, seven]


def test_only_what_is_wanted_is_delivered() -> None:
    parsed = VwParser("binary", [], False).parse(b"1 | a\n0 | b\n", 0, True, ALL)
    assert (parsed.names, parsed.groups, parsed.weight) == (None, None, None)


@pytest.mark.parametrize("wants", [(False, False), (False, True), (True, False), (True, True)])
def test_wants_change_nothing_else(wants: tuple[bool, bool]) -> None:
    text = (GOOD + b"\n") * 3
    whole = VwParser("binary", [], False, True, True).parse(text, 0, True, ALL)
    parsed = VwParser("binary", [], False, *wants).parse(text, 0, True, ALL)
    assert len(parsed.y) == 18
    assert content(parsed)[:5] == content(whole)[:5]
    assert parsed.names == (whole.names if wants[0] else None)
    assert (None if parsed.groups is None else parsed.groups.tolist()) == (whole.groups.tolist() if wants[1] else None)


@pytest.mark.parametrize(
    ("kind", "classes", "text", "y"),
    [
        ("real", (), "1.5 -2e3 +0 -.5", [1.5, -2000, 0, -0.5]),
        ("binary", (), "1 +1 0 -1", [1, 1, -1, -1]),
        ("binary", ("spam", "ham"), "ham spam", [1, -1]),
        ("classes", (), "3 +3 b 3.0 B", [0, 0, 1, 0, 2]),
        ("classes", ("b", "7"), "7 b +7", [1, 0, 1]),
        ("none", (), "7 b \udcff 1e999", [0, 0, 0, 0]),
    ],
)
def test_labels(kind: str, classes: tuple[str, ...], text: str, y: list[float]) -> None:
    lines = "".join(f"{word} | a\n" for word in text.split()).encode("utf-8", "surrogateescape")
    assert parse(lines, kind, classes).y.tolist() == y


def test_no_label_is_needed_for_kind_none() -> None:
    parsed = parse(b"| a\n|user b\n'tag |user c\ntag| d\n  | e\n1 2 | f\n", "none")
    assert parsed.names == ["a", "user^b", "user^c", "d", "e", "f"]
    assert parsed.y.tolist() == [0] * 6


BAD_LINES = [
    # kind, classes, line, fault, column, token
    ("binary", (), "| a b", "label_missing", 1, "|"),
    ("binary", (), "  'tag |user a", "label_missing", 8, "|"),
    ("classes", (), "'tag | a", "label_missing", 6, "|"),
    ("real", (), "1| a", "label_missing", 2, "|"),
    ("classes", (), "'a'|a", "label_missing", 4, "|"),
    ("real", (), "1 17:0.5", "bar_missing", 1, "1"),
    ("classes", (), "\tword", "bar_missing", 2, "word"),
    ("real", (), "abc | a", "label_not_number", 1, "abc"),
    ("real", (), "1e400 | a", "label_infinite", 1, "1e400"),
    ("real", (), "1e39 | a", "label_too_large", 1, "1e39"),
    ("binary", (), "2 | a", "label_not_binary", 1, "2"),
    ("binary", ("a", "b"), "c | a", "label_unknown", 1, "c"),
    ("classes", (), "1.5 | a", "label_not_integer", 1, "1.5"),
    ("classes", (), "9223372036854775808 | a", "label_too_large", 1, "9223372036854775808"),
    ("classes", (), "a\udcffb | a", "label_not_utf8", 1, "a\udcffb"),
    ("classes", ("1", "b"), "2 | a", "label_unknown", 1, "2"),
    ("classes", (), " shared | a", "label_shared", 2, "shared"),
    ("none", (), "shared 1 |user a", "label_shared", 1, "shared"),
    ("binary", (), "1:0.5 2:3 | a", "label_of_several", 1, "1:0.5"),
    ("none", (), "1:2:0.5 | a", "label_of_several", 1, "1:2:0.5"),
    ("binary", (), "1 x | a", "weight_not_number", 3, "x"),
    ("binary", (), "1 nan 'tag | a", "weight_not_number", 3, "nan"),
    ("binary", (), "1  -2 | a", "weight_negative", 4, "-2"),
    ("binary", (), "1 -1e999 | a", "weight_negative", 3, "-1e999"),
    ("none", (), "1 -1 | a", "weight_negative", 3, "-1"),
    ("binary", (), "1 1e999 | a", "weight_too_large", 3, "1e999"),
    ("binary", (), "1 1e39 tag| a", "weight_too_large", 3, "1e39"),
    ("binary", (), "1 1 0.5 | a", "base_not_zero", 5, "0.5"),
    ("binary", (), "1 1 x | a", "base_not_zero", 5, "x"),
    ("binary", (), "1 1 0 7 | a", "word_before_bar", 7, "7"),
    ("binary", (), "1 1 0 7 'tag |a", "word_before_bar", 7, "7"),
    ("binary", (), "1 |user:x a", "scale_not_number", 9, "x"),
    ("binary", (), "1 | b |user: a", "scale_not_number", 8, "user:"),
    ("binary", (), "1 |: a", "scale_not_number", 4, ":"),
    ("binary", (), "1 |user:1:2 a", "scale_not_number", 9, "1:2"),
    ("binary", (), "1 |user:1e39|b", "scale_too_large", 9, "1e39"),
    ("binary", (), "1 |user:-1e999 a", "scale_too_large", 9, "-1e999"),
    ("binary", (), "1 | :5", "name_missing", 5, ":5"),
    ("binary", (), "1 |a b :", "name_missing", 8, ":"),
    ("binary", (), "1 | a: b", "feature_without_value", 5, "a:"),
    ("binary", (), "1 | a:|b", "feature_without_value", 5, "a:"),
    ("binary", (), "1 | 3:", "feature_without_value", 5, "3:"),
    ("binary", (), "1 | 3:abc", "value_not_number", 7, "abc"),
    ("binary", (), "1 | a:1:2", "value_not_number", 7, "1:2"),
    ("binary", (), "1 | a:--1", "value_not_number", 7, "--1"),
    ("binary", (), "1 |u a:1 b:nan c:1", "value_not_number", 12, "nan"),
    ("binary", (), "1 | a:1\rb:1", "value_not_number", 7, "1\rb:1"),
    ("binary", (), "1 | a:1\x00", "value_not_number", 7, "1\x00"),
    ("binary", (), "1 | a:-1e400", "value_infinite", 7, "-1e400"),
    ("binary", (), "1 | a:3.4028236e38", "value_too_large", 7, "3.4028236e38"),
    ("binary", (), "1 |n:1e-9 a:1e39", "value_too_large", 13, "1e39"),
    ("binary", (), "1 |n:1e20 a:1e10 b:-1e30", "scaled_value_too_large", 20, "-1e30"),
]


@with_every_ending
@in_every_place
@pytest.mark.parametrize("bad", BAD_LINES)
@pytest.mark.parametrize("wants", [True, False])
def test_bad_lines(bad: tuple[Any, ...], place: str, ending: bytes, wants: bool) -> None:
    line = BadLine(*bad)

    def parsed(data: bytes, skip: bool) -> Parsed:
        return VwParser(line.kind, list(line.classes), skip, wants, wants).parse(data, 0, True, ALL)

    is_found_and_left_out(line, place, ending, "| a:0.5 9:2", b" ", parsed, content)


def test_a_skipped_line_leaves_no_class_and_no_weight_behind() -> None:
    parser = VwParser("classes", [], True)
    parsed = parser.parse(b"a | x\nb 3 | x:y\n5 | x:\nc | x\nb | x\nd x | x\n5 |\n", 0, True, ALL)
    assert parsed.y.tolist() == [0, 1, 2, 3]
    assert parser.classes == ["a", "c", "b", 5]
    assert parsed.weight is None


def test_max_rows_and_offset() -> None:
    whole, offset, pieces = parse(GOOD), 0, []
    parser = VwParser("binary", [], True, True, True)
    while offset < len(GOOD):
        pieces.append(parser.parse(GOOD, offset, True, 1))
        assert len(pieces[-1].y) <= 1
        offset += pieces[-1].consumed
    assert sum(piece.lines for piece in pieces) == whole.lines
    for name in ("keys", "values", "y", "groups"):
        assert np.concatenate([getattr(p, name) for p in pieces]).tobytes() == getattr(whole, name).tobytes()
    assert [name for piece in pieces for name in piece.names or ()] == whole.names


def in_pieces(data: bytes, size: int, wants: tuple[bool, bool]) -> list[list[Any]]:
    parser = VwParser("binary", [], True, *wants)
    waiting, lines = b"", 0
    out: list[list[Any]] = [[], [], [], [], [], [], []]
    for at in range(0, len(data), size):
        waiting += data[at : at + size]
        parsed = parser.parse(waiting, 0, at + size >= len(data), ALL)
        weight = np.ones(len(parsed.y)) if parsed.weight is None else parsed.weight
        groups = [] if parsed.groups is None else parsed.groups.tolist()
        bad = [
            (b.fault.name, lines + b.line, b.column, waiting[b.offset : b.offset + b.length]) for b in parsed.bad_lines
        ]
        arrays = [parsed.keys, parsed.values, np.diff(parsed.starts), parsed.y, weight]
        for kept, more in zip(out, [*(a.tolist() for a in arrays), groups, bad], strict=True):
            kept += more
        waiting, lines = waiting[parsed.consumed :], lines + parsed.lines
    assert waiting == b""
    return out


@pytest.mark.parametrize("wants", [(False, False), (True, True)])
def test_pieces_of_every_size_give_the_same(wants: tuple[bool, bool]) -> None:
    data = GOOD + b"\r\n1 | 1:2 x:y\n2 | a\n" + GOOD
    whole = in_pieces(data, len(data), wants)
    assert [bad[:3] for bad in whole[6]] == [("value_not_number", 9, 11), ("label_not_binary", 10, 1)]
    for size in range(1, len(data)):
        assert in_pieces(data, size, wants) == whole


def test_long_lines_and_many_lines() -> None:
    line = b"1 | " + b" ".join(b"w%d:0.%d" % (i, i) for i in range(9000)) + b"\n"
    assert len(line) > 1 << 15
    data = (line + b"0 |n a:2\n" * 5000) * 2
    quick, careful = (VwParser("binary", [], False, *w).parse(data, 0, True, ALL) for w in ((False,), (True,)))
    assert content(quick)[:5] == content(careful)[:5]
    assert len(quick.keys) == 28000


NAMES = st.sampled_from([b"a", b"17", b"0", b"007", b"word", b"12345678", b"123456789", b"4294967296", b"\xff", b"x^y"])
NUMBERS = st.one_of(
    st.floats(width=32).map(lambda v: repr(v).encode()),
    st.floats().map(lambda v: repr(v).encode()),
    st.sampled_from([b"1", b"0.5", b"-0.125", b"12345678", b"-", b"+", b"", b".", b"1e999", b"-1e30", b"1:2", b"0x1"]),
)
TOKENS = st.one_of(
    NAMES,
    st.builds(lambda name, value: name + b":" + value, NAMES, NUMBERS),
    st.builds(lambda name, value: b"|" + name + b":" + value, NAMES, NUMBERS),
    st.builds(lambda name: b"|" + name, NAMES),
    st.sampled_from([b"|", b":", b"|:", b"a|b", b"'t", b"", b"\r", b"\x00", b"a:1|b:2"]),
    st.binary(max_size=9).map(lambda raw: raw.replace(b"\n", b"")),
)
HEADERS = st.lists(
    st.sampled_from([b"1", b"-1", b"0", b"2.5", b"word", b"'tag", b"shared", b"1:2", b"\xff", b"1e39"]), max_size=4
)
LINES = st.builds(
    lambda header, gap, tokens, end: b" ".join(header) + gap + b"|" + b" ".join(tokens) + end,
    HEADERS,
    st.sampled_from([b"", b" ", b"\t"]),
    st.lists(TOKENS, max_size=5),
    st.sampled_from([b"", b"\r", b" "]),
)


def compare(data: bytes, kind: str, wants: tuple[bool, bool], slow: Slow) -> None:
    parser = VwParser(kind, [], True, *wants)
    quick = parser.parse(data, 0, True, ALL)
    features = [feature for row in slow.rows for feature in row]
    assert quick.y.tolist() == slow.y
    assert (quick.weight is None and set(slow.weight) <= {1.0}) or quick.weight.tolist() == slow.weight
    assert quick.starts.tolist() == [0, *itertools.accumulate(map(len, slow.rows))]
    assert quick.keys.tolist() == [feature.key for feature in features]
    assert list(map(float.hex, quick.values.tolist())) == [feature.value.hex() for feature in features]
    assert quick.names == ([feature.shown for feature in features] if wants[0] else None)
    assert parser.classes == slow.classes
    assert quick.skipped == len(slow.bad)
    assert [
        (b.fault.name, b.line, b.column, data[b.offset : b.offset + b.length]) for b in quick.bad_lines
    ] == slow.bad[:5]


@given(st.lists(LINES, max_size=8), st.sampled_from(["real", "binary", "classes", "none"]), st.booleans())
def test_it_agrees_with_the_slow_parser(lines: list[bytes], kind: str, ends: bool) -> None:
    data = b"\n".join([b"0 | first", *lines]) + (b"\n" if ends else b"")
    slow = slow_parse(data, kind)
    compare(data, kind, (False, False), slow)
    compare(data, kind, (True, True), slow)


@given(st.lists(st.binary(min_size=1, max_size=30), max_size=30))
def test_keys_agree_with_the_slow_hash(names: list[bytes]) -> None:
    clean = [bytes(c for c in name if c > 32 and c not in b":|") for name in names]
    data = b"0 | begin of it\n" + b"".join(b"1 |%s %s:2 %s\n" % (name, name, name) for name in clean if name)
    compare(data, "binary", (False, False), slow_parse(data, "binary"))


def test_arguments_are_checked() -> None:
    with pytest.raises(ValueError, match="kind is `ranking`"):
        VwParser("ranking", [], False)
    with pytest.raises(ValueError, match="offset"):
        VwParser("real", [], False).parse(b"1", 2, True, 1)
