"""Each check of players fails on a player that is broken in just that way, with a sentence that says so."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from afterwit import checks
from afterwit.registry import register


@register("test.checks.player")
class Sound:
    """Exponential weights with every method that a check asks for, in plain Python."""

    sleeps = True

    def __init__(self, rate: float = 0.5) -> None:
        self.rate = rate
        self.losses = np.zeros(0)

    def __repr__(self) -> str:
        return f"{type(self).__name__}(rate={self.rate})"

    def play(self, confidence: Any = None) -> Any:
        w = np.exp(-self.rate * (self.losses - self.losses.min(initial=0.0)))
        w = w if confidence is None else w * confidence
        return w / w.sum() if w.any() else w

    def update(self, losses: Any, confidence: Any = None) -> None:
        losses = np.asarray(losses, dtype=float)
        I = np.where(np.isnan(losses), 0.0, 1.0) if confidence is None else np.asarray(confidence)
        awake = losses[I > 0.0]
        known = len(self.losses) or len(losses)
        if losses.shape != (known,) or known == 0 or not ((I >= 0) & (I <= 1)).all():
            raise ValueError("expected one loss per expert and confidences in [0, 1]")
        if not ((awake >= 0.0) & (awake <= 1.0)).all():
            raise ValueError("expected losses in [0, 1]")
        if not I.any():
            return
        self.losses = (self.losses if len(self.losses) else np.zeros(known)) + I * np.where(I > 0.0, losses, 0.0)


class NoRepr(Sound):
    """Does not say what it is."""

    __repr__ = object.__repr__


class Moody(Sound):
    """Learns when it plays."""

    def play(self, confidence: Any = None) -> Any:
        p = super().play(confidence)
        self.losses = self.losses + 0.01 * np.arange(len(self.losses))
        return p


class Careless(Sound):
    """Does not normalise."""

    def play(self, confidence: Any = None) -> Any:
        return 2.0 * super().play(confidence)


class Negative(Sound):
    """Bets against an expert."""

    def play(self, confidence: Any = None) -> Any:
        p = super().play(confidence)
        p[0], p[1] = -p[0], p[1] + 2.0 * p[0]
        return p


class Hasty(Sound):
    """Its run learns the last round alone."""

    def run(self, losses: Any, confidence: Any = None, keep: str = "loss") -> Any:
        class Result:
            weights = np.array([self.play() for _ in losses]) if len(self.losses) else np.full(losses.shape, 0.2)
            loss = (weights * losses).sum(axis=1)

        for row in losses[-1:]:
            self.update(row)
        return Result


class Sharing(Sound):
    """All copies have one memory."""

    kept = np.zeros(0)

    @property
    def losses(self) -> Any:
        return type(self).kept

    @losses.setter
    def losses(self, value: Any) -> None:
        if len(value):
            type(self).kept = value

    def state(self) -> dict[str, Any]:
        return {"losses": self.losses.copy()}

    def set_state(self, state: dict[str, Any]) -> None:
        self.losses = state["losses"]


@register("test.checks.losing player")
class Losing(Sound):
    """Its state has not all of it."""

    def state(self) -> dict[str, Any]:
        return {"losses": np.round(self.losses)}

    def set_state(self, state: dict[str, Any]) -> None:
        self.losses = state["losses"] + 0.0


class Lax(Sound):
    """Takes any loss."""

    def update(self, losses: Any, confidence: Any = None) -> None:
        super().update(np.clip(losses, 0.0, 1.0), confidence)


class Sleepless(Sound):
    """Plays who sleeps."""

    def play(self, confidence: Any = None) -> Any:
        return super().play(None)


def test_a_sound_player_passes_all() -> None:
    reasons = checks.check_player(Sound)
    assert {name for name, reason in reasons.items() if reason is not None} == {"check_run_equals_updates"}
    assert checks.check_player(Sound(0.25)) == reasons


@pytest.mark.parametrize(
    ("check", "player", "sentence"),
    [
        (checks.check_play_is_pure, Moody, "changed its state when it played"),
        (checks.check_plays_a_distribution, Careless, "expected 1"),
        (checks.check_plays_a_distribution, Negative, "expected weights of 0 or more"),
        (checks.check_run_equals_updates, Hasty, "otherwise than"),
        (checks.check_player_fresh, Sharing, "fresh(`Sharing`)"),
        (checks.check_player_round_trips, Losing, "after"),
        (checks.check_wrong_rounds, Lax, "took the loss"),
        (checks.check_sleepers, Sleepless, "gave weight to an expert that sleeps"),
        (checks.check_player_threads, Sharing, "in two threads"),
    ],
)
def test_a_check_bites(check: Any, player: Any, sentence: str) -> None:
    with pytest.raises(AssertionError) as caught:
        check(player)
    assert sentence in str(caught.value)


def test_a_face_is_asked_for() -> None:
    assert "repr" in (checks.check_player_face(NoRepr) or "")
    with pytest.raises(AssertionError, match="has no docstring"):
        checks.check_player_face(type("Bare", (Sound,), {"__doc__": ""}))
    with pytest.raises(AssertionError, match="has no method update"):
        checks.check_player_face(type("Idle", (Sound,), {"update": None}))
