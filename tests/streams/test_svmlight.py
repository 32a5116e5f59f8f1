"""Streams of svmlight files: batches, positions, resuming, and the sentences for bad lines."""

from __future__ import annotations

import gzip
import io
import os
import sys
import zlib
from collections.abc import Generator
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest

from afterwit.errors import DataError
from afterwit.protocols import Batch, Labels, Position, Stream
from afterwit.streams import whole_lines
from afterwit.streams.svmlight import SVMLIGHT
from afterwit.streams.text import TextStream
from tests.streams.passes import error_of, goes_on_from_every_position, joined, refuses_wrong_labels

BINARY, REAL, CLASS = Labels("binary"), Labels("real"), Labels("classes")
TEXT = b"""1 1:1 2:0.25
# a comment
-1 3:7
1 x
0

1 5:1.5 # another
2 1:1
+1 9:9
-1 1:2 4:nan
0 8:8 9:9
"""
WORDS = b"b 1:1\na 2:2\nc 1:x\n7 1:1\nb\n\nd 1:1\n07 3:3\na\n"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "rows.svm"


def test_it_is_a_stream(path: Path) -> None:
    path.write_bytes(b"1 1:2\n")
    stream: Stream = TextStream(path, SVMLIGHT)
    assert stream.rereadable
    [batch] = stream.batches(BINARY)
    assert (len(batch), batch.keys.tolist(), batch.values.tolist(), batch.y.tolist()) == (1, [1], [2.0], [1.0])
    assert batch.position == Position(rows=1, bytes=6, lines=1, skipped=0, crc=zlib.crc32(b"1 1:2\n"))
    assert (batch.weight, batch.names, batch.classes) == (None, None, ())
    assert joined(stream.batches(BINARY)) == joined([batch])


def test_description(path: Path, tmp_path: Path) -> None:
    path.write_bytes(b"1\n")
    packed = tmp_path / "rows.gz"
    packed.write_bytes(gzip.compress(b"1\n", mtime=0))
    assert TextStream(path, SVMLIGHT).description == f"{path} (svmlight)"
    assert TextStream(packed, SVMLIGHT).description == f"{packed} (svmlight, gzip)"


