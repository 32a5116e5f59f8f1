"""tools/check_includes.py on small cores, each with one thing wrong."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def check(core: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, ROOT / "tools" / "check_includes.py", core]
    return subprocess.run(command, capture_output=True, text=True)


@pytest.fixture
def core(tmp_path):
    files = {
        "python/arrays.hpp": "#include <nanobind/ndarray.h>\n",
        "numeric/dot.hpp": "#include <cstddef>\n",
        "losses/hinge.hpp": "",
        "potentials/entropy.hpp": "",
        "linear/sketch.hpp": '#include "losses/hinge.hpp"\n#include "numeric/dot.hpp"\n',
        "linear/linear_bind.hpp": '#include "python/arrays.hpp"\n',
        "linear/linear_bind.cpp": '#include <nanobind/nanobind.h>\n#include "python/arrays.hpp"\n',
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def test_the_core_of_this_project():
    done = check(ROOT / "core")
    assert done.returncode == 0, done.stdout


def test_a_core_in_order(core):
    assert check(core).returncode == 0


@pytest.mark.parametrize(
    ("file", "include", "words"),
    [
        ("numeric/a.hpp", '"linear/sketch.hpp"', "numeric includes the higher room `linear/sketch.hpp`"),
        ("losses/a.hpp", '"potentials/entropy.hpp"', "losses includes its neighbour `potentials/entropy.hpp`"),
        ("losses/a.hpp", "<linear/sketch.hpp>", "losses includes the higher room"),
        ("linear/a.hpp", '"sketch.hpp"', "write the path from core/: `linear/sketch.hpp`"),
        ("losses/a.hpp", '"../linear/sketch.hpp"', "write the path from core/: `linear/sketch.hpp`"),
        ("linear/a.hpp", '"numeric/gone.hpp"', "`numeric/gone.hpp` is not in core/"),
        ("linear/a.hpp", "<nanobind/nanobind.h>", "brings Python into the core"),
        ("linear/a.cpp", "<Python.h>", "brings Python into the core"),
        ("linear/a.hpp", '"python/arrays.hpp"', "brings Python into the core"),
        ("linear/a.hpp", '"linear/linear_bind.hpp"', "brings Python into the core"),
        ("losses/a_bind.cpp", '"linear/linear_bind.hpp"', "losses includes the higher room"),
        ("linear/mappings.hpp", "<nanobind/nanobind.h>", "brings Python into the core"),
        ("kernels/a.hpp", "<vector>", "the room `kernels` has no layer"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(core, file, include, words):
    (core / file).parent.mkdir(exist_ok=True)
    (core / file).write_text(f"#pragma once\n#  include {include}\n")
    done = check(core)
    assert done.returncode == 1
    line = 1 if file.startswith("kernels") else 2
    assert done.stdout.startswith(f"{core / file}:{line}: ")
    assert words in done.stdout
    assert len(done.stdout.splitlines()) == 1
