"""The cache of a file: the same batches, never a wrong one, whole or not at all."""

from __future__ import annotations

import gzip
import os
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from afterwit.errors import DataError
from afterwit.features import Features
from afterwit.learning import Lesson, learn
from afterwit.learning.checkpoint import resume, write_checkpoint
from afterwit.linear import AdaGrad, OneVsAll
from afterwit.protocols import NOTHING, Batch, Labels, Position, Wants
from afterwit.registry import fresh, state
from afterwit.registry.plain import same
from afterwit.streams import read
from afterwit.streams.cache import CachedStream
from afterwit.streams.text import TextStream
from tests.cli.commands import write_svmlight

BINARY, REAL, CLASS = Labels("binary"), Labels("real"), Labels("classes")
WORDS = b"b 1:1\na 2:2\nc 1:x\n7 4294967296:1 3:1e-300\nb\n\nd 18446744073709551615:1\n07 3:3\na 4294967295:-0\n"


def bits(batches: Iterator[Batch]) -> list[Any]:
    """All that a batch has, as bytes."""
    return [
        (
            *(
                None if a is None else (a.dtype, a.tobytes())
                for a in (b.keys, b.values, b.starts, b.y, b.weight, b.groups)
            ),
            *(b.classes, b.names, b.position),
        )
        for b in batches
    ]


class Counting(TextStream):
    """Knows how many batches were parsed."""

    parsed = 0

    def _pass(self, labels: Labels, wants: Wants, start: Position | None) -> Iterator[Batch]:
        for batch in super()._pass(labels, wants, start):
            self.parsed += 1
            yield batch


def cached(path: Path, **options: Any) -> tuple[CachedStream, Counting]:
    stream = Counting(path, **options)
    return CachedStream(stream), stream


def cache_of(path: Path) -> Path:
    return Path(f"{path}.afterwit-cache")


def made_old(path: Path) -> Path:
    """A file that was not changed for a while is known by its time."""
    os.utime(path, ns=(10**18, 10**18))
    return path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return made_old(write_svmlight(tmp_path / "rows.svm", 300, features=50))


@pytest.mark.parametrize("labels", [BINARY, REAL, CLASS], ids=lambda labels: labels.kind)
@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzip"])
def test_the_same_batches(path: Path, labels: Labels, packed: bool) -> None:
    if packed:
        path.write_bytes(gzip.compress(path.read_bytes(), mtime=0))
        made_old(path)
    text = bits(TextStream(path, batch_rows=64).batches(labels))
    stream, parser = cached(path, batch_rows=64)
    assert bits(stream.batches(labels)) == text
    assert parser.parsed == len(text) > 4
    assert cache_of(path).exists()
    assert bits(stream.batches(labels)) == text
    again, parser = cached(path, batch_rows=64)
    assert bits(again.batches(labels)) == text
    assert parser.parsed == 0
    assert again.description == f"{path} (svmlight, gzip, cache)" if packed else f"{path} (svmlight, cache)"
    assert sorted(os.listdir(path.parent)) == ["rows.svm", "rows.svm.afterwit-cache"]


@pytest.mark.parametrize("batch_rows", [1, 3, 100])
def test_words_and_bad_lines(tmp_path: Path, batch_rows: int) -> None:
    path = tmp_path / "rows.svm"
    path.write_bytes(WORDS)
    options: dict[str, Any] = {"on_error": "skip", "batch_rows": batch_rows}
    plain = TextStream(path, **options)
    text = bits(plain.batches(CLASS))
    for _ in range(3):
        stream, parser = cached(path, **options)
        assert bits(stream.batches(CLASS)) == text
        assert (stream.skipped, [str(bad) for bad in stream.bad_lines]) == (3, [str(bad) for bad in plain.bad_lines])
    assert parser.parsed == 0
    assert stream.progress() == 1.0
    for position in [entry[-1] for entry in text[:-1]]:
        assert bits(stream.batches(CLASS, start=position)) == bits(plain.batches(CLASS, start=position))
    assert parser.parsed == 0


class Odd:
    """A stream with everything that a batch can have."""

    rereadable, description, skipped = True, "odd (odd)", 0

    def __init__(self, path: Path) -> None:
        self.path, self.bad_lines, self.reads = str(path), [], 0
        self.options = {"format": "odd"}

    def progress(self) -> None:
        return None

    def batches(self, labels: Labels, *, wants: Wants = NOTHING, start: Position | None = None) -> Iterator[Batch]:
        self.reads += 1
        first = start.rows if start else 0
        for n in range(first, 4):
            keys = np.arange(n, dtype=np.uint64) << (16 * n)
            names = [f'é{k}\n\ud800"' for k in range(n)]
            yield Batch(
                keys, np.sqrt(keys), np.array([0, n]), np.ones(1), np.array([0.5 * n]) if n != 2 else None, ("a", 1),
                names if n % 2 else None, Position(rows=n + 1), keys * 3 if n > 1 else None,
            )  # fmt: skip


