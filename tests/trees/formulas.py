"""The experts of a tree or graph, slowly: dictionaries, one row after the other, exponentials as they are written."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from tests.linear.formulas import Array

LOSSES: dict[str, Callable[[float, float], float]] = {
    "squared": lambda p, y: (p - y) ** 2,
    "absolute": lambda p, y: abs(p - y),
    "hinge": lambda p, y: max(0.0, 1.0 - y * p),
    "logistic": lambda p, y: math.log1p(math.exp(-y * p)) if y * p > -600.0 else -y * p,
}


def weight(R: float, C: float) -> float:
    """ln w(R, C), or minus infinity: Phi(R, C) = exp([R]_+^2/3C)."""
    up, down = max(R + 1.0, 0.0) ** 2 / (3.0 * (C + 1.0)), max(R - 1.0, 0.0) ** 2 / (3.0 * (C + 1.0))
    return -math.inf if up <= down else down + (math.log(math.expm1(up - down)) if up - down < 40.0 else up - down)


class Formula:
    """`way(x)` is the edges and nodes that a row passes, by any names."""

    def __init__(self, loss: str, *, forgets: bool = False, counts_sleepers: bool = False, sign: float = 1.0) -> None:
        self.f, self.loss = LOSSES[loss], loss
        self.R: dict[Any, float] = {}
        self.C: dict[Any, float] = {}
        self.L: dict[Any, float] = {}
        self.nodes: dict[Any, list[float]] = {}
        self.unit = self.first = self.unlearned = self.total = self.mixed = 0.0
        self.forgets, self.counts_sleepers, self.sign = forgets, counts_sleepers, sign

    def say(self, node: Any) -> float | None:
        if node not in self.nodes:
            return None
        a, b = self.nodes[node]
        return max(-50.0, min(50.0, math.log((a + 0.5) / (b + 0.5)))) if self.loss == "logistic" else b

    def predict(self, way: list[tuple[Any, Any]]) -> float:
        U, self.said = self.unit or 1.0, []
        for _, node in way:
            own = self.say(node)
            self.said.append(own if own is not None else self.said[-1] if self.said else 0.0)
        logs = [weight(self.sign * self.R.get(e, 0.0) / U, self.C.get(e, 0.0) / U) for e, _ in way]
        most = max(logs)
        w = [math.exp(v - most) if most > -math.inf else 1.0 for v in logs]
        self.p = [v / math.fsum(w) for v in w]
        return math.fsum(p * y for p, y in zip(self.p, self.said, strict=True))

    def learn(self, way: list[tuple[Any, Any]], y: float, h: float) -> float:
        raw = self.predict(way)
        losses = [h * self.f(said, y) for said in self.said]
        mixed = math.fsum(p * loss for p, loss in zip(self.p, losses, strict=True))
        self.total, self.mixed = self.total + h * self.f(raw, y), self.mixed + mixed
        r = [mixed - loss for loss in losses] if len(set(losses)) > 1 else [0.0] * len(losses)
        largest = max(map(abs, r))
        for e, loss in zip(way, losses, strict=True):
            self.L[e[0]] = self.L.get(e[0], 0.0) + loss
            self.R.setdefault(e[0], 0.0), self.C.setdefault(e[0], 0.0)
        if largest > self.unit * (1.0 + 1e-12):
            self.unit = largest
            self.first = self.first or largest
            self.unlearned += max(r)
        else:
            if self.forgets:
                self.R = {e: 0.5 * R for e, R in self.R.items()}
            for (e, _), own in zip(way, r, strict=True):
                self.R[e], self.C[e] = self.R.get(e, 0.0) + own, self.C.get(e, 0.0) + abs(own)
            if self.counts_sleepers:
                for e in self.R:
                    if e not in dict(way):
                        self.R[e], self.C[e] = self.R[e] + mixed, self.C[e] + mixed
        for _, node in way:
            a, b = self.nodes.get(node, [0.0, 0.0])
            if self.loss == "logistic":
                a, b = (a + h, b) if y > 0.0 else (a, b + h)
            else:
                a, b = a + h, b + (y - b) * h / (a + h)
            self.nodes[node] = [a, b]
        return raw


def given_way(template: dict[str, Any]) -> Callable[[Array], list[tuple[Any, Any]]]:
    """Through a template whose features are numbers of columns."""
    columns = [int(name) for name in template["features"]]

    def way(x: Array) -> list[tuple[Any, Any]]:
        i, steps = 0, [("root", 0)]
        while template["feature"][i] >= 0:
            above = not x[columns[template["feature"][i]]] <= template["threshold"][i]
            edge = (i, above)
            i = int(template["above" if above else "below"][i])
            steps.append((edge, i))
        return steps

    return way


def scrambled(key: int) -> int:
    key = (key ^ (key >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
    key = (key ^ (key >> 27)) * 0x94D049BB133111EB % 2**64
    return key ^ (key >> 31)


class Grown:
    """A tree that makes its own tests; `met` says that the row is learned."""

    def __init__(self, depth: int, seed: int) -> None:
        self.depth, self.seed = depth, seed
        self.tests: dict[Any, tuple[int, float] | None] = {}
        self.low: dict[int, float] = {}
        self.high: dict[int, float] = {}
        self.made = 0

    def draw(self) -> float:
        golden = 0x9E3779B97F4A7C15
        key = scrambled((self.seed + golden) % 2**64) + (self.made + 1) * golden
        return (scrambled(key % 2**64) >> 11) * 2.0**-53

    def way(self, x: Array, *, met: bool) -> list[tuple[Any, Any]]:
        if met:
            for j in np.flatnonzero(x).tolist():
                self.low[j] = min(self.low.get(j, 0.0), x[j])
                self.high[j] = max(self.high.get(j, 0.0), x[j])
        at: tuple[bool, ...] = ()
        steps, passed = [(at, at)], []
        for level in range(self.depth + 1):
            if at not in self.tests:
                if not met:
                    return steps + [(("new", k), ("new", k)) for k in range(self.depth - level)]
                self.tests[at] = self.choose(x, passed) if level < self.depth else None
                self.made += 1
            if level == self.depth:
                return steps
            test = self.tests[at]
            above = test is not None and not x[test[0]] <= test[1]
            passed.append((test, above))
            at = (*at, above)
            steps.append((at, at))
        return steps

    def choose(self, x: Array, passed: list[Any]) -> tuple[int, float] | None:
        met = np.flatnonzero(x).tolist()
        first = int(self.draw() * len(met))
        for j in met[first:] + met[:first]:
            low, high = self.low[j], self.high[j]
            for test, above in passed:
                if test is not None and test[0] == j:
                    low, high = (max(low, test[1]), high) if above else (low, min(high, test[1]))
            middle = low + (high - low) / 2.0
            if low < x[j] < high:
                return j, float(x[j])
            if low < middle < high:
                return j, middle
        return None
