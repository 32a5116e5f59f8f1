"""The panel's recipe in float64, row by row, slow, sharing nothing with the core: two levels of members and combiners.

`Lin` has 15 members that are linear in the features, for numbers 14, `Auto` these, `Lin` itself and four dense ones.
Labels are -1 and 1, or numbers where `real`; a member has a margin, or for numbers a prediction. Symbols are those of
the sources: x the row with the constant 1 as its first feature, s_j the largest |x_j| so far, this row included, h
the importance.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import expit, logit

from tests.dense.formulas import Labels, Neighbours, Network, Newton, RollingTrees
from tests.linear.formulas import Array


@dataclass
class Row:
    """What is not 0 of a row, the constant first, in scales that include it."""

    j: Array
    x: Array
    s: Array
    ratio: Array  # s_j before this row, divided by s_j
    z: Array  # x_j/rms_j cut to +-20
    Z: Array  # the same over all features
    met: Array  # which features were met, this row included
    d: int  # how many these are
    nonzeros: float  # how many features a row has, in the mean, this row included


@dataclass
class Totals:
    """Of the rows learned: their number n and importance t, N = sum h (x_j/s_j)^2, and that of h |x|^2."""

    n: int = 0
    t: float = 0.0
    N: float = 0.0
    squares: float = 0.0

    def learn(self, row: Row, h: float) -> None:
        self.n += 1
        self.t += h
        self.N += h * float(((row.x / row.s) ** 2).sum())
        self.squares += h * float(row.x @ row.x)


@dataclass
class Told:
    """A label: p is the member's prediction, clipped, `at` for numbers c + w.x; s the range of numbers, or 1."""

    real: bool
    y: float
    h: float
    s: float
    totals: Totals
    p: float = 0.0
    at: float = 0.0

    def slope(self) -> float:
        """In units of s."""
        return (self.p - self.y) / self.s if self.real else -self.y * float(expit(-self.y * self.p))

    def curved(self) -> tuple[float, float]:
        """Slope and curvature for Newton's step."""
        if self.real:
            return self.h * (self.at - self.y), self.h
        p = float(expit(self.p))
        return self.h * (p - (self.y > 0.0)), self.h * max(p * (1.0 - p), 0.001)

    def invariant(self, eta: float, v: float) -> float:
        """u, which moves the prediction by u v, as infinitely many steps of total size eta h would."""
        step = eta * self.h * v
        if self.real:
            return (self.y - self.p) * -float(np.expm1(-2.0 * step)) / v
        if step < 1e-6:
            return self.y * eta * self.h * float(expit(-self.y * self.p))
        return self.y * rise(step, float(np.exp(self.y * self.p))) / v


def rise(step: float, a: float) -> float:
    """d = z - y m, where z + e^z = step + y m + e^(y m): d + a (e^d - 1) = step, a = e^(y m), from above by Newton."""
    d = min(step, float(np.log1p(step / a)))
    for _ in range(200):
        off = (d + a * float(np.expm1(d)) - step) / (1.0 + a * float(np.exp(d)))
        d -= off
        if abs(off) <= 1e-16 * d:
            break
    return d


class Scales:
    """Of the rows learned, and of the one looked at."""

    def __init__(self, width: int) -> None:
        n = width + 1
        self.s, self.squares, self.counts = np.zeros(n), np.zeros(n), np.zeros(n)
        self.totals, self.d, self.nonzeros = Totals(), 0, 0.0

    def look(self, x: Array) -> Row:
        x = np.append(1.0, x)
        j = np.flatnonzero(x)
        s = np.maximum(self.s[j], np.abs(x[j]))
        rms = np.sqrt((self.squares[j] + x[j] ** 2) / (self.counts[j] + 1.0))
        z = np.clip(x[j] / rms, -20.0, 20.0)
        Z = np.zeros(len(x))
        Z[j] = z
        met, nonzeros = (self.counts > 0.0) | (x != 0.0), (self.counts[1:].sum() + len(j) - 1) / (self.totals.n + 1)
        return Row(j, x[j], s, self.s[j] / s, z, Z, met, int(met[1:].sum()), nonzeros)

    def learn(self, row: Row, h: float) -> None:
        self.totals.learn(row, h)
        self.s[row.j] = row.s
        self.squares[row.j] += row.x**2
        self.counts[row.j] += 1.0
        self.d, self.nonzeros = row.d, row.nonzeros


