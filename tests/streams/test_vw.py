"""Streams of Vowpal Wabbit's text: what format a file has, positions, and the same models as from other sources."""

from __future__ import annotations

import bz2
import gzip
import io
import sys
from pathlib import Path

import numpy as np
import pytest

import afterwit as aw
from afterwit.errors import DataError
from afterwit.protocols import Labels, Wants
from afterwit.streams import whole_lines
from afterwit.streams.svmlight import SVMLIGHT
from afterwit.streams.text import TextStream
from afterwit.streams.vw import VW
from tests.streams.passes import error_of, goes_on_from_every_position, joined

BINARY, CLASS, NONE = Labels("binary"), Labels("classes"), Labels("none")
TEXT = b"""1 | 17:0.5 word
-1 2 'tag |user 17 age:0.5

1 | a:x
0 |user:2 a:3|b c

2 | a
+1 0.5 0 last| 3:1
"""
WORDS = b"b | x\na |u x\nc | x:y\n7 2 |\nb |\n\nd | z\n07 | 3:3\na |\n"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "rows.vw"


def test_names_groups_and_weights(path: Path) -> None:
    path.write_bytes(TEXT)
    stream = TextStream(path, on_error="skip")
    [batch] = stream.batches(BINARY, wants=Wants(names=True, groups=True))
    assert batch.names == ["17", "word", "user^17", "user^age", "user^a", "b^c", "3"]
    assert batch.groups is not None
    assert batch.groups.tolist()[:2] == [0, 0]
    assert len(set(batch.groups.tolist())) == 3
    assert batch.weight is not None
    assert batch.weight.tolist() == [1, 2, 1, 0.5]
    assert (batch.y.tolist(), stream.skipped) == ([1, -1, -1, 1], 2)
    [batch] = stream.batches(BINARY)
    assert (batch.names, batch.groups) == (None, None)


@pytest.mark.parametrize("batch_rows", [1, 100])
@pytest.mark.parametrize("chunk", [1, 2, 3, 7, 20])
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
@pytest.mark.parametrize("name", ["rows.vw", "rows"])
def test_chunks_of_any_size_give_the_same_rows(
    path: Path, monkeypatch: pytest.MonkeyPatch, batch_rows: int, chunk: int, pack: type, name: str
) -> None:
    path.write_bytes(TEXT)
    expected = joined(TextStream(path, VW, on_error="skip").batches(BINARY))
    path = path.with_name(name)
    path.write_bytes(pack(b"\n \n" + TEXT))
    monkeypatch.setattr(whole_lines, "CHUNK_BYTES", chunk)
    stream = TextStream(path, on_error="skip", batch_rows=batch_rows)
    assert joined(stream.batches(BINARY)) == expected
    assert [error.line for error in stream.bad_lines] == [6, 9]


@pytest.mark.parametrize("change", [(b"\n", b"\r\n"), (b" ", b"\t"), (b"| ", b"|  \t ")])
def test_line_ends_and_gaps(path: Path, change: tuple[bytes, bytes]) -> None:
    path.write_bytes(TEXT)
    expected = joined(TextStream(path, on_error="skip").batches(BINARY))
    path.write_bytes(TEXT.replace(*change).rstrip(b"\r\n"))
    assert joined(TextStream(path, on_error="skip").batches(BINARY)) == expected


