"""The CSV parser against Python's csv module and the path of dicts: the same keys, values, names and groups."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from afterwit._core import CellRules, CsvParser, Fault, csv_header, key_in_namespace, key_of_name
from afterwit.protocols import Wants
from tests.text.slow_csv import MISSING, NUMBER, parse, read_slowly, rows_slowly

TABLE = (
    b'price,city,y,"a ""q"" b",17,w\r\n'
    b'3.5,Rome,1,"x\r\n""y"", z",2,1\r\n'
    b"\r\n"
    b'0,NA,0, "hello, world" ,1e-3,0.5\r\n'
    b'"-7","5"" pipe",1,5" pipe,,2\n'
    b" 0.0 , New York ,-1,null,.5,0"
)


def same_as_dicts(
    data: bytes, separator: str, target: str, weight: str | None = None, text: tuple[str, ...] = ()
) -> None:
    wants = Wants(names=True, groups=True, text=text)
    options: dict[str, Any] = {"target": target, "weight": weight, "names": True, "groups": True}
    options["cells"] = CellRules(text=text)
    fast = parse(data, separator, **options)
    table = read_slowly(data, separator, target, weight, text)
    slow = rows_slowly(table, wants)
    assert slow.groups is not None
    assert fast["names"] == slow.names
    assert fast["keys"] == slow.keys.tobytes()
    assert fast["values"] == slow.values.tobytes()
    assert fast["sizes"] == np.diff(slow.starts).tobytes()
    assert fast["groups"] == slow.groups.tobytes()
    assert fast["y"] == np.array([float(y) for y in table.y]).tobytes()
    assert fast["weight"] == np.array(table.weight).tobytes()
    assert fast["lines"] == data.count(b"\n") + (not data.endswith(b"\n")) - header_lines(data, separator)


def header_lines(data: bytes, separator: str) -> int:
    header = csv_header(data, separator, True)
    assert header is not None
    return header[2]


def test_cells() -> None:
    parsed = parse(TABLE, target="y", weight="w", kind="binary", names=True)
    assert parsed["names"] == [
        *("price", "city=Rome", 'a "q" b=x\r\n"y", z', "17"),
        *('a "q" b=hello, world', "17"),
        *("price", 'city=5" pipe', 'a "q" b=5" pipe'),
        *("city=New York", "17"),
    ]
    assert np.frombuffer(parsed["values"]).tolist() == [3.5, 1, 1, 2, 1, 0.001, -7, 1, 1, 1, 0.5]
    assert np.frombuffer(parsed["sizes"], np.int64).tolist() == [4, 2, 3, 2]
    assert np.frombuffer(parsed["y"]).tolist() == [1, -1, 1, -1]
    assert np.frombuffer(parsed["weight"]).tolist() == [1, 0.5, 2, 0]
    assert parsed["lines"] == 6


def test_a_column_of_text_is_split_into_words() -> None:
    parsed = parse(TABLE, target="y", weight="w", names=True, groups=True, cells=CellRules(text=['a "q" b', "y"]))
    words = [name for name in parsed["names"] if "^" in name]
    assert words == [f'a "q" b^{word}' for word in ("x", "y", "z", "hello", "world", "5", "pipe")]
    keys = dict(zip(parsed["names"], np.frombuffer(parsed["keys"], np.uint64).tolist(), strict=True))
    assert keys['a "q" b^5'] == key_in_namespace('a "q" b', "5")
    assert (keys["17"], keys["city=Rome"]) == (17, key_of_name("city=Rome"))


def test_quoted_or_not_is_the_same() -> None:
    plain = parse(b"a,b,y\n1, x ,1\nNA,,0\n")
    assert parse(b'"a","b","y"\n"1"," x ","1"\n"NA","","0"\n') == plain
    assert parse(b' "a" ,"b", y\r\n "1" ,\t"x",1\r\n"NA" ,"" ,0') == plain


@pytest.mark.parametrize("separator", [",", "\t", ";"])
@pytest.mark.parametrize("ending", [b"\n", b"\r\n"])
@pytest.mark.parametrize("text", [(), ("b",), ("a", "b")])
def test_separators_and_endings(separator: str, ending: bytes, text: tuple[str, ...]) -> None:
    table = b'a|"b"|y\n1|x 2|1\n\n"3|4"|"u\nv"|0\n|NA|1\n \n7|8|1\n'.replace(b"|", separator.encode())
    for data in (table, table.removesuffix(b"\n"), b"\n\n" + table, b"\n" + table + b"\n\n"):
        same_as_dicts(data.replace(b"\n", ending), separator, "y", text=text)


def test_every_cut_gives_the_same() -> None:
    options: dict[str, Any] = {"target": "y", "weight": "w", "kind": "classes", "names": True, "groups": True}
    for data in (TABLE, TABLE + b"\n", TABLE.replace(b"\r\n", b"\n")):
        whole = parse(data, **options)
        assert whole["classes"] == [1, 0, -1]
        for chunk in range(1, len(data) + 1):
            for max_rows in (1, 100):
                assert parse(data, chunk=chunk, max_rows=max_rows, **options) == whole


def test_a_long_record_over_many_blocks_of_64_bytes() -> None:
    cells = [f"{i}" if i % 3 else f'"{"x" * i}, ""{i}"""' for i in range(300)]
    data = ",".join(f"c{i}" for i in range(300)) + ",y\n" + (",".join(cells) + ",1\n") * 3
    same_as_dicts(data.encode(), ",", "y")
    same_as_dicts(data.encode(), ",", "y", text=("c0", "c3", "c99"))


