"""`aggregate` with rounds to come, from a saved mixture, over chosen columns, with late targets; `predict` with it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import afterwit as aw
from afterwit.experts import AdaNormalHedge, Boa, Delayed, Hedge, Mixture, TwoNorm
from afterwit.linear import AdaGrad
from tests.cli.commands import digest, inside
from tests.cli.test_aggregate import written

NAMES = ["a", "b", "c"]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def made(rounds: int = 120) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(4)
    y = np.round(np.cumsum(rng.normal(size=rounds)), 3)
    return np.round(y[:, None] + rng.normal(size=(rounds, 3)) + [0.5, -1.0, 2.0], 3), y


def table(path: str, F: np.ndarray, y: np.ndarray | None, names: Any = NAMES, **more: Any) -> str:
    target = {} if y is None else {"y": y}
    days = {"day": [f"day {t}" for t in range(len(F))]}
    written(Path(path), {**days, **dict(zip(names, F.T, strict=True)), **target, **more})
    return path


def numbers(path: str) -> list[float]:
    return [float(line) for line in Path(path).read_text().split()]


def shown(capfd: Any, *words: Any) -> Any:
    assert inside(*words, "--json") == 0
    return json.loads(capfd.readouterr().out)


def test_rounds_without_a_target_are_forecast_and_not_learned(capfd: Any) -> None:
    """Tomorrow's at the end, and two in the middle, with all that is told as if they were not there."""
    F, y = made()
    told = np.ones(120, dtype=bool)
    told[[50, 51, 118, 119]] = False
    data = table("all.csv", F, np.where(told, y, np.nan))
    found = shown(capfd, "aggregate", data, "--target", "y", "--predictions", "p", "--save", "m", "--plot", "p.png")
    assert (found["rounds"], found["rounds_without_target"], found["rounds_awake"]) == (116, 4, 116)
    model = Mixture()
    rows = [dict(zip(NAMES, f, strict=True)) for f in F.tolist()]
    expected = []
    for row, label, known in zip(rows, y.tolist(), told, strict=True):
        expected.append(model.predict_one(row))
        if known:
            model.learn_one(row, label)
    assert numbers("p") == expected
    aw.save(model, "expected")
    assert digest(Path("m")) == digest(Path("expected"))
    only = shown(capfd, "aggregate", table("told.csv", F[told], y[told]), "--target", "y")
    same = {key: value for key, value in found.items() if key not in ("source", "rounds_without_target")}
    assert same == {key: only[key] for key in same}
    assert inside("aggregate", data, "--target", "y") == 0
    assert "4 rounds more without a target: forecast, and nothing learned" in capfd.readouterr().out


@pytest.mark.parametrize("told", [0, 1])
def test_hardly_any_target(told: int, capfd: Any) -> None:
    F, _ = made(5)
    y = np.full(5, np.nan)
    y[:told] = 1.0
    data = table("f.csv", F, y)
    found = shown(capfd, "aggregate", data, "--target", "y", "--predictions", "p", "--save", "m")
    assert (found["rounds"], found["rounds_without_target"]) == (told, 5 - told)
    assert np.isfinite(numbers("p")).all()
    assert inside("aggregate", table("known.csv", *made(9)), "--target", "y", "--save", "known") == 0
    capfd.readouterr()
    found = shown(capfd, "aggregate", data, "--target", "y", "--from", "known", "--save", "after")
    assert [(each["name"], each["rounds"]) for each in found["experts"]] == [(name, told) for name in NAMES]
    assert told or digest(Path("after")) == digest(Path("known"))
    assert inside("aggregate", data, "--target", "y", "--range", 5, 90) == 1
    assert "`-" in capfd.readouterr().err
    assert (
        inside("aggregate", table("g.csv", F + 50.0, np.where(y == 1.0, 60.0, y)), "--target", "y", "--range", 5, 90)
        == 0
    )


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["--rule", "boa"],
        ["--rule", "hedge:rate=0.5", "--range", -40, 40, "--loss", "absolute"],
        ["--rule", "fixed-share", "--no-gradient"],
        ["--delay", 3],
        ["--delay", 23, "--rule", "ml-pol"],
    ],
    ids=str,
)
def test_two_halves_are_one_run(words: list[Any], capfd: Any) -> None:
    F, y = made()
    F[F > 4.0] = np.nan
    first = np.where(np.arange(60) < 57, y[:60], np.nan)  # the last three are not known on that day, and come again
    whole, half, rest = table("f.csv", F, y), table("f1.csv", F[:60], first), table("f2.csv", F[57:], y[57:])
    assert inside("aggregate", whole, "--target", "y", *words, "--save", "m", "--predictions", "p") == 0
    assert inside("aggregate", half, "--target", "y", *words, "--save", "m1", "--predictions", "p1") == 0
    assert inside("aggregate", rest, "--target", "y", "--from", "m1", "--save", "m2", "--predictions", "p2") == 0
    assert digest(Path("m2")) == digest(Path("m"))
    assert Path("p1").read_text().split()[:57] + Path("p2").read_text().split() == Path("p").read_text().split()
    capfd.readouterr()
    again = shown(capfd, "aggregate", rest, "--target", "y", *words, "--from", "m1", "--save", "m1")
    assert digest(Path("m1")) == digest(Path("m"))
    bounds = [each["bound"] for each in again["competitors"] if each["bound"]]
    assert bounds
    assert all("these rounds followed others" in bound["reason"] for bound in bounds)


