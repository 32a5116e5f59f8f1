"""Another core and another package than the installed ones, for runs of the tests."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path


def build_core(source: Path, folder: Path, jobs: int, **defined: str) -> Path:
    """The extension module of the project in `source`, built in `folder` with these of CMake's variables."""
    nanobind = subprocess.check_output([sys.executable, "-m", "nanobind", "--cmake_dir"], text=True).strip()
    defined |= {
        "SKBUILD_PROJECT_NAME": "afterwit",
        "SKBUILD_PROJECT_VERSION": version("afterwit"),
        "Python_EXECUTABLE": sys.executable,
        "nanobind_ROOT": nanobind,
    }
    env = os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    settings = [f"-D{name}={value}" for name, value in defined.items()]
    for step in (
        ["cmake", "-G", "Ninja", "-S", str(source), "-B", str(folder), *settings],
        ["cmake", "--build", str(folder), f"-j{jobs}", "--", "-k", "0"],
    ):
        done = subprocess.run(step, env=env, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
    (module,) = folder.glob("_core*.so")
    return module


def environment_of(folder: Path) -> dict[str, str]:
    """The environment in which Python, and what it starts, finds the package in `folder` before the installed one."""
    # An editable install has a finder of its own, before all folders.
    (folder / "sitecustomize.py").write_text(
        "import sys\n"
        "sys.meta_path[:] = [finder for finder in sys.meta_path if 'Redirecting' not in type(finder).__name__]\n"
    )
    return {key: value for key, value in os.environ.items() if key != "PYTEST_ADDOPTS"} | {"PYTHONPATH": str(folder)}
