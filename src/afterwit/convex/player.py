"""What the players over convex domains have in common: gradients in, points out, state as plain data."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from afterwit import numbers, registry
from afterwit._core import Lock, PointPlayer
from afterwit.convex.domains import Array, Domain, Simplex, curved
from afterwit.registry.plain import same
from afterwit.regret import Bound
from afterwit.shown import model_html
from afterwit.threads import locked

#: Beyond this a gradient might have no square.
LARGEST = 1e60
#: Words for the regulariser R.
QUADRATIC, ENTROPIC = "quadratic", "entropic"

P = TypeVar("P", bound="Player")


@dataclass(frozen=True)
class History:
    """The rounds of one `run`: the player's `loss` in each, and the best point of the domain in hindsight.

    `best` is that point, `best_loss` its loss over all rounds and `regret` what the player lost beyond it; None where
    losses have no least value on the domain. With keep="points", `points` has a row for each round.
    """

    loss: Array
    best: Array | None
    best_loss: float | None
    points: Array | None = None

    @property
    def regret(self) -> float | None:
        """The player's loss less that of the best point."""
        return None if self.best_loss is None else float(self.loss.sum()) - self.best_loss

    def __len__(self) -> int:
        return len(self.loss)


class Player:
    """Plays a point of a convex domain, then sees the gradient of a loss there. The algorithms are its subclasses.

    Calls are safe from several threads (docs/threads.md).
    """

    #: Whether it can use a curvature: not with entropy, for which there is no closed form.
    curves: bool = True

    def __init__(self, domain: Domain, new: Callable[[], PointPlayer]) -> None:
        self._lock = Lock()
        self.domain, self._new = domain, new
        self._core: PointPlayer | None = None

    @locked
    def play(self) -> Array:
        """The point of the next round; changes nothing."""
        return self._native.play()

    @locked
    def update(self, gradient: Any, curvature: float = 0.0) -> None:
        """Learns one round from a gradient, or subgradient, of its loss at the point that was played.

        `curvature` c says that the loss bends everywhere at least as (c/2) |w|^2 does, and for the square
        (c/2) |w - z|^2 says all. Who does not use it learns the gradient alone.
        """
        self._lock.refuse_nested()
        g, c = numbers.real_array("gradient", gradient), self._curvature(curvature)
        check_size(self.domain, "gradient", g, 1)
        fault = self._native.update(np.ascontiguousarray(g), c)
        if fault is not None:
            raise _wrong(fault, f"gradient[{fault[2]}]")

    @locked
    def run(self, losses: Any, curvature: float = 0.0, keep: str = "loss") -> History:
        """Plays and learns many rounds natively, with the bits of `play` and `update` one after the other.

        Row t of `losses` is the v of the loss v . w + (c/2) |w|^2, c the `curvature` of every round: linear losses
        where it is 0; squares (c/2) |w - z|^2, up to what does not depend on w, where v = -c z. All rounds or none:
        after an error the player is as it was. keep="points" keeps the points that were played.
        """
        self._lock.refuse_nested()
        V, c, kept = self.checked(losses, curvature, keep)
        native = self.native()
        history = in_hindsight(self.domain, V, c, *played(native, V, c, kept))
        self._core = native
        return history

    def regret_bound(self, competitor: Any = None) -> Bound:
        """At most how much regret there is to a point of the domain after what was seen, and by which theorem.

        None for the competitor means any point.
        """
        raise NotImplementedError

    @locked
    def state(self) -> dict[str, Any]:
        return self._native.state()

    @locked
    def set_state(self, state: dict[str, Any]) -> None:
        vectors = [value for value in state.values() if isinstance(value, np.ndarray)]
        if not vectors or any(value.shape != (self.domain.size,) for value in vectors):
            raise ValueError("the state has not one number per coordinate of the domain")
        native = self._new()
        native.set_state(state)
        self._core = native

    __reduce__, __getstate__, __setstate__ = registry.reduce, registry.getstate, registry.setstate
    _repr_html_ = model_html

    def __repr__(self) -> str:
        """As it would be constructed, without the arguments that are the defaults."""
        parameters = inspect.signature(type(self)).parameters.values()
        given = [(p.name, getattr(self, p.name)) for p in parameters if not same(getattr(self, p.name), p.default)]
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in given)})"

    def checked(self, losses: Any, curvature: float, keep: str) -> tuple[Array, float, bool]:
        """What `run` is given: the matrix, the curvature, and whether points are kept."""
        if keep not in ("loss", "points"):
            raise ValueError(f'keep is `{keep!r}`, expected "loss" or "points"')
        V, c = numbers.real_array("losses", losses), self._curvature(curvature)
        check_size(self.domain, "losses", V, 2)
        return V, c, keep == "points"

    def native(self) -> PointPlayer:
        """A copy of its native half, which learns."""
        return self._native.clone()

    @property
    def _native(self) -> PointPlayer:
        """Its native half, which takes memory for the coordinates now: a file may ask for any number of them."""
        if self._core is None:
            self._core = self._new()
        return self._core

    @property
    def _seen(self) -> dict[str, float]:
        """The numbers of its state."""
        return {name: value for name, value in self._native.state().items() if isinstance(value, float)}

    def _curvature(self, curvature: float) -> float:
        c = curved(curvature)
        if c != 0.0 and not self.curves:
            raise ValueError("curvature has no closed form beside entropy; leave it out, or take the quadratic one")
        return c


