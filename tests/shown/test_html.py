"""What a notebook shows: whole HTML in which no name is markup, the numbers of the text, pictures where they can be."""

from __future__ import annotations

import base64
import subprocess
import sys
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pytest

import afterwit as aw
from afterwit.dense import RollingTrees
from afterwit.experts import AdaNormalHedge, Hedge, hindsight
from afterwit.learning import compare, learn
from afterwit.learning.confusion import Confusion
from afterwit.linear import AdaGrad, GradientDescent, Perceptron
from afterwit.shown import html

HOSTILE = "<script>alert('x')</script> & \"q\" \x1b[31m $x^$"
KNOWN = {"div", "table", "tr", "th", "td", "p", "code", "img"}


class Page(HTMLParser):
    """Checks that every element is known and closed; keeps the cells, the words and the pictures."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.rows: list[list[str]] = []
        self.words, self.pictures = "", list[bytes]()
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in KNOWN
        assert {name for name, _ in attrs} <= {"style", "src", "alt"}
        if tag == "img":
            kind, _, data = (dict(attrs)["src"] or "").partition("base64,")
            assert kind == "data:image/png;"
            self.pictures.append(base64.b64decode(data, validate=True))
            return
        self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("th", "td"):
            self.rows[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words += data
        if self.open[-1] in ("th", "td"):
            self.rows[-1][-1] += data


def page(shown: Any) -> Page:
    found = Page(shown._repr_html_())
    assert found.words.isprintable()
    assert all(picture.startswith(b"\x89PNG") and len(picture) < 300_000 for picture in found.pictures)
    return found


def rows(count: int = 300) -> list[Any]:
    return [({"x": float(k % 3), HOSTILE: 1.0}, HOSTILE if k % 3 else "b") for k in range(count)]


def numbers(count: int = 300) -> list[Any]:
    return [({"x": float(k % 3)}, 2.0 * (k % 3)) for k in range(count)]


def test_a_report_is_what_it_prints() -> None:
    report = learn(GradientDescent(loss="squared"), numbers(), window=20)
    found = page(report)
    assert [tuple(row) for row in found.rows] == report.lines()
    assert len(found.pictures) == 1
    empty = page(learn(AdaGrad(), []))
    assert empty.pictures == []
    assert ["rows", "0"] in empty.rows


def test_a_comparison_is_its_table() -> None:
    reports = compare({HOSTILE: AdaGrad(), "other": Perceptron()}, [(x, y == "b") for x, y in rows()])
    found = page(reports)
    assert found.rows == reports.rows()
    assert [row[0] for row in found.rows][-2:] == ["other", "baseline"]
    assert len(found.pictures) == 1
    assert page(compare({"one": AdaGrad()}, [])).pictures == []


def test_names_are_no_markup() -> None:
    model = aw.OneVsAll(AdaGrad(features=aw.Features(names="exact")))
    report = learn(model, rows(), confusion=True)
    seen = page(model)
    assert any("<script>alert('x')</script>" in row[0] for row in seen.rows)
    table = page(report.confusion)
    assert table.rows[0][0] == "came \\ predicted"
    assert any(cell.startswith("<script>") for cell in table.rows[0])
    assert page(Confusion([], [], 2.0)).words.endswith("not shown: rows of weight 2")
    player = AdaNormalHedge()
    history = player.run([{HOSTILE: 0.0, "b": 1.0}] * 5, keep="weights")
    assert page(history).rows[2][0].startswith("<script>")
    assert page(player).rows[1][0].startswith("<script>")


@pytest.mark.parametrize(
    "make",
    [
        AdaGrad,
        Perceptron,
        aw.Auto,
        lambda: aw.Panel([AdaGrad(), Perceptron()]),
        lambda: aw.OneVsAll(AdaGrad()),
        RollingTrees,
        aw.Mixture,
        Hedge,
    ],
)
def test_a_model_without_and_with_what_it_learned(make: Any) -> None:
    model = make()
    assert repr(model) in page(model).words
    if isinstance(model, Hedge):
        model.update([0.0, 1.0])
    elif isinstance(model, aw.Mixture):
        model.learn_one({"a": 1.0, "b": 2.0}, 1.0)
    else:
        model.learn_many(np.eye(40, 3), np.arange(40) % 2)
    found = page(model)
    assert len(found.rows) > 1 or isinstance(model, RollingTrees)
    assert len(found.pictures) == hasattr(model, "standing")


def test_a_history_is_its_best_experts() -> None:
    rng = np.random.default_rng(0)
    losses = rng.random((50, 30)) + np.arange(30) / 10
    history = Hedge(loss_range=(0.0, 4.0)).run(losses, keep="weights")
    found = page(history)
    assert found.rows[1][:2] == ["played", f"{history.loss.sum():,.6g}"]
    assert [row[0] for row in found.rows[2:]] == [f"expert {i}" for i in np.argsort(-history.regret)[:20]]
    assert "10 worse ones are not shown" in found.words
    assert len(found.pictures) == 1
    assert page(Hedge(loss_range=(0.0, 4.0)).run(losses)).pictures == []
    assert page(Hedge(experts=3).run(np.zeros((0, 3)), keep="weights")).pictures == []


def test_what_hindsight_found() -> None:
    model = aw.Mixture()
    history = model.run([{HOSTILE: 1.0 * k, "b": 3.0} for k in range(6)], [1.0 * k for k in range(6)])
    found = page(hindsight(model, history))
    assert [row[0] for row in found.rows][1:3] == ["uniform mean", "best expert"]
    assert found.rows[2][4].startswith("<script>")
    linear = learn(GradientDescent(loss="squared"), aw.read(numbers())).hindsight()
    assert [tuple(row) for row in page(linear).rows] == linear.lines()


def test_pictures_of_histories_that_are_too_long_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("afterwit.experts.history.DRAWN", 9)
    assert page(Hedge().run(np.zeros((5, 2)), keep="weights")).pictures == []
    assert len(page(Hedge().run(np.zeros((4, 2)), keep="weights")).pictures) == 1


def test_without_matplotlib_and_ipython_there_is_the_table() -> None:
    program = (
        "import sys\n"
        "class Absent:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name.split('.')[0] in ('IPython', 'matplotlib'): raise ModuleNotFoundError(name)\n"
        "sys.meta_path.insert(0, Absent())\n"
        "import afterwit as aw\n"
        "report = aw.learn(aw.Auto(), [({'x': 1.0}, 1)] * 9)\n"
        "print(report._repr_html_().count('<img'), '<table>' in report._repr_html_())\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "0 True\n"
    shown = subprocess.run(
        [sys.executable, "-c", "import afterwit.experts, afterwit.learning, sys; print('matplotlib' in sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert shown.stdout == "False\n"


def test_words_are_escaped_where_they_stand() -> None:
    assert Page(html.text("a < b & c\n", "code")).words == "a < b & c\\n"
    assert Page(html.table([["<i>"], [HOSTILE]])).rows[0] == ["<i>"]
