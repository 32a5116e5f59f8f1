"""The parser of JSON lines against Python's json module and a slow hash of names."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from afterwit._core import CellRules, Fault, JsonParser, group_of_name
from afterwit.streams.json_faults import _SENTENCES
from tests.text.slow_json import parse, slow_parse

ROWS: list[dict[str, Any]] = [
    {"y": 1, "price": 3.5, "city": "Rome", "user": {"age": 3, "name": "é", "none": None, "17": 2}, "sold": True},
    {"y": 0, "price": -1e-3, "city": 'Zürich "x"\n', "user": {}, "sold": False, "tags": ["a", "b", "", None, "a"]},
    {"y": 0.5, "17": 2**60 + 1, "sizes": [1, 0, 2.5, True, None, -7], "": "x", "a\u0000b": "😀", "zip": 10001},
    {"y": -1, "zip": [10001.0, "x", False, 1e22, -0.0, 12345678901234567890123], "user": {"": 5, "v": [1.5, 2]}},
    {"y": 1, "price": 3.5, "city": "Rome", "user": {"age": 3, "name": "e", "none": None, "17": 2}, "sold": True},
]
NAMED: dict[str, Any] = {"names": True, "groups": True}
TEXT = ("\n".join(json.dumps(row) for row in ROWS) + "\r\n\n \n").encode()
TEXT += "\n".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in ROWS).encode()


def check(data: bytes, weight: str | None = None, categorical: tuple[str, ...] = ()) -> None:
    """The same rows, and the same lines that are none."""
    found = parse(data, target="y", weight=weight, skip=True, cells=CellRules(categorical=categorical), **NAMED)
    slow = slow_parse(data, "y", weight, categorical)
    expected = slow.arrays()
    assert {name: found[name] for name in expected} == expected
    assert (found["y"], found["skipped"]) == (slow.y, slow.skipped)
    assert found["weight"] == (slow.weight if weight else [])


def test_rows() -> None:
    for categorical in ((), ("zip",), ("price", "zip", "sold", "tags", "sizes")):
        check(TEXT, categorical=categorical)
    check(TEXT, weight="price")
    assert parse(TEXT, target="y", **NAMED, cells=CellRules(categorical=["zip"]))["skipped"] == 0


#: Values, the last of which are none; a long word stands behind each.
VALUES = [
    rb'"\ud83d\ude00"',
    rb'"\uD83D\uDE00\u00e9\n"',
    rb'"\\\/\""',
    b'"\xc3\xa9"',
    b"-0",
    b"-0.0",
    b"0e5",
    b"1E-2",
    b"{}",
    b"[]",
]
NONE = [
    rb'"\ud83d\ud83d"',
    rb'"\ude00\ud83d"',
    rb'"\ud83dx"',
    rb'"\u12"',
    b'"\xff"',
    b'"\xc3"',
    b'"\xed\xa0\x80"',
    b'1,"a":2',
    rb'1,"\u0061":2',
]
NONE += [b"{'b':1}", b'{"b":1,"b":1}', b'{"b":1,}', b"[1,]", b"+1", b"00", b"tru", b"NaN", b'"\t"', b"1e400"]


@pytest.mark.parametrize("categorical", [(), ("a",)])
def test_values_and_what_is_none(categorical: tuple[str, ...]) -> None:
    def lines(values: list[bytes]) -> bytes:
        return b"\n".join(b'{"y":1,"a":%s,"z":"a word of many more bytes"}' % value for value in values)

    check(lines(VALUES + NONE), categorical=categorical)
    assert parse(lines(NONE), target="y", skip=True)["skipped"] == len(NONE)
    assert parse(lines(VALUES), target="y")["met"][0] == len(VALUES)


def test_every_cut_gives_the_same() -> None:
    options: dict[str, Any] = {"target": "y", "cells": CellRules(categorical=["zip"]), "ids": ["city", "zip"], **NAMED}
    whole = parse(TEXT, **options)
    ids = whole.pop("ids")
    for chunk in (*range(1, 60), 200, 500, len(TEXT)):
        for max_rows in (1, 100):
            pieces = parse(TEXT, chunk=chunk, max_rows=max_rows, **options)
            joined = [[text for part in pieces["ids"] for text in part[i]] for i in range(2)]
            pieces.pop("ids")
            assert (pieces, [joined]) == (whole, ids)


def test_ids_are_as_they_are() -> None:
    data = b'{"y":1,"a":"x\\u00e9\\n","b":1.50}\n{"y":1,"b":null}\n{"y":0,"a":true,"b":[1, 2]}\n{"y":1,"a":"","b":"7"}'
    ids = [["xé\n", "", "true", ""], ["1.50", "", "[1, 2]", "7"]]
    assert parse(data, target="y", ids=["a", "b"])["ids"] == [ids]
    assert parse(data, kind="none", ids=["b", "a"], cells=CellRules(text=["a"]))["ids"] == [ids[::-1]]


names = st.one_of(st.sampled_from(["a", "b", "y", "w", "17", "c d", 'q"', "é", ""]), st.text(max_size=5))
scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.floats(allow_nan=False, allow_infinity=False, width=32),
    st.floats(allow_nan=True, allow_infinity=True),
    st.text(max_size=20),
    st.sampled_from(["true", "1", "NaN", "x" * 40, "é" * 20]),
)
values = st.recursive(
    scalars,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(names, inner, max_size=4)),
    max_leaves=8,
)
objects = st.dictionaries(names, values, max_size=6)
labelled = st.builds(lambda row, y: {**row, "y": y}, objects, st.sampled_from([0, 1, -1, 2.5, True, 1e38]))


@st.composite
def texts(draw: st.DrawFn) -> bytes:
    lines = []
    for row in draw(st.lists(st.one_of(labelled, labelled, objects), max_size=4)):
        separators = draw(st.sampled_from([(",", ":"), (", ", ": "), (" ,\t", " : ")]))
        lines.append(json.dumps(row, ensure_ascii=draw(st.booleans()), separators=separators))
        lines += [draw(st.sampled_from(["", " ", "\t\r"]))] * draw(st.integers(0, 1))
    ending = draw(st.sampled_from(["\n", "\r\n"]))
    return (ending.join(lines) + draw(st.sampled_from(["", ending]))).encode("utf-8", "surrogatepass")


@given(texts(), st.sampled_from([None, "w"]), st.sampled_from([(), ("a",), ("a", "b", "17")]))
@settings(max_examples=100)
def test_random_rows(data: bytes, weight: str | None, categorical: tuple[str, ...]) -> None:
    check(data, weight, categorical)


@given(
    texts(),
    st.lists(
        st.tuples(
            st.integers(0, 400),
            st.sampled_from([*'{}[]",:\\ 01e.-+tfnu\x00\x1f\n', "null", "\\u12", "\\ud800", "1.5", '"a":1', "é"]),
        ),
        max_size=3,
    ),
)
@example(b'{"y":1,"a":"\\ud83d\\ude00"}', [])
@settings(max_examples=200)
def test_damaged_rows(data: bytes, damage: list[tuple[int, str]]) -> None:
    """What Python's json refuses is refused, and nothing else that is a row."""
    for at, text in damage:
        at %= len(data) + 1
        data = data[:at] + text.encode() + data[at + len(text) % 3 :]
    check(data)


