"""One file that holds plain data: the layout, written and read.

    "afterwit"          8 bytes
    format number       u32
    header length       u64
    header              JSON: {"kind", "library", "tree", "arrays": [{"dtype", "shape", "offset"}]}
    zeros               up to a multiple of 64
    arrays              in order, little-endian, each at a multiple of 64; offsets count from the first
    SHA-256             32 bytes, of all bytes before

All integers are little-endian. An array that is contiguous in Fortran order only is stored so ("order": "F"), any other
in C order. The bytes are a function of the tree and of the library's version. Every format number stays readable.
"""

from __future__ import annotations

import hashlib
import os
import stat
import struct
from collections.abc import Callable, Iterator
from io import BufferedReader
from itertools import chain
from typing import Any

import numpy.typing as npt

from afterwit._core import version
from afterwit.errors import ModelFileError, printable, quoted_path
from afterwit.files.output import write_output
from afterwit.storage import arrays, tree

MAGIC = b"afterwit"
FORMAT = 1
_START = struct.Struct("<8sIQ")
_DIGEST = 32
_PIECE = 1 << 20


def write_container(path: str | os.PathLike[str], kind: str, content: Any) -> None:
    """Writes plain data as a file of this kind ("model" or "checkpoint"), whole or not at all; into a pipe or device.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "a.checkpoint")
    ...     write_container(file, "checkpoint", {"rows": 3, "weights": (0.5, float("inf"))})
    ...     read_container(file, "checkpoint")
    {'rows': 3, 'weights': (0.5, inf)}
    """
    found: list[npt.NDArray[Any]] = []
    written = tree.to_json(content, found)
    header = {"kind": kind, "library": version, "tree": written, "arrays": arrays.entries(found)}
    write_output(path, _chunks(tree.dumps(header), found))


def read_container(path: str | os.PathLike[str], kind: str) -> Any:
    """The plain data of a file of this kind; if the file is anything else, a `ModelFileError` says what and what to do.

    >>> read_container("no-such-file", "model")
    Traceback (most recent call last):
    ...
    afterwit.errors.ModelFileError: cannot read `no-such-file`: no such file or directory; check the path
    """
    name = quoted_path(path)
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            what = "a folder" if os.path.isdir(path) else "not a regular file"
            raise ModelFileError(f"{name} is {what}, expected a {kind} file; check the path")
        with open(path, "rb") as file:
            found, content = _read(name, file, kind)
    except OSError as error:
        reason = error.strerror or str(error)
        reason = reason[:1].lower() + reason[1:]
        raise ModelFileError(f"cannot read {name}: {reason}; check the path") from error
    if found != kind:
        raise ModelFileError(f"{name} is a {printable(found, 40)}, expected a {kind}; check the path")
    return content


def _chunks(header: bytes, found: list[npt.NDArray[Any]]) -> Iterator[bytes | memoryview]:
    digest = hashlib.sha256()
    start = _START.pack(MAGIC, FORMAT, len(header)) + header
    start = start.ljust(arrays.aligned(len(start)), b"\0")
    for chunk in chain([start], arrays.chunks(found)):
        digest.update(chunk)
        yield chunk
    yield digest.digest()


def _read(name: str, file: BufferedReader, kind: str) -> tuple[str, Any]:
    size = os.fstat(file.fileno()).st_size
    start = file.read(_START.size)
    if not start:
        raise ModelFileError(f"{name} is empty, expected a {kind} file; check the path, or save the {kind} again")
    if not start.startswith(MAGIC[: len(start)]):
        packed = start.startswith((b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"BZh", b"\xfd7zXZ"))
        advice = "it is compressed, decompress it first" if packed else "check the path"
        raise ModelFileError(f"{name} is not a file that afterwit has written; {advice}")
    if size < _START.size + _DIGEST:
        raise ModelFileError(f"{name} is cut short after {size} bytes; copy it again, or save the {kind} again")
    _, number, length = _START.unpack(start)
    if number not in READERS:
        raise ModelFileError(
            f"{name} has format {number}, and this afterwit ({version}) reads up to {FORMAT}; upgrade afterwit, "
            "or copy the file again if it is not from a newer one"
        )
    if not _digest_is_right(file, size):
        raise ModelFileError(
            f"{name} is damaged or cut short (its checksum is wrong); copy it again, or save the {kind} again"
        )
    try:
        return READERS[number](file, length, size - _DIGEST)
    except ValueError as error:
        raise ModelFileError(
            f"{name} is not a file that afterwit has written: {printable(str(error), 300)}; save the {kind} again"
        ) from error


def _digest_is_right(file: BufferedReader, size: int) -> bool:
    digest, left = hashlib.sha256(), size - _DIGEST
    file.seek(0)
    while left:
        piece = file.read(min(left, _PIECE))
        if not piece:
            return False
        digest.update(piece)
        left -= len(piece)
    return file.read() == digest.digest()


def _read_1(file: BufferedReader, length: int, end: int) -> tuple[str, Any]:
    """The kind and the content of a file of format 1; raises ValueError at what cannot be one."""
    if length > end - _START.size:
        raise ValueError("its header is longer than the file")
    file.seek(_START.size)
    header = tree.loads(file.read(length))
    if set(header) != {"kind", "library", "tree", "arrays"} or type(header["kind"]) is not str:
        raise ValueError("its header does not have kind, library, tree and arrays")
    start = arrays.aligned(_START.size + length)
    file.seek(start)
    found: list[npt.NDArray[Any] | None] = list(arrays.read(file, header["arrays"], start, end))

    def take(index: Any) -> npt.NDArray[Any]:
        array = found[index] if type(index) is int and 0 <= index < len(found) else None
        if array is None:
            raise ValueError("an array is not there, or used twice")
        found[index] = None
        return array

    return header["kind"], tree.from_json(header["tree"], take)


#: Every format number ever written, and what reads it: (file, length of the header, end of the arrays).
READERS: dict[int, Callable[[BufferedReader, int, int], tuple[str, Any]]] = {1: _read_1}
