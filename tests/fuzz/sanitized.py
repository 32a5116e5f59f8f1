"""Building the fuzzer with the address and undefined-behaviour sanitizers, and running it."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
COMPILER = os.environ.get("CXX", "g++")
SANITIZERS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
FLAGS = ["-std=c++20", "-DAFTERWIT_ONE_VERSION", "-ffp-contract=off", *SANITIZERS]
#: All checks; and half the time to compile without those of pointers that the address sanitizer would see used.
FULL = ["-O1", "-g"]
QUICK = ["-O1", "-g1", "-fno-sanitize=null,vptr,alignment,pointer-overflow"]


def need_sanitizers(folder: Path) -> None:
    """Skips where nothing can be built with the sanitizers."""
    if shutil.which(COMPILER) is None:
        pytest.skip(f"there is no compiler {COMPILER}")
    source, program = folder / "empty.cpp", folder / "empty"
    source.write_text("int main() { return 0; }\n")
    for step in ([COMPILER, *FLAGS, str(source), "-o", str(program)], [str(program)]):
        done = subprocess.run(step, capture_output=True, text=True)
        if done.returncode != 0:
            pytest.skip(f"no sanitizers with {COMPILER}: {done.stderr[-300:]}")


def build(folder: Path, flags: list[str], core: Path = ROOT / "core") -> Path:
    """The fuzzer, built with the headers in `core`."""
    need_sanitizers(folder)
    program = folder / "fuzz"
    source = ROOT / "tests" / "fuzz" / "fuzz.cpp"
    command = [COMPILER, *FLAGS, *flags, f"-I{core}", str(source), "-o", str(program)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return program


def run(program: Path, seed: int, size: int, reader: str) -> tuple[int, str]:
    """How it ended, and all that it said."""
    done = subprocess.run([program, str(seed), str(size), reader], capture_output=True, text=True, errors="replace")
    return done.returncode, done.stdout + done.stderr