def test_experts_come_and_go_between_files(capfd: Any) -> None:
    F, y = made()
    assert inside("aggregate", table("f1.csv", F[:60], y[:60]), "--target", "y", "--save", "m") == 0
    capfd.readouterr()
    second = table("f2.csv", F[60:], y[60:], ["b", "late", "a"])
    found = shown(capfd, "aggregate", second, "--target", "y", "--from", "m", "--save", "m2", "--predictions", "p")
    assert found["new"] == ["late"]
    assert {each["name"]: each["rounds"] for each in found["experts"]} == {"a": 60, "b": 60, "c": 0, "late": 60}
    model = aw.load("m")
    rows = [dict(zip(["b", "late", "a"], f, strict=True)) for f in F[60:].tolist()]
    assert model.learn_many(rows, y[60:]).tolist() == numbers("p")
    assert inside("aggregate", second, "--target", "y", "--from", "m") == 0
    out, err = capfd.readouterr()
    assert "\nexperts: `a`, `b`, `c`, `late`\nnew: `late`\n" in out
    assert err == "afterwit: f2.csv: no column is read for `c` of `m`: asleep\n"
    assert inside("aggregate", second, "--target", "y", "--from", "m", "--ignore", "late", "b") == 0
    assert capfd.readouterr().err == "afterwit: f2.csv: no column is read for `c` of `m`: asleep\n"
    Path("f.parquet").write_bytes(b"PAR1")
    for words in (["aggregate", "f.parquet", "--target", "y"], ["predict", "m", "f.parquet"]):
        assert inside(*words) == 1
        assert "f.parquet: it is Parquet; expected CSV" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--rule", "boa"], "--rule is `boa`, and in `m` it is `Hedge(rate=0.5)`"),
        (["--rule", "hedge"], "--rule is `hedge`, and in `m` it is `Hedge(rate=0.5)`"),
        (["--loss", "squared"], "--loss is `squared`, and in `m` it is `absolute`"),
        (["--no-gradient"], "--no-gradient is given, and in `m` it is not given"),
        (["--range", "0", "9"], "--range is `0 9`, and in `m` it is `-40 40`"),
        (["--delay", "1"], "--delay is `1`, and in `m` it is `2`"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_contradicts_the_mixture_is_refused(words: list[str], sentence: str, capfd: Any) -> None:
    F, y = made(30)
    model = Mixture(Delayed(Hedge(rate=0.5), 2), "absolute", forecast_range=(-40.0, 40.0))
    model.learn_one(dict.fromkeys(NAMES, 1.0), 1.0)
    aw.save(model, "m")
    assert inside("aggregate", table("f.csv", F, y), "--target", "y", "--from", "m", "--save", "n", *words) == 2
    out, err = capfd.readouterr()
    assert (out, Path("n").exists()) == ("", False)
    assert sentence in err
    assert f"leave {words[0]} out to go on with that mixture, or --from to begin a new one" in err
    assert inside("aggregate", "f.csv", "--target", "y", "--from", "m", "--loss", "hinge") == 2
    assert "--loss is `hinge`, expected squared, absolute, quantile:LEVEL or gain" in capfd.readouterr().err
    same = ["--rule", "hedge:rate=0.5", "--loss", "absolute", "--range", "-40", "40", "--delay", "2"]
    assert inside("aggregate", "f.csv", "--target", "y", "--from", "m", *same) == 0


def test_gains_go_on(capfd: Any) -> None:
    X = np.exp(made(80)[0] * 0.01)
    for name, some in (("x.csv", X), ("x1.csv", X[:30]), ("x2.csv", X[30:])):
        table(name, some, None)
    assert inside("aggregate", "x.csv", "--gains", "--save", "m") == 0
    assert inside("aggregate", "x1.csv", "--gains", "--save", "m1") == 0
    assert inside("aggregate", "x2.csv", "--from", "m1", "--save", "m2") == 0
    assert digest(Path("m2")) == digest(Path("m"))
    assert "FixedShare" in repr(aw.load("m"))
    capfd.readouterr()
    assert inside("aggregate", "x2.csv", "--from", "m1", "--target", "a") == 2
    assert "price relatives, of which none is a target; leave --target out" in capfd.readouterr().err
    assert inside("aggregate", table("f.csv", X, X[:, 0]), "--target", "y", "--save", "n") == 0
    capfd.readouterr()
    assert inside("aggregate", "x2.csv", "--from", "n", "--gains") == 2
    assert "--gains is given, and in `n` it is not given" in capfd.readouterr().err


def test_what_cannot_go_on(capfd: Any) -> None:
    F, y = made(20)
    data = table("f.csv", F, y)
    aw.save(AdaGrad(), "rows")
    aw.save(Mixture(), "nothing")
    numbered, fixed = Mixture(), Mixture(TwoNorm())
    numbered.learn_one([1.0, 2.0], 1.5)
    fixed.learn_one({"a": 1.0, "z": 2.0}, 1.5)
    aw.save(numbered, "numbered")
    aw.save(fixed, "fixed")
    for path, code, sentence in (
        ("rows", 2, "`rows` holds AdaGrad(), which is no mixture of forecasts; use `learn --from`"),
        ("nothing", 2, "has no experts with names; teach it with a table"),
        ("numbered", 2, "has no experts with names; teach it with a table"),
        ("fixed", 1, "f.csv: `b`, `c`: not among the 2 experts of `fixed`, and `TwoNorm` takes none that come late"),
        ("nowhere", 1, "no such file"),
    ):
        assert inside("aggregate", data, "--target", "y", "--from", path) == code
        assert sentence in capfd.readouterr().err
    assert inside("aggregate", data, "--target", "y", "--from", "fixed", "--experts", "a") == 1
    assert "no column is read for `z` of `fixed`, and `TwoNorm` has no form" in capfd.readouterr().err


def test_columns_are_chosen(capfd: Any) -> None:
    """One that is left out need not hold numbers."""
    F, y = made()
    words, hours = ["some", "words"] * 60, np.arange(120) % 24
    data = table("f.csv", F, y, hour=hours, note=words)
    assert inside("aggregate", data, "--target", "y") == 1
    assert "column `note`: `some` is not a number" in capfd.readouterr().err
    expected = [Mixture().learn_many(F, y).tolist(), Mixture().learn_many(F[:, [0, 2]], y).tolist()]
    for options, p in (
        (["--ignore", "hour", "note"], expected[0]),
        (["--experts", *NAMES], expected[0]),
        (["--experts", "c", "a"], expected[1]),
        (["--ignore", "note", "b", "hour"], expected[1]),
    ):
        found = shown(capfd, "aggregate", data, "--target", "y", *options, "--predictions", "p")
        assert numbers("p") == p
        assert {each["name"] for each in found["experts"]} == set(NAMES) - set(found["unread"])
    assert inside("aggregate", data, "--target", "y", "--experts", "a", "c") == 0
    assert "\nexperts: `a`, `c`\nnot read: `b`, `hour`, `note`\n" in capfd.readouterr().out
    for options, code, sentence in (
        (
            ["--experts", "A"],
            1,
            "f.csv: there is no expert column `A`; did you mean `a`? the columns are `a`, `b`, `c`",
        ),
        (["--ignore", "hours"], 1, "there is no other column `hours`; did you mean `hour`?"),
        (["--experts", "y"], 1, "there is no expert column `y`"),
        (["--experts", "a", "--ignore", "b"], 2, "--experts and --ignore both choose columns; leave one of them out"),
        (["--ignore", *NAMES, "hour", "note"], 1, "there is no column of numbers beside"),
        (["--rule", "bao"], 2, "`bao` is not a rule; did you mean `boa`?"),
        (["--delay", "-1"], 2, "--delay is -1, expected 0 or more"),
        (["--delay", "10001"], 2, "--delay is `10001`, expected a whole number from 0 to 10000"),
    ):
        assert inside("aggregate", data, "--target", "y", *options) == code
        assert sentence in capfd.readouterr().err


def test_late_targets(capfd: Any) -> None:
    F, y = made()
    words = ["aggregate", table("f.csv", F, y), "--target", "y", "--range", -50, 50, "--predictions", "p"]
    found = shown(capfd, *words, "--delay", 5)
    model = Mixture(Delayed(AdaNormalHedge(), 5), forecast_range=(-50.0, 50.0))
    assert numbers("p") == model.learn_many(F, y).tolist()
    assert found["rule"] == "Mixture(Delayed(player=AdaNormalHedge(), delay=5), forecast_range=(-50.0, 50.0))"
    best = found["competitors"][1]
    assert best["bound"]["value"] == pytest.approx(model.regret_bound(NAMES.index(best["what"])).value)
    assert "Weinberger, Ordentlich 2002" in best["bound"]["theorem"]


def test_pictures_of_later_rounds_and_of_late_targets(capfd: Any) -> None:
    F, y = made(40)
    y[3] = np.nan
    words = ["aggregate", table("f.csv", F, y), "--target", "y", "--range", -50, 50]
    assert inside(*words, "--delay", 2, "--plot", "late.png", "--save", "m") == 0
    assert inside("aggregate", "f.csv", "--target", "y", "--from", "m", "--plot", "later.svg") == 0
    later = Path("later.svg").read_text()
    assert "f.csv: 3 forecasts as one, by AdaNormalHedge, 2 rounds late" in later
    assert "bound" not in later
    first = ["aggregate", table("g.csv", F[4:], y[4:]), "--target", "y", "--range", -50, 50, "--save", "n"]
    assert inside(*first, "--plot", "first.svg") == 0
    assert inside("aggregate", "g.csv", "--target", "y", "--from", "n", "--plot", "later.svg") == 0
    assert ["bound" in Path(name).read_text() for name in ("first.svg", "later.svg")] == [True, False]


def test_a_saved_mixture_predicts(capfd: Any) -> None:
    F, y = made()
    F[40, 1] = np.nan
    assert inside("aggregate", table("f.csv", F[:100], y[:100]), "--target", "y", "--delay", 7, "--save", "m") == 0
    model = aw.load("m")
    rows = [dict(zip(NAMES, f, strict=True)) for f in F[100:].tolist()]
    expected = [repr(value) for value in model.predict_many(rows).tolist()]
    new = table("new.csv", F[100:], y[100:], temperature=["warm"] * 20)
    capfd.readouterr()
    assert inside("predict", "m", new) == 0  # what is no expert is not looked at, nor is the target
    out, err = capfd.readouterr()
    assert (out.split(), err) == (expected, "")
    assert inside("predict", "m", table("two.csv", F[100:, :2], None, NAMES[:2]), "--predictions", "p", "--json") == 0
    assert capfd.readouterr().err == "afterwit: two.csv: no column is read for `c` of `m`: asleep\n"
    awake = [{"forecast": value} for value in model.predict_many([{"a": x["a"], "b": x["b"]} for x in rows]).tolist()]
    assert [json.loads(line) for line in Path("p").read_text().splitlines()] == awake
    nobody = written(Path("n.csv"), {"day": ["x", "y"], "a": [np.nan, 1.0], "b": [np.nan] * 2, "c": [np.nan] * 2})
    assert inside("predict", "m", nobody, "--json") == 0
    assert capfd.readouterr().out == '{"forecast": null}\n{"forecast": 1.0}\n'
    assert inside("predict", "m", written(Path("e.csv"), {"day": [], "a": [], "b": [], "c": []})) == 0
    assert capfd.readouterr().out == ""
    for words, code, sentence in (
        (["two.csv", "--strict"], 1, "two.csv: no column is read for `c` of `m`"),
        ([table("none.csv", F, None, ["u", "v", "w"])], 1, "there is no column of numbers beside"),
        (["new.csv", "--weight", "a"], 2, "`m` mixes forecasts; leave --weight out"),
        (["new.csv", "--probability"], 2, "`m` mixes forecasts; leave --probability out"),
        (["new.csv", "two.csv"], 2, "`m` mixes forecasts; give it one file"),
    ):
        assert inside("predict", "m", *words) == code
        assert sentence in capfd.readouterr().err


def test_a_saved_mixture_that_refuses(capfd: Any) -> None:
    fixed = Mixture(TwoNorm(), forecast_range=(0.0, 9.0))
    fixed.learn_one({"a": 1.0, "b": 2.0}, 1.5)
    aw.save(fixed, "m")
    aw.save(Boa(experts=["a"]), "player")
    F = np.array([[1.0, 2.0], [1.0, np.nan]])
    for words, code, sentence in (
        (
            ["m", table("f.csv", F, None, ["a", "b"])],
            1,
            "f.csv, line 3: column `b`: it is missing, and `TwoNorm` has no",
        ),
        (["m", table("g.csv", F[:1] * 9.0, None, ["a", "b"])], 1, "g.csv, line 2: column `b`: `18` is out of range"),
        (
            ["m", table("h.csv", F[:1, :1], None, ["a"])],
            1,
            "no column is read for `b` of `m`, and `TwoNorm` has no form",
        ),
        (["player", "f.csv"], 2, "which learns from forecasts, not from rows of features"),
    ):
        assert inside("predict", *words) == code
        assert sentence in capfd.readouterr().err
