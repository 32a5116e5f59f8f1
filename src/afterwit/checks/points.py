"""Checks of players over convex domains, which have `play()` and `update(gradient)`."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from afterwit.checks import shared
from afterwit.checks.making import Make, ensure, made, name
from afterwit.registry.plain import same

Array = npt.NDArray[np.float64]


def gradients(player: Any, rows: int = 40, seed: int = 0) -> Array:
    """Rounds with ties, zeros and rounds without any slope."""
    rng = np.random.default_rng(seed)
    V = rng.normal(size=(rows, len(player.play())))
    V[::3] = np.round(V[::3])
    V[::7] = 0.0
    return V


def _teach(player: Any, V: Array) -> list[Array]:
    """One round after the other; what was played."""
    played = []
    for g in V:
        played.append(player.play())
        player.update(g, _bend(player))
    return played


def _bend(player: Any) -> float:
    """A curvature, for who may need one: on all of R^d only squares have a least value."""
    return 0.0 if getattr(getattr(player, "domain", None), "bounded", True) else 0.5


def _run(player: Any, V: Array) -> None:
    if hasattr(player, "run"):
        player.run(V, _bend(player))
    else:
        _teach(player, V)


POINTS = shared.Kind(
    what="player",
    verb="plays",
    methods=("play", "update"),
    examples=gradients,
    teach=_teach,
    teach_at_once=_run,
    says=lambda player: player.play(),
    always_learns=False,
)


def check_point_face(make: Make) -> str | None:
    """The two methods, a docstring, and a repr that says the same for equal players."""
    return shared.face(POINTS, make)


def check_point_fresh(make: Make) -> str | None:
    """`fresh` keeps the settings and none of the learning, and shares nothing with its model."""
    return shared.fresh(POINTS, make)


def check_point_round_trips(make: Make) -> str | None:
    """In the middle of a game: state and back, a file and back, pickle and back; each goes on with the same bits."""
    return shared.round_trips(POINTS, make)


def check_point_threads(make: Make) -> None:
    """Two players in two threads learn what they learn one after the other."""
    return shared.threads(POINTS, make)


def check_point_is_pure(make: Make) -> None:
    """Playing changes nothing, and plays the same again; what was played is the caller's to change."""
    player = made(make)
    _teach(player, gradients(player))
    before, first = POINTS.holds(player), player.play()
    kept = first.copy()
    first[:] = 7.0
    for _ in range(3):
        ensure(same(kept, player.play()), f"{name(player)} played otherwise when it was asked again")
    ensure(POINTS.unchanged(before, player), f"{name(player)} changed its state when it played")


def check_plays_in_the_domain(make: Make) -> str | None:
    """Every point is one of the domain, whatever the slopes."""
    player = made(make)
    if not hasattr(player, "domain"):
        return "it has no domain to ask"
    size = len(player.play())
    for V in (gradients(player, 100), 1e30 * gradients(player, 30, 1), 1e-30 * gradients(player, 30, 2)):
        for w in (*_teach(player, V), player.play()):
            ensure(w.shape == (size,), f"{name(player)} played a point of the shape {w.shape}, expected ({size},)")
            ensure(w in player.domain, f"{name(player)} played {w}, which is not in {player.domain!r}")
    return None


def check_point_run_equals_updates(make: Make) -> str | None:
    """`run`, in pieces of any size, has the bits of `play` and `update` one after the other, for squares too."""
    if not hasattr(made(make), "run"):
        return "it has no run"
    for bend in {_bend(made(make)), 0.25} if getattr(made(make), "curves", True) else {0.0}:
        alone = made(make)
        V = gradients(alone, 60)
        played = []
        for v in V:
            w = alone.play()
            played.append(w)
            alone.update(v + bend * w, bend)
        for pieces in ([60], [1, 0, 29, 30]):
            player, found, done = made(make), [], 0
            for size in pieces:
                history = player.run(V[done : done + size], bend, keep="points")
                ensure(len(history) == size, f"{name(player)}.run of {size} rounds has {len(history)} losses")
                found += list(history.points)
                for w, v, loss in zip(history.points, V[done:], history.loss, strict=False):
                    expected = float(v @ w + 0.5 * bend * w @ w)
                    ensure(math.isclose(loss, expected, rel_tol=1e-9, abs_tol=1e-9), f"loss {loss}, not {expected}")
                done += size
            ensure(same(found, played), f"{name(player)}.run played otherwise than play and update")
            ensure(same(POINTS.holds(alone), POINTS.holds(player)), f"{name(player)}.run learned otherwise than update")
    return None


def check_wrong_gradients(make: Make) -> None:
    """Too many or few numbers, one that is not finite or too large, words, a wrong curvature: raises, no change."""
    player = made(make)
    V = gradients(player)
    _teach(player, V)
    good = V[1]
    wrong: list[tuple[str, Any, Any]] = [
        ("no numbers", good[:0], 0.0),
        ("a number too few", good[:-1], 0.0),
        ("a number too many", np.append(good, 1.0), 0.0),
        ("a matrix", V[:2], 0.0),
        ("a mapping", {"a": 1.0}, 0.0),
        ("words", ["a"] * len(good), 0.0),
        ("complex numbers", good + 1j, 0.0),
    ]
    for value in (math.nan, math.inf, -math.inf, 1e300):
        wrong.append((f"the slope {value}", np.append(good[:-1], value), 0.0))
    for curvature in (-1.0, math.nan, math.inf, 1e300):
        wrong.append((f"the curvature {curvature}", good, curvature))
    for what, g, curvature in wrong:
        shared.refuses(POINTS, player, what, player.update, g, curvature)
        if hasattr(player, "run") and isinstance(g, np.ndarray) and g.ndim == 1:
            # The good row comes first: a call is all or nothing.
            rows = np.stack([good, g]) if len(g) == len(good) else g[None]
            shared.refuses(POINTS, player, what, player.run, rows, curvature or _bend(player))