@pytest.mark.parametrize("chunk", [1, 2, 1 << 20])
@pytest.mark.parametrize(("text", "format"), [(b"1 |a b\n1 | x:y\n", "vw"), (b"1 3:1\n1 x\n", "svmlight")])
def test_a_byte_order_mark_is_left_out(
    path: Path, monkeypatch: pytest.MonkeyPatch, text: bytes, format: str, chunk: int
) -> None:
    monkeypatch.setattr(whole_lines, "CHUNK_BYTES", chunk)
    plain, marked = path, path.with_name("marked")
    plain.write_bytes(text)
    marked.write_bytes(b"\xef\xbb\xbf" + text)
    for name in (None, format):
        one, other = aw.read(plain, format=format, on_error="skip"), aw.read(marked, format=name, on_error="skip")
        assert joined(one.batches(BINARY)) == joined(other.batches(BINARY))
        [first] = other.batches(BINARY)
        assert list(other.batches(BINARY, start=first.position)) == []
    marked.write_bytes(b"\xef\xbb\xbf" + text[:6] + b"\n\xef\xbb\xbf" + text)
    assert next(iter(aw.read(marked, on_error="skip").batches(BINARY))).y.tolist() == [1]
    marked.write_bytes(b"\xef\xbb\xbf")
    assert list(aw.read(marked).batches(BINARY)) == []


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
@pytest.mark.parametrize("chunk", [5, 1 << 20])
@pytest.mark.parametrize("name", ["rows.vw", "rows"])
@pytest.mark.parametrize(("text", "labels"), [(TEXT, BINARY), (WORDS, CLASS), (WORDS, Labels("classes", ("a", "b")))])
def test_resuming_from_every_position(
    path: Path, monkeypatch: pytest.MonkeyPatch, text: bytes, labels: Labels, pack: type, chunk: int, name: str
) -> None:
    path = path.with_name(name)
    path.write_bytes(pack(text))
    monkeypatch.setattr(whole_lines, "CHUNK_BYTES", chunk)
    stream = TextStream(path, on_error="skip", batch_rows=1)
    goes_on_from_every_position(stream, labels)


@pytest.mark.parametrize("changed", [b"1 | a\n1 | c\n1 | d\n", b"1 | a\n", b"", b"\n\n", b"1 1:1\n1 1:2\n"])
def test_a_changed_input_is_refused(path: Path, changed: bytes) -> None:
    path = path.with_name("rows")
    path.write_bytes(b"1 | a\n1 | b\n1 | c\n")
    [_, second, _] = TextStream(path, batch_rows=1).batches(BINARY)
    path.write_bytes(changed)
    error = error_of(TextStream(path, batch_rows=1), BINARY, second.position)
    assert "the input changed since the checkpoint was written" in str(error)


@pytest.mark.parametrize(
    ("name", "text", "format"),
    [
        ("a.vw", b"1 3:1\n", "VW text"),
        ("a.VW.gz", b"", "VW text"),
        ("a.svm", b"1 | a\n", "svmlight"),
        ("a.svmlight.bz2", b"", "svmlight"),
        ("a.libsvm.xz", b"", "svmlight"),
        ("a", b"\n  \n1 | a\n", "VW text"),
        ("a.txt", b"1 3:1 4:1\n", "svmlight"),
        ("a.gz", b"word\n", "svmlight"),
        ("a", b"1 3:1 # a | b\n", "svmlight"),
        ("a", b"# a | b\n1 | b\n", "svmlight"),
        ("a", b"what is this\n|user x\n", "VW text"),
        ("a", b"1 3:x\n", "svmlight"),
    ],
)
def test_what_format_a_file_has(tmp_path: Path, name: str, text: bytes, format: str) -> None:
    path = tmp_path / name
    path.write_bytes(text)
    assert aw.read(path).description == f"{path} ({format})"
    path.write_bytes(bz2.compress(text))
    assert aw.read(path).description == f"{path} ({format}, bz2)"


def test_a_format_that_is_named_wins(path: Path) -> None:
    path.write_bytes(b"1 3:1\n")
    assert aw.read(path, format="svmlight").description == f"{path} (svmlight)"
    with pytest.raises(ValueError, match="format is `svm`, expected one of svmlight, vw"):
        aw.read(path, format="svm")
    with pytest.raises(DataError, match="target and format go with files"):
        aw.read([({"x": 1}, 1)], format="vw")


def test_a_format_that_cannot_be_told(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"\nx,y,z\n1,2,3\n")
    with pytest.raises(DataError, match="cannot tell its format: `x,y,z` looks neither like svmlight"):
        aw.read(path)
    path.write_bytes(b" \n\n")
    stream = aw.read(path)
    assert (stream.description, list(stream.batches(BINARY))) == (str(path), [])


