"""The panel's recipe for several classes, in float64, row by row, slow, sharing nothing with the core.

Labels are 0 .. C - 1, C known from the start. A member has a probability for every class; there is one level.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import expit, softmax

from tests.dense.formulas import Adam, Neighbours, Network, Newton, RollingTrees, draws, leaves_of, tree_of, uniform
from tests.linear.formulas import Array
from tests.panel.formulas import AdaNormalHedge, Coin, Nag, Row, Scales, Told, Totals


def chances(m: Array) -> Array:
    return np.asarray(softmax(np.clip(m, -50.0, 50.0)))


def indicator(y: int, C: int) -> Array:
    return np.eye(C)[y]


class OneVsAll:
    """Normalised AdaGrad or another, one for each class."""

    def __init__(self, size: int, C: int, rate: float, kind: type[Nag] | type[Coin] = Nag) -> None:
        self.members = [kind(size, rate) for _ in range(C)]

    def predict(self, row: Row, before: Totals) -> Array:
        self.m = np.clip([member.output(row, before, 1.0) for member in self.members], -50.0, 50.0)
        q = expit(self.m) + 1e-9
        return np.asarray(q / q.sum())

    def learn(self, row: Row, totals: Totals, y: int, h: float) -> None:
        for c, member in enumerate(self.members):
            member.rescale(row)
            member.learn(row, Told(False, 1.0 if c == y else -1.0, h, 1.0, totals, p=self.m[c]))


class SoftmaxNewton:
    """One P for the weights of all classes."""

    def __init__(self, size: int, C: int, penalty: float, walk: float) -> None:
        self.newton = Newton(size, penalty, walk)
        self.newton.w = np.zeros((size, C))

    def predict(self, row: Row, before: Totals) -> Array:
        self.p = chances(row.Z @ self.newton.w)
        return self.p

    def learn(self, row: Row, totals: Totals, y: int, h: float) -> None:
        c = max((1.0 - float(self.p @ self.p)) / 2.0, 0.001)
        self.newton.learn(row.Z, h * (self.p - indicator(y, len(self.p))), h * c, row.met)


class SoftmaxNetwork(Network):
    """The outputs of class c are drawn with the seed + c."""

    def __init__(self, width: int, C: int) -> None:
        super().__init__(width, real=False)
        outputs = [np.append(0.0, np.sqrt(0.09 / self.hidden) * draws(self.seed + c, 0, self.hidden)) for c in range(C)]
        self.u = Adam(np.array(outputs), self.rate)

    def predict(self, x: Array) -> Array:  # type: ignore[override]
        self.look(x)
        self.p = chances(self.m)
        return self.p

    def learn(self, y: int, h: float) -> None:  # type: ignore[override]
        self.moments.learn()
        self.step(h * (self.p - indicator(y, len(self.p))))


class Votes(Neighbours):
    def __init__(self, width: int, C: int) -> None:
        super().__init__(width, real=True)
        self.C = C

    def predict(self, x: Array) -> Array:  # type: ignore[override]
        self.row = x
        i, w = self.nearest(x, 1000)
        votes = np.bincount(self.Y[i].astype(int), weights=w * self.h[i], minlength=self.C)
        return np.asarray((votes + 0.1 / self.C) / (votes.sum() + 0.1))

    def learn(self, y: int, h: float) -> None:
        self.moments.learn()
        i = self.t % 1000
        self.x[i], self.Y[i], self.h[i] = self.row, y, h
        self.t += 1


class VectorTrees(RollingTrees):
    """A leaf has a value for every class; the structure comes from classes with signs, drawn for each build."""

    PENALTY, LEAST = 20.0, 5

    def __init__(self, width: int, C: int) -> None:
        super().__init__(width, real=False)
        self.C, self.Y, self.F, self.b = C, np.zeros((0, C)), np.zeros((0, C)), np.zeros(C)
        self.next, self.step = 16, 4

    def predict(self, x: Array) -> Array:  # type: ignore[override]
        self.look(x)
        return chances(self.m)

    def learn(self, y: int, h: float) -> None:  # type: ignore[override]
        self.order = self.known
        self.keep(indicator(y, self.C), h)

    def values(self, p: Array, mine: Array) -> Array:
        """Newton's step of some rows, for each class."""
        w, penalty = self.w[mine, None], self.PENALTY * (self.C - 1) / self.C**2
        q = p[mine]
        return np.asarray(-(w * (q - self.Y[mine])).sum(axis=0) / ((w * q * (1.0 - q)).sum(axis=0) + penalty))

    def signs(self) -> Array:
        """One is turned where all are equal: slopes sum to 0, and the tree would be one of their rounding."""
        r = np.array([1.0 if uniform(self.seed + 1, self.C * self.builds + c) < 0.5 else -1.0 for c in range(self.C)])
        if np.ptp(r) == 0.0:
            r[self.builds % self.C] *= -1.0
        return r

    def build(self) -> None:
        codes, columns = self.binned()
        if self.is_full():
            self.F -= leaves_of(self.forest[:1], self.x)[0]
            self.forest = self.forest[1:]
        step = self.values(softmax(self.F, axis=1), np.arange(len(self.F))) * (0.3 if self.builds else 0.5)
        self.b, self.F = self.b + step, self.F + step
        p = softmax(self.F, axis=1)
        r = self.signs()
        g, h = self.w * ((p - self.Y) @ r), self.w * np.maximum(1.0 - (p @ r) ** 2, 1e-6)
        column, threshold, _ = tree_of(codes, self.edges, columns, g, h, self.rate, self.PENALTY, self.LEAST)
        ends = leaves_of([(column, threshold, np.arange(32))], self.x)[0]
        leaves = np.zeros((32, self.C), np.float32)
        for k in np.unique(ends).astype(int):
            leaves[k] = self.rate * self.values(p, np.flatnonzero(ends == k))
        self.forest.append((column, threshold, leaves))
        self.F += leaves_of(self.forest[-1:], self.x)[0]
        self.builds += 1


