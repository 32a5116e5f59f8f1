"""Options that name columns: dates, categories, ids, names that are none, and where DATA may stand."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest

import afterwit as aw
from afterwit.cli.arguments import given_back
from afterwit.cli.hints import strangers
from afterwit.cli.main import parser
from afterwit.features import Features
from afterwit.schema import Schema
from tests.cli.commands import afterwit

LINEAR = ("--learner", "adagrad", "--loss", "squared", "--names", "exact")


@pytest.fixture
def flights(tmp_path: Path) -> Path:
    rng = np.random.default_rng(1)
    lines = ["flight_id,carrier,zip,day,delay"]
    for r in range(300):
        lines.append(f"F{r},{rng.choice(['UA', 'AA'])},{10000 + r % 3},2026-05-{r % 28 + 1:02},{rng.normal():.3f}")
    (tmp_path / "flights.csv").write_text("\n".join(lines) + "\n")
    return tmp_path / "flights.csv"


def said(run: object) -> str:
    return run.stderr.decode()  # type: ignore[attr-defined, no-any-return]


def test_dates_categories_and_ids(flights: Path, tmp_path: Path) -> None:
    model = tmp_path / "m.afterwit"
    options = ("--dates", "day", "--categorical", "zip", "--id", "flight_id", "--target", "delay", "--save", model)
    run = afterwit("learn", flights, *LINEAR, *options)
    assert (run.returncode, said(run)) == (0, "")
    names = set(aw.load(model).coef())
    assert {"zip=10001", "day.month=5", "day.weekday=5", "day.day", "carrier=UA"} <= names
    assert not any(name.startswith(("flight_id", "day=")) or name == "zip" for name in names)
    assert aw.load(model).schema.ids == ("flight_id",)
    # The model goes on, and keeps out what was an id.
    again = tmp_path / "n.afterwit"
    run = afterwit("learn", flights, "--from", model, "--save", again, "--dates", "day")
    assert (run.returncode, said(run)) == (0, "")
    assert set(aw.load(again).coef()) == names
    lines = afterwit("predict", model, flights, "--id", "flight_id").stdout.decode().splitlines()
    assert [line.partition(",")[0] for line in lines] == ["flight_id", *(f"F{r}" for r in range(300))]
    for name, other in (("dates", "zip"), ("categorical", "day")):
        run = afterwit("learn", flights, "--from", model, f"--{name}", other)
        assert run.returncode == 2
        assert f"--{name} is `{other}`, and in `{model}` it is `" in said(run)


def test_what_looks_like_an_id_is_said(flights: Path) -> None:
    for words in (["learn", flights, *LINEAR], ["compare", flights, "adagrad:normalized=true", "--loss", "squared"]):
        run = afterwit(*words, "--target", "delay")
        assert run.returncode == 0
        assert "`flight_id` is different in almost every row: if it is an id, --id flight_id keeps it out" in said(run)
        assert said(run).count("almost every row") == 1
        assert "almost every row" not in said(afterwit(*words, "--target", "delay", "--id", "flight_id"))


def test_collisions_without_ids(flights: Path, tmp_path: Path) -> None:
    model = tmp_path / "m.afterwit"
    assert afterwit("learn", flights, "--target", "delay", *LINEAR, "--save", model).returncode == 0
    count = ("inspect", model, "--json", "--collisions", flights, "--target", "delay")
    more, fewer = (json.loads(afterwit(*count, *ids).stdout)["collisions"] for ids in ((), ("--id", "flight_id")))
    assert more["features"] == fewer["features"] + 300


def test_names_that_are_no_columns(flights: Path) -> None:
    wrong = ("--ignore", "carier", "--keep", "zip", "day", "x", "--interactions", "zip*Day", "--text", "carriers:2")
    run = afterwit("learn", flights, *LINEAR, "--target", "delay", *wrong)
    for sentence in (
        "--ignore names `carier`, and there is no such column; did you mean `carrier`?",
        "--keep names `x`, and there is no such column\n",
        "--interactions names `Day`, and there is no such column; did you mean `day`?",
        "--text names `carriers`, and there is no such column; did you mean `carrier`?",
    ):
        assert f"afterwit: {sentence}" in said(run)
    assert said(run).count("no such column") == 4


def test_only_where_the_columns_are_known() -> None:
    features = Features(dates=["d"], categorical=["c", "id"], ignore=["y", ""])
    schema = Schema("y", columns=("a",), ids=("id",))
    assert [each.split("`")[1] for each in strangers(features, schema)] == ["d", "c"]
    assert strangers(features, Schema("y")) == strangers(features, None) == strangers(None, schema) == []


@pytest.mark.parametrize("before", [("--ignore", "zip"), ("--limit", "50", "--keep", "zip", "day"), ("--id", "zip")])
@pytest.mark.parametrize("after", [(), ("--target", "delay")])
def test_data_may_stand_behind_an_option_of_several_values(
    flights: Path, before: tuple[str, ...], after: tuple[str, ...]
) -> None:
    rest = (*LINEAR, "--json") if after else (*LINEAR, "--json", "--target", "delay")
    usual = afterwit("learn", flights, *rest, *after, *before)
    assert usual.returncode == 0
    assert afterwit("learn", *rest, *before, flights, *after).stdout == usual.stdout


def words_of(command: str, *words: object) -> list[str]:
    commands = next(action for action in parser()._actions if action.dest == "command")
    return given_back(commands.choices[command], [str(word) for word in words])  # type: ignore[index]


def test_which_words_are_given_back(flights: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(flights.parent)
    (flights.parent / "carrier").write_text("")
    os.mkdir(flights.parent / "zip")
    one = "flights.csv"
    assert words_of("learn", "--ignore", "a", one, one) == ["--ignore", "a", "--", one, one]
    assert words_of("learn", "--ignore", "carrier", "zip", "*.csv", "--bits", "9") == [
        *("--ignore", "carrier", "zip", "--bits", "9", "--", "*.csv")
    ]
    assert words_of("compare", "--keep", "zip", one, "auto") == ["--keep", "zip", "--", one, "auto"]
    assert words_of("predict", "m", "--id", "a", "-") == ["m", "--id", "a", "--", "-"]
    assert words_of("predict", "--id", "a", "carrier", one) == ["--id", "a", "--", "carrier", one]
    for as_they_are in (
        [one, "--ignore", "a", "b", "carrier"],
        ["--ignore", "a", "--", one],
        ["--limit", "5", "--range", one],
        ["--ign=a", one, "--tex", "b"],
    ):
        assert words_of("learn", *as_they_are) == as_they_are


def test_options_that_there_are_not(flights: Path) -> None:
    for words, sentence in (
        (["learn", flights, "--tagret", "late"], "there is no option `--tagret`; did you mean `--target`?"),
        (["learn", "--tagret=late", flights], "there is no option `--tagret`; did you mean `--target`?"),
        (["predict", "m", flights, "--qqq"], "there is no option `--qqq`; see afterwit predict --help"),
        (["learn", "--ignore", "a", "b.csv"], "there is no DATA: `--ignore` took all words up to `b.csv`, and none"),
        (["learn", "--ignore", "a", "--bits", "9"], "there is no DATA: `--ignore` took all words up to `a`"),
    ):
        run = afterwit(*words)
        assert run.returncode == 2
        assert said(run).startswith(f"afterwit: {sentence}")
