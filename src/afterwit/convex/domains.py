"""Convex sets of points: exact projections, and the best point for a sum of losses."""

from __future__ import annotations

import copy
import inspect
import math
from typing import Any

import numpy as np
import numpy.typing as npt

from afterwit import numbers
from afterwit._core import Domain as CoreDomain
from afterwit.registry import register
from afterwit.registry.plain import same

Array = npt.NDArray[np.float64]
#: How many coordinates a point may have.
MOST = 1 << 40


class Domain:
    """What all domains have in common: vectors in, points out."""

    #: How many coordinates a point has.
    size: int

    def native(self) -> CoreDomain:
        """It, as the core knows it."""
        raise NotImplementedError

    @property
    def norm(self) -> float:
        """The largest |u| of its points."""
        raise NotImplementedError

    @property
    def diameter(self) -> float:
        """The largest |u - w| of two of its points."""
        return 2.0 * self.norm

    @property
    def bounded(self) -> bool:
        """Whether it is not all of R^d."""
        return self.norm < math.inf

    def project(self, point: Any) -> Array:
        """The point of the domain that is nearest to this one."""
        return self.native().project(self.vector("point", point))

    def __contains__(self, point: Any) -> bool:
        """Whether a point is in the domain, up to rounding."""
        return self.native().holds(self.vector("point", point))

    def best(self, linear: Any, curvature: float = 0.0) -> Array:
        """The u that minimises linear . u + (curvature/2) |u|^2; of several the one nearest to 0.

        For linear losses v_t . u, `linear` is the sum of the v_t; for squares (c_t/2) |u - z_t|^2 it is minus the sum
        of the c_t z_t, and `curvature` the sum of the c_t.
        """
        L, C = self.vector("linear", linear), curved(curvature, most=1e60)  # of many rounds
        if C > 0.0:
            return self.native().project(L / -C)
        if not self.bounded and L.any():
            raise ValueError("a linear loss has no least value on all of R^d; give a curvature, or a bounded domain")
        return self.native().least(L)

    def vector(self, name: str, values: Any) -> Array:
        """Numbers, one per coordinate."""
        found = numbers.real_array(name, values)
        if found.ndim != 1:
            raise ValueError(f"{name} has {found.ndim} dimensions, expected 1")
        if len(found) != self.size:
            raise ValueError(f"{name} has {len(found)} entries, expected {self.size} (one per coordinate)")
        if not np.isfinite(found).all():
            i = int(np.argmin(np.isfinite(found)))
            raise ValueError(f"{name}[{i}] is `{found[i]:g}`, expected a finite number")
        return np.ascontiguousarray(found)

    def point(self, name: str, values: Any) -> Array:
        """A point of the domain, or an error that says how far out it is."""
        u = self.vector(name, values)
        if not self.native().holds(u):
            away = float(np.linalg.norm(u - self.native().project(u)))
            raise ValueError(f"{name} is not in `{self!r}` but {away:g} away; `{type(self).__name__}.project` moves it")
        return u

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self._given().items())})"

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and same(self._given(), other._given())

    __hash__ = None  # type: ignore[assignment]

    def _given(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in inspect.signature(type(self)).parameters}


@register("convex.reals")
class Reals(Domain):
    """All points of R^size.

    >>> Reals(2).best([2.0, 0.0], curvature=4.0)
    array([-0.5, -0. ])
    """

    def __init__(self, size: int) -> None:
        self.size = numbers.whole("size", size, 1, MOST)

    def native(self) -> CoreDomain:
        return CoreDomain.reals(self.size)

    @property
    def norm(self) -> float:
        return math.inf


@register("convex.ball")
class Ball(Domain):
    """The points of R^size with |w| <= radius.

    >>> Ball(radius=5.0, size=2).project([6.0, 8.0])
    array([3., 4.])
    """

    def __init__(self, radius: float, size: int) -> None:
        self.radius, self.size = numbers.positive("radius", radius), numbers.whole("size", size, 1, MOST)

    def native(self) -> CoreDomain:
        return CoreDomain.ball(self.radius, self.size)

    @property
    def norm(self) -> float:
        return self.radius


@register("convex.box")
class Box(Domain):
    """The points with low[i] <= w[i] <= high[i] in every coordinate i.

    >>> Box(low=[0.0, -1.0], high=[1.0, 1.0]).project([2.0, -0.5])
    array([ 1. , -0.5])
    """

    def __init__(self, low: Any, high: Any) -> None:
        self.low, self.high = copy.copy(low), copy.copy(high)
        a, b = numbers.real_array("low", low), numbers.real_array("high", high)
        if a.ndim != 1 or a.shape != b.shape or not len(a):
            raise ValueError(f"low has the shape {a.shape}, high {b.shape}; expected two edges per coordinate")
        wrong = ~((a >= -1e38) & (a <= b) & (b <= 1e38))
        if wrong.any():
            i = int(np.argmax(wrong))
            raise ValueError(f"low[{i}] is `{a[i]:g}`, high[{i}] `{b[i]:g}`; expected low <= high, from -1e38 to 1e38")

    @property
    def size(self) -> int:  # type: ignore[override]
        """How many coordinates a point has."""
        return len(self.low)

    def native(self) -> CoreDomain:
        return CoreDomain.box(np.asarray(self.low, float).tolist(), np.asarray(self.high, float).tolist())

    @property
    def norm(self) -> float:
        return float(np.linalg.norm(np.maximum(np.abs(self.low), np.abs(self.high))))

    @property
    def diameter(self) -> float:
        return float(np.linalg.norm(np.subtract(self.high, self.low)))


@register("convex.simplex")
class Simplex(Domain):
    """The distributions over `size` things: w >= 0 with the sum 1. The projection takes O(size), without a sort.

    References: Duchi et al. 2008.

    >>> Simplex(3).project([0.5, 1.0, -2.0])
    array([0.25, 0.75, 0.  ])
    """

    def __init__(self, size: int) -> None:
        self.size = numbers.whole("size", size, 1, MOST)

    def native(self) -> CoreDomain:
        return CoreDomain.simplex(self.size)

    @property
    def norm(self) -> float:
        return 1.0

    @property
    def diameter(self) -> float:
        return math.sqrt(2.0) if self.size > 1 else 0.0


def curved(curvature: float, most: float = 1e38) -> float:
    """A curvature: 0, or a number of a size that no step can leave the doubles with."""
    given = curvature if isinstance(curvature, (int, float)) else numbers.real(curvature)
    if given != 0.0 and not 1e-38 <= given <= most:
        raise ValueError(f"curvature is `{given:g}`, expected 0, or a number from 1e-38 to {most:g}")
    return float(given)
