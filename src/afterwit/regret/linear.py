"""The best fixed linear predictor in hindsight, by Newton or SciPy's L-BFGS over a loss that somebody else sums up."""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from afterwit.regret.newton import newton, promised, stationary
from afterwit.regret.simplex import scipy_optimize
from afterwit.regret.units import Moments, Units

Array = npt.NDArray[np.float64]
#: (u, width) -> the loss of u, its loss with kinks rounded to that width, and the gradient of the latter.
TotalLoss = Callable[[Array, float], tuple[float, float, Array]]
#: The same with the Hessian of the latter, a block for every problem: problems x features x features.
CurvedLoss = Callable[[Array, float], tuple[float, float, Array, Array]]

#: The penalty of u is PENALTY/2 (u_i x_{t,i})^2 for each feature of each row, weighed as the row: it makes the best u
#: unique, and finite where rows are separable, whatever the scale of the features. Any less is lost in rounding.
PENALTY = 1e-12
#: Newton's Hessian costs a row the square of its features: with more than so many the gradient must do.
FEW = 200


@dataclass(frozen=True)
class LinearPredictor:
    """The best u that was found and its loss, without the penalty; `exact` where none is better by 1e-6 of it."""

    u: Array
    loss: float
    exact: bool
    evaluations: int


def best_linear_predictor(
    total: TotalLoss,
    moments: Moments,
    size: int,
    *,
    kinked: bool,
    radius: float | None = None,
    evaluations: int = 500,
    curved: CurvedLoss | None = None,
) -> LinearPredictor:
    """The u that minimises total loss + PENALTY/2 sum_i squares_i u_i^2, in the ball |u| <= radius where there is one.

    u has `size` entries, one per feature for every problem. With `kinked` losses the kinks are rounded, narrower and
    narrower. `curved` is asked in place of `total` where there are at most 200 features: Newton's method makes do with
    ten or twenty evaluations, or a hundred where there are kinks, however features are scaled and related. Of all u
    that were tried the one of least true loss and penalty is returned: its loss is never below the least one, and near
    it.

    It is `exact` if there are no kinks, the gradients prove that no loss and penalty is more than 1e-6 below those of u
    (the penalty makes them strongly convex), and the penalty is not felt: a tenth of it would gain less than 1e-7 by
    the quadratic model of Newton's method, or, where there is none, it is below 1e-6 itself.

    >>> def total(u, width):  # (u - 3)^2, twice
    ...     return 2 * float((u - 3) @ (u - 3)), 2 * float((u - 3) @ (u - 3)), 4 * (u - 3)
    >>> moments = Moments(2.0, np.array([2.0]), np.array([2.0]))
    >>> best_linear_predictor(total, moments, 1, kinked=False).u.round(6)
    array([3.])
    >>> best_linear_predictor(total, moments, 1, kinked=False, radius=1.0).u.round(6)
    array([1.])
    """
    if evaluations < 1:
        raise ValueError(f"evaluations is {evaluations}, expected 1 or more")
    scipy_optimize()
    search = _Search(total, moments, size, kinked, radius, evaluations)
    with suppress(_Enough):
        if curved is None or not 0 < len(moments.sums) <= FEW or not search.newton(curved):
            search.descend()
    return LinearPredictor(search.u, search.loss, search.exact(), search.count)


