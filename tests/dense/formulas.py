"""The formulas of dense learners, row by row, in float64, slow, sharing nothing with the core.

A row is dense, with 0 where a feature is absent; its columns are the features in the order in which they were met.
`predict(x)` changes nothing, `learn(y, h)` takes the row that was predicted last. `real` is said of labels that are
numbers: predictions keep to the range of those so far, and the first of them is only noted.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from scipy.special import expit

from tests.linear.formulas import Array


class Learner(Protocol):
    def predict(self, x: Array) -> float: ...
    def learn(self, y: float, h: float) -> None: ...


def played(learner: Learner, X: Array, y: Array, h: Array) -> Array:
    """The predictions made before each row; a row of importance 0 is not learned."""
    p = np.zeros(len(X))
    for i, x in enumerate(X):
        p[i] = learner.predict(x)
        if h[i] > 0.0:
            learner.learn(y[i], h[i])
    return p


def uniform(seed: int, n: int) -> float:
    """The n-th keyed random number, by the finaliser of SplitMix64."""
    mask, golden = 2**64 - 1, 0x9E3779B97F4A7C15

    def scrambled(key: int) -> int:
        key = (key ^ (key >> 30)) * 0xBF58476D1CE4E5B9 & mask
        key = (key ^ (key >> 27)) * 0x94D049BB133111EB & mask
        return key ^ (key >> 31)

    return (scrambled((scrambled((seed + golden) & mask) + (n + 1) * golden) & mask) >> 11) * 2.0**-53


class Labels:
    """The numbers so far: the first of them, their range, their mean by importance."""

    def __init__(self) -> None:
        self.y, self.h = np.zeros(0), np.zeros(0)
        self.first = self.c = self.lo = self.hi = 0.0

    @property
    def s(self) -> float:
        return self.hi - self.lo

    def clip(self, p: float) -> float:
        return float(np.clip(p, self.lo, self.hi)) if len(self.y) else 0.0

    def after(self, y: float, h: float) -> Labels:
        """With one more."""
        more = Labels()
        more.y, more.h = np.append(self.y, y), np.append(self.h, h)
        more.first, more.lo, more.hi = float(more.y[0]), float(more.y.min()), float(more.y.max())
        more.c = float(more.h @ more.y / more.h.sum())
        return more


class Newton:
    """The filter over all columns at once: one that was not met has P = 1/penalty, w = 0 and the value 0."""

    def __init__(self, size: int, penalty: float, walk: float = 0.0, fading: bool = False) -> None:
        self.w, self.P, self.t = np.zeros(size), np.eye(size) / penalty, 0
        self.penalty, self.walk, self.fading = penalty, walk, fading

    def learn(self, z: Array, g: float | Array, c: float, met: Array) -> None:
        """With the slope and the curvature of the loss, times the importance; `met` says which columns were met.

        With a slope for each of several outputs, w has a column for each.
        """
        self.t += 1
        f = self.t / (self.t + 1.0) if self.fading else 1.0
        k = self.P @ z
        den = f + c * float(z @ k)
        self.w = self.w - np.multiply.outer(k, g) / den
        self.P = P = (self.P - c / den * np.outer(k, k)) / f
        if not self.fading:
            grows = (np.diag(P) < 1.0 / self.penalty) & met
            np.fill_diagonal(P, np.where(grows, np.diag(P) + self.walk / self.penalty, np.diag(P)))
        else:
            P[np.ix_(~met, ~met)] = np.eye(int((~met).sum())) / self.penalty
            for j in np.flatnonzero(np.diag(P) > 1e4 / self.penalty):
                P[j] *= np.sqrt(1e4 / self.penalty / P[j, j])
                P[:, j] = P[j]
                P[j, j] = 1e4 / self.penalty


class Adam:
    """Kingma, Ba 2015, algorithm 1."""

    def __init__(self, w: Array, rate: float) -> None:
        self.w, self.rate, self.M, self.V = w, rate, np.zeros_like(w), np.zeros_like(w)

    def step(self, slope: Array, t: int) -> None:
        self.M = 0.9 * self.M + 0.1 * slope
        self.V = 0.999 * self.V + 0.001 * slope**2
        self.w = self.w - self.rate * (self.M / (1 - 0.9**t)) / (np.sqrt(self.V / (1 - 0.999**t)) + 1e-10)


def draws(seed: int, place: int, units: int) -> Array:
    """Of one place of all units: 0 the output, 1 the constant, j + 2 column j."""
    return np.array([sum(uniform(seed, (place * 1024 + k) * 12 + i) for i in range(12)) - 6.0 for k in range(units)])


class Moments:
    """Of all rows so far and the one looked at: which columns there are, their means and variances."""

    def __init__(self, width: int) -> None:
        self.order: list[int] = []  # of the rows that were learned
        self.met = self.order
        self.rows = np.zeros((0, width))

    def look(self, x: Array) -> tuple[Array, Array]:
        self.seen = np.vstack([self.rows, x])
        self.met = self.order + [j for j in np.flatnonzero(x) if j not in self.order]
        seen = self.seen[:, self.met]
        variance = seen.var(axis=0)
        variance[np.ptp(seen, axis=0) == 0.0] = 0.0
        return seen.mean(axis=0), variance

    def learn(self) -> None:
        self.rows, self.order = self.seen, self.met


class Network:
    """Room for all columns from the start; a column's weights are drawn when it is first learned."""

    def __init__(self, width: int, real: bool, hidden: int = 32, rate: float | None = None, seed: int = 0) -> None:
        self.rate = rate if rate is not None else 0.003 if real else 0.01
        self.real, self.hidden, self.seed = real, hidden, seed
        self.W = Adam(np.zeros((hidden, width + 1)), self.rate)
        self.W.w[:, 0] = 0.5 * draws(seed, 1, hidden)
        self.u = Adam(np.append(0.0, np.sqrt(0.09 / hidden) * draws(seed, 0, hidden)), self.rate)
        self.moments, self.labels = Moments(width), Labels()
        self.born = self.t = 0

    def look(self, x: Array) -> None:
        """The units, and m: the output, or one for each class."""
        mean, variance = self.moments.look(x)
        met, known = self.moments.met, len(self.moments.order)
        d, sd = len(met), np.sqrt(variance)
        self.z = z = np.zeros(len(x) + 1)
        z[0] = 1.0
        z[1 : d + 1] = np.clip(np.divide(x[met] - mean, sd, out=np.zeros(d), where=sd > 0.0), -4.0, 4.0)
        z[known + 1 :] = 0.0  # a column counts from the row behind its first
        self.w = self.W.w.copy()
        for j in range(self.born, d):
            self.w[:, j + 1] = np.sqrt(2.0 / d) * draws(self.seed, j + 2, self.hidden)
        self.a = self.w @ z
        self.units = np.append(1.0, np.maximum(self.a, 0.01 * self.a))
        self.m = self.u.w @ self.units

    def predict(self, x: Array) -> float:
        self.look(x)
        if self.real:
            return self.labels.clip(self.labels.c + self.labels.s * self.m)
        return float(np.clip(self.m, -50.0, 50.0))

    def learn(self, y: float, h: float) -> None:
        before, self.labels = self.labels, self.labels.after(y, h)
        if self.real and len(before.y) == 0:
            return
        self.moments.learn()
        if self.real:
            if self.labels.s == 0.0:
                return
            g = 4.0 * (self.m - (y - before.c) / self.labels.s)
        else:
            g = float(expit(np.clip(self.m, -50.0, 50.0))) - (y > 0.0)
        self.step(h * g)

    def step(self, slope: float | Array) -> None:
        self.t += 1
        self.born, self.W.w = len(self.moments.order), self.w
        back = np.dot(slope, self.u.w[..., 1:]) * np.where(self.a > 0.0, 1.0, 0.01)
        self.W.step(np.outer(back, self.z), self.t)
        self.u.step(np.multiply.outer(slope, self.units), self.t)


