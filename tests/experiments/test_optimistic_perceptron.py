"""Figure 1 of Hanashiro, Abernethy 2020."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from afterwit.experiments import data_set, experiments, optimistic_perceptron
from tests.cli.commands import inside
from tests.games.datasets import alternating


def test_the_dataset() -> None:
    for n in (1, 2, 5):
        for ours, other in zip(optimistic_perceptron.dataset(n), alternating(n), strict=True):
            np.testing.assert_array_equal(ours, other)


def test_the_first_ten_dimensions() -> None:
    outcome = optimistic_perceptron.run(dimensions=10)
    assert [claim.holds for claim in outcome.claims] == [True] * 3
    (table,) = outcome.tables
    assert [row[2] for row in table.rows] == [(4**n - 1) // 3 for n in range(1, 11)]
    assert table.rows[-1][5] == 2198
    assert "349,525" in str(outcome)
    figure: Any = outcome.draw and outcome.draw()
    assert len(figure.axes) == 2
    figure.savefig(io.BytesIO(), format="png")


@pytest.mark.slow
def test_all_fifteen() -> None:
    outcome = optimistic_perceptron.run()
    assert all(claim.holds for claim in outcome.claims)
    assert outcome.tables[0].rows[-1][2:6] == [357_913_941, 357_913_941, 3_042_268_521, 86_265]


def test_the_list(capfd: Any) -> None:
    assert inside("reproduce") == 0
    shown = capfd.readouterr().out
    for name, module in experiments().items():
        assert f"{name}  " in shown
        assert module.SOURCE in shown
    assert inside("reproduce", "--json") == 0
    assert json.loads(capfd.readouterr().out)["optimistic-perceptron"] == "Hanashiro, Abernethy 2020, Figure 1"
    assert inside("reproduce", "optimistic-percepton") == 2
    assert "did you mean `optimistic-perceptron`?" in capfd.readouterr().err


def test_the_command(tmp_path: Path, capfd: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = optimistic_perceptron.run
    monkeypatch.setattr(optimistic_perceptron, "run", lambda say: whole(say, dimensions=4))
    assert inside("reproduce", "optimistic-perceptron", "--plot", tmp_path / "a.png") == 0
    assert "true: the Perceptron makes exactly" in capfd.readouterr().out
    assert (tmp_path / "a.png").stat().st_size > 10_000
    assert inside("reproduce", "optimistic-perceptron", "--json") == 0
    (rows,) = json.loads(capfd.readouterr().out)["tables"].values()
    assert [row["mistakes"] for row in rows] == [1, 5, 21, 85]


def test_data_that_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AFTERWIT_DATA", raising=False)
    with pytest.raises(ValueError, match=r"`a9a\.svm\.gz` is needed: set AFTERWIT_DATA"):
        data_set("a9a.svm.gz")
    monkeypatch.setenv("AFTERWIT_DATA", str(tmp_path))
    with pytest.raises(ValueError, match=r"there is no `a9a\.svm\.gz` in"):
        data_set("a9a.svm.gz")
    (tmp_path / "a9a.svm.gz").write_bytes(b"")
    assert data_set("a9a.svm.gz") == tmp_path / "a9a.svm.gz"
