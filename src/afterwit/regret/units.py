"""Units in which the features of a linear predictor look alike."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]


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
