"""Breaks the code on purpose, one change at a time, and looks whether a test fails: `make mutants`.

Each file of tests/mutants has a list MUTANTS of (file, before, after, tests): `before`, which occurs once in `file`,
becomes `after`, and then one of `tests` must fail; a crash or a hang counts too. With words on the command line only
the mutants in whose description they are.

All mutants in C++ live in one build, of a copy of the project, and the environment says which of them is awake:
expressions become (mutant(n) ? (after) : (before)), statements, which end with `;`, if (mutant(n)) { after } else
{ before }. Mutants in other files are written into the copy; each of the workers has its own.
"""

from __future__ import annotations

import os
import queue
import runpy
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from tests.cores import build_core, environment_of

ROOT = Path(__file__).parents[1]
HOME = ROOT / "build" / "mutants"
LEAST = 0.95  # of them must be killed
SECONDS = 120  # is a hang
WORKERS = 2
HEADER = """#pragma once
#include <cstdlib>
#include <type_traits>
inline const int mutant_awake = std::getenv("AFTERWIT_MUTANT") ? std::atoi(std::getenv("AFTERWIT_MUTANT")) : 0;
constexpr bool mutant(int n) { return std::is_constant_evaluated() ? false : n == mutant_awake; }
"""


@dataclass(frozen=True)
class Mutant:
    """One entry, its number and the file it is in."""

    number: int
    topic: str
    file: str
    before: str
    after: str
    tests: str

    def __str__(self) -> str:
        before, after = (" ".join(text.split()) for text in (self.before, self.after))
        return f"{self.topic}: {self.file}: `{before}` -> `{after}`"

    @property
    def ids(self) -> list[str]:
        """The tests; one with a space in its name is in quotes."""
        return shlex.split(self.tests)

    @property
    def native(self) -> bool:
        """Whether it is in C++."""
        return self.file.endswith((".hpp", ".cpp"))


def read(folder: Path = ROOT / "tests" / "mutants") -> list[Mutant]:
    """All mutants."""
    files = sorted(path for path in folder.glob("*.py") if path.stem != "__init__")
    entries = [(path.stem, *entry) for path in files for entry in runpy.run_path(str(path))["MUTANTS"]]
    return [Mutant(number, *entry) for number, entry in enumerate(entries, start=1)]


def complaints(mutants: list[Mutant], root: Path = ROOT) -> list[str]:
    """What is wrong with entries, and what to do."""
    found, met = [], set()
    for each in mutants:
        change = each.file, each.before, each.after
        if change in met:
            found.append(f"{each}: it stands twice; leave one out")
        met.add(change)
        times = (root / each.file).read_text("utf-8").count(each.before) if (root / each.file).is_file() else None
        if times is None:
            found.append(f"{each}: there is no such file; name the one where it is now")
        elif times != 1 or each.before == each.after:
            words = "before and after are the same" if times == 1 else f"before occurs {times} times, expected once"
            found.append(f"{each}: {words}; write it anew for the code as it is now")
        for test in each.ids or ["(none)"]:
            file, _, name = test.partition("::")
            words = name.partition("[")[0].rpartition("::")[2]
            if not (root / file).is_file() or words not in (root / file).read_text("utf-8"):
                found.append(f"{each}: there is no test `{test}`")
    return found


def mutated(text: str, mutants: list[Mutant]) -> str:
    """A C++ file with all of these in it; one may be inside another."""
    spans = [(text.index(each.before), text.index(each.before) + len(each.before), each) for each in mutants]
    pieces = []  # where, in which order there, and what
    for start, end, each in spans:
        for other, until, crossed in spans:
            if other < start < until < end:
                raise SystemExit(f"{each}\n{crossed}\nThese two overlap; make one of them shorter or longer.")
        statement = each.before.endswith(";")
        begin = "if (mutant({})) {{ {} }} else {{ " if statement else "(mutant({}) ? ({}) : ("
        pieces.append((start, 1, -end, each.number, begin.format(each.number, each.after)))
        pieces.append((end, 0, -start, -each.number, " }" if statement else "))"))
    out, last = "", 0
    for place, *_, piece in sorted(pieces):
        out, last = out + text[last:place] + piece, place
    return '#include "mutant.hpp"\n' + out + text[last:]


