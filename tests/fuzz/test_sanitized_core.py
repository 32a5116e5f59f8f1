"""The tests of the core once more, with an extension module built with the sanitizers."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fuzz.sanitized import COMPILER, ROOT, SANITIZERS, need_sanitizers

SUITE = [
    *("tests/losses", "tests/linear/test_slots.py", "tests/test_every_player.py"),
    *("tests/text/test_svmlight.py", "tests/text/test_vw.py", "tests/text/test_csv.py"),
]


def sanitized_package(folder: Path) -> Path:
    """A copy of the package in `folder`, with a core of its own."""
    build = folder / "build"
    flags = " ".join(["-O1", "-g1", *SANITIZERS, "-DAFTERWIT_ONE_VERSION"])
    nanobind = subprocess.check_output([sys.executable, "-m", "nanobind", "--cmake_dir"], text=True).strip()
    defined = {
        "CMAKE_BUILD_TYPE": "None",
        "CMAKE_CXX_COMPILER": COMPILER,
        "CMAKE_CXX_FLAGS": flags,
        "SKBUILD_PROJECT_NAME": "afterwit",
        "Python_EXECUTABLE": sys.executable,
        "nanobind_ROOT": nanobind,
    }
    env = os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    for step in (
        ["cmake", "-G", "Ninja", "-S", ROOT, "-B", build, *(f"-D{name}={value}" for name, value in defined.items())],
        ["cmake", "--build", build, "-j1"],
    ):
        done = subprocess.run(step, env=env, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
    package = folder / "package"
    shutil.copytree(ROOT / "src" / "afterwit", package / "afterwit", ignore=shutil.ignore_patterns("*.so"))
    for module in build.glob("_core*.so"):
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
    env = os.environ | {
        "LD_PRELOAD": " ".join(libraries),
        "PYTHONMALLOC": "malloc",
        "ASAN_OPTIONS": "detect_leaks=0",
    }
    runner = ROOT / "tests" / "fuzz" / "with_core.py"
    command = [sys.executable, runner, sanitized_package(tmp_path), "-q", "-p", "no:cacheprovider", *SUITE]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, errors="replace")
    assert done.returncode == 0, (done.stdout + done.stderr)[-6000:]
    assert " passed" in done.stdout