class Stacker:
    """Newton's steps for the exponents of a product of the members; with `memory` below 1 old curvature fades."""

    def __init__(self, K: int, memory: float) -> None:
        self.w, self.S, self.memory = np.full(K, 1.0 / K), np.zeros((K, K)), memory

    def predict(self, p: Array, awake: Array) -> Array:
        logs = np.log(np.maximum(p, 1e-6))
        self.z = np.where(awake[:, None], logs - logs.mean(axis=1, keepdims=True), 0.0)
        self.p = np.asarray(softmax(self.w @ self.z))
        return self.p

    def learn(self, y: int, h: float) -> None:
        mean = self.z @ self.p
        self.S = self.memory * self.S + h * ((self.z * self.p) @ self.z.T - np.outer(mean, mean))
        slope = h * self.z @ (self.p - indicator(y, len(self.p)))
        self.w = self.w - np.linalg.solve(self.S + 10.0 * np.eye(len(self.w)), slope)


class Combiners:
    """A, B, C, D over K members, and A's rule over the four."""

    def __init__(self, K: int) -> None:
        self.A, self.final = AdaNormalHedge(K), AdaNormalHedge(4)
        self.v, self.C, self.D = np.full(K, 1.0 / K), Stacker(K, 1.0), Stacker(K, 0.999)

    def predict(self, p: Array, awake: Array) -> tuple[Array, Array]:
        self.p, self.awake = p, awake
        self.pi = self.A.weights(awake)
        self.shown = np.where(awake, self.v, 0.0) / self.v[awake].sum()
        self.four = np.array([self.pi @ p, self.shown @ p, self.C.predict(p, awake), self.D.predict(p, awake)])
        self.shares = self.final.weights(np.ones(4, bool))
        return self.four, np.asarray(self.shares @ self.four)

    def learn(self, y: int, h: float, n: int) -> None:
        e = indicator(y, self.p.shape[1])
        losses, four = (((each - e) ** 2).sum(axis=1) / 2.0 for each in (self.p, self.four))
        self.A.learn(np.where(self.awake, self.pi @ losses - losses, 0.0), h)
        self.final.learn(self.shares @ four - four, h)
        own = np.where(self.awake, self.p[:, y], self.four[1, y])  # who sleeps is said to predict what B does
        logs = np.log(self.v) + h * np.log(np.clip(own, 1e-6, 1.0 - 1e-6))
        v, a = np.exp(logs - logs.max()), 1.0 / (n + 1.0)
        self.v = (1.0 - a) * v / v.sum() + a / len(v)
        self.C.learn(y, h)
        self.D.learn(y, h)


class Auto:
    """nag .5, 2, 25, coin 16, Newton (1, 0), (.1, 1e-4), network, neighbours, trees; limits as for two classes."""

    def __init__(self, width: int, C: int) -> None:
        n = width + 1
        self.linear = [OneVsAll(n, C, 0.5), OneVsAll(n, C, 2.0), OneVsAll(n, C, 25.0), OneVsAll(n, C, 16.0, Coin)]
        self.linear += [SoftmaxNewton(n, C, 1.0, 0.0), SoftmaxNewton(n, C, 0.1, 1e-4)]
        self.dense = [SoftmaxNetwork(width, C), Votes(width, C), VectorTrees(width, C)]
        self.C, self.scales, self.awake, self.combiners = C, Scales(width), np.ones(9, bool), Combiners(9)

    def predict(self, x: Array) -> dict[str, Any]:
        self.row = self.scales.look(x)
        p = np.zeros((9, self.C))
        for i in np.flatnonzero(self.awake):
            p[i] = self.linear[i].predict(self.row, self.scales.totals) if i < 6 else self.dense[i - 6].predict(x)
        self.up = self.awake & np.isfinite(p).all(axis=1)
        p[~self.up] = 0.0
        four, final = self.combiners.predict(p, self.up)
        return {"members": p, "combiners": four, "final": final}

    def learn(self, y: int, h: float) -> None:
        limit = np.array([np.inf] * 4 + [64.0] * 2 + [320.0] * 3)
        self.awake = self.up & (self.row.d <= limit)
        self.scales.learn(self.row, h)
        for i in np.flatnonzero(self.awake):
            if i < 6:
                self.linear[i].learn(self.row, self.scales.totals, y, h)
            else:
                self.dense[i - 6].learn(y, h)
        self.combiners.learn(y, h, self.scales.totals.n)


def run(X: Array, y: Array, h: Array | None = None, classes: int | None = None) -> dict[str, np.ndarray[Any, Any]]:
    """What was predicted before each row was learned; a row of importance 0 is not learned. X has 32-bit values."""
    model, found = Auto(X.shape[1], int(max(y)) + 1 if classes is None else classes), []
    for i, x in enumerate(X):
        found.append(model.predict(x))
        if h is None or h[i] > 0.0:
            model.learn(int(y[i]), 1.0 if h is None else float(h[i]))
    return {name: np.array([each[name] for each in found]) for name in found[0]}
