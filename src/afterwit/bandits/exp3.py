"""Exponential weights for a bandit."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from afterwit import registry, regret
from afterwit._core import Exp3Rule, Lock
from afterwit.errors import quoted
from afterwit.numbers import positive, real_array, real_range, whole
from afterwit.registry import register
from afterwit.regret import Bound
from afterwit.shown import model_html
from afterwit.threads import locked

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class BanditHistory:
    """The rounds of one `run`: which arm was drawn, what it lost, and with keep="weights" from which weights."""

    arms: npt.NDArray[np.int64]
    loss: Array
    weights: Array | None = None

    def __len__(self) -> int:
        return len(self.loss)


@register("exp3")
class Exp3:
    """EXP3: draws an arm i with a probability proportional to exp(-rate L_i), L_i the sum of its estimated losses.

    `arms` are names, or how many there are. The estimate of a round is (loss of the arm drawn)/(its probability), and 0
    for all others. With `horizon`, the number of rounds, the rate is the best for it; without horizon and rate the
    player begins anew after 2, 6, 14, ... rounds, tuned for 2, 4, 8, ... more (the doubling trick). A draw depends on
    the seed and the number of the round alone, so that looking changes nothing.

    Guarantee: expected regret to any arm, against losses that may depend on all earlier draws, at most sqrt(2 T (1 + N
    sqrt(e)) ln N) after T = `horizon` rounds; sqrt(2)/(sqrt(2) - 1) times that for all T with the doubling trick.
    Cost: O(N) per round. References: Luo 2016, Algorithm 24, Theorems 20 and 21; Auer et al. 2002; errata 16, 28, 50.

    >>> bandit = Exp3(arms=["red", "blue"], horizon=100, seed=1)
    >>> for _ in range(100):
    ...     arm = bandit.draw()
    ...     bandit.update(arm, 0.1 if arm == "red" else 0.9)
    >>> bandit.weights()["red"] > 0.8
    True
    """

    def __init__(
        self,
        arms: int | Sequence[str],
        rate: float | None = None,
        horizon: int | None = None,
        seed: int = 0,
        loss_range: tuple[float, float] = (0.0, 1.0),
    ) -> None:
        if rate is not None and horizon is not None:
            raise ValueError("rate and horizon are both given; give the rate, or the horizon that it is to be best for")
        self._lock = Lock()
        self.arms = whole("arms", arms, 1, 1 << 20) if isinstance(arms, int) else _names(arms)
        self.rate = None if rate is None else positive("rate", rate)
        self.horizon = None if horizon is None else whole("horizon", horizon, 1, 1 << 53)
        self.seed = whole("seed", seed, 0, (1 << 64) - 1)
        self.loss_range = real_range("loss_range", loss_range)
        self._names = None if isinstance(self.arms, int) else {name: i for i, name in enumerate(self.arms)}
        self._size = self.arms if isinstance(self.arms, int) else len(self.arms)
        self._native = Exp3Rule(self._size, self.seed, self.rate or 0.0, self.horizon or 0)

    @locked
    def weights(self) -> Any:
        """The probabilities of the next draw: an array, or a dict by name. Changes nothing."""
        p = self._native.weights()
        return p if self._names is None else dict(zip(self._names, p.tolist(), strict=True))

    @locked
    def draw(self) -> int | str:
        """The arm of the next round, by number or name. Changes nothing."""
        return self._called(int(self._native.draw()))

    @locked
    def update(self, arm: int | str, loss: float) -> None:
        """Learns what the arm that was drawn has lost."""
        drawn = int(self._native.draw())
        if arm != self._called(drawn) or isinstance(arm, bool):
            raise ValueError(
                f"arm is {quoted(str(arm))}, and {quoted(str(self._called(drawn)))} was drawn; `draw` says whose loss "
                "is learned"
            )
        self._native.update(drawn, self._unit(real_array("loss", [loss]))[0])

    @locked
    def run(self, losses: Any, keep: str = "loss") -> BanditHistory:
        """Plays rounds natively, of each only the loss of the arm drawn is seen; the bits of `draw` and `update`.

        `losses` is an array of rounds x arms. All rounds or none: after an error the bandit is as it was.
        """
        if keep not in ("loss", "weights"):
            raise ValueError(f'keep is `{keep!r}`, expected "loss" or "weights"')
        given = real_array("losses", losses)
        if given.ndim != 2 or given.shape[1] != self._size:
            raise ValueError(f"losses has the shape {given.shape}, expected rounds x {self._size} (one column per arm)")
        unit = np.ascontiguousarray(self._unit(given))
        native = self._native.clone()
        arms, weights = native.run(unit, keep == "weights")
        self._native = native
        return BanditHistory(arms, given[np.arange(len(given)), arms], weights if keep == "weights" else None)

    @locked
    def regret_bound(self) -> Bound:
        """At most how much regret there is to the best arm after the rounds so far, in expectation over the draws."""
        T, N, scale = int(self._native.rounds), self._size, self.loss_range[1] - self.loss_range[0]
        theorem = "Luo 2016, Theorem 21, errata 50"
        if self.rate is not None:
            return Bound(scale * regret.exp3(T, N, self.rate), theorem)
        if self.horizon is not None:
            rate = math.sqrt(2.0 * math.log(N) / (self.horizon * (1.0 + N * math.sqrt(math.e))))
            return Bound(scale * regret.exp3(T, N, rate or None), theorem)
        epochs = (T + 1).bit_length() - 1
        return Bound(scale * math.fsum(regret.exp3(2**m, N) for m in range(1, epochs + 1)), f"{theorem}; errata 16")

    @locked
    def state(self) -> dict[str, Any]:
        return {"losses": self._native.losses(), "rounds": int(self._native.rounds)}

    @locked
    def set_state(self, state: dict[str, Any]) -> None:
        losses = real_array("losses", state["losses"])
        if losses.shape != (self._size,) or not ((losses >= 0.0) & (losses < math.inf)).all():
            raise ValueError(f"the state's losses are not {self._size} finite numbers of 0 or more")
        native = Exp3Rule(self._size, self.seed, self.rate or 0.0, self.horizon or 0)
        native.set(losses, whole("rounds", state["rounds"], 0, 1 << 53))
        self._native = native

    __reduce__, __getstate__, __setstate__ = registry.reduce, registry.getstate, registry.setstate
    _repr_html_ = model_html

    def __repr__(self) -> str:
        parts = [f"arms={self.arms!r}"]
        parts += [f"{name}={getattr(self, name)!r}" for name in ("rate", "horizon") if getattr(self, name) is not None]
        parts += [f"seed={self.seed}"] if self.seed else []
        parts += [f"loss_range={self.loss_range}"] if self.loss_range != (0.0, 1.0) else []
        return f"Exp3({', '.join(parts)})"

    def _called(self, i: int) -> int | str:
        return i if isinstance(self.arms, int) else self.arms[i]

    def _unit(self, losses: Array) -> Array:
        low, high = self.loss_range
        wrong = ~((losses >= low) & (losses <= high))
        if wrong.any():
            raise ValueError(f"a loss is `{losses[wrong][0]:g}`, expected a number from {low:g} to {high:g}")
        return (losses - low) / (high - low)


def _names(arms: Any) -> list[str]:
    if isinstance(arms, str) or not isinstance(arms, Sequence) or not all(isinstance(name, str) for name in arms):
        raise TypeError(f"arms is {quoted(repr(arms))}, expected how many there are, or their names")
    if not arms or len(set(arms)) < len(arms):
        raise ValueError(f"arms is {quoted(repr(arms))}, expected one or more different names")
    return list(arms)
