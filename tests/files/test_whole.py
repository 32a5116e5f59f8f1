"""A file is written whole or not at all, whatever happens on the way."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import textwrap
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from afterwit.errors import AfterwitError
from afterwit.files import write_output
from afterwit.files.whole import whole_file


def run(code: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", textwrap.dedent(code), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture
def target(tmp_path: Path) -> Path:
    path = tmp_path / "m.afterwit"
    path.write_bytes(b"old")
    return path


def only(path: Path) -> bytes:
    """The content of a file that is alone in its folder."""
    assert os.listdir(path.parent) == [path.name]
    return path.read_bytes()


def test_chunks_of_every_kind(target: Path) -> None:
    write_output(target, iter([b"a", bytearray(b"b"), memoryview(b"cd"), b"", b"x" * 100_000]))
    assert only(target) == b"abcd" + b"x" * 100_000
    write_output(str(target), [])
    assert only(target) == b""


@pytest.mark.parametrize("error", [ValueError("mine"), KeyboardInterrupt(), OSError(5, "not about this file")])
def test_an_error_between_chunks_leaves_the_old_file(target: Path, error: BaseException) -> None:
    def chunks() -> Iterator[bytes]:
        yield b"new" * 10_000
        raise error

    with pytest.raises(type(error)) as caught:
        write_output(target, chunks())
    assert caught.value is error
    assert only(target) == b"old"


def test_a_full_disk_leaves_the_old_file(target: Path) -> None:
    done = run(
        """
        import resource, sys
        from afterwit.errors import AfterwitError
        from afterwit.files import write_output
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
        for chunks in ([b"x" * 1001], [b"x" * 100] * 11, [b"x" * 5000] * 9):
            try:
                write_output(sys.argv[1], chunks)
            except AfterwitError as error:
                print(error)
        """,
        target,
    )
    assert done.stdout == f"cannot write `{target}`: file too large\n" * 3, done.stderr
    assert only(target) == b"old"


def test_a_killed_writer_leaves_the_old_file_and_the_next_one_cleans_up(target: Path) -> None:
    done = run(
        """
        import os, signal, sys
        from afterwit.files import write_output
        def chunks():
            yield b"x" * 100_000
            os.kill(os.getpid(), signal.SIGKILL)
        write_output(sys.argv[1], chunks())
        """,
        target,
    )
    assert done.returncode == -signal.SIGKILL
    assert target.read_bytes() == b"old"
    assert len(os.listdir(target.parent)) == 2
    write_output(target, [b"new"])
    assert only(target) == b"new"


def test_a_writer_at_work_is_left_alone(target: Path) -> None:
    def slow() -> Iterator[bytes]:
        yield b"outer"
        write_output(target, [b"inner"])
        assert len(os.listdir(target.parent)) == 2
        yield b" last"

    write_output(target, slow())
    assert only(target) == b"outer last"


def test_many_writers_of_one_file(target: Path) -> None:
    contents = [bytes([65 + i]) * 50_000 for i in range(8)]

    def write(content: bytes) -> None:
        for _ in range(5):
            write_output(target, [content[:20_000], content[20_000:]])

    threads = [threading.Thread(target=write, args=(content,)) for content in contents]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert only(target) in contents


def test_names_that_only_look_like_leftovers_stay(target: Path) -> None:
    other = target.with_name(".m.afterwit.partial-notes")
    other.write_text("mine")
    write_output(target, [b"new"])
    assert other.read_text() == "mine"


def test_permissions(target: Path) -> None:
    mask = os.umask(0o027)
    try:
        new = target.with_name("new")
        write_output(new, [b"x"])
        assert stat.S_IMODE(new.stat().st_mode) == 0o640
        target.chmod(0o604)
        write_output(target, [b"x"])
        assert stat.S_IMODE(target.stat().st_mode) == 0o604
    finally:
        os.umask(mask)


def test_a_link_stays_a_link(target: Path) -> None:
    link = target.with_name("link")
    link.symlink_to(target.name)
    write_output(link, [b"new"])
    assert link.is_symlink()
    assert target.read_bytes() == b"new"


def test_the_longest_names(tmp_path: Path) -> None:
    for name in ("n" * 255, "é" * 127, "日" * 85):
        write_output(tmp_path / name, [b"x"])
        write_output(tmp_path / name, [b"y"])
    assert len(os.listdir(tmp_path)) == 3


def test_where_no_file_can_be(tmp_path: Path) -> None:
    missing, fifo = tmp_path / "no" / "m", tmp_path / "fifo"
    os.mkfifo(fifo)
    for path, reason in ((missing, "its folder does not exist"), (tmp_path, "is a directory"), (fifo, "not a regular")):
        with pytest.raises(AfterwitError) as caught, whole_file(path):
            pass
        assert str(caught.value).startswith(f"cannot write `{path}`: ")
        assert reason in str(caught.value)
    assert os.listdir(tmp_path) == ["fifo"]


def test_the_disk_has_the_bytes_before_the_name_and_the_name_at_the_end(
    target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What survives a power cut: the file is synced, then renamed, then the folder is synced."""
    events: list[tuple[str, int]] = []
    fsync, replace = os.fsync, os.replace

    def noted_fsync(descriptor: int) -> None:
        fsync(descriptor)
        found = os.fstat(descriptor)
        is_folder = stat.S_ISDIR(found.st_mode)
        assert not is_folder or os.path.samestat(found, os.stat(target.parent))
        events.append(("folder", 0) if is_folder else ("file", found.st_size))

    def noted_replace(old: str, new: str) -> None:
        replace(old, new)
        events.append(("rename", os.stat(target).st_size))

    monkeypatch.setattr(os, "fsync", noted_fsync)
    monkeypatch.setattr(os, "replace", noted_replace)
    write_output(target, [b"x" * 100] * 3)
    assert events == [("file", 300), ("rename", 300), ("folder", 0)]