PENALTY, BINS, DEPTH = 5.0, 32, 5
#: Columns and thresholds by node of the heap, inf where it is not split; the values of the leaves.
Tree = tuple[Array, Array, Array]


def edges_of(values: Array) -> Array:
    v, u = np.sort(values), np.unique(values)
    if len(u) <= BINS:
        return np.asarray(u[:-1])
    at = np.unique([v[k * len(v) // BINS] for k in range(1, BINS)])
    return np.asarray(at[at < u[-1]])


def rounded(values: Array) -> tuple[Array, float]:
    """As integers of 30 bits at most, and the power of two that is their unit."""
    unit = 2.0 ** (max(int(np.frexp(np.max(np.abs(values)))[1]), -900) - 30)
    return np.rint(values / unit), unit


def leaves_of(trees: list[Tree], x: Array) -> Array:
    """The values of the leaves in which the rows of x end, for every tree."""
    column, threshold, leaves = (np.array(part) for part in zip(*trees, strict=True))
    tree, row = np.arange(len(trees))[:, None], np.arange(len(x))
    k = np.zeros((len(trees), len(x)), int)
    for _ in range(DEPTH):
        k = 2 * k + 1 + (x[row, column[tree, k]] > threshold[tree, k])
    return np.asarray(leaves[tree, k - 2**DEPTH + 1], np.float64)


def tree_of(
    codes: Array,
    edges: list[Array],
    columns: list[int],
    g: Array,
    h: Array,
    rate: float,
    penalty: float = PENALTY,
    least: int = 2,
) -> Tree:
    """From the slopes and curvatures of rows, at least so many on a side; sums of integers are exact in any order."""
    (g, unit), (h, unit_h) = rounded(g), rounded(h)
    rounded_penalty = penalty / unit_h
    column, threshold = np.zeros(2**DEPTH - 1, int), np.full(2**DEPTH - 1, np.inf)
    leaves = np.zeros(2**DEPTH, np.float32)
    rows = {0: np.arange(len(g))}
    for k in range(2 ** (DEPTH + 1) - 1):
        if k not in rows:
            continue
        mine = rows[k]
        G, H, best, at = g[mine].sum(), h[mine].sum(), 0.0, (0, 0)
        for j in columns if k < 2**DEPTH - 1 and len(mine) >= 2 * least else ():
            c = codes[mine, j]
            left = [
                np.cumsum(np.bincount(c, weights=w, minlength=BINS))[: len(edges[j])]
                for w in (g[mine], h[mine], np.ones(len(mine)))
            ]
            GL, HL, nL = left
            gain = sum(Gs**2 / (Hs + rounded_penalty) for Gs, Hs in ((GL, HL), (G - GL, H - HL)))
            gain -= G**2 / (H + rounded_penalty)
            gain[(nL < least) | (len(mine) - nL < least)] = 0.0
            if len(gain) and gain.max() > best:
                best, at = float(gain.max()), (j, int(np.argmax(gain)))
        if best > 0.0:
            j, e = at
            column[k], threshold[k] = j, edges[j][e]
            right = codes[mine, j] > e
            rows[2 * k + 1], rows[2 * k + 2] = mine[~right], mine[right]
        else:
            while k < 2**DEPTH - 1:
                k = 2 * k + 1
            leaves[k - 2**DEPTH + 1] = -rate * (G * unit) / (H * unit_h + penalty)
    return column, threshold, leaves


def slopes(F: Array, Y: Array, w: Array, real: bool) -> tuple[Array, Array]:
    if real:
        return w * (F - Y), w.copy()
    q = expit(F)
    return w * (q - Y), w * np.maximum(q * (1.0 - q), 1e-6)


class RollingTrees:
    """Every sum and every descent anew."""

    def __init__(
        self, width: int, real: bool, trees: int = 100, window: int = 4096, rate: float = 0.1, seed: int = 0
    ) -> None:
        self.width, self.real, self.trees, self.window, self.rate, self.seed = width, real, trees, window, rate, seed
        self.most = window
        self.order: list[int] = []  # the features in the order met
        self.x = np.zeros((0, max(width, 1)))  # of the kept rows, by column
        self.Y, self.F, self.w = np.zeros(0), np.zeros(0), np.zeros(0)
        self.forest: list[Tree] = []
        self.edges: list[Array] = []
        self.b, self.t, self.next, self.step, self.rebin, self.builds = 0.0, 0, 8, 2, 0, 0
        self.labels = Labels()

    def look(self, x: Array, offset: float = 0.0) -> None:
        """The row by column, and m: the margin, or one for each class."""
        self.known = self.order + [j for j in np.flatnonzero(x) if j not in self.order]
        self.row = np.zeros(max(self.width, 1))
        self.row[: len(self.known)] = x[self.known]
        self.m = offset + self.b + sum(leaves_of(self.forest, self.row[None])[:, 0] if self.forest else [])

    def predict(self, x: Array, offset: float = 0.0) -> float:
        self.look(x, offset)
        if self.real:
            return self.labels.clip(self.m if self.builds else self.labels.c)
        return float(np.clip(self.m, -50.0, 50.0))

    def learn(self, y: float, h: float) -> None:
        self.labels = self.labels.after(y, h)
        if self.real and len(self.labels.y) == 1:
            return
        self.order = self.known
        self.keep(y if self.real else float(y > 0), h)

    def keep(self, Y: float | Array, h: float) -> None:
        fresh = (self.row, Y, self.m, h)
        kept = (self.x, self.Y, self.F, self.w)
        if self.t == 4096:
            self.window = min(self.window, max(4096, 2**21 // max(len(self.order), 1)))
        if self.t < self.window:
            self.x, self.Y, self.F, self.w = (np.concatenate([a, [new]]) for a, new in zip(kept, fresh, strict=True))
        else:
            for a, new in zip(kept, fresh, strict=True):
                a[self.t % self.window] = new
        self.t += 1
        if self.t >= self.next:
            self.build()
            self.next = self.t + max(self.step, len(self.Y) // 32)

    def binned(self) -> tuple[Array, list[int]]:
        """The codes of the kept rows, and the columns of a build."""
        x, n, d = self.x, len(self.Y), len(self.order)
        if self.t >= self.rebin:
            self.edges = [edges_of(x[:: max(1, n // 256), j]) for j in range(d)]
            self.rebin = 2 * self.t if self.t < self.window else self.t + self.window
        self.edges += [np.zeros(0)] * (d - len(self.edges))
        codes = np.array([np.searchsorted(self.edges[j], x[:, j], side="left") for j in range(d)]).T.reshape(n, d)
        columns = list(range(d))
        if d > 32:
            for i in range(32):
                other = i + int(uniform(self.seed, 32 * self.builds + i) * (d - i))
                columns[i], columns[other] = columns[other], columns[i]
            columns = sorted(columns[:32])
        return codes, columns

    def is_full(self) -> bool:
        return len(self.forest) >= max(min(30, self.trees), self.trees * len(self.Y) // self.most)

    def build(self) -> None:
        codes, columns = self.binned()
        x = self.x
        if self.is_full():
            self.F -= leaves_of(self.forest[:1], x)[0]
            self.forest = self.forest[1:]
        g, curvature = slopes(self.F, self.Y, self.w, self.real)
        step = -g.sum() / (curvature.sum() + (0.0 if self.real else PENALTY)) * (0.3 if self.builds else 1.0)
        self.b, self.F = self.b + step, self.F + step
        tree = tree_of(codes, self.edges, columns, *slopes(self.F, self.Y, self.w, self.real), self.rate)
        self.forest.append(tree)
        self.F += leaves_of([tree], x)[0]
        self.builds += 1


class Neighbours:
    """The k nearest of the last rows vote; of two equally near, the one in the earlier slot of the ring."""

    def __init__(self, width: int, real: bool, k: int = 7, window: int = 1000) -> None:
        self.real, self.k, self.window, self.moments, self.labels = real, k, window, Moments(width), Labels()
        self.x, self.Y, self.h, self.t = np.zeros((window, width)), np.zeros(window), np.zeros(window), 0

    def nearest(self, x: Array, window: int) -> tuple[Array, Array]:
        """The slots, and their weights without importances."""
        _, variance = self.moments.look(x)
        slots = np.sort(np.arange(max(0, self.t - window), self.t) % self.window)
        D = np.zeros(len(slots))
        for j, v in zip(self.moments.order, variance, strict=False):  # a column counts from the row behind its first
            if v > 0.0:
                D += (x[j] - self.x[slots, j]) ** 2 / v
        near = np.argsort(D, kind="stable")[: self.k]
        scale = D[near].max(initial=0.0)
        return slots[near], np.exp(-2.0 * D[near] / scale) if scale > 0.0 else np.ones(len(near))

    def predict(self, x: Array) -> float:
        self.row = x
        d = max(len(self.moments.order), 1)
        i, w = self.nearest(x, min(max(16384 // d, 64), self.window))
        w = w * self.h[i]
        if not self.real:
            return float(np.log((w @ self.Y[i] + 0.1) / (w @ (1.0 - self.Y[i]) + 0.1)))
        return self.labels.clip(float(w @ self.Y[i] / w.sum()) if len(i) else self.labels.c)

    def learn(self, y: float, h: float) -> None:
        self.labels = self.labels.after(y, h)
        if self.real and len(self.labels.y) == 1:
            return
        self.moments.learn()
        i = self.t % self.window
        self.x[i], self.Y[i], self.h[i] = self.row, y if self.real else y > 0.0, h
        self.t += 1