class Linear:
    """A member whose output, a margin or what is added to the mean of the labels, is w . x."""

    def __init__(self, size: int) -> None:
        self.w = np.zeros(size)

    def output(self, row: Row, before: Totals, s: float) -> float:
        return float(self.w[row.j] @ row.x)

    def rescale(self, row: Row) -> None:
        """The scales have grown."""

    def learn(self, row: Row, told: Told) -> None:
        raise NotImplementedError


class Nag(Linear):
    """AdaGrad, normalised and invariant; `power` 2 is the constant step."""

    def __init__(self, size: int, eta: float, power: int = 1) -> None:
        super().__init__(size)
        self.G, self.eta, self.power = np.zeros(size), eta, power

    def output(self, row: Row, before: Totals, s: float) -> float:
        return float((self.w[row.j] * row.ratio**self.power) @ row.x)

    def rescale(self, row: Row) -> None:
        self.w[row.j] *= row.ratio**self.power

    def learn(self, row: Row, told: Told) -> None:
        g = told.slope()
        if g == 0.0:
            return
        if self.power == 1:
            self.G[row.j] += told.h * ((2.0 if told.real else 1.0) * g) ** 2 * row.x**2
            d, k = 1.0 / (row.s * np.sqrt(self.G[row.j])), np.sqrt(told.totals.t / told.totals.N)
        else:
            d, k = 1.0 / row.s**2, told.totals.t / told.totals.N
        v = float(k * (row.x**2 @ d))
        self.w[row.j] += told.invariant(self.eta, v) * k * d * row.x


class Coin(Linear):
    """A purse for every feature: theta is the bet."""

    def __init__(self, size: int, a: float) -> None:
        self.a = a
        self.Z, self.A, self.Re, self.M = (np.zeros(size) for _ in range(4))

    def theta(self, row: Row) -> Array:
        i = row.j
        Ms = self.M[i] * row.s
        below = Ms * (Ms + self.A[i])
        return np.divide((self.a + self.Re[i]) * self.Z[i], below, out=np.zeros(len(i)), where=below > 0.0)

    def output(self, row: Row, before: Totals, s: float) -> float:
        return s * before.t / before.N * float(self.theta(row) @ row.x) if before.N > 0.0 else 0.0

    def learn(self, row: Row, told: Told) -> None:
        g, i = told.h * told.slope(), row.j
        self.M[i] = np.maximum(np.maximum(self.M[i], abs(g)), 1.0)
        theta = self.theta(row)
        self.Z[i] -= g * row.x
        self.A[i] += np.abs(g * row.x)
        self.Re[i] -= g * row.x * theta


class Adag(Linear):
    def __init__(self, size: int) -> None:
        super().__init__(size)
        self.G = np.full(size, 1e-8)

    def learn(self, row: Row, told: Told) -> None:
        slopes = told.h * told.slope() * row.x
        self.G[row.j] += slopes**2
        self.w[row.j] -= 0.2 * told.s * slopes / np.sqrt(self.G[row.j])


class Pa(Linear):
    """The weights are those of x/s."""

    def output(self, row: Row, before: Totals, s: float) -> float:
        return float(self.w[row.j] @ (row.x / row.s))

    def learn(self, row: Row, told: Told) -> None:
        x = row.x / row.s
        e = told.y - told.at if told.real else told.y * max(0.0, 1.0 - told.y * told.p)
        self.w[row.j] += np.sign(e) * min(0.1 * told.s * told.h, abs(e) / float(x @ x)) * x


class Arow(Pa):
    def __init__(self, size: int) -> None:
        super().__init__(size)
        self.S = np.ones(size)

    def learn(self, row: Row, told: Told) -> None:
        x, S = row.x / row.s, self.S[row.j]
        if not told.real and told.y * told.p >= 1.0:
            return
        e = told.y - (told.at if told.real else told.p)
        b = 1.0 / (float(S @ x**2) + 1.0 / told.h)
        self.w[row.j] += e * b * S * x
        self.S[row.j] -= b * (S * x) ** 2


