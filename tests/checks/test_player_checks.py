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


class Fickle(Sound):
    """Plays something else each time, from what is not in its state."""

    def __init__(self, rate: float = 0.5) -> None:
        super().__init__(rate)
        self.plays = 0

    def play(self, confidence: Any = None) -> Any:
        self.plays += 1
        return np.roll(super().play(confidence), self.plays)

    def state(self) -> dict[str, Any]:
        return {"losses": self.losses}

    def set_state(self, state: dict[str, Any]) -> None:
        self.losses = state["losses"]


class Result:
    """What `run` returns."""

    def __init__(self, weights: Any, loss: Any) -> None:
        self.weights, self.loss = np.array(weights), np.array(loss)


class Running(Sound):
    """Has a run, and one that is right."""

    def run(self, losses: Any, confidence: Any = None, keep: str = "loss") -> Any:
        losses = list(losses)
        check = Sound()
        check.losses = self.losses
        for t, row in enumerate(losses):
            check.update(row, None if confidence is None else confidence[t])
        weights = []
        for t, row in enumerate(losses):
            weights.append(self.play() if len(self.losses) else np.full(len(row), 1.0 / len(row)))
            self.update(row, None if confidence is None else confidence[t])
        return Result(weights, [p @ row for p, row in zip(weights, losses, strict=True)])


class ShortOfALoss(Running):
    """Its run leaves out the loss of the first round."""

    def run(self, losses: Any, confidence: Any = None, keep: str = "loss") -> Any:
        right = super().run(losses, confidence, keep)
        return Result(right.weights, right.loss[1:])


class Flattering(Running):
    """Its run says half of its loss."""

    def run(self, losses: Any, confidence: Any = None, keep: str = "loss") -> Any:
        right = super().run(losses, confidence, keep)
        return Result(right.weights, right.loss / 2)


class RunsOnceMore(Running):
    """Its run of 60 rounds learns the last of them twice."""

    def run(self, losses: Any, confidence: Any = None, keep: str = "loss") -> Any:
        right = super().run(losses, confidence, keep)
        if len(right.loss) == 60:
            self.update(list(losses)[-1])
        return right


class RefusesLate(Running):
    """Its run learns the rounds before the one that it refuses."""

    def run(self, losses: Any, confidence: Any = None, keep: str = "loss") -> Any:
        for t, row in enumerate(losses):
            self.update(row, None if confidence is None else confidence[t])


class OtherSettings(Sound):
    """Says half of its rate."""

    def settings(self) -> dict[str, Any]:
        return {"rate": self.rate / 2}

    def state(self) -> dict[str, Any]:
        return {"losses": self.losses}

    def set_state(self, state: dict[str, Any]) -> None:
        self.losses = state["losses"]


class LearnsLess(Sound):
    """Learns less with every one of its kind."""

    made = 0

    def __init__(self, rate: float = 0.5) -> None:
        super().__init__(rate)
        LearnsLess.made += 1
        self._step = 1.0 / LearnsLess.made

    def state(self) -> dict[str, Any]:
        return {"losses": self.losses}

    def set_state(self, state: dict[str, Any]) -> None:
        self.losses = state["losses"]

    def update(self, losses: Any, confidence: Any = None) -> None:
        super().update(np.asarray(losses) * self._step, confidence)


class Meddles(Sound):
    """Has all others of its kind that have learned lose more."""

    learned: list[Any] = []  # noqa: RUF012

    def update(self, losses: Any, confidence: Any = None) -> None:
        super().update(losses, confidence)
        for other in self.learned:
            other.losses = other.losses + (other is not self)
        if self not in self.learned:
            self.learned.append(self)


@register("test.checks.player that forgets its rounds")
class ForgetsItsRounds(Sound):
    """Stores its losses, and not after how many rounds it forgets them."""

    def __init__(self, rate: float = 0.5) -> None:
        super().__init__(rate)
        self.rounds = 0

    def state(self) -> dict[str, Any]:
        return {"losses": self.losses}

    def set_state(self, state: dict[str, Any]) -> None:
        self.losses = state["losses"]

    def update(self, losses: Any, confidence: Any = None) -> None:
        super().update(losses, confidence)
        self.rounds += 1
        self.losses = self.losses * (self.rounds != 40)