def test_standard_input_is_guessed_when_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(gzip.compress(TEXT, mtime=0))))
    stream = TextStream("-", on_error="skip")
    assert stream.description == "standard input"
    assert sum(map(len, stream.batches(BINARY))) == 4
    assert stream.description == "standard input (VW text, gzip)"


@pytest.mark.parametrize(
    ("line", "column", "message"),
    [
        (
            *(b"| a", 1),
            "there is no label before the `|`; expected something like `1 | price:0.5 red` (a word right before the "
            "bar, without a space between, is a tag)",
        ),
        (b"1 3:1", 1, "the line that begins with `1` has no `|`; expected something like `1 | price:0.5 red`"),
        (
            *(b"shared |a b", 1),
            "`shared` begins a row of several lines, which is not supported; expected something like "
            "`1 | price:0.5 red`",
        ),
        (
            *(b"1:2:0.5 |a b", 1),
            "label `1:2:0.5` gives costs or probabilities of actions, which is not supported; expected one label "
            "without a colon",
        ),
        (b"1 x |a", 3, "weight `x` is not a number; expected a finite number, 0 or more"),
        (b"1 -1 |a", 3, "weight `-1` is negative; expected a finite number, 0 or more"),
        (
            *(b"1 1e39 |a", 3),
            "weight `1e39` is too large; expected a magnitude of at most 3.4028234e38, the largest float32",
        ),
        (b"1 1 3 |a", 5, "initial prediction `3` is not supported; expected 0, or nothing after the weight"),
        (
            *(b"1 1 0 x |a", 7),
            "`x` stands before the `|`; expected a label, a weight and a tag such as `'row7` at most",
        ),
        (b"1 |a:x b", 6, "scale `x` of a namespace is not a number; expected something like `|user:0.5`"),
        (
            *(b"1 |a:1e39 b", 6),
            "scale `1e39` of a namespace is too large; expected a magnitude of at most 3.4028234e38, the largest "
            "float32",
        ),
        (
            *(b"1 | :1", 5),
            "feature `:1` has no name; expected something like `price:0.5`, or `price` alone for the value 1",
        ),
        (
            *(b"1 | a:", 5),
            "feature `a:` has no value; expected something like `price:0.5`, or `price` alone for the value 1",
        ),
        (
            *(b"1 | a:b", 7),
            "value `b` is not a number; expected something like `price:0.5`, or `price` alone for the value 1",
        ),
        (
            *(b"1 |u:9 a:1e38", 10),
            "value `1e38`, times the scale of its namespace, is too large, as values are stored as float32; expected "
            "a magnitude of at most 3.4028234e38, the largest float32",
        ),
        (
            *(b"1 | a:1e39", 7),
            "value `1e39` is too large, as values are stored as float32; expected a magnitude of at most 3.4028234e38, "
            "the largest float32",
        ),
        (
            *(b"1 | a:1e999", 7),
            "value `1e999` is infinite; expected a magnitude of at most 3.4028234e38, the largest float32",
        ),
    ],
)
def test_messages(path: Path, line: bytes, column: int, message: str) -> None:
    path.write_bytes(b"1 | a\n" + line)
    assert str(error_of(TextStream(path), BINARY)) == f"{path}, line 2, column {column}: {message}"


def test_no_labels_are_needed_to_predict(path: Path) -> None:
    path.write_bytes(b"1 |user 17\n0 |user 18\n" * 20)
    model = aw.linear.AdaGrad()
    aw.learn(model, aw.read(path))
    expected = aw.predict(model, aw.read(path))[:2]
    path.write_bytes(b"|user 17\nwhat |user 18\n")
    assert aw.predict(model, aw.read(path)).tolist() == expected.tolist()
    with pytest.raises(DataError, match="there is no label"):
        aw.learn(model, aw.read(path))
    [batch] = aw.read(path).batches(NONE)
    assert (batch.y.tolist(), batch.classes) == ([0, 0], ())


