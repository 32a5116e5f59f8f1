"""Checks of players over experts, which have `play(confidence=None)` and `update(losses, confidence=None)`."""

from __future__ import annotations

import math
import pickle
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from afterwit import registry
from afterwit.checks.making import Make, ensure, name
from afterwit.errors import AfterwitError
from afterwit.registry.plain import same
from afterwit.storage import load, save

Losses: TypeAlias = npt.NDArray[np.float64]


def _made(make: Make) -> Any:
    return registry.fresh(make) if hasattr(make, "play") and not isinstance(make, type) else make()


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
    low, high = getattr(player, "loss_range", (0.0, 1.0))
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


def _holds(player: Any) -> Any:
    try:
        return registry.state(player)
    except AfterwitError:
        return weights(player)


def check_player_face(make: Make) -> str | None:
    """The two methods, a docstring, and a repr that says the same for equal players."""
    player = _made(make)
    for method in ("play", "update"):
        ensure(callable(getattr(player, method, None)), f"{name(player)} has no method {method}")
    ensure(bool((type(player).__doc__ or "").strip()), f"{name(player)} has no docstring")
    if getattr(type(player), "__repr__", None) is object.__repr__:
        return "it has no repr of its own, so a report cannot say its settings"
    shown = repr(player)
    ensure(type(player).__name__ in shown, f"repr is `{shown}`, expected the name of the class in it")
    ensure(shown == repr(_made(make)), f"repr is `{shown}`, but another for an equal player")
    return None


def check_play_is_pure(make: Make) -> None:
    """Playing changes nothing, and plays the same again."""
    player = _made(make)
    losses = rounds(player)
    for part in (losses[:1], losses):
        _teach(player, part)
        before, first = _holds(player), weights(player)
        for _ in range(3):
            again = weights(player)
        ensure(same(before, _holds(player)), f"{name(player)} changed its state when it played")
        ensure(same(first, again), f"{name(player)} played {again} where it had played {first}")


def check_plays_a_distribution(make: Make) -> None:
    """No weight is negative or NaN, and they sum to 1, whatever was lost."""
    player = _made(make)
    low, high = getattr(player, "loss_range", (0.0, 1.0))
    edges = [rounds(player, 200), np.full((30, _experts(player)), low)]
    if not getattr(player, "binary", False):
        edges += [np.full((30, _experts(player)), high), np.tile(rounds(player, 1), (200, 1))]
    for losses in edges:
        for p in _teach(player, losses):
            ensure(bool((p >= 0.0).all()), f"{name(player)} played {p}, expected weights of 0 or more")
            ensure(abs(float(p.sum()) - 1.0) < 1e-9, f"{name(player)} played {p}, which sums to {p.sum()}, expected 1")


def check_run_equals_updates(make: Make) -> str | None:
    """`run`, in pieces of any size, has the bits of `play` and `update` one after the other."""
    alone = _made(make)
    if not hasattr(alone, "run"):
        return "it has no run"
    losses = rounds(alone, 60)
    played = _teach(alone, losses)
    for pieces in ([60], [1, 0, 29, 30]):
        player = _made(make)
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
        ensure(same(_holds(alone), _holds(player)), f"{name(player)}.run learned otherwise than update")
    return None


def check_player_fresh(make: Make) -> str | None:
    """`fresh` keeps the settings and none of the learning, and shares nothing with its model."""
    player = _made(make)
    try:
        copy = registry.fresh(player)
    except AfterwitError as error:
        return f"its settings cannot be read: {error}"
    losses = rounds(player)
    new = _holds(copy) if _experts_known(copy) else None
    _teach(player, losses)
    taught, settings = _holds(player), registry.settings(player)
    copy = registry.fresh(player)
    ensure(same(registry.settings(copy), settings), f"fresh({name(player)}) has other settings")
    ensure(new is None or same(new, _holds(copy)), f"fresh({name(player)}) remembers something")
    _teach(copy, losses)
    ensure(same(taught, _holds(copy)), f"fresh({name(player)}) learned otherwise than its model did")
    ensure(same(taught, _holds(player)), f"{name(player)} changed when its fresh copy learned")
    return None


def check_player_round_trips(make: Make) -> str | None:
    """In the middle of a game: state and back, a file and back, pickle and back; each goes on with the same bits."""
    player = _made(make)
    try:
        registry.name_of(player)
    except AfterwitError as error:
        return str(error)
    losses = rounds(player, 60)
    _teach(player, losses[:30])
    copies = {
        "registry.build": registry.build(registry.name_of(player), registry.settings(player), registry.state(player)),
        "load": _loaded(player),
        "pickle": pickle.loads(pickle.dumps(player)),
    }
    before = _holds(player)
    for how, copy in copies.items():
        ensure(same(before, _holds(copy)), f"{name(player)} has another state after {how}")
    played = [weights(player), *_teach(player, losses[30:])]
    for how, copy in copies.items():
        ensure(same([weights(copy), *_teach(copy, losses[30:])], played), f"{name(player)} plays otherwise after {how}")
        ensure(same(_holds(player), _holds(copy)), f"{name(player)} learns otherwise after {how}")
    return None


def check_wrong_rounds(make: Make) -> None:
    """Too many or few losses, one outside the range or not a number, a wrong confidence: raises, changes nothing."""
    player = _made(make)
    losses = rounds(player)
    _teach(player, losses)
    low, high = getattr(player, "loss_range", (0.0, 1.0))
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
    player = _made(make)
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
    before = _holds(player)
    ensure(not weights(player, np.zeros(losses.shape[1])).any(), f"{name(player)} plays when nobody is awake")
    player.update(np.full(losses.shape[1], math.nan))
    ensure(same(before, _holds(player)), f"{name(player)} learned from a round in which nobody was awake")
    return None


def check_player_threads(make: Make) -> None:
    """Two players in two threads learn what they learn one after the other."""
    games = [rounds(_made(make), rows=200, seed=seed) for seed in (1, 2)]
    expected = [_learned(_made(make), each) for each in games]
    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(_learned, [_made(make), _made(make)], games))
    ensure(same(found, expected), f"two of {name(_made(make))} in two threads learned otherwise than alone")


def _learned(player: Any, losses: Losses) -> Any:
    if hasattr(player, "run"):
        player.run(_rows(player, losses) if _named(player) else losses)
    else:
        _teach(player, losses)
    return _holds(player)


def _experts_known(player: Any) -> bool:
    return hasattr(type(player), "state")


def _refuses(player: Any, what: str, losses: Any, confidence: Any = None) -> None:
    before = _holds(player)
    given = (
        losses if isinstance(losses, dict) or losses.ndim != 1 or not _named(player) else _rows(player, losses[None])[0]
    )
    ways: list[Callable[[], Any]] = [lambda: player.update(given, confidence)]
    if hasattr(player, "run") and not isinstance(given, dict) and given.ndim == 1:
        # The good row comes first: a call is all or nothing.
        good = rounds(player, 1)[0]
        rated = None if confidence is None else [np.ones(len(good)), confidence]
        ways.append(lambda: player.run(iter([good, given]), rated))
    for act in ways:
        try:
            act()
        except (TypeError, ValueError):
            ensure(same(before, _holds(player)), f"{name(player)} refused {what}, but changed its state")
        else:
            raise AssertionError(f"{name(player)} took {what}, expected a ValueError or TypeError")


def _loaded(player: Any) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "player.afterwit")
        save(player, path)
        return load(path)
