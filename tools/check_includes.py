"""Checks that a room of core/ includes only lower rooms, and that Python appears only where C++ meets it."""

from __future__ import annotations

import re
import sys
from pathlib import Path

# Lowest first; a room includes only from the left, never a neighbour in the same cell.
LAYERS = [
    ["numeric"],
    ["rows"],
    ["python", "text"],
    ["losses", "potentials"],
    ["regret"],
    ["convex"],
    ["learners"],
    ["experts", "linear", "dense"],
    ["games", "bandits", "trees", "boosting"],
    ["panel"],
    ["learning"],
]
LEVEL = {room: level for level, rooms in enumerate(LAYERS) for room in rooms}
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')
# Python, and what of the core knows it: core/python, and what binds a room to it.
PYTHON = re.compile(r"Python\.h$|(nanobind|pybind11|numpy|python)/")
KNOWS_PYTHON = re.compile(r"^python/|_bind\.[ch]pp$")


def complaint(core: Path, file: Path, header: str) -> str | None:
    """What is wrong with this include and what to do, or None."""
    inside = file.relative_to(core)
    room = inside.parts[0] if len(inside.parts) > 1 else None
    brings_python = PYTHON.match(header) is not None
    if (brings_python or KNOWS_PYTHON.search(header)) and not KNOWS_PYTHON.search(inside.as_posix()):
        return f"`{header}` brings Python into the core; move what needs it to a *_bind.cpp"
    if brings_python:
        return None
    if "/" not in header and not (core / header).exists() and not (file.parent / header).exists():
        return None  # a standard header
    if not (core / header).is_file():
        if (file.parent / header).is_file():
            full = (file.parent / header).resolve().relative_to(core.resolve())
            return f"`{header}` is relative; write the path from core/: `{full.as_posix()}`"
        return f"`{header}` is not in core/" if header.split("/")[0] in LEVEL else None
    target = Path(header).parts[0]
    if room is None or target == room or target not in LEVEL or LEVEL[target] < LEVEL[room]:
        return None
    if LEVEL[target] == LEVEL[room]:
        return f"{room} includes its neighbour `{header}`; move what they share to a lower room"
    return f"{room} includes the higher room `{header}`; move what it needs down, or this file up"


def check(core: Path) -> list[str]:
    """Every complaint, as file:line: sentence."""
    found = []
    for file in sorted(path for path in core.rglob("*") if path.suffix in {".hpp", ".cpp", ".h"}):
        room = file.relative_to(core).parts[0]
        if file.parent != core and room not in LEVEL:
            found.append(f"{file}:1: the room `{room}` has no layer; add it to LAYERS in tools/check_includes.py")
            continue
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
            include = INCLUDE.match(line)
            words = complaint(core, file, include.group(1)) if include else None
            if words:
                found.append(f"{file}:{number}: {words}")
    return found


def main() -> int:
    """Checks the folder named on the command line, or core."""
    core = Path(sys.argv[1] if len(sys.argv) > 1 else "core")
    found = check(core)
    print("\n".join(found) if found else f"{core}: the includes keep to the layers.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
