"""The built module has the vector instructions that its speed rests on."""

from __future__ import annotations

import platform
import re
import shutil
import subprocess

import pytest

from afterwit import _core


@pytest.fixture(scope="module")
def listing() -> str:
    if platform.machine() != "x86_64" or platform.system() != "Linux":
        pytest.skip("looks for instructions of x86-64 on Linux")
    objdump = shutil.which("objdump")
    if objdump is None:
        pytest.skip("needs objdump, of the package binutils")
    found = subprocess.run([objdump, "-d", "--no-show-raw-insn", _core.__file__], capture_output=True, text=True)
    assert found.returncode == 0, found.stderr
    if "%ymm" not in found.stdout:
        pytest.skip("was built for one kind of CPU only")
    return found.stdout


@pytest.mark.parametrize("instruction", ["sqrtpd", "divpd", "mulpd"])
def test_packed_instructions(listing: str, instruction: str) -> None:
    """Two doubles at once on every CPU, four and eight where the CPU has them."""
    assert re.search(rf"\b{instruction}\b", listing)
    for register in ("ymm", "zmm"):
        assert re.search(rf"\bv{instruction}\b.*%{register}", listing)


def test_no_fused_multiply_add(listing: str) -> None:
    """It rounds once where others round twice, so the bits would depend on the CPU."""
    assert not re.search(r"\bvfn?m(add|sub)", listing)