def played(native: PointPlayer, V: Array, c: float, keep: bool, before: int = 0) -> tuple[Array, Array | None]:
    """Losses and, to keep, points of rounds that a native player learns, which is of no use after an error.

    `before` are the rounds of the same call that were played before.
    """
    fault, *outcome = native.run(np.ascontiguousarray(V), c, keep)
    if fault is not None:
        raise _wrong(fault, f"losses[{before + fault[1]}, {fault[2]}]")
    return outcome[0], outcome[1]


def check_size(domain: Domain, name: str, values: Array, dimensions: int) -> None:
    """Refuses what is no vector, or matrix of a row per round, of the domain's coordinates."""
    if values.ndim != dimensions:
        what = "one number per coordinate" if dimensions == 1 else "a row per round, a column per coordinate"
        raise ValueError(f"{name} has {values.ndim} dimensions, expected {dimensions} ({what})")
    if values.shape[-1] != domain.size:
        what = "entries" if dimensions == 1 else "columns"
        raise ValueError(f"{name} has {values.shape[-1]} {what}, expected {domain.size} (one per coordinate)")


def in_hindsight(domain: Domain, V: Array, c: float, loss: Array, points: Array | None) -> History:
    """The history of these losses."""
    with np.errstate(over="ignore"):
        linear, bend = V.sum(axis=0), c * len(V)
    if not domain.bounded and bend == 0.0 and linear.any():
        return History(loss, None, None, points)
    best = domain.best(linear, bend) if len(V) else domain.project(np.zeros(domain.size))
    return History(loss, best, float(linear @ best) + 0.5 * float(bend * best @ best), points)


def penalty(domain: Domain, regularizer: str, u: Array | None) -> float:
    """R(u) less the least R of the domain; None: the most of it."""
    if regularizer == ENTROPIC:
        entropy = 0.0 if u is None else -float((u[u > 0.0] * np.log(u[u > 0.0])).sum())
        return max(0.0, math.log(domain.size) - entropy)
    start = domain.project(np.zeros(domain.size))
    square = domain.norm**2 if u is None else float(u @ u)
    return max(0.0, 0.5 * (square - float(start @ start)))


def checked_regularizer(domain: Domain, name: str, regularizer: str) -> str:
    """The word, if it is one and the domain has such a regulariser."""
    if regularizer not in (QUADRATIC, ENTROPIC):
        raise ValueError(f'{name} is `{regularizer!r}`, expected "{QUADRATIC}" or "{ENTROPIC}"')
    if regularizer == ENTROPIC and not isinstance(domain, Simplex):
        raise ValueError(f'{name} is "{ENTROPIC}", which is for a `Simplex`, but the domain is `{domain!r}`')
    return regularizer


def checked_domain(domain: Any) -> Domain:
    """The domain, if it is one."""
    if not isinstance(domain, Domain):
        raise TypeError(f"domain is `{domain!r}`, expected `Reals`, `Ball`, `Box` or `Simplex`")
    return domain


def checked_horizon(horizon: int | None) -> int | None:
    """The horizon, if it is None or a number of rounds."""
    return None if horizon is None else numbers.whole("horizon", horizon, 1, 1 << 53)


#: What is said of the regret to any point of R^d.
ANY_OF_ALL = Bound(None, reason="no bound holds for all points of R^d at once; name a competitor")


def _wrong(fault: tuple[str, int, int, float], where: str) -> ValueError:
    what, _, _, value = fault
    if what == "unbounded":
        return ValueError(
            "a linear loss has no least value on all of R^d, so that there is no leader; give a curvature, a bounded "
            "domain, or regularise: `FollowTheRegularizedLeader`"
        )
    return ValueError(f"{where} is `{value:g}`, expected a finite number, the gradient there from -1e60 to 1e60")