@given(
    st.lists(
        st.from_regex(r"-?[0-9]{0,12}[.]?[0-9]{0,20}([eE][+-]?[0-9]{0,3})?[-+.ex:]?", fullmatch=True),
        min_size=1,
        max_size=20,
    )
)
@example(
    [
        "0",
        "-0",
        "00",
        "01",
        "-",
        "1.",
        ".5",
        "1.e5",
        "1e",
        "1e+",
        "1E5",
        "0.1e-2",
        "-0.0",
        "1e400",
        "3.5e38",
        "1-1",
        "0x1",
    ]
)
def test_numbers_are_those_of_python_to_the_last_bit(literals: list[str]) -> None:
    check("\n".join(f'{{"y":1,"a":{literal}}}' for literal in literals).encode())


@given(st.binary(max_size=100), st.booleans())
def test_any_bytes_are_read_to_the_end_or_to_an_error(data: bytes, skip: bool) -> None:
    parser = JsonParser(target="y", kind="classes", skip=skip, names=True, cells=CellRules(text=["a"]))
    for final in (False, True):
        parsed = parser.parse(data, 0, final, 1000)
        assert parsed.stopped or not final or parsed.consumed == len(data)
        assert not (parsed.stopped and skip)


def test_what_is_not_read_is_checked_without_recursion() -> None:
    def nested(depth: int, open: str = "[", close: str = "]") -> bytes:
        return f'{{"y":1,"a":{open * depth}{close * depth}}}'.encode()

    options: dict[str, Any] = {"target": "y", "skip": True}
    options["cells"] = CellRules([], [], [], [], [group_of_name("a")], 2)
    assert parse(nested(512), **options)["skipped"] == 0
    assert parse(nested(513), **options)["bad"] == [("json_too_deep", 1, 524)]
    assert parse(nested(10**6), **options)["bad"] == [("json_too_deep", 1, 524)]
    assert parse(nested(500, '{"b":', "}").replace(b":}", b":1}"), **options)["skipped"] == 0
    good = b'{"y":1,"a":[{"b":[1,{"c":null}], "d":{}},[],"x",-1.5e3]}'
    assert parse(good, **options)["skipped"] == 0
    for bad in (b'{"y":1,"a":[{"b":[1,{"c":nul}]}]}', b'{"y":1,"a":[1,]}', b'{"y":1,"a":{"b"}}', b'{"y":1,"a":[1}}'):
        assert parse(bad, **options)["skipped"] == 1


