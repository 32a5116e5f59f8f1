"""Each check of players over domains fails on one that is broken in just that way, with a sentence that says so."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from afterwit import checks
from afterwit.convex import Ball
from afterwit.convex.player import History
from afterwit.registry import register


@register("test.checks.point")
class Sound:
    """Lazy gradient descent in the unit ball of the plane, in plain Python."""

    def __init__(self, rate: float = 0.5) -> None:
        self.rate = rate
        self.sums = np.zeros(2)

    @property
    def domain(self) -> Ball:
        return Ball(1.0, 2)

    def __repr__(self) -> str:
        return f"{type(self).__name__}(rate={self.rate})"

    def play(self) -> Any:
        return self.domain.project(-self.rate * self.sums)

    def update(self, gradient: Any, curvature: float = 0.0) -> None:
        g = np.asarray(gradient)
        if g.dtype.kind != "f" or g.shape != (2,) or not (np.abs(g) <= 1e60).all():
            raise ValueError("expected two finite numbers")
        if curvature != 0.0 and not 0.0 < curvature < 1e38:
            raise ValueError("expected a curvature of 0 or more")
        self.sums = self.sums + g

    def run(self, losses: Any, curvature: float = 0.0, keep: str = "loss") -> History:
        new, loss, points = type(self)(self.rate), [], []
        new.sums = self.sums
        for v in np.asarray(losses):
            w = new.play()
            points.append(w)
            new.update(v + curvature * w, curvature)
            loss.append(float(v @ w + 0.5 * curvature * w @ w))
        self.sums = new.sums
        return History(np.array(loss), None, None, np.array(points).reshape(-1, 2))


class NoRepr(Sound):
    """Does not say what it is."""

    __repr__ = object.__repr__


class Moody(Sound):
    """Learns when it plays."""

    def play(self) -> Any:
        w = super().play()
        self.sums = self.sums + 0.01
        return w


class Lends(Sound):
    """Gives its own memory away."""

    def __init__(self, rate: float = 0.5) -> None:
        super().__init__(rate)
        self.now = np.zeros(2)

    def play(self) -> Any:
        return self.now

    def update(self, gradient: Any, curvature: float = 0.0) -> None:
        super().update(gradient, curvature)
        self.now = super().play()


class Outside(Sound):
    """Forgets to project."""

    def play(self) -> Any:
        return -self.rate * self.sums


class Hasty(Sound):
    """Its run has another loss."""

    def run(self, losses: Any, curvature: float = 0.0, keep: str = "loss") -> History:
        found = super().run(losses, curvature, keep)
        return History(found.loss + 1e-3, None, None, found.points)


class Lazy(Sound):
    """Its run learns only the first row."""

    def run(self, losses: Any, curvature: float = 0.0, keep: str = "loss") -> History:
        before = self.sums
        found = super().run(losses, curvature, keep)
        self.sums = before + np.asarray(losses)[:1].sum(axis=0)
        return found


class Kept(Sound):
    """Its settings change as it learns."""

    def update(self, gradient: Any, curvature: float = 0.0) -> None:
        super().update(gradient, curvature)
        self.rate *= 0.99


class Greedy(Sound):
    """Takes what is not finite."""

    def update(self, gradient: Any, curvature: float = 0.0) -> None:
        g = np.asarray(gradient)
        super().update(np.nan_to_num(g) if g.dtype.kind == "f" else g, curvature)


class Half(Sound):
    """Learns before it looks."""

    def update(self, gradient: Any, curvature: float = 0.0) -> None:
        if not math.isnan(curvature):
            self.sums = self.sums + 1.0
        super().update(gradient, curvature)


@pytest.mark.parametrize("check", checks.POINT_PLAYER, ids=lambda check: check.__name__)
def test_a_sound_player_passes(check: Any) -> None:
    assert check(Sound) is None


@pytest.mark.parametrize(
    ("cls", "check", "words"),
    [
        (Moody, checks.check_point_is_pure, "changed its state|played otherwise"),
        (Lends, checks.check_point_is_pure, "played otherwise when it was asked again"),
        (Outside, checks.check_plays_in_the_domain, "which is not in Ball"),
        (Hasty, checks.check_point_run_equals_updates, r"loss .* not"),
        (Lazy, checks.check_point_run_equals_updates, "played otherwise|learned otherwise"),
        (Kept, checks.check_point_fresh, "remembers something|other settings|otherwise"),
        (Greedy, checks.check_wrong_gradients, "took the slope nan"),
        (Half, checks.check_wrong_gradients, "refused no numbers, but changed its state"),
    ],
)
def test_a_broken_player_does_not(cls: Any, check: Any, words: str) -> None:
    with pytest.raises(AssertionError, match=words):
        check(cls)


def test_without_a_repr_there_is_a_reason() -> None:
    assert "no repr" in str(checks.check_point_face(NoRepr))
