"""tools/preflight.py, run for real on machines that lack something."""

import ast
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[1] / "tools" / "preflight.py"


def preflight(script: Path = SCRIPT, **environment: str) -> subprocess.CompletedProcess[str]:
    env = {key: value for key, value in os.environ.items() if key not in {"CXX", "PYTHONHOME", "PYTHONPATH"}}
    return subprocess.run([sys.executable, script], env=env | environment, capture_output=True, text=True)


def script(path: Path, text: str) -> str:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return str(path)


def python_home(folder: Path, without: str = "") -> str:
    """A prefix for this interpreter with its library (less one module) and no headers."""
    library = Path(sysconfig.get_paths()["stdlib"])
    copy = folder / library.parent.name / library.name
    copy.mkdir(parents=True)
    for entry in library.iterdir():
        if entry.name != without:
            (copy / entry.name).symlink_to(entry)
    return str(folder)


def assert_names(done: subprocess.CompletedProcess[str], *words: str) -> None:
    assert done.returncode == 1
    assert done.stdout == ""
    for word in (*words, "Debian, Ubuntu:", "Fedora:", "macOS:"):
        assert word in done.stderr
    assert "Traceback" not in done.stderr


def test_a_machine_that_has_everything():
    done = preflight()
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_no_compiler(tmp_path):
    assert_names(preflight(PATH=str(tmp_path)), "no C++ compiler", "apt install g++", "xcode-select --install")


def test_the_compiler_named_is_not_there(tmp_path):
    assert_names(preflight(CXX=str(tmp_path / "g++-99")), "$CXX", "g++-99", "is not there")


def test_compiler_without_cpp20(tmp_path):
    compiler = next(path for path in map(shutil.which, ["c++", "g++", "clang++"]) if path)
    old = script(tmp_path / "old-c++", f'exec {compiler} "$@" -std=c++14')
    assert_names(preflight(CXX=old), old, "cannot compile and link C++20", "It says:", "dnf install gcc-c++")


def test_compiler_with_options_in_cxx():
    compiler = next(path for path in map(shutil.which, ["c++", "g++", "clang++"]) if path)
    assert preflight(CXX=f"{compiler} -O0").returncode == 0


def test_no_python_headers(tmp_path):
    done = preflight(PYTHONHOME=python_home(tmp_path))
    assert_names(done, "no Python.h", str(tmp_path), "python3-dev", "python3-devel")
    assert "C++20" not in done.stderr


@pytest.mark.parametrize("module", ["venv", "ensurepip"])
def test_no_virtual_environments(tmp_path, module):
    done = preflight(PYTHONHOME=python_home(tmp_path, without=module))
    assert_names(done, "virtual environments", module, "apt install python3-venv")


def test_everything_that_is_missing_is_named_at_once(tmp_path):
    done = preflight(PYTHONHOME=python_home(tmp_path, without="ensurepip"), PATH=str(tmp_path))
    assert_names(done, "virtual environments", "no C++ compiler")


def test_python_too_old(tmp_path):
    (tmp_path / "tools").mkdir()
    shutil.copy(SCRIPT, tmp_path / "tools")
    (tmp_path / "pyproject.toml").write_text('requires-python = ">=9.8"\n')
    done = preflight(tmp_path / "tools" / "preflight.py")
    assert_names(done, sys.executable, "expected 9.8 or newer", "make PYTHON=python9.8", "python3-venv")


def test_an_old_python_can_read_it():
    ast.parse(SCRIPT.read_text(), feature_version=(3, 6))
