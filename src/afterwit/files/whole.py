"""Writes a file whole or not at all: to a temporary name beside it, synced, then renamed.

The temporary file is `.NAME.partial-` and 16 hexadecimal digits. Its writer holds a lock on it, so that the next writer
of the same file can tell, and remove, what a killed one left behind.
"""

from __future__ import annotations

import errno
import fcntl
import os
import re
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TypeAlias

from afterwit.errors import AfterwitError, quoted_path

Bytes: TypeAlias = bytes | bytearray | memoryview
#: A name of 255 bytes must leave room for the rest of its temporary name.
_LONGEST = 200


@contextmanager
def whole_file(path: str | os.PathLike[str]) -> Iterator[Callable[[Bytes], None]]:
    """A function that writes the next bytes; the file is there when the block has ended, and on any error never.

    On an error the old file stays as it was and nothing else is left. The new file has the permissions of the old one;
    a symbolic link stays and its target is replaced.
    """
    given = os.fspath(path)
    target = os.path.realpath(given)
    folder, start = _beside(target)
    with told(given):
        mode = mode_of(target)
        _remove_leftovers(folder, start)
        descriptor, temporary = _create(os.path.join(folder, start), mode)
    try:
        # Closed after the rename, since closing ends the lock; by hand, since closing a file that is full raises again.
        file = open(descriptor, "wb")

        def write(chunk: Bytes) -> None:
            with told(given):
                file.write(chunk)

        try:
            yield write
            with told(given):
                file.flush()
                os.fsync(descriptor)
                os.replace(temporary, target)
        finally:
            with suppress(OSError):
                file.close()
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise
    with told(given):
        sync_folder(folder)


def check_whole(path: str | os.PathLike[str]) -> None:
    """Raises what `whole_file` would raise at its beginning; nothing is changed."""

    class Enough(Exception):
        pass

    with suppress(Enough), whole_file(path):
        raise Enough


@contextmanager
def told(path: str) -> Iterator[None]:
    """Says in a sentence which file could not be written and why."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        if not os.path.isdir(os.path.dirname(os.path.realpath(path))):
            reason = "its folder does not exist"
        raise AfterwitError(f"cannot write {quoted_path(path)}: {reason[:1].lower()}{reason[1:]}") from error


def mode_of(target: str) -> int | None:
    """The permissions of the file that is there, if any."""
    try:
        found = os.stat(target).st_mode
    except FileNotFoundError:
        return None
    if stat.S_ISDIR(found):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not stat.S_ISREG(found):
        raise OSError(errno.EINVAL, "it is not a regular file")
    return stat.S_IMODE(found) & 0o777


def _create(start: str, mode: int | None) -> tuple[int, str]:
    """A new locked file whose name begins with `start`."""
    while True:
        temporary = start + os.urandom(8).hex()
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
        descriptor = os.open(temporary, flags, 0o666 if mode is None else mode & 0o666)
        try:
            with suppress(OSError):  # a file system without locks has no clean-up either
                fcntl.flock(descriptor, fcntl.LOCK_EX)
            if mode is not None:
                os.fchmod(descriptor, mode)
            if os.fstat(descriptor).st_nlink:
                return descriptor, temporary
        except BaseException:
            os.close(descriptor)
            with suppress(OSError):
                os.unlink(temporary)
            raise
        os.close(descriptor)  # another writer took it for a leftover, before it was locked


def remove_leftovers(path: str | os.PathLike[str]) -> None:
    """Removes what killed writers of `path` left beside it."""
    with suppress(OSError):
        _remove_leftovers(*_beside(os.path.realpath(path)))


def _beside(target: str) -> tuple[str, str]:
    """The folder of a file, and how the names of its temporary files begin."""
    folder, name = os.path.split(target)
    return folder, "." + os.fsdecode(os.fsencode(name)[:_LONGEST]) + ".partial-"


def _remove_leftovers(folder: str, start: str) -> None:
    """Removes the temporary files whose writers are gone: those that nobody holds a lock on."""
    leftover = re.compile(re.escape(start) + "[0-9a-f]{16}")
    try:
        names = [name for name in os.listdir(folder) if leftover.fullmatch(name)]
    except PermissionError:
        return  # a folder that can be written but not read
    for name in names:
        with suppress(OSError):
            descriptor = os.open(os.path.join(folder, name), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                os.unlink(os.path.join(folder, name))
            finally:
                os.close(descriptor)


def sync_folder(folder: str) -> None:
    """Makes the rename last through a power cut, where folders can be synced."""
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except PermissionError:
        return
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):
            raise
    finally:
        os.close(descriptor)
