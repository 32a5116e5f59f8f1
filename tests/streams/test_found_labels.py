"""A stream that is asked to find out which labels it has decides by its first rows, the same for every input."""

from __future__ import annotations

import gzip
import io
import os
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from afterwit.errors import DataError
from afterwit.protocols import Batch, Labels, Position, Stream
from afterwit.streams import labels as label_room
from afterwit.streams import read, text_pass, whole_lines
from afterwit.streams.ahead import batches_of
from afterwit.streams.arrays import labelled
from afterwit.streams.labels import decided
from tests.streams.passes import joined
from tests.streams.test_cache import bits, cache_of, made_old

AUTO, BINARY, REAL, CLASSES = Labels("auto"), Labels("binary"), Labels("real"), Labels("classes")
CASES: list[tuple[list[Any], Labels]] = [
    ([1, -1, 1], BINARY),
    ([0.0, 1.0], BINARY),
    ([1], BINARY),
    ([0, 0], BINARY),
    ([3, 7, 3], Labels("binary", (3, 7))),
    ([7.0, -2.0], Labels("binary", (-2, 7))),
    ([-1, 0], Labels("binary", (-1, 0))),
    ([10, 7], Labels("binary", (7, 10))),
    ([2**53, -(2**53)], Labels("binary", (-(2**53), 2**53))),
    ([1e30, 2e30], REAL),
    ([-1, 0, 1], REAL),
    ([5, 5], REAL),
    ([0.5, 1.5], REAL),
    ([1, 2, 3], REAL),
    (["+1", "-1.0", "1e0"], BINARY),
    (["0", "-0", "1"], BINARY),
    (["3", "07.0"], Labels("binary", (3, 7))),
    (["1.5", "2"], REAL),
    (["spam", "ham"], Labels("binary", ("ham", "spam"))),
    (["Ham", "No"], Labels("binary", ("No", "Ham"))),
    (["True", "False"], Labels("binary", ("False", "True"))),
    (["cat", "1e0"], Labels("binary", (1, "cat"))),
    (["cat", "0"], Labels("binary", (0, "cat"))),
    (["a", "b", "a", "c"], CLASSES),
    (["a", "a"], CLASSES),
    (["a", "b", "7"], CLASSES),
]


def rows(labels: list[Any]) -> list[tuple[dict[str, float], Any]]:
    return [({"x": 1.0 + i}, label) for i, label in enumerate(labels)]


def dense(labels: list[Any]) -> Any:
    return 1.0 + np.arange(len(labels))[:, None]


def text(labels: list[Any], form: str, head: str = "") -> bytes:
    return (head + "".join(form.format(label, i + 1) for i, label in enumerate(labels))).encode()