CHARACTERS = 'ab017.-e=^,;\t"\n\r né😀NA/|#'
words = st.text(CHARACTERS, max_size=8)
numbers = st.one_of(
    st.floats(-3e38, 3e38).map(repr), st.integers(-(10**9), 10**9).map(str), st.sampled_from([".5", "5.", "+1", "1e5"])
)
cells = st.one_of(words, numbers, st.sampled_from(MISSING))


def fits(cell: str) -> bool:
    cell = cell.strip(" \t")
    return not NUMBER.fullmatch(cell) or abs(float(cell)) <= float(np.finfo(np.float32).max)


@st.composite
def tables(draw: st.DrawFn) -> tuple[bytes, str, str, str | None, tuple[str, ...]]:
    """A CSV with its separator, its target, its weight and the columns of text."""
    separator, ending = draw(st.sampled_from([",", "\t", ";"])), draw(st.sampled_from(["\n", "\r\n"]))

    def written(cell: str) -> str:
        quote = draw(st.booleans()) or any(c in '"\n\r' + separator for c in cell)
        blanks = draw(st.sampled_from(["", " "]))
        return f'"{cell.replace(chr(34), chr(34) * 2)}"{blanks}' if quote else blanks + cell

    columns = draw(st.lists(words.map(lambda word: word.strip(" \t")), min_size=1, max_size=5, unique=True))
    if columns == [""]:
        columns = ["y"]
    target, *others = draw(st.permutations(columns))
    weight = others.pop() if others and draw(st.booleans()) else None
    lines = [separator.join(map(written, columns))]
    for _ in range(draw(st.integers(0, 5))):
        row = {name: draw(cells.filter(fits)) for name in columns}
        row[target] = draw(st.sampled_from(["0", "1", "-2.5"]))
        if weight is not None:
            row[weight] = draw(st.sampled_from(["0", "1", "2.5e3"]))
        lines.append(separator.join(written(row[name]) for name in columns))
        lines += [""] * draw(st.integers(0, 1))
    text = tuple(name for name in others if draw(st.booleans()))
    return (ending.join(lines) + draw(st.sampled_from(["", ending]))).encode(), separator, target, weight, text


@given(tables())
@example((b"y\n1\n0", ",", "y", None, ()))
def test_random_tables(table: tuple[bytes, str, str, str | None, tuple[str, ...]]) -> None:
    same_as_dicts(*table)


