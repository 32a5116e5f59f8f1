"""The files that the benchmarks read, made once: `python -m benchmarks.data KIND ROWS FOLDER`."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

from benchmarks import events, flight_words

#: Another number makes new files.
VERSION = 2


def made(kind: str, rows: int, folder: Path) -> Path:
    """The folder with the files of a kind, which another process makes where it is not there yet.

    Not this process: on Linux a child's peak memory is at least that of its parent, so the parent must stay small.
    """
    target = folder / f"{kind}-{rows}-v{VERSION}"
    if not target.exists():
        print(f"making {rows:,} {kind} rows in {target}", file=sys.stderr)
        subprocess.run([sys.executable, "-m", "benchmarks.data", kind, str(rows), str(target)], check=True)
    return target


def _write_text(kind: str, rows: int, folder: Path) -> None:
    from isal import igzip

    from benchmarks import rows as generators
    from benchmarks import text

    formats: dict[str, Callable[[generators.Chunk], bytes]] = {
        "svm": text.svmlight,
        "vw": text.vw,
        "words.vw": text.words,
    }
    with ExitStack() as opened:
        plain = {name: opened.enter_context(open(folder / f"all.{name}", "wb")) for name in formats}
        packed = {name: opened.enter_context(igzip.open(folder / f"all.{name}.gz", "wb", 2)) for name in formats}
        for number, chunk in enumerate(getattr(generators, kind)(rows)):
            for name, format_rows in formats.items():
                block = format_rows(chunk)
                plain[name].write(block)
                packed[name].write(block)
                if number == 0:
                    first = block[: block.index(b"\n") + 1]
                    (folder / f"one.{name}").write_bytes(first)
                    (folder / f"one.{name}.gz").write_bytes(igzip.compress(first))


def _write_classes(rows: int, classes: int, folder: Path) -> None:
    from benchmarks import text
    from benchmarks.rows import sparse

    for name, format_rows in {"svm": text.svmlight, "vw": text.vw}.items():
        with open(folder / f"all.{name}", "wb") as plain:
            for chunk in sparse(rows, classes):
                plain.write(format_rows(chunk))
        with open(folder / f"all.{name}", "rb") as plain:
            (folder / f"one.{name}").write_bytes(plain.readline())


def _write_csr(rows: int, folder: Path) -> None:
    import numpy as np

    from benchmarks import rows as generators

    chunks = list(generators.sparse(rows))
    lengths = np.concatenate([np.diff(chunk.starts) for chunk in chunks])
    np.savez(
        folder / "rows.npz",
        data=np.concatenate([chunk.millionths for chunk in chunks]) / 1e6,
        indices=np.concatenate([chunk.indices for chunk in chunks]).astype(np.int32),
        indptr=np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32),
        y=np.concatenate([chunk.y for chunk in chunks]).astype(np.float64),
    )


def _write_lines(lines: Iterator[bytes], ending: str, folder: Path) -> None:
    with open(folder / f"all.{ending}", "wb") as whole:
        for number, line in enumerate(lines):
            whole.write(line)
            if number == 0:
                (folder / f"one.{ending}").write_bytes(line)


def _main(kind: str, rows: int, target: Path) -> None:
    unfinished = target.with_name(f"{target.name}.{os.getpid()}")
    unfinished.mkdir(parents=True)
    if kind == "csr":
        _write_csr(rows, unfinished)
    elif kind == "flights":
        _write_lines(flight_words.lines(rows), "vw", unfinished)
    elif kind == "events":
        _write_lines(events.lines(rows), "jsonl", unfinished)
    elif kind.startswith("sparse-"):
        _write_classes(rows, int(kind.removeprefix("sparse-")), unfinished)
    else:
        _write_text(kind, rows, unfinished)
    unfinished.rename(target)


if __name__ == "__main__":
    _main(sys.argv[1], int(sys.argv[2]), Path(sys.argv[3]))
