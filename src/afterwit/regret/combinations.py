"""The best fixed combination of experts' forecasts in hindsight: convex or linear."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from afterwit import losses
from afterwit.numbers import real_array
from afterwit.regret.rounds import Array, matrix
from afterwit.regret.simplex import nearest_mixture, scipy_optimize


@dataclass(frozen=True)
class Combination:
    """The weights of the best combination and its total loss; `exact` where it is known to be the best.

    Where it is not, it is the best that was found: the regret to it is at most the regret to the best.
    """

    weights: Array
    loss: float
    exact: bool


def best_mixture(
    forecasts: npt.ArrayLike, y: npt.ArrayLike, loss: str | losses.Loss = "squared", weight: npt.ArrayLike | None = None
) -> Combination:
    """The distribution over experts whose weighted mean of forecasts has the smallest total loss.

    `forecasts` has a row per round and a column per expert; a NaN is an expert asleep. Then the weights of those awake
    are divided by their sum, as a mixture does (all alike where the sum is 0); a round with nobody awake counts for
    nothing. Losses: squared, absolute, quantile; `weight` is the importance of each round.

    Without NaN the problem is convex and solved exactly: squared loss by non-negative least squares, the others as
    linear programs, `exact` where their duals prove it. With NaN it is not convex, and descent from several starts
    finds a local minimum: `exact` is False.

    >>> found = best_mixture([[0.0, 4.0], [1.0, 5.0], [2.0, 6.0]], y=[1.0, 2.0, 3.0])
    >>> found.weights.round(6), round(found.loss, 6), found.exact
    (array([0.75, 0.25]), 0.0, True)
    """
    F, labels, h, chosen = _checked(forecasts, y, loss, weight)
    exact = not np.isnan(F).any()
    if not exact:
        w = _descended(F, labels, h, chosen)
    elif not len(F):
        w = np.full(F.shape[1], 1.0 / F.shape[1])
    elif isinstance(chosen, losses.Squared):
        w = nearest_mixture(np.sqrt(h)[:, None] * (F - labels[:, None]))
    else:
        w, s = _programmed(F, labels, h, chosen, convex=True)
        exact = _reached(float((s @ (labels[:, None] - F)).min()), chosen, F @ w, labels, h)
    return Combination(w, _total(chosen, mixed(F, w), labels, h), exact)


def best_linear(
    forecasts: npt.ArrayLike, y: npt.ArrayLike, loss: str | losses.Loss = "squared", weight: npt.ArrayLike | None = None
) -> Combination:
    """The weights of any sign and sum for which sum_i w_i forecast_i has the smallest total loss; no intercept.

    For an expert asleep (NaN) stands the mean of those awake, as if it had joined; a round with nobody awake counts
    for nothing. Squared loss by least squares (of several best the shortest w, each forecast in its own unit), exact;
    absolute and quantile loss as linear programs, exact where their duals prove it.

    >>> best_linear([[1.0, 1.0], [1.0, 2.0], [1.0, 3.0]], y=[5.0, 7.0, 9.0]).weights.round(6)
    array([3., 2.])
    """
    F, labels, h, chosen = _checked(forecasts, y, loss, weight)
    known = ~np.isnan(F).all(axis=1)
    F, labels, h = F[known], labels[known], h[known]
    F = np.where(np.isnan(F), mixed(F, np.full(F.shape[1], 1.0))[:, None], F)
    # In its own unit each: what is much smaller than the others would be taken for rounding.
    units = np.abs(F).max(axis=0, initial=0.0)
    units[units == 0.0] = 1.0
    alike, exact = F / units, True
    if isinstance(chosen, losses.Squared):
        w = np.linalg.lstsq(np.sqrt(h)[:, None] * alike, np.sqrt(h) * labels, rcond=None)[0]
    else:
        w, s = _programmed(alike, labels, h, chosen, convex=False)
        # s . alike is 0 but for rounding, of which weights as large as w make this much.
        exact = _reached(float(s @ labels - np.abs(s @ alike) @ np.abs(w)), chosen, alike @ w, labels, h)
    with np.errstate(over="ignore"):
        return Combination(np.asarray(w / units), _total(chosen, F @ (w / units), labels, h), exact)


def mixed(F: Array, w: Array) -> Array:
    """The forecasts of the mixture: w renormalised over those awake; NaN where nobody is."""
    awake = ~np.isnan(F)
    shares = awake @ w
    alone = shares <= 0.0
    some = np.nan_to_num(F, nan=0.0)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(alone, some.sum(axis=1) / awake.sum(axis=1), some @ w / shares)


def _slopes(chosen: losses.Loss) -> tuple[float, float]:
    """The range of -loss'(p): a kinked loss is the largest s (y - p) over s in it."""
    return chosen.slopes()  # type: ignore[return-value]


def _total(chosen: losses.Loss, p: Array, y: Array, h: Array) -> float:
    known = ~np.isnan(p)
    p, y, h = p[known], y[known], h[known]
    if isinstance(chosen, losses.Squared):
        return float(h @ (p - y) ** 2)
    low, high = _slopes(chosen)
    return float(h @ np.maximum(low * (y - p), high * (y - p)))


def _reached(least: float, chosen: losses.Loss, p: Array, y: Array, h: Array) -> bool:
    """Whether the loss of p is the least one, up to 1e-6 of it or 1e-10 of the loss of p = 0."""
    found = _total(chosen, p, y, h)
    return found - least <= max(1e-6 * found, 1e-10 * _total(chosen, np.zeros(len(y)), y, h))


