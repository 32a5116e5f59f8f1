"""`afterwit separate`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.cli.commands import inside
from tests.games.datasets import with_margin


@pytest.fixture
def points(tmp_path: Path) -> Path:
    X, y, _ = with_margin(50, 3, 0.1)
    lines = (f"{int(l)} " + " ".join(f"{j}:{v!r}" for j, v in enumerate(x)) for x, l in zip(X.tolist(), y, strict=True))
    (tmp_path / "points.svm").write_text("\n".join(lines) + "\n")
    return tmp_path / "points.svm"


@pytest.mark.parametrize("algorithm", ["optimistic", "perceptron"])
def test_it_separates(points: Path, capfd: Any, algorithm: str) -> None:
    assert inside("separate", points, "--algorithm", algorithm) == 0
    shown = capfd.readouterr().out
    assert "separated 50 points of 3 features with margin" in shown
    assert "the theorem allows" in shown
    assert inside("separate", points, "--algorithm", algorithm, "--json", "--intercept") == 0
    found = json.loads(capfd.readouterr().out)
    assert found["separates"] is True
    assert set(found["separator"]) == {"0", "1", "2"}
    X, y, _ = with_margin(50, 3, 0.1)
    margins = y * (X @ np.array([found["separator"][name] for name in "012"]) + found["intercept"])
    assert margins.min() == pytest.approx(found["margin"], rel=1e-6)


def test_what_nothing_separates_is_an_answer(tmp_path: Path, capfd: Any) -> None:
    (tmp_path / "a.csv").write_text("x,side\n1,left\n2,right\n1,right\n")
    assert inside("separate", tmp_path / "a.csv", "--target", "side", "--classes", "left,right", "--json") == 0
    found = json.loads(capfd.readouterr().out)
    assert (found["separates"], found["margin_at_most"]) == (False, 0.0)
    assert found["remark"] == "points 1 and 3 are the same, with both labels"
    assert found["separator"] is None


def test_a_picture(points: Path, tmp_path: Path, capfd: Any) -> None:
    assert inside("separate", points, "--plot", tmp_path / "a.png") == 0
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    assert inside("separate", points, "--rounds", "1", "--plot", tmp_path / "b.svg") == 0


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (["--rounds", "0"], 2, "--rounds is 0, expected 1 or more"),
        (["--classes", "a"], 2, "--classes is `a`, expected two"),
        (["--classes", "a,b,c"], 2, "--classes is `a,b,c`, expected two names"),
        (["--algorithm", "winnow"], 2, "invalid choice: 'winnow'"),
        (["--plot", "a.doc"], 2, "--plot is `a.doc`"),
    ],
)
def test_wrong_words(points: Path, capfd: Any, words: list[str], code: int, sentence: str) -> None:
    assert inside("separate", points, *words) == code
    assert sentence in capfd.readouterr().err
