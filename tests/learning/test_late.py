"""Labels that come late: a row is learned so many rows after it was predicted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import afterwit as aw
from afterwit import registry
from afterwit.dense import OnlineNewton
from afterwit.learning import Lesson
from afterwit.learning.checkpoint import resume, write_checkpoint
from afterwit.linear import AdaGrad, OneVsAll
from tests.test_every_learner import Tiny

ROWS = 150


def rows(labels: Any = (-1, 1)) -> list[tuple[dict[str, Any], Any]]:
    rng = np.random.default_rng(6)
    found = []
    for _ in range(ROWS):
        x = {f"n{i}": float(rng.normal()) for i in range(int(rng.integers(0, 5)))} | {
            "word": str(rng.choice(list("abc")))
        }
        found.append((x, labels[int(rng.integers(len(labels)))]))
    return found


def slowly(model: Any, data: list[tuple[dict[str, Any], Any]], delay: int) -> list[Any]:
    """The protocol, row by row."""
    raw = []
    for t, (x, _) in enumerate(data):
        raw.append(np.atleast_1d(model.predict_one(x)).tolist())
        if t >= delay:
            model.learn_one(*data[t - delay])
    for x, y in data[max(0, len(data) - delay) :]:
        model.learn_one(x, y)
    return raw


def lesson(model: Any, data: Any, **how: Any) -> Lesson:
    return Lesson(model, aw.read(data, batch_rows=32), **how)


def said(lesson: Lesson) -> list[list[float]]:
    return [line for step in lesson.steps() for line in step.raw.tolist()]


@pytest.mark.parametrize("delay", [1, 7, 31, 32, 100, 150, 400])
@pytest.mark.parametrize(
    "model",
    [AdaGrad(), AdaGrad(normalized=True, loss="squared"), OnlineNewton(), Tiny()],
    ids=lambda model: type(model).__name__,
)
def test_it_is_the_protocol(model: Any, delay: int) -> None:
    """And the model ends with the bits of one whose labels are never late."""
    late, slow, prompt = (registry.fresh(model) for _ in range(3))
    data = rows()
    if isinstance(model, Tiny):  # which knows no words
        data = [({name: value for name, value in x.items() if name != "word"}, y) for x, y in data]
    assert said(lesson(late, data, delay=delay)) == slowly(slow, data, delay)
    assert registry.plain.same(registry.state(late), registry.state(slow))
    aw.learn(prompt, aw.read(data))
    assert registry.plain.same(registry.state(late), registry.state(prompt))


def test_no_delay_is_none() -> None:
    one, other = AdaGrad(), AdaGrad()
    assert aw.learn(one, rows(), delay=0) == aw.learn(other, rows())
    assert aw.learn(one, rows()[:0], delay=5).rows == 0


@pytest.mark.parametrize("model", [OneVsAll(AdaGrad()), aw.Auto(task="classes")], ids=repr)
def test_several_classes(model: Any) -> None:
    """Of a class that is not learned yet nothing is predicted, whatever comes later in the batch."""
    data = rows(["a", "b", "c"])
    late, slow = registry.fresh(model), registry.fresh(model)
    for t, (said_late, said_slow) in enumerate(
        zip(said(lesson(late, data, delay=9)), slowly(slow, data, 9), strict=True)
    ):
        assert said_late[: len(said_slow)] == said_slow, t
        assert set(said_late[len(said_slow) :]) <= {-np.inf}
    assert registry.plain.same(registry.state(late), registry.state(slow))
    report = aw.learn(registry.fresh(model), aw.read(data, batch_rows=32), delay=9)
    assert report.rows == ROWS
    assert report.learner.endswith(", 9 rows late")


def test_the_report_is_of_the_late_predictions() -> None:
    data = rows()
    raw = np.array(slowly(AdaGrad(), data, 20))[:, 0]
    y = np.array([y for _, y in data])
    report = aw.learn(AdaGrad(), data, delay=20)
    assert report.log_loss == pytest.approx(np.logaddexp(0.0, -y * raw).mean())
    assert aw.learn(AdaGrad(), data).log_loss != report.log_loss
    assert "learned before the next one is predicted" in report.hindsight().bound.source


def test_with_a_limit_rows_held_out_and_passes() -> None:
    """What waits at the end of a pass is learned there; a row held out waits with the others and is not learned."""
    data = rows()
    late = AdaGrad()
    report = aw.learn(late, aw.read(data, batch_rows=32), delay=13, limit=101, holdout=4, passes=2)
    expected, raw = AdaGrad(), []
    for _ in range(2):
        for t in range(101 + 13):
            if t < 101:
                raw.append(expected.predict_one(data[t][0]))
            if t >= 13 and (t - 13 + 1) % 4:
                expected.learn_one(*data[t - 13])
    assert registry.plain.same(registry.state(late), registry.state(expected))
    y = np.array([y for _, y in data[:101]])
    losses, held = np.logaddexp(0.0, -y * np.array(raw[:101])), np.arange(1, 102) % 4 == 0
    assert report.log_loss == pytest.approx(losses[~held].mean())
    assert report.holdout is not None
    assert report.holdout.log_loss == pytest.approx(losses[held].mean())


@pytest.mark.parametrize("model", [AdaGrad(), OneVsAll(AdaGrad()), OnlineNewton()], ids=repr)
@pytest.mark.parametrize("delay", [5, 40])
def test_rows_that_wait_are_kept_in_a_checkpoint(model: Any, delay: int, tmp_path: Path) -> None:
    data, path = rows(["a", "b"] if isinstance(model, OneVsAll) else (-1, 1)), tmp_path / "rows.csv"
    names = sorted({name for x, _ in data for name in x})
    lines = [",".join([*names, "label"]), *(",".join([*(str(x.get(n, "")) for n in names), str(y)]) for x, y in data)]
    path.write_text("\n".join(lines) + "\n")

    def begun(**how: Any) -> Lesson:
        stream = aw.read(path, target="label", batch_rows=16)
        return Lesson(registry.fresh(model), stream, 2, **{"delay": delay, **how})

    whole = begun()
    expected = said(whole)
    for stop in (1, 3, 12):
        first, checkpoint = begun(), tmp_path / "checkpoint"
        steps = first.steps()
        before = [line for _ in range(stop) for line in next(steps).raw.tolist()]
        write_checkpoint(checkpoint, first, {})
        rest = begun()
        resume(checkpoint, rest)
        assert before + said(rest) == expected
        assert registry.plain.same(registry.state(rest.model), registry.state(whole.model))
        assert rest.report() == whole.report()
        for other in (0, delay + 1):
            with pytest.raises(
                aw.AfterwitError, match=f"delay is {other or None}, the checkpoint was written with {delay}"
            ):
                resume(checkpoint, begun(delay=other))


def test_pending_rows_of_a_file_are_checked() -> None:
    waiting = lesson(AdaGrad(), rows(), delay=5)
    next(waiting.steps())
    good = waiting.state()["pending"]
    assert good["rows"] == 5
    for wrong, message in (
        ({"rows": 6}, "its pending rows are 6, expected at most 5"),
        ({"rows": 4}, "have not one number for each value"),
        ({"rows": -1}, "its number of pending rows"),
        ({"keys": good["keys"][:-1]}, "have not one number for each value"),
        ({"sizes": -good["sizes"]}, "have not one number for each value"),
        ({"sizes": good["sizes"] * 1.0}, "the `sizes` of its pending rows are of another kind"),
        ({"y": ["a"] * 5}, "the `y` of its pending rows are of another kind"),
    ):
        with pytest.raises(ValueError, match=message):
            lesson(AdaGrad(), rows(), delay=5).set_state({**waiting.state(), "pending": {**good, **wrong}})


def test_a_delay_below_nothing() -> None:
    with pytest.raises(ValueError, match="delay is -1, expected 0 or more"):
        aw.learn(AdaGrad(), rows(), delay=-1)
