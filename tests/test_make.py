"""The Makefile on a fresh copy of this project, with little more in the environment than a compiler and make."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
# How this machine reaches its package index.
INDEX = ("PIP_", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CXX")


@pytest.fixture
def project(tmp_path):
    if not (ROOT / ".git").exists():
        pytest.skip("needs a git checkout, to know which files belong to the project")
    listing = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    for name in listing.stdout.splitlines():
        if (ROOT / name).is_file():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def make(project: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    env = {key: value for key, value in os.environ.items() if key.upper().startswith(INDEX)}
    env |= {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": os.environ["HOME"]}
    python = f"PYTHON={Path(sys.base_prefix) / 'bin' / 'python3'}"
    return subprocess.run(["make", python, *arguments], cwd=project, env=env, capture_output=True, text=True)


@pytest.mark.slow
def test_make_builds_from_nothing_and_then_only_what_changed(project):
    def up_to_date() -> bool:
        return make(project, "--question", "build").returncode == 0

    source = project / "core" / "text" / "text_bind.cpp"
    text = source.read_text()

    done = make(project, "build")
    assert done.returncode == 0, done.stdout + done.stderr
    subprocess.run([project / ".venv/bin/python", "-c", "import afterwit._core"], cwd=project / "tools", check=True)
    assert up_to_date()
    objects = {path.name: path.stat().st_mtime_ns for path in (project / "build").rglob("*_bind.cpp.o")}
    assert {"text_bind.cpp.o", "core_bind.cpp.o"} <= objects.keys()

    source.write_text(text + "// A change.\n")
    assert not up_to_date()
    assert make(project, "build").returncode == 0
    assert up_to_date()
    again = {path.name: path.stat().st_mtime_ns for path in (project / "build").rglob("*_bind.cpp.o")}
    assert {name for name in objects if again[name] != objects[name]} == {"text_bind.cpp.o"}

    source.write_text("#error this does not compile\n")
    for _ in range(2):
        done = make(project, "build")
        assert done.returncode != 0
        assert "this does not compile" in done.stdout + done.stderr
    source.write_text(text)
    assert make(project, "build").returncode == 0
    assert up_to_date()

    done = make(project, "build", "PYTHON=/nowhere/python3")
    assert done.returncode != 0
    assert "/nowhere/python3 is not there" in done.stdout
    assert up_to_date()
