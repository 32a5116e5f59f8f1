"""Reading bytes: compression by magic bytes, and a sentence for every file that cannot be read."""

from __future__ import annotations

import bz2
import contextlib
import functools
import gzip
import io
import lzma
import os
import random
import re
import sys
import threading
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from afterwit.errors import DataError
from afterwit.files.compressed import ByteReader, is_rereadable

TEXT = b"".join(b"%d 1:%d\n" % (i % 2, i) for i in range(20_000))


def read_all(path: Path | str, size: int = 10_000) -> bytes:
    with ByteReader(str(path)) as reader:
        return b"".join(iter(lambda: reader.read(size), b""))


def damaged(path: Path) -> str:
    with pytest.raises(DataError) as caught:
        read_all(path)
    return str(caught.value)


@pytest.mark.parametrize(
    ("packed", "compression"),
    [
        (TEXT, None),
        (gzip.compress(TEXT, mtime=0), "gzip"),
        (gzip.compress(TEXT[:1000], mtime=0) + gzip.compress(b"", mtime=0) + gzip.compress(TEXT[1000:]), "gzip"),
        (bz2.compress(TEXT), "bz2"),
        (bz2.compress(TEXT[:1000]) + bz2.compress(TEXT[1000:]), "bz2"),
        (lzma.compress(TEXT), "xz"),
        (lzma.compress(TEXT[:1000]) + lzma.compress(b"") + lzma.compress(TEXT[1000:]), "xz"),
        (lzma.compress(TEXT[:1000]) + bytes(8) + lzma.compress(TEXT[1000:]) + bytes(40_000), "xz"),
    ],
)
def test_it_decompresses_by_magic_bytes(tmp_path: Path, packed: bytes, compression: str | None) -> None:
    path = tmp_path / "no-suffix"
    path.write_bytes(packed)
    assert read_all(path) == TEXT
    assert read_all(path, 1021) == TEXT
    with ByteReader(str(path)) as reader:
        assert reader.compression == compression
    assert is_rereadable(str(path))


@pytest.mark.parametrize("packed", [b"", gzip.compress(b"", mtime=0), bz2.compress(b""), lzma.compress(b"")])
def test_empty(tmp_path: Path, packed: bytes) -> None:
    path = tmp_path / "empty"
    path.write_bytes(packed)
    assert read_all(path) == b""


