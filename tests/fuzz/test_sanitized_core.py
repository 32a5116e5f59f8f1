"""The tests of the core once more, with an extension module built with the sanitizers."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cores import build_core, environment_of
from tests.fuzz.sanitized import COMPILER, ROOT, SANITIZERS, need_sanitizers

SUITE = [
    *("tests/losses", "tests/linear/test_slots.py", "tests/test_every_player.py"),
    *("tests/text/test_svmlight.py", "tests/text/test_vw.py", "tests/text/test_csv.py"),
    *("tests/text/test_mappings.py", "tests/text/test_changing_rows.py"),
]


def sanitized_package(folder: Path) -> Path:
    """A copy of the package in `folder`, with a core of its own."""
    flags = " ".join(["-O1", "-g1", *SANITIZERS, "-DAFTERWIT_ONE_VERSION"])
    module = build_core(
        ROOT, folder / "build", 1, CMAKE_BUILD_TYPE="None", CMAKE_CXX_COMPILER=COMPILER, CMAKE_CXX_FLAGS=flags
    )
    package = folder / "package"
    shutil.copytree(ROOT / "src" / "afterwit", package / "afterwit", ignore=shutil.ignore_patterns("*.so"))
    shutil.copy(module, package / "afterwit")
    return package


@pytest.mark.slow
def test_the_core_is_clean_under_the_sanitizers(tmp_path: Path) -> None:
    need_sanitizers(tmp_path)
    # Whoever throws needs the C++ library to be there when the sanitizer starts.
    libraries = [
        subprocess.check_output([COMPILER, f"-print-file-name={name}"], text=True).strip()
        for name in ("libasan.so", "libstdc++.so")
    ]
    if not all(Path(library).is_absolute() for library in libraries):
        pytest.skip(f"{COMPILER} has no shared address sanitizer to load first")
    package = sanitized_package(tmp_path)
    env = environment_of(package) | {
        "LD_PRELOAD": " ".join(libraries),
        "PYTHONMALLOC": "malloc",
        "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1:max_allocation_size_mb=1024",
    }
    where = "import afterwit._core as core; print(core.__file__)"
    assert subprocess.check_output([sys.executable, "-c", where], env=env, text=True).startswith(str(package))
    for command, said in (
        (["pytest", "-q", "-p", "no:cacheprovider", *SUITE], " passed"),
        (["tests.storage.forged", "0", "0", "2000"], "faults 0"),
        (["tests.storage.forged", "5", "0", "2000"], "faults 0"),
    ):
        whole = [sys.executable, "-m", *command]
        done = subprocess.run(whole, cwd=ROOT, env=env, capture_output=True, text=True, errors="replace")
        assert done.returncode == 0, (done.stdout + done.stderr)[-6000:]
        assert said in done.stdout