class _Search:
    """Loss and penalty of u; remembers the best u of the ball, and what the least of it is at least."""

    def __init__(
        self, total: TotalLoss, moments: Moments, size: int, kinked: bool, radius: float | None, evaluations: int
    ) -> None:
        self.total, self.moments, self.kinked, self.most, self.count = total, moments, kinked, evaluations, 0
        self.penalty = PENALTY * np.maximum(np.resize(moments.squares, size), 1e-290)
        self.radius, self.width = math.inf if radius is None else radius, 0.0
        self.at, self.u, self.loss = np.zeros(size), np.zeros(size), math.inf
        self.first, self.least, self.at_least = 0.0, math.inf, -math.inf
        self.moved: float | None = None

    def exact(self) -> bool:
        """Whether what is left to gain, and how far the penalty moved u, is at most 1e-6 of the loss.

        Without a Hessian it must be the penalty itself; with kinks nothing is known of what is left. A loss of 1e-10 of
        that of u = 0 is none, and the least there is.
        """
        moved = self.least - self.loss if self.moved is None else self.moved
        enough = self.least - self.at_least + moved <= 1e-6 * self.loss
        return enough or self.loss <= 1e-10 * self.first

    def newton(self, curved: CurvedLoss) -> bool:
        """Whether Newton's method found the best u, where there are kinks for every width on the way."""

        def penalized(u: Array) -> tuple[float, Array, Array, float]:
            self.spend()
            true, value, gradient, hessian = curved(u, self.width)
            value, gradient, gap = self.note(u, true, value, gradient)
            self.last = gradient, self.bent(hessian, 1.0)
            return value, *self.last, gap

        if self.kinked:
            self.evaluated(self.at)
            self.width = self.loss / self.moments.weight
        found = True
        while found and not (self.kinked and self.loss == 0.0):
            self.at, found = newton(penalized, self.at, self.radius)
            if self.width <= 0.001 * self.loss / self.moments.weight:
                break
            self.width *= 0.3  # small steps: the next u is then near enough for Newton's to be good
        if found and not self.kinked:  # ten times what a tenth of the penalty would gain: more than none would
            gradient, hessian = self.last
            gradient = gradient - 0.9 * self.penalty * self.at
            self.moved = 10.0 * abs(promised(self.at, gradient, self.bent(hessian, -0.9), self.radius))
        return found

    def bent(self, hessian: Array, part: float) -> Array:
        """The Hessian with a part of the penalty, in place."""
        diagonal = np.einsum("kii->ki", hessian)
        diagonal += part * self.penalty.reshape(diagonal.shape)
        return hessian

    def descend(self) -> None:
        """L-BFGS from u = 0."""
        self.at, self.width = np.zeros(len(self.u)), 0.0
        value, gradient, _ = self.evaluated(self.at)
        self.scale = 1e-12 * value  # SciPy's precision is a part of the value only where that is above 1
        # For which the best u is surely inside the ball: |u| <= |gradient at 0|/multiplier.
        self.multiplier = float(np.linalg.norm(gradient)) / self.radius
        self.lowest = 1e-6 * self.multiplier
        for narrow in (0.1, 0.01, 0.001) if self.kinked else (0.0,):
            if self.loss == 0.0 or not len(self.u):
                break
            self.width = narrow * self.loss / self.moments.weight
            self.in_ball() if self.radius < math.inf else self.solve(0.0)

    def solve(self, multiplier: float, precision: float = 1e-12) -> float:
        """From where it stands to the u of least loss + penalty + multiplier/2 |u|^2; its norm.

        L-BFGS, until a step gains less than `precision`, as a part of the value. From there on rounding hides from it
        which u is better; where there are no kinks, Newton's steps go on until 1e-9 of the value is left at most.
        """
        units = Units(self.moments, multiplier)
        options = {"maxiter": self.most, "maxfun": self.most, "maxcor": 20, "ftol": precision, "gtol": 0.0}

        def objective(v: Array) -> tuple[float, Array]:
            self.at = units.weights(v)
            value, gradient, _ = self.evaluated(self.at)
            value += 0.5 * multiplier * float(self.at @ self.at)
            gradient = gradient + multiplier * self.at
            if not self.kinked and self.left(gradient, multiplier) <= 1e-9 * value:
                raise _Near
            return value / self.scale, units.gradient(gradient) / self.scale

        minimize = scipy_optimize().minimize
        with suppress(_Near):
            found = minimize(objective, units.of(self.at), method="L-BFGS-B", jac=True, options=options)
            v = found.x
            if not self.kinked and precision <= 1e-12:
                v = stationary(lambda v: objective(v)[1], v)
            self.at = units.weights(v)
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
        while norm <= self.radius and outside > 0.0:
            inside, norm_inside, outside = outside, norm, outside / 10.0 if outside > self.lowest else 0.0
            norm = self.solve(outside, 1e-6 if outside > 0.0 else 1e-12)
        norm_outside, outside = norm, max(outside, 1e-6 * inside)
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
        self.evaluated(self.at * (self.radius / norm if on_edge else 1.0))

    def evaluated(self, u: Array) -> tuple[float, Array, float]:
        """Loss and penalty of u, with their gradient, and how far they are above the least, at most."""
        self.spend()
        return self.note(u, *self.total(u, self.width))

    def spend(self) -> None:
        """One evaluation of those that were allowed."""
        if self.count >= self.most:
            raise _Enough
        self.count += 1

    def note(self, u: Array, true: float, value: float, gradient: Array) -> tuple[float, Array, float]:
        """Adds the penalty, and remembers u if it is the best so far."""
        if self.count == 1:
            self.first = true
        pull = self.penalty * u
        penalty = 0.5 * float(u @ pull)
        if true + penalty < self.least and float(np.linalg.norm(u)) <= self.radius * (1.0 + 1e-12):
            self.u, self.loss, self.least = u.copy(), true, true + penalty
        if self.kinked:
            return value + penalty, gradient + pull, 0.0
        gap = self.gap(u, gradient + pull)
        self.at_least = max(self.at_least, value + penalty - gap)
        return value + penalty, gradient + pull, gap

    def gap(self, u: Array, g: Array) -> float:
        """How far f(u), of gradient g, is above the least f(z) of the ball, at most: no loss bends downwards.

        f(z) >= f(u) + g.(z - u) + (z - u).P(z - u)/2 + m/2 (|z|^2 - radius^2) for the penalties P and every m >= 0. The
        least of it over z is f(u) - (g + m u).(P + m I)^-1 (g + m u)/2 - m/2 (radius^2 - |u|^2).
        """
        m = max(-float(g @ u) / max(float(u @ u), 1e-300), 0.0)
        if m == 0.0 or self.radius == math.inf:
            return self.left(g, 0.0)
        return min(self.left(g, 0.0), self.left(g + m * u, m) + 0.5 * m * (self.radius**2 - float(u @ u)))

    def left(self, g: Array, m: float) -> float:
        """What there is to gain for a function of curvature P + m I or more, at most."""
        return 0.5 * float(g @ (g / (self.penalty + m)))


class _Enough(Exception):
    """As many evaluations as were allowed."""


class _Near(Exception):
    """No step is worth its evaluation."""
