"""Several files are one stream: the rows, classes, positions and errors of all of them."""

from __future__ import annotations

import gzip
import math
import os
import random
from pathlib import Path

import numpy as np
import pytest

import afterwit as aw
from afterwit.errors import DataError
from afterwit.protocols import Batch, Labels, Position

KINDS = [("binary", ["-1", "+1"]), ("real", ["0.5", "2", "-3"]), ("classes", ["b", "a", "7", "c", "d"])]


def lines_of(labels: list[str], rows: int, seed: int) -> list[str]:
    rng = random.Random(seed)
    return [f"{rng.choice(labels)} {rng.randrange(9)}:{rng.random():.3f}\n" for _ in range(rows)]


def write(folder: Path, labels: list[str], sizes: list[int]) -> list[Path]:
    """Files of these many rows, every second of them compressed; each has its own order of classes."""
    paths = []
    for i, rows in enumerate(sizes):
        text = "".join(lines_of(labels[i % len(labels) :] + labels[: i % len(labels)], rows, i)).encode()
        paths.append(folder / (f"part-{i}.svm.gz" if i % 2 else f"part-{i}.svm"))
        paths[-1].write_bytes(gzip.compress(text, mtime=0) if i % 2 else text)
    return paths


def text_of(path: Path) -> bytes:
    return gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()


def check_same_rows(found: list[Batch], expected: list[Batch]) -> None:
    for field in ("keys", "values", "y"):
        np.testing.assert_array_equal(
            np.concatenate([getattr(batch, field) for batch in found]),
            np.concatenate([getattr(batch, field) for batch in expected]),
        )
    assert found[-1].classes == expected[-1].classes
    assert found[-1].position.rows == expected[-1].position.rows


@pytest.mark.parametrize(("kind", "labels"), KINDS)
@pytest.mark.parametrize("sizes", [[5], [30, 20, 40], [0, 10, 0, 0, 7, 0], [1, 1, 1]])
def test_files_are_read_as_if_they_were_one(tmp_path: Path, kind: str, labels: list[str], sizes: list[int]) -> None:
    paths = write(tmp_path, labels, sizes)
    whole = tmp_path / "whole"
    whole.write_bytes(b"".join(text_of(path) for path in paths))
    expected = list(aw.read(whole, batch_rows=8).batches(Labels(kind)))
    stream = aw.read(paths, batch_rows=8)
    for _ in range(2):
        check_same_rows(list(stream.batches(Labels(kind))), expected)
    check_same_rows(list(aw.read([str(path) for path in paths]).batches(Labels(kind))), expected)
    patterns = [str(tmp_path / "part-0.*"), *paths[1:2], *([tmp_path / "part-[2-9].*"] if len(paths) > 2 else [])]
    check_same_rows(list(aw.read(patterns).batches(Labels(kind))), expected)
    check_same_rows(list(aw.read(str(tmp_path / "part-*.svm*")).batches(Labels(kind))), expected)
    first = f"{paths[0]} (svmlight)"
    assert stream.description == (f"{len(paths)} files, first {first}" if len(paths) > 1 else first)
    assert stream.rereadable


def test_codes_of_classes_never_change(tmp_path: Path) -> None:
    paths = write(tmp_path, KINDS[2][1], [30, 20, 40, 10])
    classes: tuple[object, ...] = ()
    for batch in aw.read(paths, batch_rows=3).batches(Labels("classes")):
        assert batch.classes[: len(classes)] == classes
        assert batch.y.max() < len(batch.classes)
        classes = batch.classes
    assert sorted(map(str, classes)) == ["7", "a", "b", "c", "d"]


def test_classes_that_are_given_keep_their_codes(tmp_path: Path) -> None:
    paths = write(tmp_path, ["no", "yes"], [10, 10])
    words = [line.split()[0] for path in paths for line in text_of(path).decode().splitlines()]
    signs = np.concatenate([b.y for b in aw.read(paths, classes=["no", "yes"]).batches(Labels("binary"))])
    assert signs.tolist() == [1.0 if word == "yes" else -1.0 for word in words]
    codes = np.concatenate([b.y for b in aw.read(paths).batches(Labels("classes", ("yes", "no")))])
    assert codes.tolist() == [0.0 if word == "yes" else 1.0 for word in words]