def written(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


def csv(labels: list[Any]) -> bytes:
    return text(labels, "{},{}\n", "y,x\n")


def svm(labels: list[Any]) -> bytes:
    return text(labels, "{} 1:{}\n")


def frame(labels: list[Any]) -> Any:
    return pytest.importorskip("pandas", reason="needs pandas").DataFrame({"x": dense(labels)[:, 0], "y": labels})


def arrow(labels: list[Any]) -> Any:
    return pytest.importorskip("pyarrow", reason="needs pyarrow").table({"x": dense(labels)[:, 0], "y": labels})


def parquet(labels: list[Any], folder: Path) -> str:
    path, table = str(folder / "rows.parquet"), arrow(labels)
    pytest.importorskip("pyarrow.parquet", reason="needs pyarrow").write_table(table, path)
    return path


def chained(labels: list[Any], folder: Path) -> Stream:
    """The first file has no row."""
    parts = [[], labels, labels]
    return read([written(folder / f"{i}.svm", svm(part)) for i, part in enumerate(parts)], batch_rows=4)


def polars(labels: list[Any]) -> Any:
    return pytest.importorskip("polars", reason="needs polars").DataFrame({"x": dense(labels)[:, 0], "y": labels})


def csr(labels: list[Any]) -> Any:
    return pytest.importorskip("scipy.sparse", reason="needs SciPy").csr_matrix(dense(labels))


#: Where the rows before a bad one are delivered.
ROW_BY_ROW = ("svmlight", "csv", "chunks", "reader")
INPUTS: dict[str, Callable[[list[Any], Path], Stream]] = {
    "svmlight": lambda y, folder: read(written(folder / "rows.svm", svm(y))),
    "gzip": lambda y, folder: read(written(folder / "rows.svm.gz", gzip.compress(svm(y), mtime=0))),
    "vw": lambda y, folder: read(written(folder / "rows.vw", text(y, "{} 0.5 | x:{}\n"))),
    "csv": lambda y, folder: read(written(folder / "rows.csv", csv(y)), target="y"),
    "tsv": lambda y, folder: read(written(folder / "rows.tsv", csv(y).replace(b",", b"\t")), target="y"),
    "skipping": lambda y, folder: read(written(folder / "rows.svm", b"bad 1:x\n" + svm(y)), on_error="skip"),
    "cached": lambda y, folder: read(written(folder / "rows.svm", svm(y)), cache=True),
    "chained": chained,
    "parquet": lambda y, folder: read(parquet(y, folder), target="y"),
    "pandas": lambda y, folder: read(frame(y), target="y"),
    "polars": lambda y, folder: read(polars(y), target="y"),
    "arrow": lambda y, folder: read(arrow(y), target="y"),
    "beside": lambda y, folder: read(frame(y)[["x"]], y),
    "array": lambda y, folder: read(dense(y), np.array(y)),
    "list": lambda y, folder: read(dense(y), y),
    "csr": lambda y, folder: read(csr(y), y, np.full(len(y), 0.5)),
    "dicts": lambda y, folder: read([x for x, _ in rows(y)], y),
    "tuples": lambda y, folder: read(rows(y)),
}


def plain(batches: list[Batch]) -> Any:
    """All that a batch has but for its decision."""
    return [(*found[:-3], batch.classes) for found, batch in zip(bits(iter(batches)), batches, strict=True)]


@pytest.mark.parametrize("kind", INPUTS)
@pytest.mark.parametrize(("labels", "expected"), CASES, ids=[str(labels) for labels, _ in CASES])
def test_every_input_decides_alike(kind: str, labels: list[Any], expected: Labels, tmp_path: Path) -> None:
    """And delivers what it delivers to one who asks for these labels by name."""
    stream = INPUTS[kind](labels, tmp_path)
    found = list(stream.batches(AUTO))
    assert {batch.labels for batch in found} == {expected}
    asked = list(stream.batches(expected))
    assert {batch.labels for batch in asked} == {None}
    assert plain(found) == plain(asked)
    assert sum(map(len, found)) == len(labels) * (2 if kind == "chained" else 1)


@pytest.mark.parametrize("kind", ["pandas", "polars", "arrow", "parquet", "beside", "array", "list", "csr", "tuples"])
@pytest.mark.parametrize("values", [[True, False, True], [False], [np.True_, np.False_]], ids=str)
def test_booleans_are_two_labels(kind: str, values: list[Any], tmp_path: Path) -> None:
    (batch,) = INPUTS[kind](values, tmp_path).batches(AUTO)
    assert batch.labels == BINARY
    assert batch.y.tolist() == [1.0 if value else -1.0 for value in values]


@pytest.mark.parametrize("kind", INPUTS)
def test_no_rows_decide_nothing(kind: str, tmp_path: Path) -> None:
    assert list(INPUTS[kind]([], tmp_path).batches(AUTO)) == []
    assert decided([]) == REAL


@pytest.mark.parametrize("kind", ["svmlight", "cached", "csv", "parquet", "pandas"])
@pytest.mark.parametrize("names", [("b", "a"), ("c", "b", "a")], ids=str)
def test_names_that_were_given_decide(kind: str, names: tuple[str, ...], tmp_path: Path) -> None:
    y = ["a", "b", "a"]
    source = {
        "svmlight": lambda: written(tmp_path / "rows.svm", svm(y)),
        "cached": lambda: written(tmp_path / "rows.svm", svm(y)),
        "csv": lambda: written(tmp_path / "rows.csv", csv(y)),
        "parquet": lambda: parquet(y, tmp_path),
        "pandas": lambda: frame(y),
    }[kind]()
    target = None if kind in ("svmlight", "cached") else "y"
    stream = read(source, target=target, classes=names, cache=kind == "cached")
    for _ in range(2):
        (batch,) = stream.batches(AUTO)
        assert batch.labels == Labels("binary" if len(names) == 2 else "classes", names)
        assert batch.classes == names
        assert batch.y.tolist() == ([1.0, -1.0, 1.0] if len(names) == 2 else [2.0, 1.0, 2.0])


def test_what_is_neither_a_number_nor_a_word_decides_nothing() -> None:
    for labels, kind in (([1, None, 0], BINARY), ([None], REAL), ([[1], 2.5], REAL), ([10**400, 1], REAL)):
        assert decided(labels) == kind
        with pytest.raises((DataError, OverflowError)):
            list(read(rows(labels)).batches(AUTO))


def test_learn_many_takes_labels_of_any_kind() -> None:
    X = np.eye(3)
    batch = labelled(X, ["no", "yes", "no"], None, AUTO)
    assert (batch.labels, batch.y.tolist()) == (Labels("binary", ("no", "yes")), [-1.0, 1.0, -1.0])
    assert labelled(X, [1, 2, 3], None, AUTO).labels == REAL
    assert labelled(X, [1, 2, 3], None, CLASSES).labels is None
    assert labelled(X[:0], [], None, AUTO).labels == REAL


@pytest.mark.parametrize("kind", ["svmlight", "csv", "pandas", "beside", "chunks", "reader", "array", "tuples"])
@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_the_first_rows_alone_decide_whatever_the_size_of_batches(
    kind: str, size: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    y = [1, 0, 1, 3]
    source: dict[str, Callable[[], Stream]] = {
        "svmlight": lambda: read(written(tmp_path / "rows.svm", svm(y)), batch_rows=size),
        "csv": lambda: read(written(tmp_path / "rows.csv", csv(y)), target="y", batch_rows=size),
        "pandas": lambda: read(frame(y), target="y", batch_rows=size),
        "beside": lambda: read(frame(y)[["x"]], y, batch_rows=size),
        "chunks": lambda: read(chunks(y), target="y", batch_rows=size),
        "reader": lambda: read(chunks(y).to_reader(), target="y", batch_rows=size),
        "array": lambda: read(dense(y), y, batch_rows=size),
        "tuples": lambda: read(iter(rows(y)), batch_rows=size),
    }
    assert {batch.labels for batch in source[kind]().batches(AUTO)} == {REAL}
    monkeypatch.setattr(label_room, "LOOKED_AT", 3)
    found: list[Any] = []
    with pytest.raises(DataError, match="the first rows had only -1, 0 or 1: say what the labels are with `task`"):
        found.extend((batch.labels, batch.y.tolist()) for batch in source[kind]().batches(AUTO))
    whole = 3 - 3 % (1 if kind in ROW_BY_ROW else size)
    assert [label for _, y in found for label in y] == [1.0, -1.0, 1.0][:whole]
    assert {labels for labels, _ in found} <= {BINARY}


def chunks(labels: list[Any]) -> Any:
    """A table in chunks of a row."""
    pa = pytest.importorskip("pyarrow", reason="needs pyarrow")
    return pa.concat_tables([arrow(labels).slice(i, 1) for i in range(len(labels))])


@pytest.mark.parametrize("where", ["svm", "csv"])
@pytest.mark.parametrize("short", [-1, 0, 1])
def test_a_file_and_a_pipe_decide_alike(
    where: str, short: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the whole rows in so many bytes, to a byte, however they arrive."""
    y = [i % 2 for i in range(30)] + [3]
    content = csv(y)[4:] if where == "csv" else svm(y)
    monkeypatch.setattr(text_pass, "LOOKED_AT", len(content) - short)
    more, head = content * 2, b"y,x\n" if where == "csv" else b""
    found = []
    path = written(tmp_path / f"rows.{where}", head + more)
    for size in (None, 1, 7, len(content), 100_000):
        for chunk in (64, len(content) // 2, 1 << 19):
            monkeypatch.setattr(whole_lines, "CHUNK_BYTES", chunk)
            if size is not None:
                monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(Dripping(head + more, size))))
            source, format = ("-", "svmlight" if where == "svm" else "csv") if size else (str(path), None)
            stream = read(source, target="y" if where == "csv" else None, format=format, batch_rows=5)
            found.append(next(stream.batches(AUTO)).labels)
    assert set(found) == {BINARY if short > 0 else REAL}


def test_a_line_longer_than_what_is_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_pass, "LOOKED_AT", 8)
    path = written(tmp_path / "rows.svm", b"7 1:1" + b" 2:1" * 20 + b"\n" + svm([5] * 3))
    assert next(read(path).batches(AUTO)).labels == Labels("binary", (5, 7))


LATE: list[tuple[list[Any], Any, str]] = [
    ([1, 0], 3, "the first rows had only -1, 0 or 1"),
    ([1, 0], "maybe", "the first rows had only -1, 0 or 1"),
    (["no", "yes"], "maybe", "the first rows had only two labels, `no` and `yes`"),
    ([5, 7], 6, "the first rows had only two labels, `5` and `7`"),
    ([0.5, 1.5], "maybe", "the first rows had numbers"),
    (["a", "b", "c"], 1.5, "the first rows had words"),
]


@pytest.mark.parametrize(("first", "late", "sentence"), LATE, ids=[f"{first}, {late}" for first, late, _ in LATE])
def test_a_later_label_that_does_not_fit(
    first: list[Any], late: Any, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The error is that of the definite kind, with what the first rows had; in a second file and with a cache, too."""
    y, hint = [*first, late], f"; {sentence}: say what the labels are with `task`, or `--task`"
    size = len(first)
    monkeypatch.setattr(label_room, "LOOKED_AT", size)
    path, table = written(tmp_path / "rows.svm", svm(y)), written(tmp_path / "rows.csv", csv(y))
    two = [written(tmp_path / "a.svm", svm(first)), written(tmp_path / "b.svm", svm([first[0], late]))]
    streams: list[tuple[Stream, str]] = [
        (read(path, batch_rows=size), f"{path}, line {size + 1}, column 1: label `{late}` is"),
        (read(path, batch_rows=size, cache=True), f"{path}, line {size + 1}, column 1: label `{late}` is"),
        (
            read(table, target="y", batch_rows=size),
            f"{table}, line {size + 2}, column 1: column `y`: label `{late}` is",
        ),
        (read(two), f"{two[1]}, line 2, column 1: label `{late}` is"),
        (read(two, cache=True), f"{two[1]}, line 2, column 1: label `{late}` is"),
        (read(rows(y), batch_rows=size), f"iterable, row {size + 1}: the label is `"),
        (read(dense(y), np.array(y, dtype=object), batch_rows=size), f"y, row {size + 1}: the label is `"),
    ]
    for stream, place in streams:
        with pytest.raises(DataError) as caught:
            list(stream.batches(AUTO))
        assert str(caught.value).startswith(place)
        assert str(caught.value).endswith(hint)
        labels = Labels(decided(first).kind, decided(first).classes)
        with pytest.raises(DataError) as named:
            list(stream.batches(labels))
        assert str(caught.value) == str(named.value).removesuffix(label_room.no_third(labels)) + hint


def test_a_word_among_fractions_is_the_error(tmp_path: Path) -> None:
    y = [3.5, "?", 2.25]
    path = written(tmp_path / "rows.svm", svm(y))
    with pytest.raises(DataError, match=r"line 2, column 1: label `\?` is not a number"):
        list(read(path).batches(AUTO))
    with pytest.raises(DataError, match=r"row 2: the label is `'\?'`, expected a number"):
        list(read(rows(y)).batches(AUTO))
    stream = read(path, on_error="skip")
    (batch,) = stream.batches(AUTO)
    assert (batch.labels, batch.y.tolist(), stream.skipped) == (REAL, [3.5, 2.25], 1)  # type: ignore[attr-defined]


@pytest.mark.parametrize("kind", ["svmlight", "csv"])
@pytest.mark.parametrize("size", [50, 64, 1 << 18])
def test_bad_lines_before_the_first_good_one(
    kind: str, size: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However the text comes in blocks."""
    monkeypatch.setattr(whole_lines, "CHUNK_BYTES", size)
    monkeypatch.setattr(text_pass, "LOOKED_AT", size)
    good = [("no", "yes")[i % 2] for i in range(9)]
    if kind == "svmlight":
        path = written(tmp_path / "rows.svm", b"bad 1:x\n\n" * 20 + svm(good))
    else:
        path = written(tmp_path / "rows.csv", b"y,x\n" + b"bad,1,2\n" * 20 + csv(good)[4:])
    target = None if kind == "svmlight" else "y"
    stream = read(path, target=target, on_error="skip")
    found = list(stream.batches(AUTO))
    assert joined(found) == joined(stream.batches(Labels("binary", ("no", "yes"))))
    assert [y for batch in found for y in batch.y.tolist()] == [1.0 if label == "yes" else -1.0 for label in good]
    assert {batch.labels for batch in found} == {Labels("binary", ("no", "yes"))}
    assert (found[-1].position.skipped, stream.skipped) == (20, 20)  # type: ignore[attr-defined]
    with pytest.raises(DataError, match="line 1, column 7" if kind == "svmlight" else "line 2, column 7"):
        list(read(path, target=target).batches(AUTO))


class Dripping(io.RawIOBase):
    """A pipe that brings a few bytes at a time."""

    def __init__(self, content: bytes, size: int) -> None:
        self._content, self._size = content, size

    def readable(self) -> bool:
        return True

    def readinto(self, room: Any) -> int:
        size = min(self._size, len(room))
        some, self._content = self._content[:size], self._content[size:]
        room[: len(some)] = some
        return len(some)


@pytest.mark.parametrize("size", [1, 7, 100_000])
@pytest.mark.parametrize("form", ["svmlight", "gzip", "csv", "unknown"])
def test_standard_input_loses_nothing_and_waits_for_the_first_batch(
    form: str, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    y = [*["no"] * 5, "yes", *["no"] * 5]
    content = csv(y) if form == "csv" else gzip.compress(svm(y), mtime=0) if form == "gzip" else svm(y)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(Dripping(content, size))))
    format = None if form == "unknown" else "csv" if form == "csv" else "svmlight"
    stream = read("-", target="y" if form == "csv" else None, format=format, batch_rows=6)
    found = list(stream.batches(AUTO))
    assert [y for batch in found for y in batch.y.tolist()] == [*[-1.0] * 5, 1.0, *[-1.0] * 5]
    assert {batch.labels for batch in found} == {Labels("binary", ("no", "yes"))}
    assert found[-1].position == Position(
        rows=11,
        bytes=len(content if form != "gzip" else svm(y)),
        lines=11 + (form == "csv"),
        crc=found[-1].position.crc,
    )
    with pytest.raises(DataError, match="it can be read only once, and it was"):
        list(stream.batches(AUTO))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_is_not_waited_for_when_there_are_rows_enough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The writer goes on only when the first batch has come."""
    monkeypatch.setattr(label_room, "LOOKED_AT", 4)
    os.mkfifo(pipe := tmp_path / "pipe")
    came, in_time = threading.Event(), []

    def write() -> None:
        with open(pipe, "wb", buffering=0) as file:
            for label in ("no", "yes", "no", "yes"):
                file.write(f"{label} 1:1\n".encode())
            in_time.append(came.wait(20))
            file.write(b"yes 1:1\n")

    writer = threading.Thread(target=write)
    writer.start()
    with batches_of(read(pipe, format="svmlight", batch_rows=4), AUTO) as batches:
        first = next(batches)
        came.set()
        assert [first.y.tolist(), *(batch.y.tolist() for batch in batches)] == [[-1.0, 1.0, -1.0, 1.0], [1.0]]
    writer.join()
    assert in_time == [True]


def test_a_generator_is_read_once_and_as_it_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(label_room, "LOOKED_AT", 5)
    taken = []

    def some() -> Any:
        for i in range(10):
            taken.append(i)
            yield {"x": float(i)}, "yes" if i % 2 else "no"

    batches = read(some(), batch_rows=4).batches(AUTO)
    sizes = []
    for batch in batches:
        assert batch.labels == Labels("binary", ("no", "yes"))
        sizes.append((len(batch), len(taken)))
    assert sizes == [(4, 5), (4, 8), (2, 10)]


def test_read_ahead(tmp_path: Path) -> None:
    y = [("a", "b", "c")[i % 3] for i in range(1000)]
    stream = read(written(tmp_path / "rows.svm", svm(y)), batch_rows=64)
    with batches_of(stream, AUTO) as batches:
        found = list(batches)
    assert joined(found) == joined(stream.batches(CLASSES))
    assert {batch.labels for batch in found} == {CLASSES}


def test_files_keep_to_what_the_first_has_decided(tmp_path: Path) -> None:
    """In the second the labels alone would be numbers, or classes in another order."""
    for parts, expected, y in (
        ([["no", "yes"], ["yes", "yes"]], Labels("binary", ("no", "yes")), [-1.0, 1.0, 1.0, 1.0]),
        ([[0.5, 2.5], [1, 0]], REAL, [0.5, 2.5, 1.0, 0.0]),
        ([["a", "b", "7"], [7, "c", "b"]], CLASSES, [0.0, 1.0, 2.0, 2.0, 3.0, 1.0]),
    ):
        paths = [written(tmp_path / f"{i}.svm", svm(part)) for i, part in enumerate(parts)]
        found = list(read(paths).batches(AUTO))
        assert [y for batch in found for y in batch.y.tolist()] == y
        assert {batch.labels for batch in found} == {expected}


@pytest.mark.parametrize(("labels", "expected"), [CASES[0], CASES[4], CASES[11], CASES[18], CASES[-1]])
def test_a_cache_is_that_of_the_definite_labels(
    labels: list[Any], expected: Labels, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever comes first writes it, and the other reads it; a line that was skipped has the same sentence for both."""
    monkeypatch.setattr(label_room, "LOOKED_AT", len(labels))
    path = tmp_path / "rows.svm"
    misfit = b"maybe 1:1\n" if expected.kind != "classes" else b"0.5 1:1\n"
    for first, then in ((AUTO, expected), (expected, AUTO), (AUTO, AUTO)):
        made_old(written(path, svm(labels) + misfit))
        cache_of(path).unlink(missing_ok=True)
        seen = []
        for asked in (first, then):
            stream: Any = read(path, cache=True, on_error="skip", batch_rows=len(labels))
            batches = list(stream.batches(asked))
            seen.append((plain(batches), stream.skipped, [*map(str, stream.bad_lines)], cache_of(path).stat().st_ino))
            assert {batch.labels for batch in batches} == {expected if asked == AUTO else None}
        assert seen[0] == seen[1]
        assert seen[0][1] == 1
        assert "first rows" not in seen[0][2][0]


@pytest.mark.parametrize("kind", INPUTS)
def test_nothing_can_be_found_out_from_the_middle(kind: str, tmp_path: Path) -> None:
    stream = INPUTS[kind]([1, 0], tmp_path)
    with pytest.raises(ValueError, match="kind is `auto`, which the first rows decide, and they are before `start`"):
        list(stream.batches(AUTO, start=Position(rows=1)))


def test_what_was_found_is_equal_to_what_is_named() -> None:
    found = decided([1, 0])
    assert (found, found.found, BINARY.found) == (BINARY, True, False)
    assert hash(found) == hash(replace(BINARY)) == hash(BINARY)
    assert repr(found) == repr(BINARY)
