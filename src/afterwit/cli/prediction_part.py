"""The file that predictions grow in, during a run with checkpoints."""

from __future__ import annotations

import fcntl
import os
import zlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, suppress
from io import BufferedRandom
from types import TracebackType
from typing import Any, BinaryIO

from afterwit.errors import AfterwitError, quoted_path
from afterwit.files.whole import mode_of, sync_folder, told, whole_file
from afterwit.registry.plain import count


def part_of(path: str) -> str:
    """Where the predictions of a run with checkpoints grow: beside the file, and beside its target if it is a link."""
    return os.path.realpath(path) + ".part"


def begun(state: dict[str, Any] | None) -> tuple[int, int]:
    """The size and the CRC-32 that `PredictionPart.state` told; raises at what cannot be one."""
    return (0, 0) if state is None else (count(state["size"], "its `size`"), count(state["crc"], "its `crc`"))


class PredictionPart(AbstractContextManager[Callable[[bytes], None]]):
    """Predictions grow in FILE.part, which becomes FILE at the end; `state` says how far it is, to go on from there.

    On an error the part stays, for a run that is resumed.
    """

    def __init__(self, path: str, state: dict[str, Any] | None = None) -> None:
        self._target, self.path = os.path.realpath(path), part_of(path)
        self._size, self._crc = begun(state)
        self._file: BufferedRandom | None = None
        self._mode: int | None = None

    def has_content(self) -> bool:
        """Whether something is there that would be lost if the predictions began at the first row."""
        return os.path.lexists(self.path) and not (os.path.isfile(self.path) and os.path.getsize(self.path) == 0)

    def check_alone(self) -> None:
        """Raises where another run writes the part."""
        if os.path.isfile(self.path):
            with told(self.path), open(self.path, "rb") as file:
                self._lock(file.fileno())

    def state(self) -> dict[str, Any]:
        """How far the part is; what was written is on the disk when this returns."""
        if self._file is not None:
            with told(self.path):
                self._file.flush()
                os.fsync(self._file.fileno())
        return {"size": self._size, "crc": self._crc, "path": self.path}

    def __enter__(self) -> Callable[[bytes], None]:
        with told(self.path):
            if self._size and not os.path.lexists(self.path):
                self._take_back()
            mode = mode_of(self._target)
            # Whoever goes on must be able to open it, also where the file is for reading alone.
            grows = 0o666 if mode is None else mode | 0o600
            self._file = open(os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, grows), "r+b")
            self._lock(self._file.fileno())
            for _ in self._known(self._file):
                pass
            self._file.truncate(self._size)
            if mode is not None:
                os.fchmod(self._file.fileno(), grows)
            self._mode = mode
            sync_folder(os.path.dirname(self.path))
        return self._write

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._file is not None
        try:
            if kind is None:
                self.state()
                with told(self.path):
                    if self._mode is not None:
                        os.fchmod(self._file.fileno(), self._mode)
                    os.replace(self.path, self._target)
                    sync_folder(os.path.dirname(self.path))
        finally:
            with suppress(OSError):  # closing a file that is full raises again
                self._file.close()

    def _write(self, lines: bytes) -> None:
        assert self._file is not None
        with told(self.path):
            self._file.write(lines)
        self._size += len(lines)
        self._crc = zlib.crc32(lines, self._crc)

    def _lock(self, descriptor: int) -> None:
        """Until it is closed, the part is this run's: two of them would write over each other's lines."""
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            alone = os.path.samestat(os.fstat(descriptor), os.stat(self.path))
        except (BlockingIOError, FileNotFoundError):  # it became the file before it was locked
            alone = False
        except OSError:
            alone = True  # a file system without locks
        if not alone:
            shown = quoted_path(self.path)
            raise AfterwitError(f"another run writes {shown}; wait for its end, or give --predictions another name")

    def _take_back(self) -> None:
        """After a kill at the very end the part has become the file already."""
        if not os.path.exists(self._target):
            raise self._lost()
        with open(self._target, "rb") as file, whole_file(self.path) as write:
            for block in self._known(file):
                write(block)

    def _known(self, file: BinaryIO) -> Iterator[bytes]:
        """What the checkpoint knows of the file, block by block; raises at the end if it is something else."""
        crc, left = 0, self._size
        while left and (block := file.read(min(left, 1 << 20))):
            crc, left = zlib.crc32(block, crc), left - len(block)
            yield block
        if left or crc != self._crc:
            raise self._lost()

    def _lost(self) -> AfterwitError:
        return AfterwitError(f"{quoted_path(self.path)} is not what the checkpoint left; start again without --resume")
