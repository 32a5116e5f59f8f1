"""The examples of docs/faces.md run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[2] / "docs" / "faces.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.parametrize("example", EXAMPLES, ids=["scikit-learn", "river"])
def test_an_example_runs(example: str) -> None:
    *lines, last = example.strip().splitlines()
    known: dict[str, object] = {}
    exec("\n".join(lines), known)
    result = eval(last, known)
    score = result.get() if hasattr(result, "get") else min(result)  # type: ignore[call-overload]
    assert score > 0.9
