"""Forged files with right checksums, loaded and used in a process of their own with limits of memory and time.

    python -m tests.storage.forged SEED FIRST COUNT

says each number before it forges the file, so that a crash has a name, and then what was wrong and how many files were
refused and accepted. The file number i is the same wherever it is made.
"""

from __future__ import annotations

import os
import resource
import signal
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from afterwit.errors import AfterwitError, ModelFileError
from afterwit.storage import arrays, container, tree
from tests.storage.mutations import NUMBERS, mutated, numbers_of, with_number
from tests.storage.specimens import contents, use

SECONDS = 20
MORE_MEMORY = 3 << 30  # address space; a table of 2^30 slots is refused here, and costs nothing elsewhere until used
MOST_KB = 48 << 10
PER_BYTE = 64
STEP = 7919  # a prime: a few files in a row are of many kinds


class Forgery(NamedTuple):
    """A file to be, of which valid one it is made, and what was changed."""

    number: int
    label: str
    kind: str
    content: Any
    what: str


def forge(path: Path, kind: str, content: Any) -> int:
    """Writes a file as `write_container` does, but not through the disk; returns its size."""
    found: list[Any] = []
    written = tree.to_json(content, found)
    header = {"kind": kind, "library": "0", "tree": written, "arrays": arrays.entries(found)}
    return path.write_bytes(b"".join(bytes(chunk) for chunk in container._chunks(tree.dumps(header), found)))


def fault(forgery: Forgery, path: Path) -> tuple[str | None, bool]:
    """What is wrong with how a forged file is dealt with, and whether it was accepted."""
    accepted = False
    scarce = asks_for_a_table(forgery.content)  # which may be larger than what a file holds, as it costs nothing
    try:
        for name, act in use(forgery.label, forgery.kind, path):
            loads = name in ("load", "resume")
            try:
                act()
            except ModelFileError as error:
                said = str(error)
                if "MemoryError" in said or not loads or not fine(said) or str(path) not in said:
                    return (None if "MemoryError" in said and scarce else f"{name}: {said!r}"), accepted
                return None, accepted
            except (AfterwitError, TypeError, ValueError) as error:
                if loads or not str(error):
                    return f"{name}: {error!r}", accepted
            accepted = True
    except MemoryError:
        return (None if scarce else f"{name}: out of memory"), accepted
    except Exception as error:
        return f"{name}: {error!r}", accepted
    return None, accepted


def asks_for_a_table(content: Any) -> bool:
    """Whether some `bits` in it ask for a table of which a few do not fit into the memory that there is here."""
    parts = content.values() if isinstance(content, dict) else content if isinstance(content, list) else ()
    bits = content.get("bits") if isinstance(content, dict) else None
    return (isinstance(bits, int) and bits > 20) or any(asks_for_a_table(part) for part in parts)


def fine(sentence: str) -> bool:
    """Whether a refusal is one printable sentence."""
    return sentence.isprintable() and len(sentence) < 1000


def peak(reset: bool = False) -> int:
    """The most memory in kB since the last reset; 0 where the system does not say."""
    try:
        if reset:
            Path("/proc/self/clear_refs").write_text("5")
        return next(int(line.split()[1]) for line in Path("/proc/self/status").open() if line.startswith("VmHWM:"))
    except OSError:
        return 0


def forgeries(valid: list[tuple[str, str, Any]], seed: int, numbers: range, every: bool) -> Iterator[Forgery]:
    """Every number of every file replaced by every extreme one, or else files changed at random."""
    if every:
        named = [(one, name, value) for one in valid for name in numbers_of(one[2]) for value in NUMBERS]
        for i in numbers:
            (label, kind, content), name, value = named[i * STEP % len(named)]
            yield Forgery(i, label, kind, with_number(content, name, value), f"all {name}: {value!r}"[:60])
        return
    for i in numbers:
        label, kind, content = valid[i % len(valid)]
        yield Forgery(i, label, kind, *mutated(content, [each for *_, each in valid], Random(f"{seed} {i}")))


def main(seed: int, first: int, count: int) -> int:
    """Seed 0 is for every number in turn."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        valid = contents(folder)
        sanitized = "libasan" in os.environ.get("LD_PRELOAD", "")
        if not sanitized:  # whose shadow is all of the address space
            taken = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
            resource.setrlimit(resource.RLIMIT_AS, (taken + MORE_MEMORY,) * 2)
        faults = accepted = 0
        for each in forgeries(valid, seed, range(first, first + count), seed == 0):
            print(each.number, end=" ", flush=True)
            if sanitized and asks_for_a_table(each.content):  # without a limit of memory it is made, and gone through
                continue
            try:
                size = forge(folder / "forged", each.kind, each.content)
            except AfterwitError:  # nested too deep
                continue
            signal.alarm(SECONDS)
            before = peak(reset=True)
            wrong, taken_in = fault(each, folder / "forged")
            grown = peak() - before
            signal.alarm(0)
            if wrong is None and not sanitized and grown > MOST_KB + PER_BYTE * size // 1024:
                wrong = f"took {grown} kB"
            accepted += taken_in
            if wrong is not None:
                faults += 1
                print(f"\nFAULT {each.number}: {each.label}: {each.what}: {wrong}", flush=True)
        print(f"\nrefused {count - accepted}, accepted {accepted}, faults {faults}")
    return int(faults > 0)


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