@pytest.mark.parametrize("on_error", ["raise", "skip"])
@pytest.mark.parametrize(("kind", "labels"), KINDS)
def test_resuming(tmp_path: Path, kind: str, labels: list[str], on_error: str) -> None:
    paths = write(tmp_path, labels, [30, 0, 20, 40])
    if on_error == "skip":
        for path in (paths[0], paths[2]):
            path.write_bytes(b"bad bad\n" + text_of(path) + b"1 worse\n")
    stream = aw.read(paths, on_error=on_error, batch_rows=8)
    whole = list(stream.batches(Labels(kind)))
    assert stream.skipped == (4 if on_error == "skip" else 0)  # type: ignore[attr-defined]
    assert [batch.position.file for batch in whole] == [0] * 4 + [2] * 3 + [3] * 5
    for i, batch in enumerate(whole):
        again = aw.read(paths, on_error=on_error, batch_rows=8)
        rest = list(again.batches(Labels(kind), start=batch.position))
        assert [found.position for found in rest] == [expected.position for expected in whole[i + 1 :]]
        for found, expected in zip(rest, whole[i + 1 :], strict=True):
            np.testing.assert_array_equal(found.y, expected.y)
            np.testing.assert_array_equal(found.keys, expected.keys)
            assert found.classes == expected.classes
        assert again.skipped == stream.skipped  # type: ignore[attr-defined]


@pytest.mark.parametrize("changed", [0, 1, 2])
@pytest.mark.parametrize(("kind", "labels"), KINDS)
def test_a_file_that_changed_is_refused(tmp_path: Path, kind: str, labels: list[str], changed: int) -> None:
    paths = write(tmp_path, labels, [30, 20, 40])
    position = list(aw.read(paths, batch_rows=8).batches(Labels(kind)))[-2].position
    assert position.file == 2
    text = text_of(paths[changed])
    for other in [text.replace(b"0.", b"9.", 1), b"# one more line\n" + text, text[text.index(b"\n") + 1 :]]:
        paths[changed].write_bytes(gzip.compress(other) if paths[changed].suffix == ".gz" else other)
        with pytest.raises(DataError, match="changed since the checkpoint was written"):
            list(aw.read(paths, batch_rows=8).batches(Labels(kind), start=position))
    with pytest.raises(DataError, match="it has 2 files, and file 3 was read before"):
        list(aw.read(paths[:2]).batches(Labels(kind), start=position))


def test_files_in_another_order_are_refused(tmp_path: Path) -> None:
    paths = write(tmp_path, ["1"], [20, 20, 20])
    position = list(aw.read(paths).batches(Labels("binary")))[-1].position
    other = [paths[1], paths[0], paths[2]]
    with pytest.raises(DataError, match="changed since the checkpoint was written"):
        list(aw.read(other).batches(Labels("binary"), start=position))
    for twice in (paths[0], paths[1]):  # a checksum that two equal files take out of the sum would not see them
        with pytest.raises(DataError, match="changed since the checkpoint was written"):
            list(aw.read([twice, twice, paths[2]]).batches(Labels("binary"), start=position))


def test_errors_name_their_file(tmp_path: Path) -> None:
    paths = write(tmp_path, ["1"], [3, 3, 3])
    paths[2].write_text("1 1:1\n1 1:x\n")
    with pytest.raises(DataError) as caught:
        list(aw.read(paths).batches(Labels("binary")))
    assert str(caught.value).startswith(f"{paths[2]}, line 2, column 5: value `x`")
    skipping = aw.read(paths, on_error="skip")
    batches = list(skipping.batches(Labels("binary")))
    assert batches[-1].position == Position(rows=7, bytes=12, lines=2, skipped=1, crc=batches[-1].position.crc, file=2)
    assert [str(bad) for bad in skipping.bad_lines] == [str(caught.value)]  # type: ignore[attr-defined]
    for path in (paths[0], paths[2]):
        path.write_text("1 1:x\n" * 3)
    skipping = aw.read(paths, on_error="skip")
    list(skipping.batches(Labels("binary")))
    kept = [(bad.source, bad.line) for bad in skipping.bad_lines]  # type: ignore[attr-defined]
    assert kept == [(str(paths[i]), line) for i, line in [(0, 1), (0, 2), (0, 3), (2, 1), (2, 2)]]