def test_all_that_a_batch_can_have(path: Path) -> None:
    odd: Any = Odd(path)
    expected = bits(odd.batches(REAL))
    stream = CachedStream(odd)
    for _ in range(3):
        assert bits(stream.batches(REAL)) == expected
    assert odd.reads == 2
    assert bits(stream.batches(REAL, start=Position(rows=2))) == expected[2:]
    assert odd.reads == 2


def test_other_options_make_another_cache(path: Path) -> None:
    combinations: list[tuple[dict[str, Any], Labels, Wants]] = [
        ({}, BINARY, NOTHING),
        ({}, REAL, NOTHING),
        ({}, CLASS, NOTHING),
        ({}, Labels("classes", (-1, 1)), NOTHING),
        ({}, Labels("binary", (1, -1)), NOTHING),
        ({"classes": (-1, 1)}, BINARY, NOTHING),
        ({"classes": (1, -1)}, BINARY, NOTHING),
        ({"on_error": "skip"}, BINARY, NOTHING),
        ({"batch_rows": 17}, BINARY, NOTHING),
        ({}, BINARY, Wants(names=True)),
        ({}, BINARY, Wants(groups=True)),
        ({}, BINARY, Wants(text=("a",))),
    ]
    for options, labels, wants in combinations:
        expected = bits(TextStream(path, **options).batches(labels))
        for parsed in (True, False):
            stream, parser = cached(path, **options)
            assert bits(stream.batches(labels, wants=wants)) == expected
            assert (parser.parsed > 0) == parsed


def test_a_changed_source(path: Path) -> None:
    def parsed() -> bool:
        stream, parser = cached(path)
        assert bits(stream.batches(BINARY)) == bits(TextStream(path).batches(BINARY))
        return parser.parsed > 0

    assert parsed()
    assert not parsed()
    os.utime(path)  # other times, same bytes
    assert not parsed()
    copy = path.with_name("copy")
    copy.write_bytes(path.read_bytes())
    os.replace(copy, path)  # another inode, same bytes
    assert not parsed()
    text = path.read_text() + "1 1:1\n"
    other = text[:-4] + "2:1\n"
    path.write_text(text)  # another size
    assert parsed()
    assert not parsed()
    path.write_text(other)  # same size, other bytes
    assert parsed()
    path.write_text(text)
    now = os.stat(path).st_mtime_ns
    assert parsed()
    path.write_text(other)  # changed again in the same tick of the clock
    os.utime(path, ns=(now, now))
    assert parsed()


