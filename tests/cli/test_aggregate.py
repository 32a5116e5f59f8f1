"""`afterwit aggregate`, run as a process."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import afterwit as aw
from afterwit.cli.mixtures import rules
from afterwit.experts import AdaNormalHedge, FixedShare, Mixture
from afterwit.regret import best_linear, best_mixture, best_rebalanced, expert_regret, shifting_regret
from tests.cli.commands import afterwit, inside

DATA = os.environ.get("AFTERWIT_DATA")


def written(path: Path, columns: dict[str, Any], header: bool = True) -> Path:
    lines = [",".join(columns)] if header else []
    lines += [",".join("" if v != v else str(v) for v in row) for row in zip(*columns.values(), strict=True)]
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.fixture
def forecasts(tmp_path: Path) -> tuple[Path, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    y = np.round(10.0 * np.sin(np.arange(200) / 9.0), 3)
    F = np.round(y[:, None] + rng.normal(size=(200, 3)) + [0.5, -1.0, 3.0], 3)
    days = [str(np.datetime64("2024-01-01") + t) for t in range(200)]
    columns = {"day": days, "zeta": F[:, 0], "y": y, "alpha": F[:, 1], "übel": F[:, 2]}
    return written(tmp_path / "f.csv", columns), F, y


def test_the_numbers_are_those_of_the_library(forecasts: Any, tmp_path: Path) -> None:
    path, F, y = forecasts
    out = tmp_path / "out.txt"
    done = afterwit("aggregate", path, "--target", "y", "--shifts", 3, "--json", "--predictions", out)
    assert (done.returncode, done.stderr) == (0, b"")
    shown = json.loads(done.stdout)
    model = Mixture(AdaNormalHedge())
    p = model.learn_many(F, y)
    loss = (p - y) ** 2
    assert [float(line) for line in out.read_text().split()] == p.tolist()
    assert shown["rmse"] == pytest.approx(np.sqrt(loss.mean()))
    assert shown["mean_loss"] == pytest.approx(loss.mean())
    assert (shown["rounds"], shown["columns"], shown["loss"]) == (200, 3, "squared")
    losses = (F - y[:, None]) ** 2
    found = {each["name"]: each for each in shown["competitors"]}
    expected = {
        "uniform mean": ((F.mean(axis=1) - y) ** 2).sum(),
        "best expert": loss.sum() - expert_regret(losses, loss).regret,
        "best with 3 shifts": shifting_regret(losses, loss, 4).losses[-1],
        "best convex combination": best_mixture(F, y).loss,
        "best linear combination": best_linear(F, y).loss,
    }
    assert list(found) == list(expected)
    for name, total in expected.items():
        assert found[name]["mean_loss"] == pytest.approx(total / 200), name
        assert found[name]["regret"] == pytest.approx(loss.sum() - total), name
    assert found["best expert"]["what"] == "zeta"
    assert "range of forecasts was not given" in found["best expert"]["bound"]["reason"]
    assert [each["name"] for each in shown["experts"]] == ["zeta", "alpha", "übel"]
    assert [each["weight"] for each in shown["experts"]] == pytest.approx(model.weights().tolist())
    assert [each["rmse"] for each in shown["experts"]] == pytest.approx(np.sqrt(losses.mean(axis=0)).tolist())


def test_the_table_shows_them(forecasts: Any) -> None:
    path, _, _ = forecasts
    text = afterwit("aggregate", path, "--target", "y", "--range", -30, 30).stdout.decode()
    for words in ("this mixture", "uniform mean", "best expert", "best with 5 shifts", "best convex combination",
                  "best linear combination", "RMSE", "regret to it", "its bound", "weight now", "übel"):  # fmt: skip
        assert words in text
    assert "no bound" not in text
    absolute = afterwit("aggregate", path, "--target", "y", "--loss", "absolute", "--no-gradient").stdout.decode()
    assert "RMSE" not in absolute
    assert "Mixture(AdaNormalHedge(), loss='absolute', gradient=False)" in absolute
    assert "no bound on the regret: the range of forecasts was not given" in absolute


def test_sleepers_gzip_and_standard_input(forecasts: Any, tmp_path: Path) -> None:
    _, F, y = forecasts
    F = F.copy()
    F[::3, 1] = np.nan
    F[7] = np.nan
    named = {"a": F[:, 0], "b": F[:, 1], "c": F[:, 2], "y": y}
    plain = written(tmp_path / "s.csv", named)
    packed = tmp_path / "s.csv.gz"
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    shown = json.loads(afterwit("aggregate", packed, "--target", "y", "--json").stdout)
    piped = json.loads(afterwit("aggregate", "-", "--target", "y", "--json", stdin=plain.read_bytes()).stdout)
    assert {**piped, "source": ""} == {**shown, "source": ""}
    assert (shown["rounds"], shown["rounds_awake"]) == (200, 199)
    assert [each["rounds"] for each in shown["experts"]] == [199, 132, 199]
    p = Mixture().learn_many(F, y)
    assert shown["mean_loss"] == pytest.approx(np.nanmean((p - y) ** 2))
    convex = shown["competitors"][3]
    assert (convex["exact"], convex["bound"]) == (False, None)
    text = afterwit("aggregate", packed, "--target", "y").stdout.decode()
    assert "1 round without anybody awake" in text
    assert "rounds awake" in text


def test_gains(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    X = np.round(np.exp(0.02 * rng.normal(size=(100, 4))), 6)
    path = written(tmp_path / "p.csv", {f"s{i}": X[:, i] for i in range(4)})
    shown = json.loads(afterwit("aggregate", path, "--gains", "--range", 0.5, 2, "--json").stdout)
    model = Mixture(FixedShare(), "gain", forecast_range=(0.5, 2.0))
    growth = model.learn_many(X)
    assert shown["wealth"] == pytest.approx(np.prod(growth))
    found = {each["name"]: each for each in shown["competitors"]}
    assert found["uniform rebalanced"]["wealth"] == pytest.approx(np.prod(X.mean(axis=1)))
    assert found["best rebalanced portfolio"]["mean_loss"] == pytest.approx(best_rebalanced(X).loss / 100)
    assert found["best rebalanced portfolio"]["regret"] <= found["best rebalanced portfolio"]["bound"]["value"]
    assert found["best expert"]["wealth"] == pytest.approx(X.prod(axis=0).max())
    assert "wealth" in afterwit("aggregate", path, "--gains").stdout.decode()


def test_wrong_files(tmp_path: Path) -> None:
    for text, words, message in [
        ("d,a,b,y\nx,1,2,3\nx,1,two,3\n", (), "w.csv, line 3, column 5: column `b`: `two` is not a number"),
        ('d,a,b,y\n"x\nx",1,2,3\nx,1,2,z\n', (), "w.csv, line 4, column 7: column `y`: `z` is not a number"),
        ("d,a,b,y\nx,1,2,z\n", (), "w.csv, line 2, column 7: column `y`: `z` is not a number"),
        ("d,a,b,y\nx,1,2,3\nx,1,2\n", (), "line 3, column 6: the record ends before `y`; expected 4 fields"),
        ("d,a,b,y\nx,1,2,3,4\n", (), "line 2, column 9: `4` is one field too many; expected 4 fields"),
        ("d,a,b,y\nx,1,-inf,3\n", (), "line 2, column 5: column `b`: `-inf` is no finite number"),
        ("d,a,b,y\nx,1,1e999,3\n", (), "line 2, column 5: column `b`: `1e999` is no finite number"),
        ("d,a,b,y\nx,1,2,3\n\nx,1,1e120,3\n", (), "line 4: column `b`: `1e+120` is out of range"),
        (
            "d,a,b,y\nx,1,2,9\n",
            ("--range", 0, 5),
            "line 2: column `y`: `9` is out of range; expected a number from 0 to",
        ),
        ("d,a,b,y\nx,1,,9\n", ("--rule", "two-norm"), "line 2: column `b`: it is missing, and `TwoNorm` has no form"),
        ("1,a,b,y\n5,1,x,9\n", (), "line 2, column 5: column `b`: `x` is not a number"),
        ("y\n1\n", (), "there is no column of numbers beside"),
    ]:
        path = tmp_path / "w.csv"
        path.write_text(text)
        out = tmp_path / "out.txt"
        done = afterwit("aggregate", path, "--target", "y", "--predictions", out, *words)
        assert (done.returncode, done.stdout) == (1, b""), text
        assert message in done.stderr.decode()
        assert b"Traceback" not in done.stderr
        assert not out.exists()
    path.write_text("d,a,b\nx,1,2\nx,0,1\n")
    assert b"line 3: column `a`: `0` is out of range; expected a price" in afterwit("aggregate", path, "--gains").stderr


def test_wrong_words(forecasts: Any) -> None:
    path, _, _ = forecasts
    for words, message in [
        ((), "which column has what came? Name it with --target COLUMN"),
        (("--target", "y", "--rule", "nope"), "`nope` is not a rule; expected one of ada-normal-hedge, "),
        (("--target", "y", "--rule", "hedge:speed=1"), "`hedge` has no setting `speed`; it has rate, horizon"),
        (("--target", "y", "--rule", "hedge:rate=-1"), "`hedge:rate=-1`: rate is `-1.0`, expected"),
        (("--target", "y", "--loss", "hinge"), "--loss is `hinge`, expected squared, absolute, quantile:LEVEL"),
        (("--target", "y", "--loss", "gain"), "say --gains"),
        (("--target", "y", "--gains"), "leave --target out"),
        (("--target", "y", "--range", "5", "1"), "--range is `(5, 1)`, expected two finite numbers"),
        (("--target", "y", "--shifts", "-1"), "--shifts is -1, expected 0 or more"),
        (("--target", "y", "--plot", "a.txt.foo"), "expected a name that ends in .png"),
        (("--target", "y", "--plot", "a.pgf"), "expected a name that ends in .png"),
    ]:
        done = afterwit("aggregate", path, *words)
        assert (done.returncode, done.stdout) == (2, b""), words
        assert message in done.stderr.decode()


def test_every_rule_can_be_named(forecasts: Any) -> None:
    path, F, y = forecasts
    assert {"ada-normal-hedge", "hedge", "normal-hedge", "normal-hedge-dt", "two-norm"} <= set(rules())
    done = afterwit("aggregate", path, "--target", "y", "--rule", "hedge:horizon=200", "--json")
    assert json.loads(done.stdout)["rule"] == "Mixture(Hedge(horizon=200))"
    for cls in rules().values():
        assert np.isfinite(Mixture(cls()).learn_many(F, y)).all()


def test_a_picture(forecasts: Any, tmp_path: Path) -> None:
    path, _, _ = forecasts
    picture = tmp_path / "a.png"
    assert afterwit("aggregate", path, "--target", "y", "--plot", picture).returncode == 0
    assert picture.read_bytes().startswith(b"\x89PNG")
    missing = afterwit("aggregate", path, "--target", "y", "--plot", tmp_path / "none" / "a.png")
    assert missing.returncode == 2
    assert b"Traceback" not in missing.stderr


@pytest.mark.skipif(not DATA, reason="AFTERWIT_DATA is not set")
@pytest.mark.parametrize(("rule", "rmse"), [("ada-normal-hedge", 1036.8), ("boa", 1025.0), ("ml-pol", 1024.7)])
def test_the_french_load(rule: str, rmse: float) -> None:
    """Independent forms of the rules with the gradient trick have these RMSEs, the best forecaster 1,212."""
    data = Path(str(DATA), "fr-load-experts.csv.gz")
    shown = json.loads(afterwit("aggregate", data, "--target", "y_load", "--rule", rule, "--json").stdout)
    assert shown["rmse"] == pytest.approx(rmse, abs=0.5)
    others = [round(each["rmse"]) for each in shown["competitors"]]
    assert (others[0], others[1], others[3]) == (1749, 1212, 959)


@pytest.mark.skipif(not DATA, reason="AFTERWIT_DATA is not set")
@pytest.mark.parametrize("name", ["djia", "sp500", "tse", "msci", "nyse_o"])
def test_the_panels_of_stocks(name: str) -> None:
    shown = json.loads(afterwit("aggregate", Path(str(DATA), f"{name}.csv.gz"), "--gains", "--json").stdout)
    found = {each["name"]: each["wealth"] for each in shown["competitors"]}
    assert 0.5 < shown["wealth"] < found["best rebalanced portfolio"]
    assert found["best expert"] <= found["best rebalanced portfolio"]


def test_a_mixture_is_kept_and_inspected(forecasts: Any, tmp_path: Path) -> None:
    path, F, y = forecasts
    kept = tmp_path / "mixture.afterwit"
    assert afterwit("aggregate", path, "--target", "y", "--save", kept).returncode == 0
    row = dict(zip(("zeta", "alpha", "übel"), F[0].tolist(), strict=True))
    model = Mixture(AdaNormalHedge())
    for t in range(200):
        model.learn_one(dict(zip(row, F[t].tolist(), strict=True)), y[t])
    assert aw.load(kept).predict_one(row) == model.predict_one(row)
    shown = json.loads(afterwit("inspect", kept, "--json").stdout)
    assert (shown["class"], shown["settings"]["player"]["class"]) == ("mixture", "ada-normal-hedge")
    assert shown["weights"] == {name: weight for name, weight in model.weights().items() if weight != 0.0}
    assert "zeta" in afterwit("inspect", kept).stdout.decode()
    for words, message in [
        (["learn", path, "--target", "y", "--from", kept], "which learns from forecasts, not from rows of features"),
        (["inspect", kept, "--collisions", path, "--target", "y"], "--collisions: `Mixture` has no features"),
    ]:
        done = afterwit(*words)
        assert (done.returncode, done.stdout) == (2, b"")
        assert message in done.stderr.decode()


def test_an_empty_table_has_no_picture(tmp_path: Path, capfd: Any) -> None:
    data, made = written(tmp_path / "f.csv", {"y": [], "a": []}), tmp_path / "p"
    words = ["aggregate", data, "--target", "y", "--predictions", made]
    assert inside(*words, "--plot", tmp_path / "p.png") == 1
    sentence = f"afterwit: {data}: it has no rounds, so there is nothing to draw; leave --plot out\n"
    assert capfd.readouterr() == ("", sentence)
    assert os.listdir(tmp_path) == ["f.csv"]
    assert inside(*words) == 0


def test_forecasts_too_near_to_zero_for_a_combination(tmp_path: Path, capfd: Any) -> None:
    data = written(tmp_path / "f.csv", {"y": [1.0], "a": [1e-310], "b": [-1e-310]})
    assert inside("aggregate", data, "--target", "y", "--json") == 0
    linear = json.loads(capfd.readouterr().out)["competitors"][-1]
    assert linear["name"] == "best linear combination"
    assert (linear["mean_loss"], linear["regret"]) == (None, None)
    assert linear["reason"].startswith("the forecasts are so near to 0")
    assert inside("aggregate", data, "--target", "y") == 0
    assert "inf" not in capfd.readouterr().out


def test_ranges_and_shifts_that_are_too_large(forecasts: Any, capfd: Any) -> None:
    data, *_ = forecasts
    words = ["aggregate", data, "--target", "y"]
    assert inside(*words, "--range", "-1e308", "1e308") == 2
    assert "--range is `(-1e+308, 1e+308)`, expected two finite numbers" in capfd.readouterr().err
    assert inside(*words, "--json", "--shifts", 10**4) == 0
    many = json.loads(capfd.readouterr().out)["competitors"][2]
    assert inside(*words, "--json", "--shifts", 2**63 - 1) == 0
    most = json.loads(capfd.readouterr().out)["competitors"][2]
    assert most == many
    assert inside(*words, "--shifts", 2**63) == 2
    assert "--shifts is 9223372036854775808, expected 0 to 9223372036854775807" in capfd.readouterr().err
