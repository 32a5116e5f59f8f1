"""Points, and the hyperplane between them."""

from __future__ import annotations

from typing import Any

import numpy as np

from afterwit.games import Separation
from afterwit.games.points import LabelledPoints
from afterwit.plots import canvas as c


def separation(points: LabelledPoints, found: Separation, axes: Any = None) -> Any:
    """How far the points of each label are from the hyperplane, and on which side; nothing where none was found.

    >>> from afterwit.games.points import points_of
    >>> from afterwit.games.separation import search_points
    >>> points = points_of(np.array([[1.0, 0.0], [1.0, 1.0]]), [1, -1])
    >>> separation(points, search_points(points)).get_xlabel()
    'distance from the hyperplane'
    """
    axes = c.canvas(axes, f"{found.points:,} points of {len(found.features):,} features")
    axes.set_xlabel("distance from the hyperplane")
    axes.set_ylabel("points")
    if found.separator is None or found.margin is None:
        axes.text(0.5, 0.5, "no hyperplane was found", ha="center", transform=axes.transAxes)
        return axes
    w = np.append(found.separator, found.intercept) if points.intercept else found.separator
    distances = points.native.margins(w) * points.labels
    edges = np.linspace(distances.min(), distances.max(), 61)
    for label, colour, name in ((-1.0, c.COLOURS[1], "label -1"), (1.0, c.COLOURS[0], "label +1")):
        axes.hist(distances[points.labels == label], bins=edges, color=colour, label=name, alpha=0.85)
    for side in (-1.0, 1.0):
        axes.axvline(side * found.margin, color=c.OWN, linewidth=0.8, linestyle=":")
    axes.axvline(0.0, color=c.OWN, linewidth=1.0)
    axes.set_title(f"margin {found.margin:.4g}", loc="right", fontsize=10)
    axes.legend(frameon=False)
    return axes
