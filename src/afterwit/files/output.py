"""What a path names that is to be written: a regular file, whole or not at all, or a stream, as the bytes come.

A stream is a pipe, a device, what is open as /dev/fd/N, and `-`: standard output.
"""

from __future__ import annotations

import errno
import fcntl
import os
import stat
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

from afterwit.files.whole import Bytes, check_whole, told, whole_file

#: The path that stands for standard output.
STDOUT = "-"
_MOST_LINKS = 40


class Output:
    """A path to be written. An `AfterwitError` says what cannot be: a folder, a socket, a descriptor that is closed."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.fspath(path)
        self.descriptor = 1 if self.path == STDOUT else _descriptor(self.path)
        with told(self.path):
            mode = _mode(self.path) if self.descriptor is None else _open_mode(self.descriptor)
        self.is_stream = self.descriptor is not None or (mode is not None and not stat.S_ISREG(mode))

    def check(self) -> None:
        """Raises what writing would raise at its beginning; nothing is changed."""
        if not self.is_stream:
            check_whole(self.path)

    @contextmanager
    def writing(self) -> Iterator[Callable[[Bytes], None]]:
        """A function that writes the next bytes."""
        if not self.is_stream:
            with whole_file(self.path) as write:
                yield write
            return
        with self._told():
            if self.descriptor == 1:
                sys.stdout.flush()  # what was printed before comes before
            # Opened by its name, a file that is open as /dev/fd/N would be written from its beginning again.
            file = open(self.path if self.descriptor is None else os.dup(self.descriptor), "wb", buffering=0)

        def put(chunk: Bytes) -> None:
            left = memoryview(chunk).cast("B")
            with self._told():
                while left:
                    left = left[file.write(left) :]

        with file:
            yield put

    def _told(self) -> AbstractContextManager[None]:
        """Standard output is the business of whoever runs the program: its reader may leave without a word."""
        return nullcontext() if self.descriptor == 1 else told(self.path)


def write_output(path: str | os.PathLike[str], chunks: Iterable[Bytes]) -> None:
    """Writes the chunks, in order, to whatever the path names.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "a.txt")
    ...     write_output(file, [b"one ", b"two"])
    ...     file.read_text()
    'one two'
    """
    with Output(path).writing() as write:
        for chunk in chunks:
            write(chunk)


def _descriptor(path: str) -> int | None:
    """The N of /dev/fd/N, of /dev/stdout, and of links to them; None for all else."""
    for _ in range(_MOST_LINKS):
        folder, name = os.path.split(path)
        if name.isdecimal() and os.path.realpath(folder) == f"/proc/{os.getpid()}/fd":
            return int(name)
        if not os.path.islink(path):
            return None
        path = os.path.join(folder, os.readlink(path))
    return None


def _open_mode(descriptor: int) -> int:
    """The mode of what is open; only standard output may turn out to be closed when it is written."""
    try:
        if descriptor != 1 and fcntl.fcntl(descriptor, fcntl.F_GETFL) & os.O_ACCMODE == os.O_RDONLY:
            raise OSError(errno.EBADF, "it is open for reading alone")
    except OverflowError:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF)) from None
    return os.fstat(descriptor).st_mode


def _mode(path: str) -> int | None:
    """The mode of what is there, if anything is."""
    if not path:
        raise OSError(errno.ENOENT, "it has no name")
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        mode = None
    if path.endswith(os.sep) or (mode is not None and stat.S_ISDIR(mode)):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if mode is None or stat.S_ISREG(mode):
        return mode
    if not (stat.S_ISFIFO(mode) or stat.S_ISCHR(mode) or stat.S_ISBLK(mode)):
        raise OSError(errno.EINVAL, "it is neither a file nor a pipe nor a device")
    if not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    return mode