def _programmed(F: Array, y: Array, h: Array, chosen: losses.Loss, convex: bool) -> tuple[Array, Array]:
    """The w of least kinked loss and the s that proves it, by the dual program, which has but one row per expert:

    max sum_t s_t y_t over h_t low <= s_t <= h_t high with sum_t s_t F_{t,i} = 0 for all i (linear), or <= mu for a free
    mu at the price of mu (convex). w are the multipliers of these rows.
    """
    (low, high), (T, N) = _slopes(chosen), F.shape
    if T == 0 or not h.any():
        return (np.full(N, 1.0 / N) if convex else np.zeros(N)), np.zeros(T)
    bounds = np.column_stack([h * low, h * high]) / h.max()  # the solver's tolerances are absolute: all are near 1
    size = float(np.abs(y).max()) or 1.0
    if convex:
        size = max(size, float(np.abs(F).max()))
        rows, cost = np.column_stack([F.T / size, np.full(N, -1.0)]), np.append(-y / size, 1.0)
        result = scipy_optimize().linprog(cost, rows, np.zeros(N), bounds=np.vstack([bounds, [-np.inf, np.inf]]))
    else:  # over an orthogonal basis of the forecasts, which may be much alike
        U, s, V = np.linalg.svd(F, full_matrices=False)
        rank = int((s > 1e-14 * s[0] * max(T, N)).sum())
        rows = np.sqrt(T) * U[:, :rank].T
        result = scipy_optimize().linprog(-y / size, A_eq=rows, b_eq=np.zeros(rank), bounds=bounds)
    if result.status != 0:
        raise ValueError(f"the linear program was not solved: {result.message}")
    slopes = np.clip(result.x[:T] * h.max(), h * low, h * high)
    if convex:
        w = np.maximum(-result.ineqlin.marginals, 0.0)
        return np.asarray(w / w.sum()), slopes
    return np.asarray(V[:rank].T @ (-result.eqlin.marginals * size * np.sqrt(T) / s[:rank])), slopes


def _descended(F: Array, y: Array, h: Array, chosen: losses.Loss) -> Array:
    """A local minimum over w = softmax(v) with sleepers, from the uniform mixture and near each of the best experts.

    A kink is rounded to the envelope max_s s z - width s^2/2, narrower and narrower.
    """
    awake = ~np.isnan(F)
    known = awake.any(axis=1)
    F, y, h, awake = np.nan_to_num(F[known], nan=0.0), y[known], h[known], awake[known].astype(np.float64)
    N = F.shape[1]
    size = float(np.abs(y[:, None] - F)[awake > 0.0].mean()) if len(F) else 0.0

    def objective(v: Array, width: float) -> tuple[float, Array]:
        e = np.exp(v - v.max())
        shares = np.maximum(awake @ e, 1e-300)
        p = F @ e / shares
        value, slope = _rounded(chosen, y - p, width)
        pull = -(h * slope) / shares
        gradient = e * (F.T @ pull - awake.T @ (pull * p))
        return float(h @ value), gradient

    starts = [np.zeros(N)]
    means = [_total(chosen, F[a, i], y[a], h[a]) / max(a.sum(), 1) for i, a in enumerate(awake.T > 0.0)]
    starts += [3.0 * np.eye(N)[i] for i in np.argsort(means, kind="stable")[:3]]
    widths = [0.0] if isinstance(chosen, losses.Squared) else [size * 10.0**-k for k in (1, 2, 3, 4)]
    missing = np.where(awake > 0.0, F, np.nan)
    best, least = np.full(N, 1.0 / N), np.inf
    for v in starts if size > 0.0 else []:
        for width in widths:
            options = {"maxiter": 1000, "ftol": 1e-15, "gtol": 1e-12}
            v = scipy_optimize().minimize(objective, v, (width,), "L-BFGS-B", jac=True, options=options).x
        w = np.exp(v - v.max())
        w /= w.sum()
        found = _total(chosen, mixed(missing, w), y, h)
        if found < least:
            best, least = w, found
    return best


def _rounded(chosen: losses.Loss, z: Array, width: float) -> tuple[Array, Array]:
    """The loss of z = y - p and its derivative in z."""
    if isinstance(chosen, losses.Squared):
        return z * z, 2.0 * z
    s = np.clip(z / width, *_slopes(chosen))
    return s * z - 0.5 * width * s * s, s


def _checked(
    forecasts: npt.ArrayLike, y: npt.ArrayLike, loss: str | losses.Loss, weight: npt.ArrayLike | None
) -> tuple[Array, Array, Array, losses.Loss]:
    F, labels, chosen = matrix("forecasts", forecasts), real_array("y", y), losses.get(loss)
    if not isinstance(chosen, losses.Squared) and chosen.slopes() is None:
        raise ValueError(f"loss is `{chosen}`, expected `squared`, `absolute` or `quantile:LEVEL`")
    if F.shape[1] == 0:
        raise ValueError("forecasts has no columns, expected one or more (one per expert)")
    h = np.ones(len(F)) if weight is None else real_array("weight", weight)
    for name, values in (("y", labels), ("weight", h)):
        if values.shape != F.shape[:1]:
            raise ValueError(f"{name} has the shape {values.shape}, expected {F.shape[:1]} (one number per round)")
        bad = ~np.isfinite(values) | ((values < 0.0) & (name == "weight"))
        if bad.any():
            least = ", 0 or more" if name == "weight" else ""
            raise ValueError(f"{name}[{int(np.argmax(bad))}] is `{values[bad][0]:g}`, expected a finite number{least}")
    if np.isinf(F).any():
        t, i = (int(k) for k in np.argwhere(np.isinf(F))[0])
        raise ValueError(f"forecasts[{t}, {i}] is `{F[t, i]:g}`, expected a finite number, or NaN for one asleep")
    return F, labels, h, chosen
