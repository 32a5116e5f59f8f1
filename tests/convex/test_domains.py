"""Projections are exact, in every size and at every scale; the best points are; wrong domains say so."""

from __future__ import annotations

import math
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from afterwit import registry, regret
from afterwit.convex import Ball, Box, Reals, Simplex
from afterwit.convex.domains import Domain
from tests.convex import formulas

RNG = np.random.default_rng(5)
DOMAINS: list[Domain] = [Ball(1.5, 4), Box([-1.0, 0.0, 2.0, 0.0], [1.0, 0.5, 3.0, 0.0]), Simplex(4), Reals(4)]
NUMBERS = st.sampled_from([0.0, 1.0, -1.0, 0.5, 1e-12, 1e12]) | st.floats(-1e15, 1e15)


@pytest.mark.parametrize("domain", DOMAINS, ids=repr)
@given(w=arrays(np.float64, 4, elements=NUMBERS))
@settings(max_examples=200, deadline=None)
def test_a_projection_is_in_the_domain_and_nobody_there_is_nearer(domain: Domain, w: Any) -> None:
    """(w - p).(v - p) <= 0 for every v of the domain: the one condition that tells a projection."""
    p = domain.project(w)
    assert p in domain
    for v in [domain.project(RNG.normal(size=4) * 3.0) for _ in range(5)] + [domain.project(w + RNG.normal(size=4))]:
        assert float((w - p) @ (v - p)) <= 1e-9 * max(1.0, float(np.abs(w).max()))
    np.testing.assert_allclose(domain.project(p), p, rtol=1e-12, atol=1e-12)


@given(w=st.integers(1, 40).flatmap(lambda n: arrays(np.float64, n, elements=NUMBERS)))
@settings(max_examples=300, deadline=None)
def test_the_simplex_is_that_of_a_sort(w: Any) -> None:
    p = Simplex(len(w)).project(w)
    assert p.min() >= 0.0
    assert abs(p.sum() - 1.0) < 1e-12
    np.testing.assert_allclose(p, formulas.simplex(w - w.max()), rtol=0.0, atol=1e-12)


@pytest.mark.parametrize("n", [1, 2, 16, 17, 1000, 100_000])
def test_the_simplex_in_every_order(n: int) -> None:
    """Sorted, all alike, two values, far apart and very near: pivots meet them all."""
    for w in (
        np.arange(n) / n,
        -np.arange(n) / n,
        np.full(n, -3.0),
        np.arange(n) % 2 * 1.0,
        1e-9 * RNG.normal(size=n),
        1e9 * RNG.normal(size=n),
        RNG.normal(size=n) / n,
    ):
        p = Simplex(n).project(w)
        assert abs(p.sum() - 1.0) < 1e-10
        np.testing.assert_allclose(p, formulas.simplex(w - w.max()), rtol=0.0, atol=1e-11)


@pytest.mark.parametrize("scale", [1e-300, 1e-160, 1e-30, 1.0, 1e30, 1e160, 1e300])
def test_huge_and_tiny_points(scale: float) -> None:
    w = scale * np.array([3.0, -4.0])
    p = Ball(1.0, 2).project(w)
    np.testing.assert_allclose(p, w if scale < 0.1 else [0.6, -0.8], rtol=1e-14)
    np.testing.assert_allclose(Ball(2.0, 2).best(w), [-1.2, 1.6], rtol=1e-14)
    assert Simplex(2).project(w).sum() == pytest.approx(1.0)
    assert Simplex(2).best(w).tolist() == [0.0, 1.0]


def test_the_best_point_is_the_nearest_to_0_of_ties() -> None:
    assert Ball(2.0, 2).best([0.0, 0.0]).tolist() == [0.0, 0.0]
    assert Simplex(4).best([1.0, 0.0, 0.0, 2.0]).tolist() == [0.0, 0.5, 0.5, 0.0]
    assert Box([-1.0, 2.0, -1.0], [1.0, 3.0, 1.0]).best([0.0, 0.0, 1.0]).tolist() == [0.0, 2.0, -1.0]
    with pytest.raises(ValueError, match=r"no least value on all of R\^d"):
        Reals(1).best([1.0])


@pytest.mark.parametrize("curvature", [0.0, 0.3, 5.0])
def test_the_best_point_of_a_ball_is_that_of_the_room_regret(curvature: float) -> None:
    for b in RNG.normal(size=(20, 4)):
        found = regret.best_in_ball(b, 1.5, curvature)
        np.testing.assert_allclose(Ball(1.5, 4).best(b, curvature), found.u, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("domain", DOMAINS, ids=repr)
def test_domains_are_plain_data(domain: Domain) -> None:
    again = registry.build(registry.name_of(domain), registry.settings(domain), registry.state(domain))
    assert again == domain == pickle.loads(pickle.dumps(domain))
    assert eval(repr(domain)) == domain
    assert domain != Ball(1.25, 4)
    assert domain != "ball"


def test_sizes_of_domains() -> None:
    assert Ball(2.0, 3).norm == 2.0
    assert Ball(2.0, 3).diameter == 4.0
    assert not Reals(2).bounded
    box = Box([-1.0, 2.0], [1.0, 3.0])
    assert box.size == 2
    assert box.norm == pytest.approx(math.sqrt(10.0))
    assert box.diameter == pytest.approx(math.sqrt(5.0))
    assert Simplex(3).diameter == pytest.approx(math.sqrt(2.0))
    assert Simplex(1).diameter == 0.0


@pytest.mark.parametrize(
    ("act", "message"),
    [
        (lambda: Ball(0.0, 2), "radius is `0.0`, expected a positive number"),
        (lambda: Ball(math.nan, 2), "radius is `nan`, expected a positive number"),
        (lambda: Ball(1.0, 0), "size is `0`, expected a whole number from 1"),
        (lambda: Simplex(2.0), "size is `2.0`, expected a whole number"),
        (lambda: Box([0.0], [0.0, 1.0]), "low has the shape"),
        (lambda: Box([], []), "low has the shape"),
        (lambda: Box([0.0, 2.0], [1.0, 1.0]), r"low\[1\] is `2`, high\[1\] `1`; expected low <= high"),
        (lambda: Box([-math.inf], [1.0]), r"low\[0\] is `-inf`"),
        (lambda: Ball(1.0, 2).project([1.0]), r"point has 1 entries, expected 2 \(one per coordinate\)"),
        (lambda: Ball(1.0, 2).project([1.0, math.nan]), r"point\[1\] is `nan`, expected a finite number"),
        (lambda: Ball(1.0, 2).best([1.0, 2.0], -1.0), "curvature is `-1`, expected 0, or"),
        (lambda: [1.0, 2.0, 3.0] in Ball(1.0, 2), "point has 3 entries"),
    ],
)
def test_what_is_wrong_says_so(act: Any, message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        act()
