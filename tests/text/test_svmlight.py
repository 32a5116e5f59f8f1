"""The svmlight parser: good lines to the bit, bad lines to the column, the same in pieces of any size."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from afterwit._core import Parsed, SvmlightParser
from tests.text.bad_lines import BadLine, in_every_place, is_found_and_left_out, with_every_ending
from tests.text.slow_svmlight import slow_parse

ALL = 1 << 40

GOOD = (
    b"1 1:2 3:-4.5e-3 4294967295:.5\r\n"
    b"\n"
    b"# a comment\n"
    b"  \t \r\n"
    b"-1\t0:1\t00000000000000000007:3.4028234e38 # qid:3 1:x\n"
    b"0\n"
    b"+1.0 5:1e-400 5:0.1234567890123456789#tight\n"
    b"1 0004294967295:3\n"
    b"1 2:9007199254740993 "
)


def parse(data: bytes, kind: str = "binary", classes: tuple[str, ...] = (), skip: bool = False) -> Parsed:
    return SvmlightParser(kind, list(classes), skip).parse(data, 0, True, ALL)


def content(parsed: Parsed) -> list[bytes]:
    return [array.tobytes() for array in (parsed.keys, parsed.values, parsed.starts, parsed.y)]


def test_good_lines() -> None:
    parsed = parse(GOOD)
    assert parsed.y.tolist() == [1, -1, -1, 1, 1, 1]
    assert parsed.starts.tolist() == [0, 3, 5, 5, 7, 8, 9]
    assert parsed.keys.tolist() == [1, 3, 4294967295, 0, 7, 5, 5, 4294967295, 2]
    assert parsed.values.tolist() == [2, -4.5e-3, 0.5, 1, 3.4028234e38, 0, 0.1234567890123456789, 3, 9007199254740992]
    assert (parsed.consumed, parsed.lines, parsed.skipped, parsed.bad_lines) == (len(GOOD), 9, 0, [])
    assert [a.dtype for a in (parsed.keys, parsed.values, parsed.starts, parsed.y)] == [
        *(np.uint64, np.float64, np.int64, np.float64)
    ]


@pytest.mark.parametrize(
    ("kind", "classes", "text", "y"),
    [
        ("real", (), "1.5 -2e3 +0 -.5", [1.5, -2000, 0, -0.5]),
        ("binary", (), "1 +1 1.0 10e-1 0 -0 0.0 -1 -1.00", [1, 1, 1, 1, -1, -1, -1, -1, -1]),
        ("binary", ("spam", "ham"), "ham spam", [1, -1]),
        ("binary", ("2", "1"), "1 +1 2 002 2.0", [1, 1, -1, -1, -1]),
        ("classes", (), "3 +3 003 3.0 3e0 -0 0 b B", [0, 0, 0, 0, 0, 1, 1, 2, 3]),
        ("classes", (), "nan -inf + - . 1,2 Zürich", [0, 1, 2, 3, 4, 5, 6]),
        ("classes", (), "9223372036854775807 -9223372036854775808", [0, 1]),
        ("classes", (), "-3 +-3 9007199254740992 9007199254740992.0", [0, 1, 2, 2]),
        ("classes", ("b", "7", "1.5"), "7 b +7 1.5", [1, 0, 1, 2]),
        ("words", (), "3 +3 3.0 1.5 b 1e999 3 1.5", [0, 1, 2, 3, 4, 5, 0, 3]),
    ],
)
def test_labels(kind: str, classes: tuple[str, ...], text: str, y: list[float]) -> None:
    assert parse(text.replace(" ", "\n").encode(), kind, classes).y.tolist() == y


def test_open_classes_keep_their_codes_from_call_to_call() -> None:
    parser = SvmlightParser("classes", [], False)
    assert parser.parse(b"b 1:1\n07\n", 0, True, ALL).y.tolist() == [0, 1]
    assert parser.parse(b"a\n7\nb\n", 0, True, ALL).y.tolist() == [2, 1, 0]
    assert parser.classes == ["b", 7, "a"]
    assert parser.class_count == 3


@pytest.mark.parametrize(
    ("kind", "classes", "y"), [("classes", (), [0, 1, 0]), ("classes", ("b", "7"), [0, 1, 0]), ("none", (), [0, 0, 0])]
)
def test_a_comment_begins_right_behind_a_label_and_at_any_line(
    kind: str, classes: tuple[str, ...], y: list[int]
) -> None:
    parsed = parse(b"b 1:1 2:1\n#1\n#x 3:4\n7#x 3:4\nb#\n", kind, classes)
    assert parsed.y.tolist() == y
    assert parsed.starts.tolist() == [0, 2, 2, 2]
    parser = SvmlightParser("classes", [], False)
    parser.parse(b"b 1:1 2:1\n#1\n7#x\n", 0, True, ALL)
    assert parser.classes == ["b", 7]


BAD_LINES = [
    # kind, classes, line, fault, column, token
    ("binary", (), "1:0.5 2:1", "label_missing", 1, "1:0.5"),
    ("classes", (), "  qid:3 2:1", "label_missing", 3, "qid:3"),
    ("real", (), "abc 1:2", "label_not_number", 1, "abc"),
    ("real", (), " nan 1:2", "label_not_number", 2, "nan"),
    ("real", (), "-inf", "label_not_number", 1, "-inf"),
    ("real", (), "1,2 1:2", "label_not_number", 1, "1,2"),
    ("real", (), "1e400 1:2", "label_infinite", 1, "1e400"),
    ("real", (), "1e39 1:2", "label_too_large", 1, "1e39"),
    ("binary", (), "yes 1:2", "label_not_number", 1, "yes"),
    ("binary", (), "2 1:2", "label_not_binary", 1, "2"),
    ("binary", (), "\t1e400 1:2", "label_not_binary", 2, "1e400"),
    ("binary", ("a", "b"), "c 1:2", "label_unknown", 1, "c"),
    ("binary", ("1", "2"), "0 1:2", "label_unknown", 1, "0"),
    ("classes", (), "1.5 1:2", "label_not_integer", 1, "1.5"),
    ("classes", (), "1e30 1:2", "label_not_integer", 1, "1e30"),
    ("classes", (), "1e17 1:2", "label_not_integer", 1, "1e17"),
    ("classes", (), "1e400 1:2", "label_not_integer", 1, "1e400"),
    ("classes", (), "9223372036854775808 1:2", "label_too_large", 1, "9223372036854775808"),
    ("classes", (), "a\udcffb 1:2", "label_not_utf8", 1, "a\udcffb"),
    ("classes", ("1", "b"), "2 1:2", "label_unknown", 1, "2"),
    ("classes", ("1", "b"), "1.5", "label_unknown", 1, "1.5"),
    ("binary", (), "1 qid:3 1:2", "query_id", 3, "qid:3"),
    ("binary", (), "1 1:2 7", "feature_without_colon", 7, "7"),
    ("binary", (), "1 |f 1:2", "feature_without_colon", 3, "|f"),
    ("binary", (), "1 3:", "feature_without_value", 3, "3:"),
    ("binary", (), "1 3: 4:1", "feature_without_value", 3, "3:"),
    ("binary", (), "1 1:1 3:#4", "feature_without_value", 7, "3:"),
    ("binary", (), "1 :5", "index_missing", 3, ":5"),
    ("binary", (), "1 -3:5", "index_negative", 3, "-3"),
    ("binary", (), "1 -x:5", "index_not_integer", 3, "-x"),
    ("binary", (), "1 +3:5", "index_not_integer", 3, "+3"),
    ("binary", (), "1 1.0:5", "index_not_integer", 3, "1.0"),
    ("binary", (), "1 a:5", "index_not_integer", 3, "a"),
    ("binary", (), "1 4294967296:5", "index_too_large", 3, "4294967296"),
    ("binary", (), "1 0004294967296:5", "index_too_large", 3, "0004294967296"),
    ("binary", (), "1 1:1 99999999999999999999999:5", "index_too_large", 7, "9" * 23),
    ("binary", (), "1 18446744073709551617:5", "index_too_large", 3, "18446744073709551617"),
    ("binary", (), "1 3:abc", "value_not_number", 5, "abc"),
    ("binary", (), "1 3:1 4:nan 5:1", "value_not_number", 9, "nan"),
    ("binary", (), "1 3:-inf", "value_not_number", 5, "-inf"),
    ("binary", (), "1 3:1e", "value_not_number", 5, "1e"),
    ("binary", (), "1 3:0x10", "value_not_number", 5, "0x10"),
    ("binary", (), "1 3:1:2", "value_not_number", 5, "1:2"),
    ("binary", (), "1 3:1\v4:1", "value_not_number", 5, "1\v4:1"),
    ("binary", (), "1 3:1\r4:1", "value_not_number", 5, "1\r4:1"),
    ("binary", (), "1 3:1\x00", "value_not_number", 5, "1\x00"),
    ("binary", (), "1 3:-1e400", "value_infinite", 5, "-1e400"),
    ("binary", (), "1 3:3.4028236e38", "value_too_large", 5, "3.4028236e38"),
    ("binary", (), "1 3:-1e300#x", "value_too_large", 5, "-1e300"),
]


@with_every_ending
@in_every_place
@pytest.mark.parametrize("bad", BAD_LINES)
def test_bad_lines(bad: tuple[Any, ...], place: str, ending: bytes) -> None:
    line = BadLine(*bad)

    def parsed(data: bytes, skip: bool) -> Parsed:
        return parse(data, line.kind, line.classes, skip=skip)

    is_found_and_left_out(line, place, ending, "1:0.5 9:2", b"# comment", parsed, content)


def test_skipping_counts_all_bad_lines_and_keeps_the_first_five() -> None:
    parsed = parse(b"1 1:1\nx\n" * 100, skip=True)
    assert (len(parsed.y), parsed.skipped) == (100, 100)
    assert [bad.line for bad in parsed.bad_lines] == [2, 4, 6, 8, 10]


def test_a_skipped_line_leaves_no_class_behind() -> None:
    parser = SvmlightParser("classes", [], True)
    parsed = parser.parse(b"a 1:1\nb 1:x\n5 2:\nc 1:1\nb 1:1\n5\n", 0, True, ALL)
    assert parsed.y.tolist() == [0, 1, 2, 3]
    assert parser.classes == ["a", "c", "b", 5]


def test_a_class_is_utf8_where_python_says_so() -> None:
    """At the edges of every lead byte: forms that are too long, surrogates, what is above U+10FFFF, what is cut."""
    seconds = (0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0)
    words = [
        bytes([lead, second]) + b"\x80" * more for lead in range(0x80, 256) for second in seconds for more in (0, 1, 2)
    ]
    words += [bytes([lead]) for lead in range(0x80, 256)]
    parser = SvmlightParser("classes", [], True)
    parsed = parser.parse(b"".join(b"x" + word + b"\n" for word in words), 0, True, ALL)
    good = [(b"x" + word).decode(errors="ignore") for word in words if is_utf8(word)]
    assert parser.classes == list(dict.fromkeys(good))
    assert parsed.skipped == len(words) - len(good)
    assert 0 < len(good) < len(words) / 2


def is_utf8(word: bytes) -> bool:
    try:
        word.decode()
    except UnicodeDecodeError:
        return False
    return True


def test_max_rows_and_offset() -> None:
    parser = SvmlightParser("binary", [], True)
    offset, pieces, lines = 0, [], 0
    while offset < len(GOOD):
        parsed = parser.parse(GOOD, offset, True, 1)
        assert len(parsed.y) <= 1
        pieces.append(parsed)
        offset += parsed.consumed
        lines += parsed.lines
    whole = parse(GOOD)
    assert lines == whole.lines
    for name in ("keys", "values", "y"):
        assert np.concatenate([getattr(p, name) for p in pieces]).tobytes() == getattr(whole, name).tobytes()
    bad = SvmlightParser("binary", [], True).parse(b"1 1:1\n1 1:x\n", 6, True, ALL).bad_lines[0]
    assert (bad.line, bad.offset, bad.length) == (1, 10, 1)


def in_pieces(data: bytes, size: int, kind: str) -> tuple[list[bytes], list[tuple[str, int, int, bytes]]]:
    parser = SvmlightParser(kind, [], True)
    waiting, lines, counts, bad = b"", 0, [np.zeros(1, np.int64)], []
    arrays: list[list[np.ndarray]] = [[], [], []]
    for at in range(0, len(data), size):
        waiting += data[at : at + size]
        parsed = parser.parse(waiting, 0, at + size >= len(data), ALL)
        for b in parsed.bad_lines:
            bad.append((b.fault.name, lines + b.line, b.column, waiting[b.offset : b.offset + b.length]))
        for kept, array in zip(arrays, (parsed.keys, parsed.values, parsed.y), strict=True):
            kept.append(array)
        counts.append(np.diff(parsed.starts))
        waiting, lines = waiting[parsed.consumed :], lines + parsed.lines
    assert waiting == b""
    keys, values, y = (np.concatenate(kept) for kept in arrays)
    return [a.tobytes() for a in (keys, values, np.cumsum(np.concatenate(counts)), y)], bad


def test_pieces_of_every_size_give_the_same() -> None:
    data = GOOD + b"\r\n1 1:2 x\n2\n" + GOOD
    whole = in_pieces(data, len(data), "binary")
    assert [bad[:3] for bad in whole[1]] == [("feature_without_colon", 10, 7), ("label_not_binary", 11, 1)]
    for size in range(1, len(data)):
        assert in_pieces(data, size, "binary") == whole


TOKENS = st.one_of(
    st.builds(lambda k, v: b"%d:%s" % (k, repr(v).encode()), st.integers(0, 2**32 - 1), st.floats(width=32)),
    st.builds(lambda k, v: b"%d:%s" % (k, repr(v).encode()), st.integers(-2, 2**33), st.floats()),
    st.sampled_from(
        [b"3:", b":", b"1:2:3", b"qid:1", b"007:.5", b"#", b"7:5.e1", b"5", b"1:1e999", b"\xff:1", b"1:\x00"]
    ),
    st.binary(max_size=5).map(lambda raw: raw.replace(b"\n", b"")),
)
LABELS = st.sampled_from(
    [
        b"1",
        b"-1",
        b"0",
        b"+1",
        b"2",
        b"1.5",
        b"3.0",
        b"word",
        b"\xff",
        b"1e400",
        b"-2.5e-3",
        b"99999999999999999999",
        b"",
    ]
)
LINES = st.builds(
    lambda gap, label, tokens, end: gap + label + b"".join(gap + b" " + t for t in tokens) + end,
    *(
        st.sampled_from([b"", b" ", b"\t"]),
        LABELS,
        st.lists(TOKENS, max_size=5),
        st.sampled_from([b"", b"\r", b" # c"]),
    ),
)


@given(st.lists(LINES, max_size=8), st.sampled_from(["real", "binary", "classes"]), st.booleans())
def test_it_agrees_with_the_slow_parser(lines: list[bytes], kind: str, ends: bool) -> None:
    data = b"\n".join(lines) + (b"\n" if ends else b"")
    slow = slow_parse(data, kind)
    parser = SvmlightParser(kind, [], True)
    quick = parser.parse(data, 0, True, ALL)
    assert quick.y.tolist() == slow.y
    features = list(zip(quick.keys.tolist(), map(float.hex, quick.values.tolist()), strict=True))
    starts = quick.starts.tolist()
    assert [features[a:b] for a, b in itertools.pairwise(starts)] == [
        [(k, v.hex()) for k, v in row] for row in slow.rows
    ]
    assert parser.classes == slow.classes
    assert quick.skipped == len(slow.bad)
    assert [
        (b.fault.name, b.line, b.column, data[b.offset : b.offset + b.length]) for b in quick.bad_lines
    ] == slow.bad[:5]


def test_arguments_are_checked() -> None:
    with pytest.raises(ValueError, match="kind is `ranking`"):
        SvmlightParser("ranking", [], False)
    with pytest.raises(ValueError, match="offset"):
        SvmlightParser("real", [], False).parse(b"1", 2, True, 1)
