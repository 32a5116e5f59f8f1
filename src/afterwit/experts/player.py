"""What every player has in common: who the experts are, rounds of any kind in, weights out, state as plain data."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

import numpy as np

from afterwit import registry
from afterwit._core import Lock
from afterwit._core import Player as CorePlayer
from afterwit.errors import quoted
from afterwit.experts.history import Array, Chronicle, History
from afterwit.experts.priors import Prior
from afterwit.experts.roster import Experts, Roster, numbers
from afterwit.experts.rows import blocks, one_round
from afterwit.experts.team import Team
from afterwit.numbers import real_range
from afterwit.registry.plain import same
from afterwit.regret import Bound
from afterwit.shown import model_html
from afterwit.threads import locked

#: Some of those that sleep, for a sentence.
SLEEP = "`AdaNormalHedge`, `Boa`, `MLPol`, `Hedge` or `FixedShare`"
#: What a player for losses of any scale says of its regret.
UNKNOWN_RANGE = Bound(
    None, reason="the theorem asks for the range of the losses, and the rates follow what was seen; give the range"
)
#: Beyond this a loss of any scale might have no square.
ANY = (-1e60, 1e60)


class Player:
    """Plays a distribution over experts, then sees all their losses. The algorithms are its subclasses.

    Experts have names or numbers. They are known from `experts` (names, or how many), from the prior, or from the first
    round: a mapping of names to losses, or an array. Calls are safe from several threads (docs/threads.md).
    """

    #: Whether the algorithm has a form for experts that sleep or speak with confidence.
    sleeps: bool = False
    #: Whether experts may come late and be forgotten: it sleeps, and does not depend on how many there are.
    grows: bool = False
    #: Whether it has a form for losses of any scale, with loss_range=None.
    free: bool = False

    def __init__(
        self, rule: Any, experts: Experts, loss_range: tuple[float, float] | None, prior: Prior = None
    ) -> None:
        self._lock = Lock()
        if loss_range is None and not self.free:
            raise TypeError("loss_range is `None`, expected (smallest, largest); `Boa` and `MLPol` know no scale")
        self.experts = experts
        self.loss_range = None if loss_range is None else real_range("loss_range", loss_range)
        self._rule = rule
        #: For the package's own use: whoever plays with this player's experts goes through it.
        self.team = Team(type(self).__name__, self._new(), self.grows, experts, prior)

    def play(self, confidence: Any = None) -> Any:
        """The weights of the next round, which sum to 1 (0 when nobody is awake): an array, or a dict by name.

        Changes nothing. `confidence` is a number in [0, 1] per expert, 0 (or absent, in a mapping) for one that sleeps.
        """
        with self._lock:
            native, roster = self.team.native, self.team.roster
            if isinstance(confidence, Mapping):
                roster = self.team.met(roster, dict.fromkeys(confidence, 0.0), confidence)
                confidence = roster.vector(confidence, 0.0, "confidence")
            elif confidence is not None:
                roster.no_names("confidence")
                confidence = numbers(confidence, "confidence", (roster.size,))
                roster = roster if roster.size is not None else Roster(len(confidence))
            if roster.size is None:
                raise ValueError(
                    f"the experts are not known before the first round; write `{type(self).__name__}(experts=...)` "
                    "with their number or names, or give `play` their confidences"
                )
            if confidence is not None:
                self._check_confidence(confidence, roster)
                native = self.team.joined(native, roster)
            p = native.play(confidence)
            return dict(zip(roster.names_from(0), p.tolist(), strict=True)) if roster.named else p

    def update(self, losses: Any, confidence: Any = None) -> None:
        """Learns the losses of one round: an array, or a mapping by name.

        An expert sleeps whose confidence is 0, whose loss is NaN or, in a mapping, absent.
        """
        with self._lock:
            self._lock.refuse_nested()
            block = one_round(losses, confidence, self.team.roster, self.team.met)
            native = self.team.joined(self.team.native, block.roster)
            fault = native.update(block.losses, block.confidence)
            if fault is not None:
                raise self._wrong(fault, block.roster, "")
            self.team.take(native, block.roster)

    @locked
    def run(self, losses: Any, confidence: Any = None, keep: str = "loss") -> History:
        """Plays and learns many rounds natively, with the bits of `play` and `update` one after the other.

        `losses` is an array of rounds x experts, a table with a column per expert, or an iterable of rows as `update`
        takes them, and `confidence` likewise. An iterable is read once, in blocks, so that it need not fit into memory.
        All rounds or none: after an error the player is as it was. keep="weights" keeps the weights of every round.
        """
        self._lock.refuse_nested()
        if keep not in ("loss", "weights"):
            raise ValueError(f'keep is `{keep!r}`, expected "loss" or "weights"')
        native, roster = self._native.clone(), self._roster
        chronicle = Chronicle(keep == "weights")
        for block in blocks(losses, confidence, roster, self.team.met):
            native, roster = self.team.joined(native, block.roster), block.roster
            fault, *outcome = native.run(block.losses, block.confidence, keep == "weights")
            if fault is not None:
                raise self._wrong(fault, roster, f"{chronicle.rounds + fault[1]}, ")
            chronicle.add(block, *outcome)
        self.team.take(native, roster)
        return chronicle.history(roster.names)

    @locked
    def forget(self, expert: str) -> None:
        """Drops a named expert, as if it slept for ever; one of the same name that comes later is a new expert.

        What it has cost stays in the bound.
        """
        self._lock.refuse_nested()
        if not self.grows:
            raise ValueError(f"`{type(self).__name__}` has a fixed set of experts and cannot forget {quoted(expert)}")
        if not self._roster.named:
            raise ValueError(f"these experts have no names, so {quoted(str(expert))} cannot be forgotten")
        i = self._roster.position(expert)
        native = self._native.clone()
        native.remove(i)
        self._leaves(i)
        self.team.take(native, self._roster.without(expert))

    @property
    def _native(self) -> CorePlayer:
        return self.team.native

    @property
    def _roster(self) -> Roster:
        return self.team.roster

    @locked
    def state(self) -> dict[str, Any]:
        roster = self._roster
        return {"experts": roster.names_from(0) if roster.named else roster.size, **self._native.state()}

    @locked
    def set_state(self, state: dict[str, Any]) -> None:
        roster = self.team.roster_in(state)
        self.team.take(self._recalled(state, roster), roster)

    def for_range(self, known: bool) -> Player:
        """A new one of the same settings, for losses in [0, 1]: a range that is `known`, or a scale that may grow."""
        given = {name: getattr(self, name) for name in inspect.signature(type(self)).parameters}
        if isinstance(given.get("player"), Player):
            given["player"] = given["player"].for_range(known)
        elif self.free:
            given["loss_range"] = (0.0, 1.0) if known else None
        return type(self)(**given)

    __reduce__, __getstate__, __setstate__ = registry.reduce, registry.getstate, registry.setstate
    _repr_html_ = model_html

    def __repr__(self) -> str:
        """As it would be constructed, without the arguments that are the defaults."""
        parameters = inspect.signature(type(self)).parameters.values()
        given = [(p.name, getattr(self, p.name)) for p in parameters if not same(getattr(self, p.name), p.default)]
        inside = ", ".join(
            f"{name}={value!r}" for name, value in given if not (name == "loss_range" and value == (0, 1))
        )
        return f"{type(self).__name__}({inside})"

    def _leaves(self, i: int) -> None:
        """Takes down what the bound must know of an expert that is about to be forgotten."""

    def _new(self) -> CorePlayer:
        """A player that knows nobody yet."""
        return CorePlayer(self._rule, *self._limits)

    @property
    def _limits(self) -> tuple[float, float]:
        return ANY if self.loss_range is None else self.loss_range

    @property
    def _width(self) -> float:
        return 1.0 if self.loss_range is None else self.loss_range[1] - self.loss_range[0]

    def _recalled(self, state: dict[str, Any], roster: Roster) -> CorePlayer:
        """The player of these experts in this state."""
        return self.team.recalled(state, roster)

    def _check_confidence(self, confidence: Array, roster: Roster) -> None:
        wrong = ~((confidence >= 0.0) & (confidence <= 1.0)) if self.sleeps else confidence != 1.0
        if wrong.any():
            i = int(np.argmax(wrong))
            outside = not 0.0 <= confidence[i] <= 1.0
            raise self._wrong(("confidence" if outside else "asleep", 0, i, float(confidence[i])), roster, "")

    def _wrong(self, fault: tuple[str, int, int, float], roster: Roster, row: str) -> ValueError:
        """The sentence about a wrong entry: `row` is empty, or the row's number and a comma."""
        what, _, i, value = fault
        array = "confidence" if what == "confidence" else "losses"
        where = f"{array}[{row}{roster.called(i)}]"
        low, high = self._limits
        if what == "confidence":
            return ValueError(f"{where} is `{value:g}`, expected a number from 0 to 1")
        if what == "asleep":
            return ValueError(
                f"{where} is missing or has the confidence {value:g}, and `{type(self).__name__}` has no form for "
                f"experts that sleep; give all losses, or use {SLEEP}"
            )
        if what == "missing":
            return ValueError(f"{where} is missing, but its confidence is {value:g}; give its loss, or confidence 0")
        advice = "; losses in another range need `loss_range=(low, high)`" if self.loss_range == (0.0, 1.0) else ""
        return ValueError(f"{where} is `{value:g}`, expected a number from {low:g} to {high:g}{advice}")
