"""Costs that grow with what is there: counted in calls, comparisons and bytes, never in time."""

from __future__ import annotations

import math
import subprocess
import sys
import tracemalloc
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import afterwit as aw
from afterwit.cli.main import main
from afterwit.experts import AdaNormalHedge, FixedShare, Mixture, hindsight, roster
from afterwit.learning import Lesson, compare, evaluate, pieces, predictions
from afterwit.learning.checkpoint import resume, write_checkpoint
from afterwit.linear import AdaGrad, OneVsAll
from afterwit.registry import fresh, state
from afterwit.registry.plain import same
from afterwit.regret import fixed_share_tuned, shifting_regret, tracking
from afterwit.streams import blocks, csv_header
from afterwit.streams.numbers import read_numbers
from tests.memory import ON_LINUX, PEAK

CLASSES = f"""
import afterwit as aw
from afterwit.linear import AdaGrad, OneVsAll
{PEAK}
rows = [({{"a": 1.0, f"w{{i % 50}}": 1.0}}, f"c{{i}}") for i in range(400)]
model = OneVsAll(AdaGrad(normalized=True))
before = peak()
aw.learn(model, aw.read(rows))
model.coef(["a"]), model.state()
print(peak() - before)
"""


@ON_LINUX
def test_classes_as_they_come_take_the_memory_of_what_they_touched() -> None:
    """51 slots and the intercept, times 400 classes, are 250 kB; a table of all 2^18 slots was 2 GB."""
    done = subprocess.run([sys.executable, "-c", CLASSES], capture_output=True, text=True, check=True)
    assert int(done.stdout) < 30_000


NAMES = [f"c{k}" for k in np.random.default_rng(0).integers(0, 30, 200)]
ROWS = [({"x": float(i % 7), f"w{i % 9}": 1.0}, name, float(i % 3)) for i, name in enumerate(NAMES)]


def whole_and_cut(monkeypatch: pytest.MonkeyPatch, run: Any) -> tuple[Any, Any]:
    whole = run()
    monkeypatch.setattr(pieces, "MOST", 64)
    return whole, run()


def test_many_classes_cut_a_batch_and_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def run() -> Any:
        model = OneVsAll(AdaGrad())
        lesson = Lesson(model, aw.read(ROWS), passes=2, holdout=5, limit=150)
        steps = [(len(step.batch), step.raw, step.ends, lesson.position.rows) for step in lesson.steps()]
        return steps, [state(model), asdict(lesson.report())]

    (steps, result), (cut, same_result) = whole_and_cut(monkeypatch, run)
    assert same(result, same_result)
    assert [rows for rows, *_ in steps] == [150, 150]
    assert sum(rows for rows, *_ in cut) == 300
    assert max(raw.size for _, raw, *_ in cut) <= 128
    assert [ends for *_, ends, _ in cut].count(True) == 2
    assert all(position == 0 or ends for *_, ends, position in cut)


def test_reading_with_many_classes_is_cut_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    model = OneVsAll(AdaGrad())
    aw.learn(model, aw.read(ROWS))

    def run() -> Any:
        found = [raw for _, raw in predictions(model, aw.read(ROWS))]
        compared = compare({"a": fresh(model), "b": OneVsAll(AdaGrad(normalized=True))}, aw.read(ROWS))
        reports = [asdict(evaluate(model, aw.read(ROWS))), *map(asdict, compared.values())]
        return found, [np.concatenate(found), reports]

    (whole, result), (cut, same_result) = whole_and_cut(monkeypatch, run)
    assert same(result, same_result)
    assert (len(whole), max(map(np.size, cut))) == (1, 64 // 30 * 30)


def test_a_cut_batch_is_resumed_from_its_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pieces, "MOST", 64)
    path = tmp_path / "checkpoint"
    lesson = Lesson(OneVsAll(AdaGrad()), aw.read(ROWS, batch_rows=50))
    for step in lesson.steps():
        if step.ends and lesson.rows == 100:
            write_checkpoint(path, lesson, {})
    again = Lesson(OneVsAll(AdaGrad()), aw.read(ROWS, batch_rows=50))
    resume(path, again)
    assert again.rows == 100
    for _ in again.steps():
        pass
    assert same(state(again.model), state(lesson.model))


