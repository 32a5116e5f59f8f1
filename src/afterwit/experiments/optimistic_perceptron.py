"""Points that make the Perceptron slow: how many operations until they are separated, in up to 15 dimensions."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from afterwit.experiments.outcome import Claim, Outcome, Table
from afterwit.games import CyclicPerceptron, OptimisticPerceptron
from afterwit.games.points import points_of
from afterwit.games.separation import PIECE

SOURCE = "Hanashiro, Abernethy 2020, Figure 1"
HEADINGS = [
    *(
        "n",
        "margin",
        "mistakes",
        "(4^n-1)/3",
        "operations",
        "rounds (mean)",
        "bound",
        "best bound",
        "operations (mean)",
    ),
    *("rounds (last w)", "operations (last w)"),
]


def run(say: Callable[[str], None] = lambda words: None, dimensions: int = 15) -> Outcome:
    """Both algorithms on dataset (2) for n = 1, ..., `dimensions`; operations as in errata 48."""
    rows = []
    for n in range(1, dimensions + 1):
        points = points_of(*dataset(n))
        passes, game = CyclicPerceptron(points), OptimisticPerceptron(points)
        while passes.found() is None:
            passes.advance(1 << 62, PIECE)
            say(f"n = {n}: {passes.rounds:,} mistakes")
        while not (game.mean_round and game.last_round):
            game.advance(1 << 62, PIECE)
            say(f"n = {n}: {game.rounds:,} rounds")
        margin = math.sqrt(3.0 / (4.0**n - 1.0))
        printed = math.floor((1.0 + 2.0 * n * math.log(n)) / (2.0 * margin)) + 1
        mean, last = (game.operations_of(rounds) for rounds in (game.mean_round, game.last_round))
        rows.append(
            [
                *(n, margin, passes.rounds, (4**n - 1) // 3, passes.operations, game.mean_round, printed),
                *(game.rounds_at_most(points, margin), mean, game.last_round, last),
            ]
        )
    claims = [
        Claim("the Perceptron makes exactly (4^n - 1)/3 mistakes (errata 47)", all(r[2] == r[3] for r in rows)),
        Claim("the mean separates within the theorem's rounds at every n", all(r[5] <= r[6] for r in rows)),
        Claim("and within those at the best scale of the points (errata 46)", all(r[5] <= r[7] for r in rows)),
    ]
    table = Table("Dataset (2), n points of n features", HEADINGS, rows)
    return Outcome(SOURCE, [table], claims, partial(draw, rows))


def dataset(n: int) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """x_i = ((-1)^i, ..., (-1)^i, (-1)^(i+1), 0, ..., 0), the first i of them not 0, and y_i = (-1)^(i+1)."""
    signs: npt.NDArray[np.float64] = np.resize([-1.0, 1.0], n)
    X: npt.NDArray[np.float64] = np.tril(np.repeat(signs[:, None], n, axis=1))
    np.fill_diagonal(X, -signs)
    return X, -signs


def draw(rows: list[list[Any]]) -> Any:
    """Both panels: the operations by n, and their logarithms."""
    from afterwit.plots import canvas as c

    figure = c.figure(10.0, 4.2)
    n = [row[0] for row in rows]
    lines = [("Perceptron", 4, "-"), ("Optimistic Perceptron, the mean", 8, "-"), ("the same, the last w", 10, ":")]
    for panel, scale in enumerate(("linear", "log")):
        axes = c.canvas(figure.add_subplot(1, 2, panel + 1), ("(a) operations", "(b) on a logarithmic scale")[panel])
        for (name, column, style), colour in zip(lines, c.COLOURS, strict=False):
            axes.plot(n, [row[column] for row in rows], style, color=colour, marker="o", markersize=3, label=name)
        axes.set_xlabel("n")
        axes.set_ylabel("operations until separated")
        axes.set_yscale(scale)
        if scale == "linear":
            c.big_numbers(axes.yaxis)
        axes.legend(frameon=False, fontsize=8)
    return figure