def test_a_word_that_looks_like_bz2(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_bytes(b"BZhang 1:2\n")
    assert read_all(path) == b"BZhang 1:2\n"


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_a_truncated_file_is_named(tmp_path: Path, pack: type) -> None:
    packed = pack(TEXT)
    path = tmp_path / "cut"
    for size in [10, 11, 12, len(packed) // 2, len(packed) - 9, len(packed) - 1]:
        path.write_bytes(packed[:size])
        assert "data ends too early" in damaged(path)
        assert damaged(path).startswith(str(path))


def test_a_damaged_gzip_is_named(tmp_path: Path) -> None:
    packed = bytearray(gzip.compress(TEXT[:1000], mtime=0))
    path = tmp_path / "damaged.gz"
    for at in range(10, len(packed)):
        packed[at] ^= 0x55
        path.write_bytes(packed)
        message = damaged(path)
        assert message.startswith(f"{path}: the gzip data")
        packed[at] ^= 0x55


@pytest.mark.parametrize("pack", [bz2.compress, lzma.compress])
def test_a_damaged_bz2_or_xz_is_named(tmp_path: Path, pack: type) -> None:
    packed = bytearray(pack(random.Random(1).randbytes(5000)))
    packed[len(packed) // 2] ^= 0x55
    path = tmp_path / "damaged"
    path.write_bytes(packed)
    assert "data is damaged" in damaged(path)


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_a_member_behind_another_that_is_damaged_is_named(tmp_path: Path, pack: type) -> None:
    first, second = pack(b"1 1:1\n" * 2), bytearray(pack(b"1 1:1\n" * 4))
    path = tmp_path / "damaged"
    for at in range(len(second)):
        second[at] ^= 0x55
        path.write_bytes(first + second)
        with contextlib.suppress(DataError):  # gzip has a time, a system and flags that may be anything
            assert (pack, read_all(path)) == (gzip.compress, b"1 1:1\n" * 6)
        second[at] ^= 0x55
        path.write_bytes(first + second[:at])
        if at > 0:
            assert "ends too early" in damaged(path)


@pytest.mark.parametrize("pack", [bz2.compress, lzma.compress])
@pytest.mark.parametrize("more", [b"more of it, but not compressed", b"1 1:1\n", b"\0\0\0\1\0\0\0\0\0\0\0\0\0"])
def test_what_is_behind_the_members_must_be_one(tmp_path: Path, pack: type, more: bytes) -> None:
    path = tmp_path / "more"
    path.write_bytes(pack(TEXT) + more)
    assert re.search(r"the (bz2|xz) data (is damaged|ends too early)", damaged(path))


@pytest.mark.parametrize("zeros", [1, 2, 3, 5, 8193])
def test_zeros_behind_xz_come_in_fours(tmp_path: Path, zeros: int) -> None:
    path = tmp_path / "padded"
    for packed in (lzma.compress(b"1\n") + bytes(zeros), lzma.compress(b"1\n") + bytes(zeros) + lzma.compress(b"1\n")):
        path.write_bytes(packed)
        assert f"the xz data is damaged ({zeros} zero bytes between its parts, expected a multiple of 4)" in damaged(
            path
        )
    path.write_bytes(bz2.compress(b"1\n") + bytes(4))
    with pytest.raises(DataError):
        read_all(path)


@pytest.mark.parametrize("pack", [bz2.compress, functools.partial(lzma.compress, preset=0)], ids=["bz2", "xz"])
def test_little_that_becomes_much_comes_in_pieces(tmp_path: Path, pack: Callable[[bytes], bytes]) -> None:
    path = tmp_path / "zeros"
    path.write_bytes(pack(bytes(5_000_000)))
    with ByteReader(str(path)) as reader:
        tracemalloc.start()
        sizes = list(iter(lambda: len(reader.read(100_000)), 0))
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert sum(sizes) == 5_000_000
    assert most < 1_000_000


def zstd(data: bytes) -> bytes:
    zstandard = pytest.importorskip("zstandard", reason="needs zstandard")
    return bytes(zstandard.ZstdCompressor().compress(data))


def test_zstd(tmp_path: Path) -> None:
    path = tmp_path / "no-suffix"
    skippable = b"\x50\x2a\x4d\x18\x03\x00\x00\x00abc"
    for packed in [zstd(TEXT), zstd(TEXT[:1000]) + zstd(b"") + skippable + zstd(TEXT[1000:])]:
        path.write_bytes(packed)
        assert read_all(path) == TEXT
        assert read_all(path, 7) == TEXT
        with ByteReader(str(path)) as reader:
            assert reader.compression == "zstd"
    path.write_bytes(zstd(b""))
    assert read_all(path) == b""


def test_zstd_of_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(zstd(TEXT))))
    assert read_all("-") == TEXT


def test_a_truncated_zstd_is_named(tmp_path: Path) -> None:
    packed = zstd(TEXT)
    path = tmp_path / "cut"
    for size in [4, 10, len(packed) // 2, len(packed) - 1]:
        for before in [b"", packed]:
            path.write_bytes(before + packed[:size])
            assert damaged(path) == f"{path}: the zstd data ends too early; the file was cut short, get it again"


def test_a_damaged_zstd_is_named(tmp_path: Path) -> None:
    packed = bytearray(zstd(TEXT))
    path = tmp_path / "damaged"
    packed[4] ^= 0xFF
    path.write_bytes(packed)
    assert damaged(path).startswith(f"{path}: the zstd data is damaged")
    path.write_bytes(zstd(TEXT) + b"more")
    assert damaged(path).startswith(f"{path}: the zstd data is damaged")


@pytest.mark.parametrize(("exponent", "size"), [(21, "2 GB"), (18, "256 MB")])
def test_a_zstd_window_that_is_too_wide_is_named(tmp_path: Path, exponent: int, size: str) -> None:
    """A frame as `zstd --long=31` writes it, by hand: one block of three bytes."""
    frame = b"\x28\xb5\x2f\xfd\x00" + bytes([exponent << 3]) + b"\x19\x00\x00abc"
    path = tmp_path / "wide"
    for before in (b"", zstd(b"1\n")):
        path.write_bytes(before + frame)
        assert damaged(path) == f"{path}: the zstd data needs a window of {size}; recompress without --long"
    path.write_bytes(frame.replace(bytes([exponent << 3]), bytes([17 << 3])))
    assert read_all(path) == b"abc"
    path.write_bytes(frame.replace(bytes([exponent << 3]), bytes([22 << 3])))  # wider than any compressor makes it
    assert "the zstd data is damaged" in damaged(path)


def test_zstd_without_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "zstandard", None)
    path = tmp_path / "a.zst"
    path.write_bytes(b"\x28\xb5\x2f\xfd" + bytes(10))
    assert damaged(path) == f"{path}: zstd data needs the package `zstandard`: pip install 'afterwit[zstd]'"


def test_unreadable_paths(tmp_path: Path) -> None:
    missing, folder = tmp_path / "missing", tmp_path
    assert damaged(missing) == f"cannot read `{missing}`: no such file"
    assert damaged(folder) == f"cannot read `{folder}`: it is a directory"
    with pytest.raises(DataError, match="no such file"):
        is_rereadable(str(missing))


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_a_forbidden_file(tmp_path: Path) -> None:
    path = tmp_path / "secret"
    path.write_bytes(b"1\n")
    path.chmod(0)
    assert damaged(path) == f"cannot read `{path}`: permission denied"


@pytest.mark.parametrize("packed", [TEXT, gzip.compress(TEXT, mtime=0), bz2.compress(TEXT), b"1\n", b""])
def test_standard_input(monkeypatch: pytest.MonkeyPatch, packed: bytes) -> None:
    expected = TEXT if len(packed) > 10 else packed
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(packed)))
    assert read_all("-") == expected
    assert not sys.stdin.buffer.closed
    assert not is_rereadable("-")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
