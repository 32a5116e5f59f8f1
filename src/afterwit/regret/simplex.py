"""Minimisation over the simplex, and SciPy's optimisers behind one door."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]


def scipy_optimize() -> Any:
    """`scipy.optimize`, or the sentence that says how to get it."""
    try:
        import scipy.optimize
    except ImportError:
        raise ImportError(
            "comparators in hindsight need the package `scipy`: pip install 'afterwit[hindsight]'"
        ) from None
    return scipy.optimize


def nearest_mixture(A: Array) -> Array:
    """The w on the simplex (w >= 0, sum 1) that minimises |A w|, by non-negative least squares.

    With v >= 0 of any sum, |A v|^2 + (sum v - 1)^2 is s^2 q + (s - 1)^2 for v = s w and q = |A w|^2, whose minimum over
    s is q/(1 + q), which grows with q: the w of the best v is the best w. Exact up to rounding. Cost: O(T N^2), then an
    active set on N x N (Lawson, Hanson 1974, chapter 23).
    """
    if A.shape[1] == 1:
        return np.ones(1)
    R: Array = np.asarray(np.linalg.qr(A, mode="r"), dtype=np.float64)
    size = float(np.sqrt((R**2).sum(axis=0).min()))  # that of the best vertex: from here on q <= 1
    if size == 0.0:
        return np.asarray(np.eye(A.shape[1])[int(np.argmin((R**2).sum(axis=0)))])
    stacked = np.vstack([R / size, np.ones(A.shape[1])])
    v, _ = scipy_optimize().nnls(stacked, np.append(np.zeros(len(R)), 1.0), maxiter=100 * A.shape[1])
    return np.asarray(v / v.sum())