def test_files_that_are_not_there(tmp_path: Path) -> None:
    paths = write(tmp_path, ["1"], [3])
    with pytest.raises(DataError, match="no such file"):
        aw.read([*paths, tmp_path / "absent.svm"])
    with pytest.raises(DataError, match=r"no file matches `.*part-\?\?\.svm`; is the folder right\?"):
        aw.read(str(tmp_path / "part-??.svm"))
    (tmp_path / "part-0.svm.afterwit-cache").touch()
    assert aw.read(str(tmp_path / "part-*")).description == f"{paths[0]} (svmlight)"  # the cache is no data
    named = tmp_path / "a[1].svm"
    named.write_text("1 1:1\n")
    assert aw.read(str(named)).description == f"{named} (svmlight)"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_among_the_files_is_read_once(tmp_path: Path) -> None:
    paths = write(tmp_path, ["1"], [3])
    os.mkfifo(tmp_path / "pipe")
    assert not aw.read([*paths, tmp_path / "pipe"]).rereadable


def test_learning_from_parts_is_learning_from_the_whole(tmp_path: Path) -> None:
    paths = write(tmp_path, KINDS[2][1], [30, 20, 40])
    whole = tmp_path / "whole"
    whole.write_bytes(b"".join(text_of(path) for path in paths))
    parts, one = aw.OneVsAll(aw.linear.AdaGrad()), aw.OneVsAll(aw.linear.AdaGrad())
    report, expected = aw.learn(parts, aw.read(paths), passes=2), aw.learn(one, aw.read(whole), passes=2)
    assert report.mean_loss == expected.mean_loss
    assert parts.classes == one.classes
    assert math.isfinite(report.mean_loss)
    x = {"3": 1.0, "5": -1.0}
    np.testing.assert_array_equal(parts.predict_one(x), one.predict_one(x))


def test_parquet_files(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow", reason="needs pyarrow")
    pq = pytest.importorskip("pyarrow.parquet", reason="needs pyarrow")
    for i, labels in enumerate([["b", "a"], ["c", "a", "b"]]):
        pq.write_table(pa.table({"x": [float(i + 1)] * len(labels), "y": labels}), tmp_path / f"{i}.parquet")
    stream = aw.read(str(tmp_path / "*.parquet"), target="y", batch_rows=2)
    batches = list(stream.batches(Labels("classes")))
    assert [batch.classes[int(code)] for batch in batches for code in batch.y] == ["b", "a", "c", "a", "b"]
    assert [batch.position.rows for batch in batches] == [2, 4, 5]
    rest = list(stream.batches(Labels("classes"), start=batches[1].position))
    assert [batch.y.tolist() for batch in rest] == [[0.0]]


def test_it_knows_how_far_it_is_and_is_parsed_beside_the_learner(tmp_path: Path) -> None:
    sizes = (300, 100)
    for name, rows in zip("ab", sizes, strict=True):
        (tmp_path / f"{name}.svm").write_text("1 1:0.25\n" * rows)
    stream = aw.read(str(tmp_path / "*.svm"), batch_rows=100)
    assert stream.parses
    assert stream.progress() is None
    parts = [stream.progress() for _ in stream.batches(Labels("binary"))]
    assert parts == pytest.approx([0.75, 0.75, 0.75, 1.0])  # a file this small is read at once


def test_a_resumed_run_leaves_the_caches_of_its_files(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / f"{name}.svm").write_text("1 1:0.25\n-1 2:0.5\n" * 50)
    model = aw.linear.AdaGrad()
    stream = aw.read(str(tmp_path / "?.svm"), cache=True, batch_rows=30)
    whole = list(stream.batches(model.labels, wants=model.features.wants))
    kept = {path: path.stat().st_mtime_ns for path in tmp_path.glob("*.afterwit-cache")}
    assert len(kept) == 2
    half = next(batch.position for batch in whole if batch.position.file == 1)
    rest = list(stream.batches(model.labels, wants=model.features.wants, start=half))
    assert sum(map(len, rest)) == 200 - half.rows
    assert {path: path.stat().st_mtime_ns for path in kept} == kept