@pytest.mark.parametrize("packed", [TEXT, gzip.compress(TEXT, mtime=0)])
def test_a_named_pipe(tmp_path: Path, packed: bytes) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    assert not is_rereadable(str(path))
    writer = threading.Thread(target=path.write_bytes, args=(packed,))
    writer.start()
    assert read_all(path) == TEXT
    writer.join()


def test_a_pipe_is_read_as_its_bytes_come(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read_end, write_end = os.pipe()
    with open(read_end) as stdin, open(write_end, "wb", buffering=0) as writer:
        monkeypatch.setattr(sys, "stdin", stdin)
        writer.write(b"1 1:1 2:2 3:3\n")
        with ByteReader("-") as reader:
            received = reader.read(1 << 20)
            while len(received) < 14:
                received += reader.read(1 << 20)
    assert received == b"1 1:1 2:2 3:3\n"


def test_how_much_is_read(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_bytes(bytes(400_000))
    with ByteReader(str(path)) as reader:
        assert reader.fraction == 0.0
        for part in (0.25, 0.5, 0.75, 1.0):
            assert reader.read_into(memoryview(bytearray(100_000))) == 100_000
            assert reader.fraction == part
        with path.open("ab") as more:  # a file that grows is not read more than whole
            more.write(bytes(100_000))
        assert len(reader.read(100_000)) == 100_000
        assert reader.fraction == 1.0
