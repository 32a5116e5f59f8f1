"""The best fixed linear predictor in hindsight, by Newton or SciPy's L-BFGS over a loss that somebody else sums up."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from afterwit.regret.newton import newton
from afterwit.regret.simplex import scipy_optimize

Array = npt.NDArray[np.float64]
#: (u, width) -> the loss of u, its loss with kinks rounded to that width, and the gradient of the latter.
TotalLoss = Callable[[Array, float], tuple[float, float, Array]]
#: The same with the Hessian of the latter, a block for every problem: problems x features x features.
CurvedLoss = Callable[[Array, float], tuple[float, float, Array, Array]]

#: The penalty of u is PENALTY/2 |u|^2 for each row: it makes the best u unique, and finite where rows are separable.
PENALTY = 1e-8
#: Newton's Hessian costs a row the square of its features: with more than so many the gradient must do.
FEW = 200


@dataclass(frozen=True)
class LinearPredictor:
    """The best u that was found and its loss, without the penalty; `converged` where the optimiser was content."""

    u: Array
    loss: float
    converged: bool
    evaluations: int


@dataclass(frozen=True)
class Moments:
    """sum_t h_t, and of each feature sum_t h_t x_{t,i} and sum_t h_t x_{t,i}^2; one feature may be an intercept."""

    weight: float
    sums: Array
    squares: Array
    intercept: int | None = None


class Units:
    """Units in which the features look alike to an optimiser of a loss with the penalty ridge/2 |u|^2.

    Least squares in one feature and the intercept have the Hessian [[squares + ridge, sums], [sums, weight + ridge]].
    In v, which measures the feature from its mean and in units of its spread (up to the ridge), it is the identity. So
    a feature on another scale, or far from 0, needs no more steps. Several problems over the same features are one
    after the other in v and u.
    """

    def __init__(self, moments: Moments, ridge: float) -> None:
        self.intercept, self.means = moments.intercept, np.zeros(len(moments.sums))
        around_0 = np.maximum(moments.squares, 1e-300) + ridge
        spreads = around_0
        if self.intercept is not None:
            self.means = moments.sums / (moments.weight + ridge)
            self.means[self.intercept] = 0.0
            # A feature that never changes is another intercept: it has no spread.
            spreads = np.maximum(around_0 - moments.sums * self.means, 1e-6 * around_0)
        self.spreads = np.sqrt(spreads / max(moments.weight, 1e-300))

    def weights(self, v: Array) -> Array:
        """The u that is v in these units."""
        u: Array = v.reshape(-1, len(self.means)) / self.spreads
        if self.intercept is not None:
            u[:, self.intercept] -= u @ self.means
        return u.ravel()

    def of(self, weights: Array) -> Array:
        """The v that is u."""
        u = weights.reshape(-1, len(self.means)).copy()
        if self.intercept is not None:
            u[:, self.intercept] += u @ self.means
        return np.asarray((u * self.spreads).ravel())

    def gradient(self, of_u: Array) -> Array:
        """The gradient in v, from the gradient in u."""
        g = of_u.reshape(-1, len(self.means))
        if self.intercept is not None:
            g = g - g[:, [self.intercept]] * self.means
        return np.asarray((g / self.spreads).ravel())


def best_linear_predictor(
    total: TotalLoss,
    moments: Moments,
    size: int,
    rows: int,
    *,
    kinked: bool,
    radius: float | None = None,
    evaluations: int = 500,
    curved: CurvedLoss | None = None,
) -> LinearPredictor:
    """The u that minimises total loss + rows PENALTY/2 |u|^2, in the ball |u| <= radius where there is one.

    u has `size` entries, one per feature for every problem. With `kinked` losses the kinks are rounded, narrower and
    narrower. `curved` is asked in place of `total` where there are at most 200 features: Newton's method makes do with
    ten or twenty evaluations, or a hundred where there are kinks, however features are scaled and related. Of all u
    that were tried the one of least true loss and penalty is returned: its loss is never below the least one, and near
    it.

    >>> def total(u, width):  # (u - 3)^2, twice
    ...     return 2 * float((u - 3) @ (u - 3)), 2 * float((u - 3) @ (u - 3)), 4 * (u - 3)
    >>> moments = Moments(2.0, np.array([2.0]), np.array([2.0]))
    >>> best_linear_predictor(total, moments, 1, 2, kinked=False).u.round(6)
    array([3.])
    >>> best_linear_predictor(total, moments, 1, 2, kinked=False, radius=1.0).u.round(6)
    array([1.])
    """
    if evaluations < 1:
        raise ValueError(f"evaluations is {evaluations}, expected 1 or more")
    scipy_optimize()
    search = _Search(total, moments, size, rows, radius, evaluations)
    try:
        if curved is not None and 0 < len(moments.sums) <= FEW and search.newton(curved, rows, kinked):
            return LinearPredictor(search.u, search.loss, True, search.count)
        search.begin()
        for narrow in (0.1, 0.01, 0.001) if kinked else (0.0,):
            if search.loss == 0.0 or size == 0:
                break
            search.width = narrow * search.loss / rows
            search.in_ball() if radius is not None else search.solve(search.penalty)
    except _Enough:
        search.converged = False
    return LinearPredictor(search.u, search.loss, search.converged, search.count)


class _Search:
    """The objective, as a part of the loss of u = 0; remembers the best u of the ball."""

    def __init__(
        self, total: TotalLoss, moments: Moments, size: int, rows: int, radius: float | None, evaluations: int
    ) -> None:
        self.total, self.moments, self.most = total, moments, evaluations
        self.penalty, self.radius, self.width = PENALTY * rows, math.inf if radius is None else radius, 0.0
        self.scale, self.count, self.converged = 1.0, 0, True
        self.at, self.u, self.loss, self.least = np.zeros(size), np.zeros(size), math.inf, math.inf
        self.options = {"maxiter": evaluations, "maxfun": evaluations, "maxcor": 20, "gtol": 1e-9}

    def begin(self) -> None:
        """u = 0, and a multiplier for which the best u is surely inside the ball: |u| <= |gradient at 0|/multiplier."""
        loss, _, gradient = self.evaluated(np.zeros(len(self.u)))
        self.scale = loss or 1.0
        self.multiplier = max(float(np.linalg.norm(gradient)) / self.radius, self.penalty)

    def newton(self, curved: CurvedLoss, rows: int, kinked: bool) -> bool:
        """Whether Newton's method found the best u, where there are kinks for every width on the way."""

        def penalized(u: Array) -> tuple[float, Array, Array]:
            self.spend()
            true, value, gradient, hessian = curved(u, self.width)
            self.note(u, true)
            diagonal = self.penalty * np.eye(hessian.shape[1])
            return value + 0.5 * self.penalty * float(u @ u), gradient + self.penalty * u, hessian + diagonal

        if kinked:
            self.begin()
            self.width = self.loss / rows
        found = True
        while found and not (kinked and self.loss == 0.0):
            self.at, found = newton(penalized, self.at, self.radius)
            if self.width <= 0.001 * self.loss / rows:
                break
            self.width *= 0.3  # small steps: the next u is then near enough for Newton's to be good
        return found

    def solve(self, multiplier: float, precision: float = 1e-12) -> float:
        """From where it stands to the u of least loss + multiplier/2 |u|^2; its norm."""
        minimize, units = scipy_optimize().minimize, Units(self.moments, multiplier)
        arguments = (units, multiplier)
        start = units.of(self.at)
        result = minimize(
            self._objective, start, arguments, "L-BFGS-B", jac=True, options={**self.options, "ftol": precision}
        )
        self.at, self.converged = units.weights(result.x), result.status == 0
        return float(np.linalg.norm(self.at))

    def in_ball(self) -> None:
        """Goes down with the multiplier until u leaves the ball or only the penalty is left, then finds the edge.

        |u| falls as the multiplier grows. Between one inside and one outside the next is where a straight line through
        both, in logarithms, meets the edge.
        """
        inside, norm = self.multiplier, self.solve(self.multiplier, 1e-6)
        while norm > self.radius:
            inside, norm = 10.0 * inside, self.solve(10.0 * inside, 1e-6)
        outside, norm_inside = inside, norm
        while norm <= self.radius and outside > self.penalty:
            inside, norm_inside, outside = outside, norm, max(outside / 10.0, self.penalty)
            norm = self.solve(outside, 1e-6 if outside > self.penalty else 1e-12)
        norm_outside = norm
        while abs(norm / self.radius - 1.0) > 1e-7 and norm_outside > self.radius and inside > outside * (1.0 + 1e-12):
            slope = math.log(norm_outside / max(norm_inside, 1e-300))
            part = min(max(math.log(norm_outside / self.radius) / max(slope, 1e-300), 0.05), 0.95)
            middle = outside * (inside / outside) ** part
            norm = self.solve(middle)
            if norm > self.radius:
                outside, norm_outside = middle, norm
            else:
                inside, norm_inside = middle, norm
        on_edge = norm_outside > self.radius
        self.multiplier = 3.0 * inside if on_edge else inside  # where the next width begins
        self.converged = self.converged and (not on_edge or abs(norm / self.radius - 1.0) < 1e-5)
        self.evaluated(self.at * (self.radius / norm if on_edge else 1.0))

    def _objective(self, v: Array, units: Units, multiplier: float) -> tuple[float, Array]:
        u = units.weights(v)
        _, value, gradient = self.evaluated(u)
        value += 0.5 * multiplier * float(u @ u)
        return value / self.scale, units.gradient(gradient + multiplier * u) / self.scale

    def evaluated(self, u: Array) -> tuple[float, float, Array]:
        """The losses and the gradient of u, which is remembered if it is the best so far."""
        self.spend()
        true, value, gradient = self.total(u, self.width)
        self.note(u, true)
        return true, value, gradient

    def spend(self) -> None:
        """One evaluation of those that were allowed."""
        if self.count >= self.most:
            raise _Enough
        self.count += 1

    def note(self, u: Array, true: float) -> None:
        """Remembers u if it is the best so far."""
        penalized = true + 0.5 * self.penalty * float(u @ u)
        if penalized < self.least and float(np.linalg.norm(u)) <= self.radius * (1.0 + 1e-12):
            self.u, self.loss, self.least = u.copy(), true, penalized


class _Enough(Exception):
    """As many evaluations as were allowed."""
