"""The dense learners' forms for several classes, row by row in NumPy: no sum is kept that can be made anew."""

from __future__ import annotations

import numpy as np
from scipy.special import softmax

from tests.linear.formulas import Array


class Columns:
    """The features in the order met, and the rows that were learned."""

    def __init__(self, width: int) -> None:
        self.order: list[int] = []
        self.past = np.zeros((0, width))

    def look(self, x: Array) -> tuple[list[int], Array]:
        """The features with those that this row brings, and all rows with this one, by column."""
        met = self.order + [int(j) for j in np.flatnonzero(x) if j not in self.order]
        return met, np.vstack([self.past, x])[:, met]

    def learn(self, x: Array) -> None:
        self.order, self.past = self.look(x)[0], np.vstack([self.past, x])


def with_zeros(table: Array, classes: int) -> Array:
    """The table with room for so many classes in its last axis."""
    return np.concatenate([table, np.zeros((*table.shape[:-1], max(0, classes - table.shape[-1])))], axis=-1)


def newton(
    X: Array, y: Array, h: Array, *, penalty: float = 1.0, walk: float = 0.0, fading: bool = False
) -> list[Array]:
    """The probabilities of the classes met so far, before each row; one matrix for all columns from the start."""
    size = X.shape[1] + 1
    columns, W, P, t, out = Columns(size - 1), np.zeros((size, 0)), np.eye(size) / penalty, 0, []
    for x, label, weight in zip(X, y, h, strict=True):
        met, seen = columns.look(x)
        z = np.zeros(size)
        z[0] = 1.0
        for place, values in enumerate(seen.T):
            if values[-1] != 0.0:
                z[place + 1] = np.clip(values[-1] / np.sqrt(np.mean(values[values != 0.0] ** 2)), -20.0, 20.0)
        out.append(softmax(np.clip(z @ W, -50.0, 50.0)) if W.size else np.zeros(0))
        if weight == 0.0:
            continue
        columns.learn(x)
        W, t = with_zeros(W, int(label) + 1), t + 1
        p = softmax(np.clip(z @ W, -50.0, 50.0))
        slope = p - np.eye(len(p))[int(label)]
        s, f, n = max((1.0 - p @ p) / 2.0, 0.001), t / (t + 1) if fading else 1.0, len(met) + 1
        k = P @ z
        den = f + weight * s * (z @ k)
        W -= weight * np.outer(k, slope) / den
        P[:n, :n] = (P - weight * s / den * np.outer(k, k))[:n, :n] / f
        P[np.diag_indices(n)] += np.where(np.diag(P)[:n] < 1.0 / penalty, walk / penalty, 0.0)
        if fading:
            cut = np.sqrt(np.minimum(1.0, 10000.0 / penalty / np.diag(P)[:n]))
            P[:n, :n] *= np.outer(cut, cut)
    return out


def uniform(seed: int, n: int) -> float:
    """core/numeric/keyed.hpp: the finaliser of SplitMix64 over seed and key."""
    whole, golden = 2**64 - 1, 0x9E3779B97F4A7C15

    def scrambled(key: int) -> int:
        key = (key ^ (key >> 30)) * 0xBF58476D1CE4E5B9 & whole
        key = (key ^ (key >> 27)) * 0x94D049BB133111EB & whole
        return key ^ (key >> 31)

    return (scrambled((scrambled(seed + golden & whole) + (n + 1) * golden) & whole) >> 11) / 2.0**53


class Adam:
    """Kingma, Ba 2015, algorithm 1, over a table that may grow by zeros in its last axis."""

    def __init__(self, w: Array, rate: float) -> None:
        self.w, self.rate, self.M, self.V = w, rate, np.zeros_like(w), np.zeros_like(w)

    def grow(self, classes: int) -> None:
        self.w, self.M, self.V = (with_zeros(each, classes) for each in (self.w, self.M, self.V))

    def step(self, slope: Array, t: int) -> None:
        self.M = 0.9 * self.M + 0.1 * slope
        self.V = 0.999 * self.V + 0.001 * slope**2
        self.w = self.w - self.rate * (self.M / (1 - 0.9**t)) / (np.sqrt(self.V / (1 - 0.999**t)) + 1e-10)