class TooSure(Sound):
    """Takes any confidence."""

    def update(self, losses: Any, confidence: Any = None) -> None:
        super().update(losses, None if confidence is None else np.clip(np.nan_to_num(confidence), 0.0, 1.0))


class Restless(Sound):
    """Plays the first expert when nobody is awake."""

    def play(self, confidence: Any = None) -> Any:
        p = super().play(confidence)
        return p if p.any() else np.eye(len(p))[0]


class HalfAsleep(Sound):
    """Plays half as much when somebody sleeps."""

    def play(self, confidence: Any = None) -> Any:
        return super().play(confidence) / (1.0 if confidence is None or np.all(confidence) else 2.0)


class Dreaming(Sound):
    """Learns while nobody is awake."""

    def update(self, losses: Any, confidence: Any = None) -> None:
        super().update(losses, confidence)
        if np.isnan(losses).all():
            self.losses = self.losses + np.arange(len(self.losses))


class Secretive(Sound):
    """Has a state that cannot be read, and plays nothing before it knows its experts."""

    def __init__(self, rate: float = 0.5) -> None:
        super().__init__(rate)
        self.met = {"somebody"}

    def play(self, confidence: Any = None) -> Any:
        if not len(self.losses):
            raise ValueError("the experts are not known")
        return super().play(confidence)


def test_a_state_that_cannot_be_read_is_seen_by_what_is_played() -> None:
    reasons = checks.check_player(Secretive)
    assert reasons["check_player_fresh"] is None
    assert "it cannot be stored" in str(reasons["check_player_round_trips"])


def test_a_sound_player_passes_all() -> None:
    reasons = checks.check_player(Sound)
    assert {name for name, reason in reasons.items() if reason is not None} == {"check_run_equals_updates"}
    assert checks.check_player(Sound(0.25)) == reasons
    assert set(checks.check_player(Running).values()) - set(reasons.values()) == {
        'it cannot be stored: `Running` is not registered; put `@afterwit.register("my.name")` above the class'
    }


@pytest.mark.parametrize(
    ("check", "player", "sentence"),
    [
        (checks.check_play_is_pure, Moody, "changed its state when it played"),
        (checks.check_plays_a_distribution, Careless, "expected 1"),
        (checks.check_plays_a_distribution, Negative, "expected weights of 0 or more"),
        (checks.check_play_is_pure, Fickle, "where it had played"),
        (checks.check_run_equals_updates, Hasty, "otherwise than"),
        (checks.check_run_equals_updates, ShortOfALoss, "run of 60 rounds has 59 losses"),
        (checks.check_run_equals_updates, Flattering, "loss is"),
        (checks.check_run_equals_updates, RunsOnceMore, "run learned otherwise than update"),
        (checks.check_player_fresh, Sharing, "fresh(`Sharing`)"),
        (checks.check_player_fresh, OtherSettings, "has other settings"),
        (checks.check_player_fresh, LearnsLess, "learned otherwise than its model did"),
        (checks.check_player_fresh, Meddles, "changed when its fresh copy learned"),
        (checks.check_player_round_trips, Losing, "after"),
        (checks.check_player_round_trips, ForgetsItsRounds, "plays otherwise after"),
        (checks.check_wrong_rounds, Lax, "took the loss"),
        (checks.check_wrong_rounds, TooSure, "took the confidence -0.5"),
        (checks.check_wrong_rounds, RefusesLate, "but changed its state"),
        (checks.check_sleepers, Restless, "plays when nobody is awake"),
        (checks.check_sleepers, HalfAsleep, "expected a sum of 1.0"),
        (checks.check_sleepers, Dreaming, "learned from a round in which nobody was awake"),
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