def test_memory_does_not_grow_with_names() -> None:
    parser = JsonParser(kind="none")
    for start in range(0, 200_000, 50_000):
        data = b"\n".join(b'{"k%d":1}' % i for i in range(start, start + 50_000))
        assert len(parser.parse(data, 0, True, 10**6).y) == 50_000
        assert parser.columns_met is None or len(parser.columns_met[1]) <= 1 << 16
    assert parser.columns_met is None
    inside = JsonParser(kind="none")
    for start in range(0, 300_000, 50_000):
        data = b'{"u":{' + b",".join(b'"k%d":1' % i for i in range(start, start + 50_000)) + b"}}"
        assert len(inside.parse(data, 0, True, 1).keys) == 50_000
    assert inside.columns_met == (6, [("u", 0, 6)])


def test_keys_that_were_met() -> None:
    data = b'{"b":1,"a":{"c":1}}\n{"a":2,"x":}\n{"a":null}\n{"d":1,"a":1}\n'
    found = parse(data, kind="none", skip=True)
    assert (found["met"], found["skipped"]) == ((3, [("b", 0, 1), ("a", 0, 3), ("d", 2, 0)]), 1)


def test_vw_labels() -> None:
    data = b'{"_label":1,"_tag":"x","a":1}\n{"_label":{"Label":-1,"Weight":2.5,"Initial":0.0},"a":1}\n'
    data += b'{"a":2,"_label":{"Label":0}}'
    found = parse(data, kind="binary", ids=["_tag"], names=True)
    assert (found["y"], found["weight"], found["names"]) == ([1, -1, -1], [1, 2.5, 1], ["a", "a", "a"])
    assert found["ids"] == [[["x", "", ""]]]
    assert parse(b'{"_tag":"x","y":1}', target="y", names=True)["names"] == ["_tag=x"]


@pytest.mark.parametrize(
    ("kind", "classes", "expected"),
    [("binary", [], [1, -1]), ("real", [], [1, 0]), ("classes", [], [0, 1]), ("classes", ["false", "true"], [1, 0])],
)
def test_labels_that_are_booleans(kind: str, classes: list[str], expected: list[float]) -> None:
    found = parse(b'{"y":true}\n{"y":false}', target="y", kind=kind, classes=classes)
    assert found["y"] == expected
    assert found["classes"] == (classes or ([1, 0] if kind == "classes" else []))


def test_a_class_of_a_dropped_line_is_forgotten() -> None:
    data = b'{"y":"b"}\n{"y":"c","a":1e99}\n{"y":3.0}\n{"y":"3"}\n{"y":"c"}\n'
    assert parse(data, target="y", kind="classes", skip=True)["classes"] == ["b", 3, "c"]


def test_faults_have_a_sentence() -> None:
    assert {fault for fault in Fault if fault.name.startswith("json_")} <= set(_SENTENCES)