def test_a_checkpoint_is_never_of_a_part_of_a_batch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Batches have 4,096 rows; row 5,000 is in the middle of the second."""
    monkeypatch.setattr(pieces, "MOST", 2000)
    rows = list[int]()

    def noted(path: Any, lesson: Lesson, extra: Any) -> None:
        rows.append(lesson.rows)
        write_checkpoint(path, lesson, extra)

    monkeypatch.setattr("afterwit.cli.checkpoints.write_checkpoint", noted)
    path, model = tmp_path / "a.vw", tmp_path / "m"
    path.write_text("".join(f"{i % 2} | x\n" for i in range(9000)))
    assert main(["learn", str(path), "--classes", "any", "--save", str(model), "--checkpoint", "5000"]) == 0
    assert rows == [0, 8192]


class Heading:
    """A heading that counts how often it is compared."""

    compared = 0

    def __init__(self, name: str) -> None:
        self.name = name

    def decode(self, _: str) -> Any:
        return _Compared(self.name)


class _Compared(str):
    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        Heading.compared += 1
        return str.__eq__(self, other)

    __hash__ = str.__hash__


def test_headings_are_not_all_compared_with_all() -> None:
    cells: Any = [Heading(f"x{i}") for i in range(500)]
    Heading.compared = 0
    assert len(csv_header._checked(cells, "a.csv", 1)) == 500
    assert len(blocks.checked_names([cell.decode("utf-8") for cell in cells], "table")) == 500
    assert Heading.compared < 500


def test_columns_of_numbers_are_found_by_name(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("a,b,c\n1,2,3\n")
    table = read_numbers(str(tmp_path / "a.csv"))
    assert [table[name].tolist() for name in "cab"] == [[3.0], [1.0], [2.0]]
    assert table._places is table._places


@pytest.mark.parametrize("how", ["update", "run", "learn_one", "learn_many"])
def test_a_new_expert_does_not_look_at_the_old_ones(how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    looked, entered = [0], [0]
    name_of, append = roster.name_of, roster.Roster._append

    def counted(name: Any) -> str:
        looked[0] += 1
        return name_of(name)

    def counted_append(self: Any, name: str) -> None:
        entered[0] += 1
        append(self, name)

    monkeypatch.setattr(roster, "name_of", counted)
    monkeypatch.setattr(roster.Roster, "_append", counted_append)
    model: Any = AdaNormalHedge() if how in ("update", "run") else Mixture()
    rows = [{f"e{i}": 0.5} for i in range(200)]
    if how == "run":
        model.run(rows)
    elif how == "learn_many":
        model.learn_many(rows, [0.7] * 200)
    kept = set()
    for row in rows if how in ("update", "learn_one") else []:
        model.update(row) if how == "update" else model.learn_one(row, 0.7)
        kept.add(id((model if how == "update" else model._playing)._roster._index))
    weights = model.play() if how in ("update", "run") else model.weights()
    assert list(weights) == [f"e{i}" for i in range(200)]
    assert looked[0] <= 400
    assert entered[0] == 200
    assert len(kept) <= 1


def test_names_that_were_only_looked_at_are_not_there() -> None:
    """Rosters share their names; each knows only its own."""
    player = AdaNormalHedge(experts=["a"])
    assert list(player.play({"x": 1.0, "y": 0.5})) == ["a", "x", "y"]
    player.update({"a": 0.5, "y": 0.25})
    assert list(player.play()) == ["a", "y"]
    assert list(player.play({"z": 1.0})) == ["a", "y", "z"]
    with pytest.raises(ValueError, match="there is no expert `z`; the last one that came is `y`"):
        player.regret_bound("z")
    with pytest.raises(ValueError, match=r"losses\[`q`\] is `7`"):
        player.update({"q": 7.0})
    player.update({"z": 0.5, "x": 0.5})
    assert list(player.play()) == ["a", "y", "z", "x"]
    player.forget("y")
    player.update({"y": 0.0})
    assert list(player.play()) == ["a", "z", "x", "y"]
    assert player.state()["experts"] == ["a", "z", "x", "y"]


def test_no_more_segments_than_rounds() -> None:
    losses, own = np.array([[0.0, 1.0], [1.0, 0.0], [0.0, 1.0]]), np.full(3, 0.5)
    found, three = shifting_regret(losses, own, 10**15), shifting_regret(losses, own, 3)
    assert found.regrets.tolist() == three.regrets.tolist() == [0.5, 0.5, 1.5]
    assert found.partitions == three.partitions
    assert len(shifting_regret(np.zeros((0, 2)), np.zeros(0), 10**15).regrets) == 1
    model = Mixture()
    names = [each.name for each in hindsight(model, model.run(losses, [0.0, 0.0, 0.0]), shifts=10**15)]
    assert names[2] == "best with 2 shifts"


def direct(N: int, T: int, K: int, first: int) -> float:
    t = np.arange(first, T + 1.0)
    eta = np.sqrt(np.log(N * (t + 1.0)) / (t + 1.0))
    sums = math.fsum(np.log1p(1.0 / t[:-1]) / eta[:-1]), math.fsum(eta)
    return float(K * math.log(N * T) / eta[-1] + sums[0] + sums[1] / 8.0)


@pytest.mark.parametrize("N", [2, 30, 10**9])
@pytest.mark.parametrize(("first", "T"), [(1, 400_000), (50_000, 200_000), (10**9, 10**9 + 300_000), (1, 100_000)])
def test_a_bound_that_sums_over_rounds(N: int, first: int, T: int) -> None:
    exact = direct(N, T, 3, first)
    assert exact * (1.0 - 1e-14) <= fixed_share_tuned(N, T, 3, first) <= exact * (1.0 + 1e-11)


@pytest.mark.parametrize("terms", [20, 300])
def test_what_is_not_summed_is_bounded_from_above(terms: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tracking, "EXACT", terms)
    for N in (2, 5, 1000):
        for first, T in ((1, 1000), (1, terms), (1, terms + 1), (7, 100_000)):
            exact = direct(N, T, 1, first)
            assert exact * (1.0 - 1e-14) <= fixed_share_tuned(N, T, 1, first) <= exact * (1.0 + 1e-3)


def test_a_bound_for_many_rounds_takes_little_memory() -> None:
    player = FixedShare(experts=3)
    player.update([0.0, 0.5, 1.0])
    player.set_state({**player.state(), "rounds": 1e12})
    tracemalloc.start()
    bound = player.regret_bound()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 10_000_000
    assert bound.value == fixed_share_tuned(3, 10**12)
