"""Checks of players over experts, which have `play(confidence=None)` and `update(losses, confidence=None)`."""

from __future__ import annotations

import math
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from afterwit.checks import shared
from afterwit.checks.making import Make, ensure, made, name
from afterwit.experts.player import ANY
from afterwit.registry.plain import same

Losses: TypeAlias = npt.NDArray[np.float64]


def _known(player: Any) -> Any:
    """What it says of its experts: how many, names, a prior, or nothing."""
    known = getattr(player, "experts", None)
    return getattr(player, "prior", None) if known is None else known


def _experts(player: Any) -> int:
    """How many experts it is for: as many as it says, or five."""
    known = _known(player)
    return 5 if known is None else known if isinstance(known, int) else len(known)


def rounds(player: Any, rows: int = 40, seed: int = 0) -> Losses:
    """Losses in the player's range, with ties and the ends of the range; 0 and 1 alone where it says `binary`."""
    low, high = _range(player)
    rng = np.random.default_rng(seed)
    losses = rng.random((rows, _experts(player)))
    losses[::3] = np.round(losses[::3])
    if getattr(player, "binary", False):
        losses = np.round(losses)
        losses[:, 0] = 0.0
    return np.clip(low + (high - low) * losses, low, high)


def _named(player: Any) -> bool:
    known = _known(player)
    return isinstance(known, dict) or (isinstance(known, (list, tuple)) and any(isinstance(k, str) for k in known))


def _rows(player: Any, losses: Losses) -> list[Any]:
    """The rows as the player takes them: by name if its experts have names."""
    if not _named(player):
        return list(losses)
    return [dict(zip(_known(player), row.tolist(), strict=True)) for row in losses]


def weights(player: Any, confidence: Any = None) -> Losses:
    """What it plays, as a vector."""
    p = player.play(confidence)
    return np.array(list(p.values()) if isinstance(p, dict) else p, dtype=np.float64)


def _teach(player: Any, losses: Losses) -> list[Losses]:
    """One round after the other; what was played from the second on, when it knows its experts."""
    played = []
    for row in _rows(player, losses):
        player.update(row)
        played.append(weights(player))
    return played


def _says(player: Any) -> Losses | None:
    """What it plays; None before it knows its experts."""
    try:
        return weights(player)
    except ValueError:
        return None


def _teach_at_once(player: Any, losses: Losses) -> None:
    if hasattr(player, "run"):
        player.run(_rows(player, losses) if _named(player) else losses)
    else:
        _teach(player, losses)


PLAYERS = shared.Kind(
    what="player",
    verb="plays",
    methods=("play", "update"),
    examples=rounds,
    teach=_teach,
    teach_at_once=_teach_at_once,
    says=_says,
    always_learns=False,
)


def check_player_face(make: Make) -> str | None:
    """The two methods, a docstring, and a repr that says the same for equal players."""
    return shared.face(PLAYERS, make)


def check_player_fresh(make: Make) -> str | None:
    """`fresh` keeps the settings and none of the learning, and shares nothing with its model."""
    return shared.fresh(PLAYERS, make)


def check_player_round_trips(make: Make) -> str | None:
    """In the middle of a game: state and back, a file and back, pickle and back; each goes on with the same bits."""
    return shared.round_trips(PLAYERS, make)


def check_player_threads(make: Make) -> None:
    """Two players in two threads learn what they learn one after the other."""
    return shared.threads(PLAYERS, make)


def check_play_is_pure(make: Make) -> None:
    """Playing changes nothing, and plays the same again."""
    player = made(make)
    losses = rounds(player)
    for part in (losses[:1], losses):
        _teach(player, part)
        before, first = PLAYERS.holds(player), weights(player)
        for _ in range(3):
            again = weights(player)
        ensure(PLAYERS.unchanged(before, player), f"{name(player)} changed its state when it played")
        ensure(same(first, again), f"{name(player)} played {again} where it had played {first}")


def check_plays_a_distribution(make: Make) -> None:
    """No weight is negative or NaN, and they sum to 1, whatever was lost."""
    player = made(make)
    low, high = _range(player)
    edges = [rounds(player, 200), np.full((30, _experts(player)), low)]
    if not getattr(player, "binary", False):
        edges += [np.full((30, _experts(player)), high), np.tile(rounds(player, 1), (200, 1))]
    for losses in edges:
        for p in _teach(player, losses):
            ensure(bool((p >= 0.0).all()), f"{name(player)} played {p}, expected weights of 0 or more")
            ensure(abs(float(p.sum()) - 1.0) < 1e-9, f"{name(player)} played {p}, which sums to {p.sum()}, expected 1")