class DiagonalNewton(Linear):
    def __init__(self, size: int) -> None:
        super().__init__(size)
        self.P = np.ones(size)

    def output(self, row: Row, before: Totals, s: float) -> float:
        return float(self.w[row.j] @ row.z)

    def learn(self, row: Row, told: Told) -> None:
        g, c = told.curved()
        P = self.P[row.j]
        den = 1.0 + c * float(P @ row.z**2)
        self.w[row.j] -= g * P * row.z / den
        P = P - c * (P * row.z) ** 2 / den
        self.P[row.j] = np.where(P < 1.0, P + 1e-4, P)


class FullNewton(Linear):
    def __init__(self, size: int, penalty: float, walk: float = 0.0, fading: bool = False) -> None:
        self.newton = Newton(size, penalty, walk, fading)

    def output(self, row: Row, before: Totals, s: float) -> float:
        return float(self.newton.w @ row.Z)

    def learn(self, row: Row, told: Told) -> None:
        self.newton.t = told.totals.n - 1  # rows of which nothing was learned count too
        self.newton.learn(row.Z, *told.curved(), row.met)


class AdaNormalHedge:
    """R and C are in units of the largest importance so far."""

    def __init__(self, K: int) -> None:
        self.R, self.C, self.H = np.zeros(K), np.zeros(K), 0.0

    def weights(self, awake: Array) -> Array:
        up, down = (np.maximum(self.R + one, 0.0) ** 2 / (3.0 * (self.C + 1.0)) for one in (1.0, -1.0))
        with np.errstate(divide="ignore"):
            logs = np.where(awake, up + np.log(-np.expm1(down - up)), -np.inf)  # w = (e^up - e^down)/2
        w = np.exp(logs - logs.max()) if np.isfinite(logs).any() else np.where(awake, 1.0, 0.0)
        return np.asarray(w / w.sum())

    def learn(self, r: Array, h: float) -> None:
        H = max(self.H, h)
        self.R, self.C, self.H = self.R * (self.H / H), self.C * (self.H / H), H
        self.R += h * r / H
        self.C += np.abs(h * r / H)


class Stacker:
    """Newton's steps over some of the members, about equal weights."""

    def __init__(self, seats: Array, real: bool, penalty: float, walk: float = 0.0) -> None:
        self.seats, self.real, self.newton = seats, real, Newton(len(seats) + 1, penalty, walk)
        self.newton.w[: len(seats)] = 1.0 / len(seats)

    def inputs(self, m: Array, awake: Array, labels: Labels, s: float) -> Array:
        z = (m - labels.first) / s if self.real else np.clip(m, -8.0, 8.0)
        return np.append(np.where(awake, z, 0.0)[self.seats], 1.0)

    def predict(self, m: Array, awake: Array, labels: Labels) -> float:
        if self.real and labels.s == 0.0:
            return labels.c
        total = float(self.newton.w @ self.inputs(m, awake, labels, labels.s))
        if self.real:
            return labels.clip(labels.first + labels.s * total)
        return float(expit(np.clip(total, -30.0, 30.0)))

    def learn(self, m: Array, awake: Array, labels: Labels, s: float, y: float, h: float) -> None:
        z = self.inputs(m, awake, labels, s)
        total = float(self.newton.w @ z)
        p = float(expit(np.clip(total, -30.0, 30.0)))
        g, c = (total - (y - labels.first) / s, 1.0) if self.real else (p - (y > 0.0), max(p * (1.0 - p), 0.001))
        self.newton.learn(z, h * g, h * c, np.ones(len(z), bool))