def write_tree(mutants: list[Mutant], tree: Path) -> None:
    """A copy of the project with all mutants in C++; a file that is already as it should be keeps its time."""
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = {name for name in subprocess.check_output(listing, cwd=ROOT, text=True).split("\0") if name}
    texts = {name: (ROOT / name).read_bytes() for name in names if (ROOT / name).is_file()}
    texts["core/mutant.hpp"] = HEADER.encode()
    native = defaultdict(list)
    for each in mutants:
        if each.native:
            native[each.file].append(each)
    for file, those in native.items():
        texts[file] = mutated(texts[file].decode(), those).encode()
    for path in tree.rglob("*"):
        if path.is_file() and path.relative_to(tree).as_posix() not in texts:
            path.unlink()
    for name, text in texts.items():
        path = tree / name
        if not path.is_file() or path.read_bytes() != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text)


def passed(folder: Path, tests: list[str], number: int, seconds: float | None) -> tuple[bool, str]:
    """Whether the tests pass in this copy with this mutant awake, and what was said."""
    quiet = ["-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"]
    command = [sys.executable, "-m", "pytest", *quiet, "-m", "slow or not slow", *tests]
    env = environment_of(folder / "src") | {"AFTERWIT_MUTANT": str(number)}
    said = subprocess.PIPE
    with subprocess.Popen(
        command, cwd=folder, env=env, stdout=said, stderr=subprocess.STDOUT, start_new_session=True
    ) as run:
        try:
            out = run.communicate(timeout=seconds)[0]
        except subprocess.TimeoutExpired:
            os.killpg(run.pid, signal.SIGKILL)
            return False, f"no end after {seconds} s"
    return run.returncode == 0, out.decode(errors="replace")


def survives(mutant: Mutant, folder: Path) -> bool:
    """Whether its tests pass."""
    path = folder / mutant.file
    text, times = path.read_text("utf-8"), path.stat()
    try:
        if not mutant.native:
            path.write_text(text.replace(mutant.before, mutant.after), "utf-8")
            os.utime(path, (mutant.number, mutant.number))  # or the bytecode of one may be taken for that of another
        return passed(folder, mutant.ids, mutant.number, SECONDS)[0]
    finally:
        if not mutant.native:
            path.write_text(text, "utf-8")
            os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


def main(words: str) -> int:
    """Tries them all, or those with these words."""
    mutants = read()
    wrong = complaints(mutants)
    if wrong:
        raise SystemExit("\n".join(wrong))
    write_tree(mutants, HOME / "tree")
    print(f"building with {sum(each.native for each in mutants)} mutants in C++", flush=True)
    try:
        module = build_core(HOME / "tree", HOME / "core", WORKERS, CMAKE_BUILD_TYPE="Release")
    except AssertionError as error:
        raise SystemExit(
            f"{error}\nA mutant is not of the right form: see the first lines of tools/mutants.py."
        ) from None
    folders: queue.Queue[Path] = queue.Queue()
    for name in map(str, range(WORKERS)):
        shutil.rmtree(HOME / name, ignore_errors=True)
        shutil.copytree(HOME / "tree", HOME / name)
        shutil.copy(module, HOME / name / "src" / "afterwit")
        folders.put(HOME / name)

    chosen = [each for each in mutants if words in str(each)]
    tests = sorted({test for each in chosen for test in each.ids})

    def sound(part: int) -> tuple[bool, str]:
        mine = tests[part::WORKERS]
        return passed(HOME / str(part), mine, 0, None) if mine else (True, "")

    def tried(mutant: Mutant) -> tuple[bool, float]:
        folder, start = folders.get(), time.monotonic()
        try:
            return survives(mutant, folder), time.monotonic() - start
        finally:
            folders.put(folder)

    with ThreadPoolExecutor(WORKERS) as workers:
        for fine, said in workers.map(sound, range(WORKERS)):
            if not fine:
                raise SystemExit(f"{said[-6000:]}\nThe tests fail without any mutant awake: mend that first.")
        killed = 0
        for mutant, (alive, seconds) in zip(chosen, workers.map(tried, chosen), strict=True):
            print(f"{'SURVIVED' if alive else 'killed':8} {seconds:5.1f} s  {mutant}", flush=True)
            killed += not alive
    share = killed / len(chosen) if chosen else 1.0
    print(f"{len(chosen)} mutants, {killed} killed ({100 * share:.1f} %)")
    return 0 if share >= LEAST else 1


if __name__ == "__main__":
    sys.exit(main(" ".join(sys.argv[1:])))