def check_run_equals_updates(make: Make) -> str | None:
    """`run`, in pieces of any size, has the bits of `play` and `update` one after the other."""
    alone = made(make)
    if not hasattr(alone, "run"):
        return "it has no run"
    losses = rounds(alone, 60)
    played = _teach(alone, losses)
    for pieces in ([60], [1, 0, 29, 30]):
        player = made(make)
        found, done = [], 0
        for size in pieces:
            part = _rows(player, losses[done : done + size]) if _named(player) else losses[done : done + size]
            history = player.run(part, keep="weights")
            ensure(len(history.loss) == size, f"{name(player)}.run of {size} rounds has {len(history.loss)} losses")
            for p, row, loss in zip(history.weights, losses[done:], history.loss, strict=False):
                expected = float(p @ row)
                ensure(math.isclose(loss, expected, rel_tol=1e-9, abs_tol=1e-9), f"loss is {loss}, expected {expected}")
                found.append(p)
            done += size
        ensure(same(found[1:], played[:-1]), f"{name(player)}.run played otherwise than play and update")
        ensure(same(PLAYERS.holds(alone), PLAYERS.holds(player)), f"{name(player)}.run learned otherwise than update")
    return None


def check_wrong_rounds(make: Make) -> None:
    """Too many or few losses, one outside the range or not a number, a wrong confidence: raises, changes nothing."""
    player = made(make)
    losses = rounds(player)
    _teach(player, losses)
    low, high = _range(player)
    good = losses[0]
    wrong: list[tuple[str, Any]] = [("no losses", good[:0]), ("a loss too few", good[:-1])]
    wrong += [("a loss too many", np.append(good, good[0])), ("a matrix", losses[:2])]
    for value in (high + (high - low) * 0.01, low - (high - low) * 0.01, math.inf, -math.inf):
        wrong.append((f"the loss {value}", np.append(good[:-1], value)))
    named = _named(player)
    for what, row in wrong:
        if not named or len(row) == len(good):
            _refuses(player, what, row)
    if not named:
        _refuses(player, "a mapping", {"a": float(good[0])})
        for confidence in (-0.5, 1.5, math.nan):
            rated = np.append(np.ones(len(good) - 1), confidence)
            _refuses(player, f"the confidence {confidence}", good, rated)
        _refuses(
            player, "a loss that is NaN where the confidence is 1", np.append(good[:-1], math.nan), np.ones(len(good))
        )
    if not getattr(player, "sleeps", False):
        _refuses(player, "a loss that is NaN", np.append(good[:-1], math.nan))


def check_sleepers(make: Make) -> str | None:
    """Who sleeps has no weight and is left as it was; when nobody is awake all weights are 0 and nothing changes."""
    player = made(make)
    if not getattr(player, "sleeps", False):
        return "it has no form for experts that sleep"
    if _named(player):
        return "its experts have names"
    losses = rounds(player)
    _teach(player, losses)
    rng = np.random.default_rng(1)
    given = getattr(player, "prior", None)
    prior = np.ones(losses.shape[1]) if given is None else np.asarray(given)
    for row in losses:
        confidence = np.where(rng.random(len(row)) < 0.5, 0.0, rng.random(len(row)))
        p = weights(player, confidence)
        ensure(bool((p[confidence == 0.0] == 0.0).all()), f"{name(player)} gave weight to an expert that sleeps: {p}")
        ensure(bool((p >= 0.0).all()), f"{name(player)} played {p}, expected weights of 0 or more")
        awake = 1.0 if (confidence * prior).any() else 0.0
        ensure(abs(float(p.sum()) - awake) < 1e-9, f"{name(player)} played {p}, expected a sum of {awake}")
        player.update(row, confidence)
    before = PLAYERS.holds(player)
    ensure(not weights(player, np.zeros(losses.shape[1])).any(), f"{name(player)} plays when nobody is awake")
    player.update(np.full(losses.shape[1], math.nan))
    ensure(PLAYERS.unchanged(before, player), f"{name(player)} learned from a round in which nobody was awake")
    return None


def _range(player: Any) -> tuple[float, float]:
    """Of losses; one that takes them of any scale says None."""
    return getattr(player, "loss_range", (0.0, 1.0)) or ANY


def _refuses(player: Any, what: str, losses: Any, confidence: Any = None) -> None:
    by_name = not isinstance(losses, dict) and losses.ndim == 1 and _named(player)
    given = _rows(player, losses[None])[0] if by_name else losses
    shared.refuses(PLAYERS, player, what, player.update, given, confidence)
    if hasattr(player, "run") and not isinstance(given, dict) and given.ndim == 1:
        # The good row comes first: a call is all or nothing.
        good = rounds(player, 1)[0]
        rated = None if confidence is None else [np.ones(len(good)), confidence]
        shared.refuses(PLAYERS, player, what, player.run, iter([good, given]), rated)