class Combiners:
    """A, B, stackers C, D, ... over K members, and A's rule over all. But for D, stackers look at the last `own`."""

    def __init__(
        self, K: int, real: bool, own: int | None = None, more: list[tuple[float, float]] | None = None
    ) -> None:
        self.real = real
        self.A = AdaNormalHedge(K)
        self.v, self.errors, self.importance = np.full(K, 1.0 / K), 0.0, 0.0
        seats = np.arange(K - (own or K), K)
        self.C = Stacker(seats, real, penalty=1.0 if real else 10.0)
        self.D = Stacker(np.arange(K), real, penalty=0.1 if real else 10.0, walk=1e-4)
        self.stackers = [self.C, self.D, *(Stacker(seats, real, penalty, walk) for penalty, walk in more or [])]
        self.final = AdaNormalHedge(2 + len(self.stackers))

    def predict(self, m: Array, awake: Array, labels: Labels) -> tuple[Array, float]:
        """All of them and their mixture: probabilities of 1, or predictions."""
        self.m, self.awake = m, awake
        self.p = np.where(awake, m if self.real else expit(m), 0.0)
        self.pi = self.A.weights(awake)
        self.shown = np.where(awake, self.v, 0.0) / self.v[awake].sum()
        stacked = [stacker.predict(m, awake, labels) for stacker in self.stackers]
        self.said = np.array([self.pi @ self.p, self.shown @ self.p, *stacked])
        self.shares = self.final.weights(np.ones(len(self.said), bool))
        return self.said, float(self.shares @ self.said)

    def learn(self, y: float, h: float, n: int, labels: Labels, s: float) -> None:
        """With the labels before this one, and the range s with it; n rows were learned, with this one."""
        target, unit = (y, s) if self.real else (float(y > 0.0), 1.0)
        losses, costs = ((self.p - target) / unit) ** 2, ((self.said - target) / unit) ** 2
        mixed = costs[0] if self.real else self.pi @ losses
        self.A.learn(np.where(self.awake, mixed - losses, 0.0), h)
        self.final.learn(self.shares @ costs - costs, h)
        p = np.where(self.awake, self.p, self.said[1])  # who sleeps is said to predict what B does
        if self.real:
            self.errors, self.importance = self.errors + h * (self.said[1] - y) ** 2, self.importance + h
            V = self.errors / self.importance
            e = (p - y) ** 2
            logs = -h * np.where(e > 0.0, np.minimum(20.0, 0.2 * e / V if V > 0.0 else 20.0), 0.0)
        else:
            q = np.clip(p, 1e-6, 1.0 - 1e-6)
            logs = h * np.log(q if y > 0.0 else 1.0 - q)
        logs += np.log(self.v)
        v, a = np.exp(logs - logs.max()), 1.0 / (n + 1.0)
        self.v = (1.0 - a) * v / v.sum() + a / len(v)
        for stacker in self.stackers:
            stacker.learn(self.m, self.awake, labels, s, y, h)


class Lin:
    """Linear members; those with a matrix sleep from the row on behind one that brings more than 64 features."""

    def __init__(self, width: int, real: bool = False) -> None:
        n = width + 1
        self.real = real
        self.members: list[Linear] = [Nag(n, 0.5), Nag(n, 2.0), Nag(n, 25.0), Nag(n, 0.1, power=2)]
        self.members += [Coin(n, 16.0), Coin(n, 64.0), *([] if real else [Adag(n)]), Pa(n), Arow(n), DiagonalNewton(n)]
        self.members += [FullNewton(n, 0.1), FullNewton(n, 10.0), FullNewton(n, 1.0, 1e-4), FullNewton(n, 1.0, 1e-3)]
        self.members += [FullNewton(n, 1.0, fading=True)]
        self.narrow = np.array([isinstance(member, FullNewton) for member in self.members])
        self.awake = np.ones(len(self.members), bool)
        self.combiners = Combiners(len(self.members), real)
        self.scales, self.labels = Scales(width), Labels()

    def predict(self, x: Array) -> dict[str, Any]:
        self.row, labels = self.scales.look(x), self.labels
        self.out, self.m = np.zeros((2, len(self.members)))
        self.up = self.awake.copy()
        for i in np.flatnonzero(self.up):
            out = self.members[i].output(self.row, self.scales.totals, labels.s if self.real else 1.0)
            self.up[i] = np.isfinite(out)
            if self.up[i]:
                self.out[i] = out
                self.m[i] = labels.clip(labels.c + out) if self.real else np.clip(out, -50.0, 50.0)
        said, p = self.combiners.predict(self.m, self.up, labels)
        return {"members": self.m, "lin_combiners": said, "lin": p}

    def learn(self, y: float, h: float) -> None:
        row, labels = self.row, self.labels
        if self.real:
            self.labels = labels.after(y, h)
            if len(labels.y) == 0:
                return
        self.awake = self.up & ~(self.narrow & (row.d > 64))
        self.scales.learn(row, h)
        s = self.labels.s if self.real else 1.0
        for i in np.flatnonzero(self.awake):
            self.members[i].rescale(row)
            if s > 0.0:
                told = Told(self.real, y, h, s, self.scales.totals, self.m[i], labels.c + self.out[i])
                self.members[i].learn(row, told)
        if s > 0.0:
            self.combiners.learn(y, h, self.scales.totals.n, labels, s)


