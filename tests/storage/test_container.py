"""Trees come back bit for bit; any other file is refused with a sentence."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import struct
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from afterwit.errors import AfterwitError, ModelFileError
from afterwit.registry.plain import same
from afterwit.storage import container, read_container, write_container

SMALL = {"rate": 0.5, "words": ["a", "é"], "weights": np.array([1.5, -2.0], np.float32), "seen": np.array([True])}
DTYPES = st.sampled_from(["?", "i1", "<i2", "<i4", "<i8", "u1", "<u2", "<u4", "<u8", "<f2", "<f4", "<f8"])

arrays = hnp.arrays(DTYPES, hnp.array_shapes(min_dims=0, min_side=0, max_side=4))
scalars = DTYPES.flatmap(lambda dtype: hnp.from_dtype(np.dtype(dtype)))
text = st.text(st.characters(exclude_categories=[]), max_size=6)
leaves = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), text, arrays, scalars)
keys = st.one_of(text, st.sampled_from(["$array", "$dict", "$tuple", "$object", "$$array", "$"]))
trees = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.lists(inner, max_size=4).map(tuple), st.dictionaries(keys, inner, max_size=3)
    ),
    max_leaves=12,
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "m.afterwit"


def written(path: Path, content: Any) -> bytes:
    write_container(path, "model", content)
    return path.read_bytes()


def refusal(path: Path, data: bytes) -> str:
    """The sentence that refuses these bytes."""
    path.write_bytes(data)
    with pytest.raises(ModelFileError) as caught:
        read_container(path, "model")
    sentence = str(caught.value)
    assert f"`{path}`" in sentence
    assert ";" in sentence, "a refusal says what to do"
    return sentence


def forged(header: Any, body: bytes = b"", length: int | None = None, number: int = 1) -> bytes:
    """A file with a right checksum around this header."""
    raw = header if isinstance(header, bytes) else json.dumps(header).encode()
    data = struct.pack("<8sIQ", b"afterwit", number, len(raw) if length is None else length) + raw
    data = data.ljust(-(-len(data) // 64) * 64, b"\0") + body
    return data + hashlib.sha256(data).digest()


def header(tree: Any = None, *entries: Any, **changes: Any) -> dict[str, Any]:
    return {"kind": "model", "library": "0", "tree": tree, "arrays": list(entries)} | changes


def entry(dtype: Any = "<f8", shape: Any = (8,), offset: Any = 0, **more: Any) -> dict[str, Any]:
    return {"dtype": dtype, "shape": list(shape) if isinstance(shape, tuple) else shape, "offset": offset} | more


@settings(max_examples=300, deadline=None)
@given(tree=trees)
def test_any_tree_comes_back_bit_for_bit(tree: Any, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.getbasetemp() / "tree.afterwit"
    data = written(path, tree)
    back = read_container(path, "model")
    assert exact(back, tree)
    assert written(path, back) == data


def exact(a: Any, b: Any) -> bool:
    """`same`, and also the sign and payload of a NaN."""
    if type(a) is float and type(b) is float:
        return struct.pack("d", a) == struct.pack("d", b)
    if isinstance(a, (list, tuple)) and type(a) is type(b):
        return len(a) == len(b) and all(map(exact, a, b))
    if isinstance(a, dict) and type(a) is type(b):
        return list(a) == list(b) and all(exact(a[k], b[k]) for k in a)
    return same(a, b)


def test_what_json_would_lose(path: Path) -> None:
    tree = {
        "floats": [0.1, -0.0, 5e-324, 1.7976931348623157e308, float("inf"), -float("inf"), float("nan")],
        "ints": [2**64, -(2**63), 2**5000, -(2**20_000)],
        "names": ["\udc80", "\ud83d\ude00", "\U0001f600", "\0", "a\\ud800"],
        "\udcff": (),
        "scalar": np.float32(0.1),
    }
    written(path, tree)
    assert exact(read_container(path, "model"), tree)


def test_arrays_keep_shape_and_order_and_are_ones_own(path: Path) -> None:
    base = np.arange(24, dtype=">f8").reshape(2, 3, 4)
    tree = [base, np.asfortranarray(base), base[:, ::2], base.T, np.array(3.0), np.zeros((0, 5)), np.zeros((1, 3)).T]
    written(path, tree)
    back = read_container(path, "model")
    for old, new in zip(tree, back, strict=True):
        np.testing.assert_array_equal(old, new)
        assert old.shape == new.shape
        assert new.dtype.isnative
        assert new.flags.writeable
        assert new.flags.f_contiguous or not old.flags.f_contiguous
        assert new.flags.c_contiguous or not old.flags.c_contiguous


def test_arrays_are_aligned_and_little_endian(path: Path) -> None:
    data = written(path, [np.array([1], ">u4"), np.array([2], "u2"), np.zeros(0), np.array([3], "u1")])
    start = len(data) - 32 - 3 * 64
    assert start % 64 == 0
    assert [data[start + 64 * i : start + 64 * i + 4] for i in range(3)] == [b"\1\0\0\0", b"\2\0\0\0", b"\3\0\0\0"]


def test_what_is_not_plain_is_not_written(path: Path) -> None:
    for content, place in (({"a": [{1}]}, 'content["a"][0] is a `set`'), ({"a": {2: 1}}, 'content["a"] has the key 2')):
        with pytest.raises(AfterwitError) as caught:
            write_container(path, "model", content)
        assert place in str(caught.value)
    assert not path.exists()


def test_every_truncation_is_refused(path: Path) -> None:
    data = written(path, SMALL)
    for length in range(len(data)):
        sentence = refusal(path, data[:length])
        assert "empty" in sentence if length == 0 else "cut short" in sentence
    assert "checksum" in refusal(path, data + b"\0")


def test_every_changed_byte_is_refused(path: Path) -> None:
    data = written(path, SMALL)
    for place in range(len(data)):
        for change in (1, 0x80, 0xFF):
            refusal(path, data[:place] + bytes([data[place] ^ change]) + data[place + 1 :])


def test_a_newer_format(path: Path) -> None:
    assert "has format 2, and this afterwit" in refusal(path, forged(b"anything", number=2))


def test_the_other_kind(path: Path) -> None:
    write_container(path, "checkpoint", SMALL)
    assert "is a checkpoint, expected a model" in refusal(path, path.read_bytes())


def test_what_is_no_such_file_at_all(path: Path) -> None:
    assert "not a file that afterwit has written" in refusal(path, b"1 1:0.5\n" * 100)
    assert "decompress it first" in refusal(path, gzip.compress(b"x", mtime=0))
    fifo = path.with_name("fifo")
    os.mkfifo(fifo)
    for other, reason in ((path.parent, "a folder"), (fifo, "not a regular file"), (path / "x", "not a directory")):
        with pytest.raises(ModelFileError, match=reason):
            read_container(other, "model")


DEEP = 100_000
HOSTILE = {
    "not JSON": forged(b"{" * 20),
    "not UTF-8": forged(b"\xff\xfe\x00"),
    "not an object": forged([1]),
    "nothing": forged(b""),
    "deep JSON": forged(b"[" * DEEP + b"]" * DEEP),
    "deep tree": forged(header(json.loads("[" * 300 + "]" * 300))),
    "NaN": forged(b'{"kind":"model","library":"0","tree":NaN,"arrays":[]}'),
    "digits": forged(b'{"kind":"model","library":"0","tree":' + b"9" * 100_000 + b',"arrays":[]}'),
    "header length 2^63": forged(b"{}", length=2**63),
    "header length 2^64 - 1": forged(b"{}", length=2**64 - 1),
    "header over the checksum": forged(header(), length=100),
    "missing keys": forged({"kind": "model"}),
    "more keys": forged(header(more=1)),
    "kind is a number": forged(header(kind=1)),
    "another kind": forged(header(kind="\x1b[31mred")),
    "arrays is a dict": forged(header(arrays={})),
    "an entry is a number": forged(header(None, 3)),
    "an entry lacks its shape": forged(header(None, {"dtype": "<f8", "offset": 0})),
    "offset outside": forged(header(None, entry(offset=64)), bytes(64)),
    "offset negative": forged(header(None, entry(offset=-64)), bytes(64)),
    "offset overflows": forged(header(None, entry(offset=2**64)), bytes(64)),
    "offset is true": forged(header(None, entry("|u1", (1,), False)), bytes(64)),
    "overlap": forged(header(None, entry(), entry()), bytes(128)),
    "longer than the file": forged(header(None, entry(shape=(9,))), bytes(64)),
    "shorter than the file": forged(header(None, entry()), bytes(128)),
    "not aligned": forged(header(None, entry()), bytes(63)),
    "negative shape": forged(header(None, entry(shape=(-8,))), bytes(64)),
    "two negative sides": forged(header(None, entry(shape=(-2, -4))), bytes(64)),
    "gigantic shape": forged(header(None, entry(shape=(2**61,))), bytes(64)),
    "gigantic and empty": forged(header({"$array": 0}, entry(shape=(0, 2**61, 2**61)))),
    "overflowing shape": forged(header(None, entry(shape=(2**32, 2**32, 2**32))), bytes(64)),
    "many sides": forged(header(None, entry(shape=(1,) * 10_000)), bytes(64)),
    "float shape": forged(header(None, entry(shape=(8.0,))), bytes(64)),
    "shape is a number": forged(header(None, entry(shape=8)), bytes(64)),
    "object dtype": forged(header(None, entry("|O")), bytes(64)),
    "big-endian dtype": forged(header(None, entry(">f8")), bytes(64)),
    "void dtype": forged(header(None, entry("V8")), bytes(64)),
    "dtype is a list": forged(header(None, entry([["a", "<f8"]])), bytes(64)),
    "order": forged(header(None, entry(order="A")), bytes(64)),
    "a bool of 2": forged(header({"$array": 0}, entry("|b1", (64,))), b"\2" * 64),
    "no such array": forged(header({"$array": 0})),
    "array -1": forged(header({"$array": -1}, entry()), bytes(64)),
    "array twice": forged(header([{"$array": 0}, {"$array": 0}], entry()), bytes(64)),
    "array by name": forged(header({"$array": "0"}, entry()), bytes(64)),
    "unknown mark": forged(header({"$eval": "1"})),
    "tuple of nothing": forged(header({"$tuple": None})),
    "dict of nothing": forged(header({"$dict": 1})),
    "dict without need": forged(header({"$dict": {"a": 1}})),
    "float in words": forged(header({"$float": "infinity________"})),
    "float too short": forged(header({"$float": "00"})),
    "float of spaces": forged(header({"$float": " " * 16})),
    "int in words": forged(header({"$int": "many"})),
    "int of an int": forged(header({"$int": 1})),
    "number of objects": forged(header({"$number": ["|O", "0000000000000000"]})),
    "number too short": forged(header({"$number": ["<f8", "00"]})),
    "number alone": forged(header({"$number": []})),
    "a bool number of 2": forged(header({"$number": ["|b1", "02"]})),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_right_checksum_over_nonsense(name: str, path: Path) -> None:
    sentence = refusal(path, HOSTILE[name])
    assert sentence.isprintable()
    assert "damaged" not in sentence


def test_the_forger_can_also_forge_a_right_file(path: Path) -> None:
    path.write_bytes(forged(header({"$tuple": [{"$array": 0}]}, entry()), bytes(64)))
    assert same(read_container(path, "model"), (np.zeros(8),))


def test_a_gigantic_claim_takes_no_memory(path: Path) -> None:
    for name in ("gigantic shape", "overflowing shape", "header length 2^63", "many sides"):
        tracemalloc.start()
        try:
            refusal(path, HOSTILE[name])
            assert tracemalloc.get_traced_memory()[1] < 4 << 20
        finally:
            tracemalloc.stop()


def test_every_format_number_up_to_ours_has_a_reader() -> None:
    assert set(container.READERS) == set(range(1, container.FORMAT + 1))