@pytest.mark.parametrize("content", [b"", b"\n", b"# only\n\n   ", gzip.compress(b"", mtime=0), b"\r\n"])
def test_empty_input_has_no_batches(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    assert list(TextStream(path, SVMLIGHT).batches(BINARY)) == []


@pytest.mark.parametrize("batch_rows", [1, 2, 3, 100])
@pytest.mark.parametrize("chunk", [1, 2, 7, 1 << 20])
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_chunks_and_batches_of_any_size_give_the_same_rows(
    path: Path, monkeypatch: pytest.MonkeyPatch, batch_rows: int, chunk: int, pack: type
) -> None:
    path.write_bytes(TEXT)
    stream = TextStream(path, SVMLIGHT, on_error="skip")
    expected, last = joined(stream.batches(BINARY)), list(stream.batches(BINARY))[-1].position
    path.write_bytes(pack(TEXT))
    monkeypatch.setattr(whole_lines, "CHUNK_BYTES", chunk)
    stream = TextStream(path, SVMLIGHT, on_error="skip", batch_rows=batch_rows)
    batches = list(stream.batches(BINARY))
    assert joined(batches) == expected
    assert all(len(b) <= batch_rows for b in batches)
    assert batches[-1].position == last == Position(6, len(TEXT), 11, 3, zlib.crc32(TEXT))
    for batch in batches:
        assert batch.position.crc == zlib.crc32(TEXT[: batch.position.bytes])
        assert batch.position.lines == TEXT[: batch.position.bytes].count(b"\n")


def test_batches_are_bounded(path: Path) -> None:
    path.write_bytes(b"".join(b"1 %d:1\n" % i for i in range(300_000)))
    batches = list(TextStream(path, SVMLIGHT).batches(BINARY))
    assert max(len(b) for b in batches) == 4096
    path.write_bytes((b"1" + b" 1:1" * 50_000 + b"\n") * 60)
    batches = list(TextStream(path, SVMLIGHT).batches(BINARY))
    assert sum(len(b) for b in batches) == 60
    assert max(len(b.keys) for b in batches) <= 300_000


def test_crlf(path: Path) -> None:
    path.write_bytes(TEXT)
    expected = joined(TextStream(path, SVMLIGHT, on_error="skip").batches(BINARY))
    path.write_bytes(TEXT.replace(b"\n", b"\r\n")[:-2])
    assert joined(TextStream(path, SVMLIGHT, on_error="skip").batches(BINARY)) == expected


def test_a_bad_line_is_an_error_after_the_rows_before_it(path: Path) -> None:
    path.write_bytes(TEXT)
    batches = TextStream(path, SVMLIGHT).batches(BINARY)
    first = next(batches)
    assert first.y.tolist() == [1, -1]
    assert first.position.lines == 3
    with pytest.raises(DataError) as caught:
        next(batches)
    error = caught.value
    assert (error.source, error.line, error.column) == (str(path), 4, 3)
    assert str(error) == f"{path}, line 4, column 3: feature `x` has no colon; expected something like `3:0.5`"


def test_skipping_counts_and_shows_the_first_five(path: Path) -> None:
    path.write_bytes(TEXT)
    stream = TextStream(path, SVMLIGHT, on_error="skip")
    for _ in range(2):
        list(stream.batches(BINARY))
        assert stream.skipped == 3
        assert [(e.line, e.column) for e in stream.bad_lines] == [(4, 3), (8, 1), (10, 10)]
    path.write_bytes(TEXT * 1000)
    list(stream.batches(BINARY))
    assert stream.skipped == 3000
    assert [e.line for e in stream.bad_lines] == [4, 8, 10, 15, 19]


@pytest.mark.parametrize(
    ("labels", "line", "column", "message"),
    [
        (BINARY, b"1 3:abc", 5, "value `abc` is not a number; expected something like `3:0.5`"),
        (BINARY, b"1 3:", 3, "feature `3:` has no value; expected something like `3:0.5`"),
        (BINARY, b"1 3:\xff\x00\n", 5, "value `\\xff\\x00` is not a number; expected something like `3:0.5`"),
        (BINARY, b"1 3:" + b"z" * 99, 5, f"value `{'z' * 57}...` is not a number; expected something like `3:0.5`"),
        (BINARY, b"1 -3:1", 3, "index `-3` is negative; expected an integer from 0 to 4294967295"),
        (
            *(BINARY, b"1 3:1e39", 5),
            "value `1e39` is too large, as values are stored as float32; expected a magnitude of at most 3.4028234e38, "
            + "the largest float32",
        ),
        (BINARY, b"1 qid:7", 3, "`qid:7` is for ranking, which is not supported; expected no `qid:`, so remove it"),
        (
            BINARY,
            b"yes",
            1,
            "label `yes` is not a number; expected -1 or +1, or 0 or 1 (two other labels: name them in `classes`; "
            "several classes: OneVsAll, or `--classes any`; numbers: a loss such as `squared`)",
        ),
        (
            BINARY,
            b"2",
            1,
            "label `2` is not allowed; expected -1 or +1, or 0 or 1 (two other labels: name them in `classes`; "
            "several classes: OneVsAll, or `--classes any`; numbers: a loss such as `squared`)",
        ),
        (REAL, b"yes", 1, "label `yes` is not a number; expected something like `1` or `-2.5`"),
        (
            *(Labels("binary", ("a", "b")), b"c", 1),
            "label `c` is not among the classes given; expected `a` or `b`; for more than two labels begin "
            "anew with the task `classes`",
        ),
        (Labels("classes", (1, 2, 3)), b"c", 1, "label `c` is not among the classes given; expected `1`, `2` or `3`"),
        (
            *(Labels("classes", tuple(range(9))), b"x", 1),
            "label `x` is not among the classes given; expected one of `0`, `1`, `2`, `3`, `4` and 4 more",
        ),
        (CLASS, b"1.5", 1, "label `1.5` is a number but not an integer; expected an integer or a word"),
        (
            *(CLASS, b"1:2", 1),
            "feature `1:2` stands where the label should be; expected something like `1 3:0.5`",
        ),
    ],
)
def test_messages(path: Path, labels: Labels, line: bytes, column: int, message: str) -> None:
    path.write_bytes(b"# comment\n" + line)
    assert str(error_of(TextStream(path, SVMLIGHT), labels)) == f"{path}, line 2, column {column}: {message}"


def test_classes(path: Path) -> None:
    path.write_bytes(WORDS)
    batches = list(TextStream(path, SVMLIGHT, on_error="skip", batch_rows=2).batches(CLASS))
    assert [b.classes for b in batches] == [("b", "a"), ("b", "a", 7), ("b", "a", 7, "d"), ("b", "a", 7, "d")]
    assert [y for b in batches for y in b.y] == [0, 1, 2, 0, 3, 2, 1]

    given = Labels("classes", ("a", "7"))
    batches = list(TextStream(path, SVMLIGHT, on_error="skip").batches(given))
    assert [(b.classes, b.y.tolist()) for b in batches] == [(("a", "7"), [0, 1, 1, 0])]

    path.write_bytes(b"no\nyes\n")
    [batch] = TextStream(path, SVMLIGHT, classes=("no", "yes")).batches(BINARY)
    assert (batch.classes, batch.y.tolist()) == (("no", "yes"), [-1, 1])


@pytest.mark.parametrize("ending", [b"\n", b""])
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
@pytest.mark.parametrize("chunk", [5, 1 << 20])
@pytest.mark.parametrize(
    ("text", "labels"), [(TEXT, BINARY), (TEXT, CLASS), (WORDS, CLASS), (WORDS, Labels("classes", ("a", "b")))]
)
def test_resuming_from_every_position(
    path: Path, monkeypatch: pytest.MonkeyPatch, text: bytes, labels: Labels, ending: bytes, pack: type, chunk: int
) -> None:
    path.write_bytes(pack(text.rstrip() + ending))
    monkeypatch.setattr(whole_lines, "CHUNK_BYTES", chunk)
    stream = TextStream(path, SVMLIGHT, on_error="skip", batch_rows=1)
    goes_on_from_every_position(stream, labels)


def test_an_error_after_resuming_names_the_right_line(path: Path) -> None:
    path.write_bytes(b"1\n\n1\n1\n1 x\n")
    stream = TextStream(path, SVMLIGHT, batch_rows=1)
    batches = stream.batches(BINARY)
    next(batches)
    second = next(batches)
    assert error_of(stream, BINARY, second.position).line == 5


@pytest.mark.parametrize("labels", [BINARY, CLASS])
@pytest.mark.parametrize(
    "changed",
    [
        b"1 1:1\n1 1:3\n1 1:1\n1 1:1\n",
        b"1 1:1\n1 1:x\n1 1:1\n1 1:1\n",
        b"1 1:1\n1 1:2",
        b"1 1:1\n",
        b"",
        b"\n1 1:1\n1 1:2\n1 1:1\n",
        gzip.compress(b"1 1:1\n1 1:3\n", mtime=0),
    ],
)
def test_a_changed_input_is_refused(path: Path, labels: Labels, changed: bytes) -> None:
    path.write_bytes(b"1 1:1\n1 1:2\n1 1:1\n1 1:1\n")
    [_, second, *_] = TextStream(path, SVMLIGHT, batch_rows=1).batches(labels)
    path.write_bytes(changed)
    error = error_of(TextStream(path, SVMLIGHT, batch_rows=1), labels, second.position)
    assert error.source == str(path)
    assert "the input changed since the checkpoint was written: its first 12 bytes" in str(error)


@pytest.mark.parametrize("labels", [BINARY, CLASS])
def test_a_last_line_that_grew_is_refused(path: Path, labels: Labels) -> None:
    path.write_bytes(b"1 1:1\n1 1:2")
    *_, batch = TextStream(path, SVMLIGHT).batches(labels)
    path.write_bytes(b"1 1:1\n1 1:23\n")
    assert "the input changed" in str(error_of(TextStream(path, SVMLIGHT), labels, batch.position))


def test_a_position_of_other_settings_is_refused(path: Path) -> None:
    path.write_bytes(TEXT)
    [batch] = TextStream(path, SVMLIGHT, on_error="skip").batches(BINARY)
    stream = TextStream(path, SVMLIGHT, on_error="skip")
    assert "the input changed" in str(error_of(stream, BINARY, replace(batch.position, rows=7)))


def test_a_line_that_is_too_long(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(whole_lines, "LONGEST_LINE", 3 << 20)
    path.write_bytes(b"1 1:1\n\n1 1:1 #" + b"x" * ((3 << 20) - 7) + b"\n1 1:1\n")
    assert sum(map(len, TextStream(path, SVMLIGHT).batches(BINARY))) == 3
    for ending in (b"\n1 1:1\n", b"", b"y" * (2 << 20)):
        path.write_bytes(gzip.compress(b"1 1:1\n\n1 1:1 #" + b"x" * ((3 << 20) - 6) + ending, 1))
        error = error_of(TextStream(path, SVMLIGHT, on_error="skip"), BINARY)
        assert (error.line, error.column) == (3, (3 << 20) + 1)
        assert "longer than 3 MB" in str(error)


def test_a_truncated_gzip(path: Path) -> None:
    path.write_bytes(gzip.compress(TEXT, mtime=0)[:-12])
    error = error_of(TextStream(path, SVMLIGHT, on_error="skip"), BINARY)
    assert str(error) == f"{path}: the gzip data ends too early; the file was cut short, get it again"


def test_missing_files_are_refused_at_once(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"cannot read `.*nowhere`: no such file"):
        TextStream(tmp_path / "nowhere", SVMLIGHT)
    with pytest.raises(DataError, match="it is a directory"):
        TextStream(tmp_path, SVMLIGHT)


def test_standard_input_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(gzip.compress(b"1 1:1\n1 y\n", mtime=0))))
    stream = TextStream("-", SVMLIGHT)
    assert (stream.rereadable, stream.description) == (False, "standard input (svmlight)")
    batches = stream.batches(BINARY)
    assert len(next(batches)) == 1
    assert stream.description == "standard input (svmlight, gzip)"
    with pytest.raises(DataError, match="standard input, line 2, column 3: feature `y` has no colon"):
        next(batches)
    assert str(error_of(stream, BINARY)) == "standard input: it can be read only once, and it was"


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="needs /proc")
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_nothing_stays_open(path: Path, pack: type) -> None:
    def is_open() -> bool:
        links = (f"/proc/self/fd/{fd}" for fd in os.listdir("/proc/self/fd"))
        return str(path) in [os.readlink(link) for link in links if os.path.lexists(link)]

    path.write_bytes(pack(b"1 1:1\n" * 10))
    stream = TextStream(path, SVMLIGHT, batch_rows=1)
    assert not is_open()
    interrupted, left = (cast("Generator[Batch]", stream.batches(BINARY)) for _ in range(2))
    next(interrupted)
    next(left)
    assert is_open()
    with pytest.raises(KeyboardInterrupt):
        interrupted.throw(KeyboardInterrupt())
    left.close()
    assert not is_open()


def test_arguments_are_checked(path: Path) -> None:
    path.write_bytes(b"1\n")
    with pytest.raises(ValueError, match="on_error is `ignore`, expected `raise` or `skip`"):
        TextStream(path, SVMLIGHT, on_error="ignore")
    with pytest.raises(ValueError, match="batch_rows is 0"):
        TextStream(path, SVMLIGHT, batch_rows=0)
    refuses_wrong_labels(TextStream(path, SVMLIGHT))