class Auto:
    """Over the members of LIN, LIN and four dense learners, which sleep beyond 320 features.

    Trees stay awake up to 1,000 of them, as long as a row has values in an eighth.
    """

    def __init__(self, width: int, real: bool = False) -> None:
        self.real, self.lin = real, Lin(width, real)
        self.trees = RollingTrees(width, real, trees=50, rate=0.2)
        self.boosted = RollingTrees(width, real, trees=200, window=16384, rate=0.2)  # on LIN's margin
        self.network, self.neighbours = Network(width, real), Neighbours(width, real, 3, 2000)
        self.dense = (self.trees, self.boosted, self.network, self.neighbours)
        self.awake = np.ones(4, bool)
        stackers = [(0.1, 0.0), (1.0, 1e-3), (10.0, 0.0)] if real else [(1.0, 0.0), (10.0, 1e-3), (100.0, 0.0)]
        self.combiners = Combiners(len(self.lin.members) + 5, real, own=5, more=stackers)

    def predict(self, x: Array) -> dict[str, Any]:
        out = self.lin.predict(x)
        p = out["lin"]
        at = p if self.real else float(logit(np.clip(p, 1e-6, 1.0 - 1e-6)))
        dense, self.up = np.zeros(4), self.awake.copy()
        for i in np.flatnonzero(self.up):
            each = self.dense[i]
            dense[i] = each.predict(x, at) if each is self.boosted else each.predict(x)
        self.up &= np.isfinite(dense)
        dense[~self.up] = 0.0
        up = np.concatenate([self.lin.up, [True], self.up])
        said, final = self.combiners.predict(np.concatenate([out["members"], [at], dense]), up, self.lin.labels)
        return {**out, "dense": dense, "combiners": said, "final": final}

    def learn(self, y: float, h: float) -> None:
        before = self.lin.labels
        self.lin.learn(y, h)
        first = self.real and len(before.y) == 0
        d, wide = self.lin.scales.d, self.lin.scales.d <= min(1000, 8.0 * self.lin.scales.nonzeros)
        self.awake = self.up & np.array([d <= 320 or (wide and isinstance(each, RollingTrees)) for each in self.dense])
        for i in np.flatnonzero(self.awake):
            self.dense[i].learn(y, h)
        s = self.lin.labels.s if self.real else 1.0
        if s > 0.0 and not first:
            self.combiners.learn(y, h, self.lin.scales.totals.n, before, s)


def run(
    X: Array, y: Array, h: Array | None = None, task: str = "binary", drift: bool = False
) -> dict[str, np.ndarray[Any, Any]]:
    """What was predicted before each row was learned; a row of importance 0 is not learned. X has 32-bit values."""
    if drift:
        raise NotImplementedError("drift")
    model, found = Auto(X.shape[1], task == "numbers"), []
    for i, x in enumerate(X):
        found.append(model.predict(x))
        if h is None or h[i] > 0.0:
            model.learn(float(y[i]), 1.0 if h is None else float(h[i]))
    return {name: np.array([each[name] for each in found]) for name in found[0]}
