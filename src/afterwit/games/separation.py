"""A hyperplane between two classes of points."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from afterwit.errors import UsageError, quoted
from afterwit.games.cyclic_perceptron import CyclicPerceptron
from afterwit.games.optimistic_perceptron import OptimisticPerceptron
from afterwit.games.points import LabelledPoints, points_of
from afterwit.numbers import whole

Array = npt.NDArray[np.float64]
Search: TypeAlias = OptimisticPerceptron | CyclicPerceptron
#: The words for them.
ALGORITHMS: dict[str, type[Search]] = {"optimistic": OptimisticPerceptron, "perceptron": CyclicPerceptron}
#: Without a number of rounds, margins of this part of the longest point are found.
SMALLEST = 1e-3
#: By how much one sum is off at most, as part of the length of what is summed up.
ROUNDING = 2.0**-52
#: How many numbers are touched between two looks at the keyboard: some hundredths of a second.
PIECE = 20_000_000


@dataclass(frozen=True)
class Separation:
    """What was found: y_i (separator . x_i + intercept) >= margin for every point, or nothing.

    `separator` has length 1, the intercept included, and an entry per feature; it is None where none was found. No
    separator has a margin above `margin_at_most`. `bound` is how many rounds the theorem allows at this margin. `which`
    is "mean" or "last", of the w that the algorithm went through; `longest` the length of the longest point.
    """

    algorithm: str
    points: int
    features: tuple[str, ...]
    separator: Array | None
    intercept: float
    margin: float | None
    margin_at_most: float
    rounds: int
    operations: int
    bound: int | None
    which: str | None
    longest: float
    remark: str | None = None

    def __str__(self) -> str:
        """Sentences for a person."""
        what = f"{_many(self.points, 'point')} of {_many(len(self.features), 'feature')}"
        unit = "round" if self.algorithm == "optimistic" else "mistake"
        work = f"after {_many(self.rounds, unit)} and {_many(self.operations, 'operation')}"
        lines = [] if self.remark is None else [self.remark]
        if self.margin is not None:
            whose = "the mean of all w" if self.which == "mean" else "the last w"
            lines += [
                f"separated {what} with margin {self.margin:.4g}; no hyperplane has more than "
                f"{self.margin_at_most:.4g}",
                f"by {whose}, {work}; at this margin the theorem allows {self.bound:,} {unit}s",
            ]
        else:
            lines += [f"no hyperplane was found that separates {what}, {work}"]
            if self.margin_at_most > 0.0:
                part = self.margin_at_most / self.longest
                lines += [f"none has a margin above {self.margin_at_most:.4g}, {part:.2g} of the longest point"]
        return "\n".join(lines)


def separate(
    source: Any,
    y: Any = None,
    *,
    algorithm: str = "optimistic",
    rounds: int | None = None,
    intercept: bool = False,
    target: str | None = None,
    watch: Callable[[Search, int], None] | None = None,
) -> Separation:
    """Looks for a hyperplane that has the points of label +1 on one side and those of -1 on the other.

    `source` is what `aw.read` takes; all of it is held in memory. The hyperplane goes through the origin, unless
    `intercept` gives every point a further feature that is 1. `algorithm` is "optimistic" (`OptimisticPerceptron`) or
    "perceptron" (`CyclicPerceptron`); it stops after `rounds` rounds, or mistakes: without one, after those that find
    every margin of a thousandth of the longest point. `watch(search, rounds)` is called now and then.

    >>> found = separate(np.array([[1.0, 0.0], [1.0, 1.0]]), [1, -1])
    >>> bool(found.separator @ [1.0, 0.0] > 0.0 > found.separator @ [1.0, 1.0]), found.rounds <= found.bound
    (True, True)
    """
    points = points_of(source, y, target=target, intercept=intercept)
    return search_points(points, algorithm, rounds, watch)


def search_points(
    points: LabelledPoints,
    algorithm: str = "optimistic",
    rounds: int | None = None,
    watch: Callable[[Search, int], None] | None = None,
) -> Separation:
    """The same for points that are read already."""
    if algorithm not in ALGORITHMS:
        raise UsageError(f"algorithm is {quoted(str(algorithm))}, expected `optimistic` or `perceptron`")
    if rounds is not None:
        whole("rounds", rounds, 1, (1 << 63) - 1)
    if points.hopeless:
        return _told(algorithm, points, None, None)
    made = ALGORITHMS[algorithm]
    most = made.rounds_at_most(points, SMALLEST * points.longest) if rounds is None else rounds
    search = made(points)
    while (found := search.found()) is None and search.advance(most, PIECE):
        if watch is not None:
            watch(search, most)
    return _told(algorithm, points, search, found)


def _told(algorithm: str, points: LabelledPoints, search: Search | None, found: tuple[str, Array] | None) -> Separation:
    which, w, margin, bound = None, None, None, None
    at_most = 0.0
    if search is not None:
        at_most = search.margin_at_most + (points.size + search.rounds) * ROUNDING * points.longest
    if search is not None and found is not None:
        which, raw = found
        w = raw / math.sqrt(float(raw @ raw))
        margin = float(points.native.margins(w).min())
        if margin <= 0.0:  # the rounding of a division was more than the margin
            w, margin = raw, float(points.native.margins(raw).min()) / math.sqrt(float(raw @ raw))
        bound = search.rounds_at_most(points, margin)
    return Separation(
        algorithm=algorithm,
        points=points.size,
        features=points.features,
        separator=None if w is None else w[: len(points.features)],
        intercept=float(w[-1]) if w is not None and points.intercept else 0.0,
        margin=margin,
        margin_at_most=at_most,
        rounds=search.rounds if search is not None else 0,
        operations=search.operations if search is not None else 0,
        bound=bound,
        which=which,
        longest=points.longest,
        remark=points.remark,
    )


def _many(number: int, what: str) -> str:
    return f"{number:,} {what}" + ("" if number == 1 else "s")
