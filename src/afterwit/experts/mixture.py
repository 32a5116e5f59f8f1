"""A mixture of forecasts, learned as it goes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from copy import copy
from typing import Any

import numpy as np

from afterwit import losses, registry
from afterwit._core import Lock
from afterwit._core import Player as CorePlayer
from afterwit.experts import forecasts as given
from afterwit.experts.ada_normal_hedge import AdaNormalHedge
from afterwit.experts.forecasts import Array, Rows
from afterwit.experts.history import MixtureHistory
from afterwit.experts.mixed_loss import MixedLoss
from afterwit.experts.player import SLEEP, Player
from afterwit.experts.randomized import Randomized
from afterwit.experts.team import Team
from afterwit.numbers import real_array
from afterwit.protocols import Labels
from afterwit.registry import register
from afterwit.registry.plain import same
from afterwit.regret import Bound
from afterwit.shown import model_html
from afterwit.threads import locked


@register("mixture")
class Mixture:
    """The forecast p . f of a player over forecasters, in place of the forecasts f of them all.

    A row is the forecasts of one round, by name or as an array; a zero is a forecast, a NaN or an absent name sleeps
    (with a player that knows sleep), and when nobody is awake the forecast is NaN and nothing is learned. `player` is
    copied, without what it has learned; AdaNormalHedge if there is none. `loss` is squared, absolute, quantile:LEVEL,
    or gain: then the row is the price relatives x of stocks, the loss of the portfolio p is -ln(p . x), and y is not
    looked at.

    With gradient=True the player learns the linear losses loss'(p . f, y) f_i, so that the mixture does nearly as well
    as the best fixed mixture of the forecasters; with False their losses loss(f_i, y), so that it does nearly as well
    as the best of them. A player wants losses in [0, 1]. Of each round's the smallest is subtracted, which changes no
    regret, and they are divided by E. With `forecast_range`, the range of forecasts and y, E is the largest that can
    occur. Without, E is the largest difference between two losses of one round so far; when it grows, the player's
    sums of losses and regrets are multiplied by old E/new E: what they would be had E been known. (A player whose state
    is no such sum is left as it is; Boa and MLPol then play the form that knows no scale.)

    Where truths come h rounds late, the player is `Delayed(player, h)`: then a row of importance 0 is a round as well,
    and `predict_many` takes its rows for those that follow the last one that was learned.

    With loss="gain" and a range, `Hedge(rate)` is the exponentiated gradient of Helmbold et al. 1998 at rate/E, E =
    (high - low)/low; `FixedShare(E, share)` with gradient=False the switching portfolios of Singer 1997, E =
    ln(high/low).

    Guarantee: with `forecast_range`, E times the player's regret bound, to every mixture with gradient=True, to every
    expert without; none otherwise, nor with gradient=True and `Randomized`, whose draw the gradient depends on.
    Cost: that of the player, O(N) per round. Threads: docs/threads.md.
    References: Luo 2016, sections 2.3 and 2.3.4; linearisation: Cesa-Bianchi, Lugosi 2006, section 2.5.

    >>> model = Mixture()
    >>> for y in (20.0, 21.0, 23.0, 22.0):
    ...     model.learn_one({"low": y - 1.0, "high": y + 3.0}, y)
    >>> round(model.predict_one({"low": 20.0, "high": 24.0}), 1)
    21.0
    """

    def __init__(
        self,
        player: Player | None = None,
        loss: str | losses.Loss = "squared",
        gradient: bool = True,
        forecast_range: tuple[float, float] | None = None,
    ) -> None:
        self._lock = Lock()
        self.player = registry.fresh(AdaNormalHedge() if player is None else _checked(player))
        self._loss = MixedLoss(loss)
        self.loss = self._loss.name
        if not isinstance(gradient, bool):
            raise TypeError(f"gradient is `{gradient!r}`, expected True or False")
        self.gradient = gradient
        self.forecast_range = None if forecast_range is None else self._loss.range_of(forecast_range)
        self._playing = self.player.for_range(forecast_range is not None)
        self._most = 0.0 if self.forecast_range is None else self._loss.spread(*self.forecast_range, gradient)
        self._scale = np.full(self._playing.team.native.turns, self._most)

    @property
    def labels(self) -> Labels:
        """Which labels it learns from."""
        return Labels("none" if self.loss == "gain" else "real")

    @property
    def experts(self) -> tuple[str, ...] | None:
        """The names of the experts that it has met; None where they have none."""
        return self._team.roster.names

    @property
    def grows(self) -> bool:
        """Whether experts may come late."""
        return self._playing.grows

    @property
    def _team(self) -> Team:
        return self._playing.team

    def predict_one(self, x: Any) -> float:
        """The forecast of the mixture: NaN where nobody is awake. Changes nothing."""
        with self._lock:
            return float(next(self._predicted([given.one_row(x, self._team)]))[0])

    @locked
    def predict_many(self, X: Any) -> Array:
        """The forecasts for all rows of X: an array, a table with a column per expert, or a list of dicts."""
        given.count(X)
        return np.concatenate(list(self._predicted(given.rows_of(X, self._team))))

    def learn_one(self, x: Any, y: float | None = None, weight: float = 1.0) -> None:
        """Learns one row of importance `weight`."""
        with self._lock:
            self._lock.refuse_nested()
            rows = given.one_row(x, self._team)
            label, importance = self._labels([y], 1), given.weights([weight], 1)
            self._check(rows)
            if weight != 0.0:
                native = self._team.joined(self._team.native, rows.roster)
                _, _, self._scale = self._mixed(native, rows, label, importance, self._scale, False)
                self._team.take(native, rows.roster)
            else:
                self._team.native.skip(1)

    @locked
    def learn_many(self, X: Any, y: Any = None, weight: Any = None) -> Array:
        """Learns the rows in order, all or none; the forecasts made before each row was learned."""
        return np.concatenate([forecast for _, forecast, _ in self._learned(X, y, weight, False)])

    @locked
    def run(self, X: Any, y: Any = None, weight: Any = None) -> MixtureHistory:
        """Learns the rows in order as `learn_many` does, and keeps all that happened: weights, losses, forecasts."""
        pieces = list(self._learned(X, y, weight, True))
        roster = self._team.roster
        size, T = roster.size or 0, given.count(X)
        F, P = np.full((T, size), np.nan), np.zeros((T, size))
        for rows, _, p in pieces:
            t, width = slice(rows.first, rows.first + len(rows.forecasts)), min(rows.forecasts.shape[1], size)
            F[t, :width], P[t, :width] = rows.forecasts[:, :width], p[:, :width]
        forecast = np.concatenate([forecast for _, forecast, _ in pieces])
        h = given.weights(weight, T)
        return MixtureHistory.of(forecast, F, P, self._labels(y, T), h, self._loss.value, roster.names, self.loss)

    @locked
    def weights(self, x: Any = None) -> Any:
        """The weights of the next round: an array, or a dict by name. With a row x, among those awake in it."""
        if x is None:
            return self._playing.play()
        rows = given.one_row(x, self._team)
        awake = (~np.isnan(rows.forecasts[0])).astype(np.float64)
        if not rows.roster.named:
            return self._playing.play(awake)
        return self._playing.play(dict(zip(rows.roster.names_from(0), awake.tolist(), strict=True)))

    @locked
    def regret_bound(self, competitor: Any = None) -> Bound:
        """At most how much regret there is to a competitor after what was seen, and by which theorem.

        The competitor is what the player takes: an expert, a fraction eps, None for the best expert, or a distribution
        u. With gradient=True this is the mixture u . f; without, u draws an expert.
        """
        if self.forecast_range is None:
            return Bound(
                None,
                reason="the range of forecasts was not given, so losses were scaled by what was seen; give the range",
            )
        low, high = self.forecast_range
        # Forecasts that are much alike differ by what rounding left of them.
        if self._scale.max() > self._most * (1.0 + 1e-13 * max(abs(low), abs(high)) / (high - low)):
            return Bound(None, reason="a row had an importance above 1, which the range does not allow for")
        if self.gradient and isinstance(self.player, Randomized):
            return Bound(None, reason="the losses of a round depend on its draw; `gradient=False` has a bound")
        bound: Bound = self._playing.regret_bound(competitor)  # type: ignore[attr-defined]
        if bound.value is None:
            return bound
        return Bound(float(self._scale.max()) * bound.value, f"{bound.theorem}, and convexity of the loss")

    def settings(self) -> dict[str, Any]:
        return {key: getattr(self, key) for key in ("player", "loss", "gradient", "forecast_range")}

    @locked
    def state(self) -> dict[str, Any]:
        scale = float(self._scale[0]) if len(self._scale) == 1 else self._scale.copy()
        return {"player": copy(self._playing), "scale": scale}

    @locked
    def set_state(self, state: dict[str, Any]) -> None:
        player, scale = state["player"], np.atleast_1d(real_array("the state's `scale`", state["scale"]))
        # Before there was a form that knows no scale, the player itself was played.
        new = self.player.for_range(self.forecast_range is not None)
        fits = [registry.settings(each) for each in (new, self.player)]
        if type(player) is not type(self.player) or not any(same(registry.settings(player), each) for each in fits):
            raise ValueError("the player of the state is not that of the mixture")
        if scale.shape != self._scale.shape:
            raise ValueError(f"the scale of the state has the shape {scale.shape}, expected {self._scale.shape}")
        if not ((self._most <= scale) & (scale < math.inf)).all():
            raise ValueError(
                f"the scale of the state is `{scale.min():g}`, expected finite numbers from {self._most:g} on"
            )
        self._playing, self._scale = copy(player), scale.copy()

    __reduce__, __getstate__, __setstate__ = registry.reduce, registry.getstate, registry.setstate
    _repr_html_ = model_html

    def __repr__(self) -> str:
        words = [repr(self.player), *([] if self.loss == "squared" else [f"loss={self.loss!r}"])]
        words += [] if self.gradient else ["gradient=False"]
        words += [] if self.forecast_range is None else [f"forecast_range={self.forecast_range}"]
        return f"Mixture({', '.join(words)})"

    def _learned(self, X: Any, y: Any, weight: Any, keep: bool) -> Iterator[tuple[Rows, Array, Array]]:
        """Row block after row block with its forecasts and weights; the mixture has learned them when all are there."""
        self._lock.refuse_nested()
        T = given.count(X)
        label, importance = self._labels(y, T), given.weights(weight, T)
        learned = [True] * T if importance is None else (importance != 0.0).tolist()
        native, roster, scale = self._team.native.clone(), self._team.roster, self._scale
        for rows in given.rows_of(X, self._team, learned):
            self._check(rows)
            t = slice(rows.first, rows.first + len(rows.forecasts))
            h = None if importance is None else importance[t]
            joined = self._team.joined(native, rows.roster)
            forecast, p, after = self._mixed(joined, rows, label[t], h, scale, keep)
            if any(learned[t]):
                native, roster, scale = joined, rows.roster, after
            elif joined is not native:
                native.skip(len(rows.forecasts))
            yield rows, forecast, p
        self._team.take(native, roster)
        self._scale = scale

    def _predicted(self, blocks: Iterable[Rows]) -> Iterator[Array]:
        ahead = self._team.native
        if len(self._scale) > 1:
            ahead = ahead.clone()  # in which rounds go by
        for rows in blocks:
            self._check(rows)
            none = np.zeros(len(rows.forecasts))
            native = self._team.joined(ahead, rows.roster)
            yield self._mixed(native, rows, none, none, self._scale, False)[0]
            if native is not ahead:
                ahead.skip(len(none))

    def _mixed(
        self, native: CorePlayer, rows: Rows, y: Array, weight: Array | None, scale: Array, keep: bool
    ) -> tuple[Array, Any, Array]:
        if rows.roster.size is None:
            return np.full(len(y), np.nan), np.zeros((len(y), 0)), scale
        fault, *out = native.mix(rows.forecasts, y, weight, self._loss.core, self.gradient, scale, keep)
        if fault is not None:
            raise ValueError(
                f"forecasts[{rows.first + fault[1]}, {rows.roster.called(fault[2])}] is missing, and "
                f"`{type(self.player).__name__}` has no form for experts that sleep; use {SLEEP}"
            )
        forecast, p, after = out
        return forecast, p, after

    def _check(self, rows: Rows) -> None:
        given.checked(rows, *self._loss.limits(self.forecast_range))

    def _labels(self, y: Any, rows: int) -> Array:
        return np.zeros(rows) if self.loss == "gain" else given.labels(y, rows, *self._loss.limits(self.forecast_range))


def _checked(player: Any) -> Player:
    if not isinstance(player, Player):
        raise TypeError(f"player is `{player!r}`, expected a player over experts such as `AdaNormalHedge()`")
    if getattr(player, "binary", False):
        raise ValueError(f"player is `{type(player).__name__}`, which takes losses 0 and 1 alone; use `AdaNormalHedge`")
    if player.loss_range not in (None, (0.0, 1.0)):
        raise ValueError(f"player has loss_range {player.loss_range}; leave it out, and give the forecast_range")
    return player