def network(X: Array, y: Array, h: Array, *, hidden: int = 32, rate: float = 0.01, seed: int = 0) -> list[Array]:
    """Room for all columns from the start; a column's weights are drawn when it is first learned."""

    def draws(place: int) -> Array:
        keys = [(place * 1024 + k) * 12 for k in range(hidden)]
        return np.array([sum(uniform(seed, key + i) for i in range(12)) - 6.0 for key in keys])

    size = X.shape[1] + 1
    columns, W, U = Columns(size - 1), Adam(np.zeros((hidden, size)), rate), Adam(np.zeros((hidden + 1, 0)), rate)
    W.w[:, 0] = 0.5 * draws(1)
    born = t = 0
    out = []
    for x, label, weight in zip(X, y, h, strict=True):
        met, seen = columns.look(x)
        z = np.zeros(size)
        z[0] = 1.0
        for place, values in enumerate(seen.T[: len(columns.order)]):  # a column counts from the row behind its first
            if np.ptp(values) > 0.0:
                z[place + 1] = np.clip((values[-1] - values.mean()) / values.std(), -4.0, 4.0)
        w = W.w.copy()
        for j in range(born, len(met)):
            w[:, j + 1] = np.sqrt(2.0 / len(met)) * draws(j + 2)
        a = w @ z
        units = np.append(1.0, np.maximum(a, 0.01 * a))
        out.append(softmax(units @ U.w) if U.w.size else np.zeros(0))
        if weight == 0.0:
            continue
        columns.learn(x)
        U.grow(int(label) + 1)
        p = softmax(units @ U.w)
        slope = weight * (p - np.eye(len(p))[int(label)])
        back = (U.w @ slope)[1:] * np.where(a > 0.0, 1.0, 0.01)
        born, W.w, t = len(met), w, t + 1
        W.step(np.outer(back, z), t)
        U.step(np.outer(units, slope), t)
    return out