def test_svmlight_labels_may_be_anything_to_predict(tmp_path: Path) -> None:
    path = tmp_path / "rows.svm"
    path.write_bytes(b"? 3:1\n1e999 4:1\n")
    [batch] = TextStream(path, SVMLIGHT, classes=("a", "b")).batches(NONE)
    assert (batch.y.tolist(), batch.keys.tolist()) == ([0, 0], [3, 4])
    path.write_bytes(b"3:1\n")
    assert "stands where the label should be" in str(error_of(TextStream(path), NONE))


def random_rows(count: int = 300) -> list[tuple[int, list[tuple[int, float]]]]:
    rng = np.random.default_rng(3)
    rows = []
    for _ in range(count):
        columns = rng.choice(50, size=rng.integers(1, 9), replace=False).tolist()
        row = [(k, float(v)) for k, v in zip(columns, rng.normal(size=len(columns)).round(4), strict=True)]
        rows.append((1 if sum(v * (k % 3 - 1) for k, v in row) > 0 else -1, row))
    return rows


@pytest.mark.parametrize("names", ["hashed", "exact"])
def test_the_same_rows_in_svmlight_give_the_same_bits(tmp_path: Path, names: str) -> None:
    rows = [(y, " ".join(f"{k}:{v!r}" for k, v in row)) for y, row in random_rows()]
    (tmp_path / "a.svm").write_text("".join(f"{y} {features}\n" for y, features in rows))
    (tmp_path / "a.vw").write_text("".join(f"{y} | {features}\n" for y, features in rows))
    models = [aw.linear.AdaGrad(normalized=True, features=aw.Features(names=names)) for _ in range(2)]
    for model, file in zip(models, ("a.svm", "a.vw"), strict=True):
        aw.learn(model, aw.read(tmp_path / file))
        aw.save(model, tmp_path / f"{file}.afterwit")
    assert (tmp_path / "a.svm.afterwit").read_bytes() == (tmp_path / "a.vw.afterwit").read_bytes()


@pytest.mark.parametrize("names", ["hashed", "exact"])
def test_a_model_of_text_serves_dicts(path: Path, names: str) -> None:
    rng = np.random.default_rng(4)
    lines, mappings = [], []
    for _ in range(200):
        user, age, word = int(rng.integers(20)), round(rng.random(), 3), str(rng.choice(["red", "blue", "café"]))
        y = 1 if (user % 2 == 0) == (word == "red") else -1
        lines.append(f"{y} {1 + user % 3} 't |user {user} age:{age} | {word} price:{2 * age} {user}:3\n")
        x = {"user": {str(user): 1, "age": age}, word: 1, "price": 2 * age, user: 3}
        mappings.append((x, y, 1.0 + user % 3))
    path.write_text("".join(lines), encoding="utf-8")
    model, other = (aw.linear.AdaGrad(features=aw.Features(names=names)) for _ in range(2))
    assert aw.learn(model, aw.read(path)).mean_loss == aw.learn(other, aw.read(mappings)).mean_loss
    expected = aw.predict(model, aw.read(path)).tolist()
    assert [model.predict_one(x) for x, _, _ in mappings] == expected
    assert aw.predict(other, aw.read(path)).tolist() == expected


def test_names_need_not_be_utf8(path: Path, tmp_path: Path) -> None:
    path.write_bytes(b"1 |caf\xe9 \xff word\n-1 |caf\xe9 \xfe word\n" * 10)
    model = aw.linear.AdaGrad(features=aw.Features(names="exact"))
    aw.learn(model, aw.read(path))
    aw.save(model, tmp_path / "m.afterwit")
    raw = aw.predict(aw.load(tmp_path / "m.afterwit"), aw.read(path))
    assert raw.tolist() == aw.predict(model, aw.read(path)).tolist()
    assert raw[0] > 0 > raw[1]