def test_any_byte_changed_or_missing(path: Path) -> None:
    stream, _ = cached(path, batch_rows=50)
    expected = bits(stream.batches(BINARY))
    good = cache_of(path).read_bytes()
    rng = random.Random(3)
    places = {0, 15, 16, 20, len(good) - 1, len(good) - 17, *rng.sample(range(len(good)), 150)}
    damaged = [good[:at] + bytes([good[at] ^ (1 << rng.randrange(8))]) + good[at + 1 :] for at in places]
    damaged += [good[:at] for at in (0, 1, 16, 40, len(good) // 2, len(good) - 1)]
    damaged += [good + b"x", b"x" + good, good[:16] + good[-24:], good + good, path.read_bytes(), good[: -(1 << 12)]]
    for content in damaged:
        cache_of(path).write_bytes(content)
        stream, parser = cached(path, batch_rows=50)
        assert bits(stream.batches(BINARY)) == expected
        assert parser.parsed > 0
        assert cache_of(path).read_bytes() == good


@pytest.mark.parametrize("content", [b"", b"# only a comment\n", b"1\n"])
def test_small_files_and_every_byte_of_their_caches(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "rows.svm"
    path.write_bytes(content)
    made_old(path)
    expected = bits(cached(path)[0].batches(BINARY))
    good = cache_of(path).read_bytes()
    assert bits(cached(path)[0].batches(BINARY)) == expected
    for at in range(len(good) if content == b"1\n" else 0):
        cache_of(path).write_bytes(good[:at] + bytes([good[at] ^ 1]) + good[at + 1 :])
        assert bits(cached(path)[0].batches(BINARY)) == expected
        assert cache_of(path).read_bytes() == good


def test_a_cache_of_another_file_is_not_used(path: Path, tmp_path: Path) -> None:
    other = made_old(write_svmlight(tmp_path / "other.svm", 300, features=50, seed=1))
    list(cached(other)[0].batches(BINARY))
    os.replace(cache_of(other), cache_of(path))
    stream, parser = cached(path)
    assert bits(stream.batches(BINARY)) == bits(TextStream(path).batches(BINARY))
    assert parser.parsed > 0


def test_an_interrupted_pass_leaves_nothing(path: Path) -> None:
    stream, _ = cached(path, batch_rows=10)
    batches: Any = stream.batches(BINARY)
    next(batches)
    assert len(os.listdir(path.parent)) == 2
    batches.close()
    assert os.listdir(path.parent) == ["rows.svm"]
    path.write_text(path.read_text() + "oops\n")
    with pytest.raises(DataError, match="line 301"):
        list(stream.batches(BINARY))
    assert os.listdir(path.parent) == ["rows.svm"]


def test_a_source_that_grows_meanwhile_is_not_kept(path: Path) -> None:
    stream, _ = cached(path, batch_rows=100)
    for step, _ in enumerate(stream.batches(BINARY)):
        if step == 1:
            path.write_text(path.read_text() + "1 1:1\n")
    assert os.listdir(path.parent) == ["rows.svm"]


@pytest.mark.parametrize("place", [0.1, 0.6, 0.9])
def test_no_row_is_given_twice_where_the_cache_of_a_resumed_run_is_damaged(path: Path, place: float) -> None:
    expected = bits(cached(path, batch_rows=50)[0].batches(BINARY))
    damaged = bytearray(cache_of(path).read_bytes())
    damaged[int(len(damaged) * place)] ^= 1
    for done in range(1, len(expected)):
        cache_of(path).write_bytes(damaged)
        assert bits(cached(path, batch_rows=50)[0].batches(BINARY, start=expected[done - 1][-1])) == expected[done:]


def test_a_source_that_changes_where_its_cache_is_damaged(path: Path) -> None:
    """The rows that the cache gave are those of the old source: no row of another may follow."""
    list(cached(path, batch_rows=100)[0].batches(BINARY))
    content = bytearray(cache_of(path).read_bytes())
    content[len(content) // 2] ^= 1
    cache_of(path).write_bytes(content)
    batches = cached(path, batch_rows=100)[0].batches(BINARY)
    assert next(batches).position.rows == 100
    text = path.read_text()
    path.write_text(text.replace(".", "1", 1))
    with pytest.raises(DataError, match="the input changed while it was read; start again"):
        list(batches)
    path.write_text(text)
    assert bits(cached(path, batch_rows=100)[0].batches(BINARY)) == bits(
        TextStream(path, batch_rows=100).batches(BINARY)
    )


def test_where_no_cache_can_be(path: Path, tmp_path: Path) -> None:
    cache_of(path).mkdir()
    stream, parser = cached(path)
    assert bits(stream.batches(BINARY)) == bits(TextStream(path).batches(BINARY))
    assert parser.parsed > 0
    assert sorted(os.listdir(path.parent)) == ["rows.svm", "rows.svm.afterwit-cache"]
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(DataError, match="cannot have a cache: it can be read only once"):
        read(pipe, cache=True)
    with pytest.raises(DataError, match="a cache goes with a file"):
        read([({"x": 1.0}, 1)], cache=True)
    cache_of(path).rmdir()
    cache_of(path).symlink_to(path)
    with pytest.raises(DataError, match=r"afterwit-cache` is a link to the file that it would be the cache of"):
        read(path, cache=True)


@pytest.mark.parametrize("several", [False, True], ids=["two", "several"])
@pytest.mark.parametrize("names", ["hashed", "exact"])
def test_models_reports_and_resuming(tmp_path: Path, several: bool, names: str) -> None:
    path = write_svmlight(tmp_path / "rows.svm", 1000, classes=("a", "b", 7) if several else (-1, 1))
    path.write_text(path.read_text().replace("\n", "\nbad:\n", 2))
    inner = AdaGrad(normalized=True, features=Features(names=names))
    model: Any = OneVsAll(inner) if several else inner

    def lesson(cache: bool) -> Lesson:
        return Lesson(fresh(model), read(path, on_error="skip", batch_rows=90, cache=cache), passes=2)

    def end(lesson: Lesson) -> tuple[Any, Any]:
        for _ in lesson.steps():
            pass
        return state(lesson.model), replace(lesson.report(), source="")

    expected = end(lesson(False))
    for run in range(2):
        whole = lesson(True)
        for left, _ in enumerate(whole.steps()):
            write_checkpoint(tmp_path / f"{run}-{left}", whole, {})
        assert same(state(whole.model), expected[0])
        assert replace(whole.report(), source="") == expected[1]
        for step in {0, 1, left // 2, left - 1, left}:
            for cache in (True, False):
                resumed = lesson(cache)
                resume(tmp_path / f"{run}-{step}", resumed)
                found = end(resumed)
                assert same(found[0], expected[0])
                assert found[1] == expected[1]
    assert learn(fresh(model), read(path, on_error="skip", cache=True)).skipped == 2


def test_what_a_killed_writer_left_is_gone_after_a_pass_that_writes_none(path: Path) -> None:
    stream, _ = cached(path)
    learn(AdaGrad(), stream)
    left = path.parent / f".{cache_of(path).name}.partial-0123456789abcdef"
    left.write_bytes(b"half a cache")
    learn(AdaGrad(), stream)
    assert not left.exists()
