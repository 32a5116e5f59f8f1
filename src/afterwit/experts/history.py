"""What came of the rounds of a run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from afterwit.experts.rows import Block
from afterwit.shown import picture, table, together
from afterwit.shown.html import text

Array = npt.NDArray[np.float64]
#: In a notebook: how many experts are named, and up to how many losses there is a picture.
SHOWN, DRAWN = 20, 2_000_000


@dataclass(frozen=True)
class History:
    """The rounds of one `run`, in the units of the losses that were given.

    `loss` is the player's loss in each round. Per expert, summed over the rounds and weighed by its confidence, `total`
    is its loss and `regret` what the player lost beyond it: sum_t I_{t,i} (loss_t - losses_{t,i}). With keep="weights",
    `weights`, `losses` and `confidence` have a row for each round; who slept has the confidence 0 and the loss NaN.
    """

    loss: Array
    total: Array
    regret: Array
    names: tuple[str, ...] | None = None
    weights: Array | None = None
    losses: Array | None = None
    confidence: Array | None = None

    def __len__(self) -> int:
        return len(self.loss)

    def _repr_html_(self) -> str:
        """The experts that were best, and where the rounds were kept and are not too many, the losses over time."""
        called = self.names or [f"expert {i}" for i in range(len(self.total))]
        rows = [[f"{len(self):,} rounds", "loss in total", "regret to it"], ["played", f"{self.loss.sum():,.6g}", ""]]
        for i in np.argsort(-self.regret, kind="stable")[:SHOWN].tolist():
            rows.append([called[i], f"{self.total[i]:,.6g}", f"{self.regret[i]:,.6g}"])
        left = len(self.total) - SHOWN
        drawn = self.weights is not None and 0 < self.weights.size <= DRAWN
        return together(
            table(rows),
            text(f"{left:,} worse ones are not shown") if left > 0 else "",
            picture("cumulative_losses", self) if drawn else "",
        )


@dataclass(frozen=True, kw_only=True)
class MixtureHistory(History):
    """The rounds of a `Mixture`: a history in which the player's losses are those of the mixture's forecasts.

    `forecast` is the mixture's in each round, NaN where nobody was awake, `forecasts` those of the experts (NaN asleep)
    and `y` what came. Losses are times the `importance` of the round, and 0 in a round with nobody awake. `kind` names
    the loss.
    """

    forecast: Array
    forecasts: Array
    y: Array
    importance: Array
    kind: str

    def only(self, rounds: npt.NDArray[np.bool_]) -> MixtureHistory:
        """Without the other rounds, which were of no importance."""
        parts = ("loss", "weights", "losses", "confidence", "forecast", "forecasts", "y", "importance")
        return replace(self, **{name: getattr(self, name)[rounds] for name in parts})

    def awake(self) -> MixtureHistory:
        """Without the experts that slept in all rounds; they must have names."""
        some = self.confidence.any(axis=0)  # type: ignore[union-attr]
        parts = ("total", "regret", "weights", "losses", "confidence", "forecasts")
        names = tuple(np.array(self.names, dtype=object)[some].tolist())
        return replace(self, names=names, **{name: getattr(self, name)[..., some] for name in parts})

    @staticmethod
    def of(
        forecast: Array,
        forecasts: Array,
        weights: Array,
        y: Array,
        importance: Array | None,
        value: Callable[[Array, Array], Array],
        names: tuple[str, ...] | None,
        kind: str,
    ) -> MixtureHistory:
        """From forecasts and weights; `value(p, y)` is the loss."""
        h = np.ones(len(y)) if importance is None else importance
        loss = np.nan_to_num(h * value(forecast, y), nan=0.0)
        losses = h[:, None] * value(forecasts, y)
        awake = (~np.isnan(forecasts)) & (~np.isnan(forecast))[:, None]
        regret = np.where(awake, loss[:, None] - losses, 0.0).sum(axis=0)
        total = np.where(awake, losses, 0.0).sum(axis=0)
        return MixtureHistory(
            loss,
            total,
            regret,
            names,
            weights,
            losses,
            awake.astype(np.float64),
            forecast=forecast,
            forecasts=forecasts,
            y=y,
            importance=h,
            kind=kind,
        )


class Chronicle:
    """Gathers blocks of rounds into one history. The number of experts may grow from block to block."""

    def __init__(self, keep: bool) -> None:
        self.rounds, self._keep = 0, keep
        self._loss: list[Array] = []
        self._total, self._regret = np.zeros(0), np.zeros(0)
        self._weights: list[Array] = []
        self._losses: list[Array] = []
        self._confidence: list[Array] = []

    def add(self, block: Block, loss: Array, weights: Array | None, total: Array, regret: Array) -> None:
        """Rounds as the core returned them."""
        self.rounds += len(loss)
        self._loss.append(loss)
        self._total, self._regret = _sum(self._total, total), _sum(self._regret, regret)
        if weights is not None:
            asleep = np.isnan(block.losses) if block.confidence is None else block.confidence == 0.0
            self._weights.append(weights)
            self._losses.append(np.where(asleep, np.nan, block.losses))
            self._confidence.append(np.where(asleep, 0.0, 1.0 if block.confidence is None else block.confidence))

    def history(self, names: tuple[str, ...] | None) -> History:
        """All of it."""
        loss = np.concatenate([*self._loss, np.zeros(0)])
        if not self._keep:
            return History(loss, self._total, self._regret, names)
        width = len(self._total)
        kept = ((self._weights, 0.0), (self._losses, np.nan), (self._confidence, 0.0))
        return History(
            loss, self._total, self._regret, names, *(_stacked(rows, width, absent) for rows, absent in kept)
        )


def _sum(some: Array, more: Array) -> Array:
    """`more` has the experts of `some`, and perhaps others behind them."""
    out: Array = more.copy()
    out[: len(some)] += some
    return out


def _stacked(rows: list[Array], width: int, absent: float) -> Array:
    out = np.full((sum(map(len, rows)), width), absent)
    start = 0
    for block in rows:
        out[start : start + len(block), : block.shape[1]] = block
        start += len(block)
    return out