@given(tables(), st.integers(1, 20), st.integers(1, 3))
def test_random_tables_in_pieces(
    table: tuple[bytes, str, str, str | None, tuple[str, ...]], chunk: int, max_rows: int
) -> None:
    data, separator, target, weight, text = table
    options: dict[str, Any] = {"target": target, "weight": weight, "names": True, "groups": True}
    options["cells"] = CellRules(text=text)
    assert parse(data, separator, chunk, max_rows, **options) == parse(data, separator, **options)


@given(st.binary(max_size=200), st.sampled_from([",", "\t", ";"]), st.booleans())
def test_any_bytes_are_read_to_the_end_or_to_an_error(data: bytes, separator: str, skip: bool) -> None:
    parser = CsvParser(
        ["a", "y"], separator, target="y", kind="classes", skip=skip, names=True, cells=CellRules(text=["a"])
    )
    for final in (False, True):
        parsed = parser.parse(data, 0, final, 1000)
        assert parsed.consumed <= len(data)
        if final and not parsed.stopped:
            assert parsed.consumed == len(data)
        if parsed.stopped and skip:
            assert parsed.bad_lines[-1].fault == Fault.quote_not_closed


@given(st.lists(st.from_regex(r"[-+]?[0-9]{0,9}[.]?[0-9]{0,9}[./x:-]?", fullmatch=True), min_size=1, max_size=20))
@example(
    [".", "-", "-.", "5.", ".5", "-.5", "1.2.3", "1..", "12345678", "1234567.", ".1234567", "-0", "1/", "./", "1:"]
)
def test_short_numbers_are_what_python_reads(cells: list[str]) -> None:
    data = "y,a\n" + "".join(f"1,{cell}\n" for cell in cells)
    same_as_dicts(data.encode(), ",", "y")


@given(st.lists(st.from_regex(r"(?i)[+-]?[+-]?i?n?f?i?n?i?t?y?x?", fullmatch=True), min_size=1, max_size=20))
@example(["inf", "-inf", "+INF", "Infinity", "-iNfInItY", "infi", "in", "++inf", "infinit", "infinityy", "-", "ıNF"])
def test_infinity_is_what_python_reads_as_such(cells: list[str]) -> None:
    data = "".join(f"1,{cell}\n" for cell in cells).encode()
    parsed = CsvParser(["y", "a"], ",", target="y", skip=True).parse(data, 0, True, 100)
    assert parsed.skipped == sum(is_infinite(cell) for cell in cells)
    assert {bad.fault for bad in parsed.bad_lines} <= {Fault.cell_infinite}
    words = CsvParser(["y", "a"], ",", target="y", cells=CellRules(text=["a"]), names=True).parse(data, 0, True, 100)
    assert words.skipped == 0
    assert words.names is not None
    assert words.names.count("a^inf") == sum(cell.strip("+-").lower() == "inf" for cell in cells)


def is_infinite(cell: str) -> bool:
    try:
        return math.isinf(float(cell))
    except ValueError:
        return False


def test_labels_none_leave_target_and_weight_unread() -> None:
    data = b"a,y,w\n1,?,-1\n2,,x\n"
    parsed = parse(data, target="y", weight="w", kind="none", names=True)
    assert parsed["names"] == ["a", "a"]
    assert (np.frombuffer(parsed["y"]).tolist(), parsed["weight"]) == ([0, 0], b"")
    assert parse(b"a\n1\n2\n", target="y", weight="w", kind="none", names=True)["keys"] == parsed["keys"]


def test_a_class_of_a_dropped_record_is_forgotten() -> None:
    data = b"y,a\nb,1\nc,1e99\na,1\nc,1\n"
    assert parse(data, target="y", kind="classes", skip=True)["classes"] == ["b", "a", "c"]


def test_headers() -> None:
    assert csv_header(b'\n a ,"b ""c""\n"\r\n1,2\n', ",", False) == ([b"a", b'b "c"\n'], 17, 3)
    assert csv_header(b"a,b", ",", False) is None
    assert csv_header(b"a,b", ",", True) == ([b"a", b"b"], 3, 1)
    assert csv_header(b'a,"b', ",", True) == 2
    assert csv_header(b"\n\n", ",", True) is None