def neighbours(X: Array, y: Array, h: Array, *, neighbours: int = 7, window: int = 1000) -> list[Array]:
    """All distances sorted; the ring is a list by slots."""
    columns, classes, out = Columns(X.shape[1]), 0, []
    ring: list[tuple[Array, int, float]] = []
    place = 0  # of the next row

    def rows_kept() -> int:
        return max(64, min(window, 16384 // len(columns.order))) if columns.order else window

    for x, label, weight in zip(X, y, h, strict=True):
        p = np.full(classes, 0.1 / max(classes, 1))
        seen = np.vstack([columns.past, x])
        used = [j for j in columns.order if np.ptp(seen[:, j]) > 0.0]
        if ring:
            kept, labels, importances = (np.array(part) for part in zip(*ring, strict=True))
            D = ((x - kept)[:, used] ** 2 / np.var(seen[:, used], axis=0)).sum(axis=1)
            near = np.argsort(D, kind="stable")[:neighbours]
            np.add.at(p, labels[near], importances[near] * np.exp(-2.0 * D[near] / (D[near[-1]] or 1.0)))
        out.append(p / p.sum())
        if weight == 0.0:
            continue
        n, classes = rows_kept(), max(classes, int(label) + 1)
        columns.learn(x)
        if rows_kept() < n:
            ring = (ring[place:] + ring[:place] if len(ring) == n else ring)[-rows_kept() :]
            place = len(ring) % rows_kept()
        ring[place : place + 1] = [(x, int(label), weight)]
        place = (place + 1) % rows_kept()
    return out


Split = dict[int, tuple[int, float]]
DEPTH, BINS, PENALTY, LEAST = 5, 32, 20.0, 5


def edges_of(values: Array) -> Array:
    """core/dense/bins.hpp."""
    v, u = np.sort(values), np.unique(values)
    if len(u) <= BINS:
        return np.asarray(u[:-1])
    at = np.unique([v[k * len(v) // BINS] for k in range(1, BINS)])
    return np.asarray(at[at < u[-1]])


def leaf_of(splits: Split, x: Array) -> int:
    """The leaf in which a row ends."""
    k = 0
    for _ in range(DEPTH):
        k = 2 * k + 1 + (k in splits and x[splits[k][0]] > splits[k][1])
    return int(k) - (2**DEPTH - 1)


def rounded(values: Array) -> tuple[Array, float]:
    """As integers of 30 bits at most, whose sums are exact in any order, and the power of two that is their unit."""
    unit = 2.0 ** (max(int(np.frexp(np.max(np.abs(values)))[1]), -900) - 30)
    return np.rint(values / unit), unit


def splits_of(codes: Array, edges: list[Array], columns: list[int], g: Array, h: Array) -> Split:
    """The splits by node of the heap: column and threshold."""
    (g, _), (h, unit) = rounded(g), rounded(h)
    splits: Split = {}
    rows = {0: np.arange(len(g))}

    def score(slope: Array, curvature: Array) -> Array:
        return slope**2 / (curvature + PENALTY / unit)

    for k in range(2**DEPTH - 1):
        if k not in rows:
            continue
        mine, best, at = rows[k], 0.0, (0, 0)
        G, H = g[mine].sum(), h[mine].sum()
        for j in columns:
            GL, HL, nL = (
                np.cumsum(np.bincount(codes[mine, j], weights=w, minlength=BINS))[: len(edges[j])]
                for w in (g[mine], h[mine], np.ones(len(mine)))
            )
            gain = score(GL, HL) + score(G - GL, H - HL) - score(G, H)
            gain[(nL < LEAST) | (len(mine) - nL < LEAST)] = 0.0
            if len(gain) and gain.max() > best:
                best, at = float(gain.max()), (j, int(np.argmax(gain)))
        if best > 0.0:
            splits[k] = (at[0], float(edges[at[0]][at[1]]))
            right = codes[mine, at[0]] > at[1]
            rows[2 * k + 1], rows[2 * k + 2] = mine[~right], mine[right]
    return splits


def trees(
    X: Array,
    y: Array,
    h: Array,
    *,
    trees: int = 100,
    window: int = 4096,
    rate: float = 0.1,
    seed: int = 0,
) -> list[Array]:
    """Every sum and every descent anew; a tree is its splits and a table of a value per leaf and class."""
    columns = Columns(X.shape[1])
    x, Y, w = np.zeros((0, X.shape[1])), np.zeros(0, int), np.zeros(0)  # of the kept rows, by column
    b, F = np.zeros(0), np.zeros((0, 0))
    forest: list[tuple[Split, Array]] = []
    edges: list[Array] = []
    t, after, rebin, builds, out = 0, 16, 0, 0, []

    def step(slopes: Array, p: Array, importance: Array) -> Array:
        C = slopes.shape[1]
        H = (importance[:, None] * p * (1.0 - p)).sum(axis=0)
        return np.asarray(-(importance[:, None] * slopes).sum(axis=0) / (H + PENALTY * (C - 1) / C**2))

    for line, label, weight in zip(X, y, h, strict=True):
        met, _ = columns.look(line)
        row = np.zeros(X.shape[1])
        row[: len(met)] = line[met]
        m = b + sum((values[leaf_of(splits, row)] for splits, values in forest), np.zeros(len(b)))
        out.append(softmax(m) if m.size else m)
        if weight == 0.0:
            continue
        columns.learn(line)
        C = max(len(b), int(label) + 1)
        b, m, F = with_zeros(b, C), with_zeros(m, C), with_zeros(F, C)
        forest = [(splits, with_zeros(values, C)) for splits, values in forest]
        fresh = (row, int(label), weight, m)
        if t < window:
            x, Y, w, F = (np.concatenate([old, [new]]) for old, new in zip((x, Y, w, F), fresh, strict=True))
        else:
            x[t % window], Y[t % window], w[t % window], F[t % window] = fresh
        t += 1
        if t < after:
            continue
        n, d = len(Y), len(met)
        after = t + max(4, n // 32)
        if C == 1:
            continue
        if t >= rebin:
            edges = [edges_of(x[:: max(1, n // 256), j]) for j in range(d)]
            rebin = 2 * t if t < window else t + window
        edges += [np.zeros(0)] * (d - len(edges))
        codes = np.array([np.searchsorted(edges[j], x[:, j], side="left") for j in range(d)]).T.reshape(n, d)
        if len(forest) >= max(min(30, trees), trees * n // window):
            splits, values = forest.pop(0)
            F -= np.array([values[leaf_of(splits, each)] for each in x])
        one = np.eye(C)[Y]
        p = softmax(F, axis=1)
        move = (0.3 if builds else 0.5) * step(p - one, p, w)
        b, F = b + move, F + move
        p = softmax(F, axis=1)
        r = np.array([-1.0 if uniform(seed, 2**62 + 256 * builds + c) < 0.5 else 1.0 for c in range(C)])
        if abs(r.sum()) == C:
            r[builds % C] *= -1.0
        drawn = list(range(d))
        if d > 32:
            for i in range(32):
                other = i + int(uniform(seed, 32 * builds + i) * (d - i))
                drawn[i], drawn[other] = drawn[other], drawn[i]
            drawn = sorted(drawn[:32])
        splits = splits_of(codes, edges, drawn, w * ((p - one) @ r), w * np.maximum(1.0 - (p @ r) ** 2, 1e-6))
        leaf = np.array([leaf_of(splits, each) for each in x])
        values = np.zeros((2**DEPTH, C))
        for k in np.unique(leaf):
            mine = leaf == k
            values[k] = np.float32(rate * step((p - one)[mine], p[mine], w[mine]))
        forest.append((splits, values))
        F += values[leaf]
        builds += 1
    return out
