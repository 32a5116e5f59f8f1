"""Several learners as one: a panel."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from afterwit import losses, registry
from afterwit._core import Lock, Model, holdings, member_weights, panel_rule, panel_view, pools, tell_guests
from afterwit.dense import RollingTrees
from afterwit.errors import quoted
from afterwit.experts import AdaNormalHedge
from afterwit.experts.player import Player
from afterwit.features import Features
from afterwit.learners import Native, weights
from afterwit.linear.linear import Linear
from afterwit.losses import Loss
from afterwit.panel.combiners import Combiner, Mixing, Sharing, Stacking, checked_player, usual
from afterwit.panel.standing import Standing, standing
from afterwit.protocols import Labels, Learner, Wants
from afterwit.registry import register
from afterwit.shown import model_html
from afterwit.streams.arrays import as_dicts, check_values, labelled, rows_of
from afterwit.threads import locked


@register("panel")
class Panel(Native):
    """Several learners over the same rows, and one prediction out of theirs.

    `members` are learners, by name or in order. Every combiner makes a prediction out of the members' (`Mixing`,
    `Sharing`, `Stacking`; one or two of each, if none are given), and `player` mixes those of the combiners. A panel
    may sit on a panel; one that is named in `open` hands its members' predictions up with its own. `offsets` names
    members that learn upon the prediction of another before them: `RollingTrees` then boosts it.

    Members share the panel's `features`. Linear ones in their normalised forms also share their scales, in one pass
    over the row, and numbers are about the mean of the labels: their bits are not those of the class alone. Learners
    over columns share these, and one with more columns than it takes sleeps from then on, as does a member whose
    prediction is not finite. A learner of your own may sit on a panel; it gets its rows as dicts, one by one, which is
    slower. With logistic loss labels are of two classes, with squared loss numbers, of which the first is only noted;
    `OneVsAll(panel)` is one panel for several classes, in which every member gives probabilities of all of them.

    Guarantee: with `Mixing(AdaNormalHedge())` among the combiners and AdaNormalHedge as the player, the Brier score (of
    numbers: squared errors in units of the range of the labels) of the panel is at most that of any member plus
    sqrt(3 C ln(n B)) twice, of the combiner and of the player, as `standing` says; none for errors or log loss.
    Cost: that of the members, and O(members^2) for each stacker. Threads: docs/threads.md.
    References: Luo 2016, Theorem 6.

    >>> from afterwit.dense import RollingTrees
    >>> from afterwit.linear import AdaGrad
    >>> model = Panel({"line": AdaGrad(normalized=True), "trees": RollingTrees()})
    >>> for k in range(400):
    ...     model.learn_one({"a": k % 7, "b": k % 5}, (k % 7 > 3) != (k % 5 > 2))
    >>> model.standing().best
    'trees'
    """

    def __init__(
        self,
        members: Mapping[str, Learner] | Iterable[Learner],
        combiners: Iterable[Combiner] | None = None,
        player: Player | None = None,
        open: Iterable[str] = (),
        offsets: Mapping[str, str] | None = None,
        loss: str | Loss = "logistic",
        features: Features | None = None,
    ) -> None:
        name = str(losses.get(loss))
        if name not in ("logistic", "squared"):
            raise ValueError(f"loss is `{loss}`, expected logistic or squared")
        self._numbers = name == "squared"
        self.members = {name: registry.fresh(member) for name, member in _named(members).items()}
        self.combiners = None if combiners is None else tuple(_checked(each) for each in combiners)
        if self.combiners == ():
            raise ValueError("combiners is empty, expected at least one")
        self.player = None if player is None else checked_player(player)
        self.open, self.offsets = tuple(open), dict(offsets or {})
        self._check(losses.get(loss), features)
        #: Names in the order of the predictions: linear members that share their scales come first.
        self._order = sorted(self.members, key=lambda name: not self._pools(name))
        self._guests, self._lock = dict(self._fresh_guests()), Lock()
        super().__init__(self._native_rule(), loss, features)
        if self._guests:  # or the core's own methods, which are quicker, do
            self.predict_one, self.learn_one = self._predict_guests, self._learn_guests  # type: ignore[method-assign]

    @property
    def wants(self) -> Wants:
        """What it must know of the features."""
        return replace(self.features.wants, names=True) if self._guests else self.features.wants

    def predict_many(self, X: Any) -> npt.NDArray[np.float64]:
        """The raw predictions for all rows of X: an array, a CSR matrix, a table, dicts, or a batch."""
        if not self._guests:
            return super().predict_many(X)
        rows = rows_of(X, wants=self.wants)
        with self._lock:
            return np.array([self.predict_one(x) for x in as_dicts(rows)], dtype=np.float64)

    def learn_many(self, X: Any, y: Any = None, weight: Any = None) -> npt.NDArray[np.float64]:
        """Learns the rows in order; the raw predictions made before each row was learned."""
        if not self._guests:
            return super().learn_many(X, y, weight)
        b = labelled(X, y, weight, self.labels, wants=self.wants)
        check_values(b, "X", 1)  # a learner of any kind cannot take back the rows before a bad one
        importance = np.ones(len(b)) if b.weight is None else b.weight
        raw = []
        with self._lock:
            self._lock.refuse_nested()
            for x, label, h in zip(as_dicts(b), b.y.tolist(), importance.tolist(), strict=True):
                raw.append(self._predict_guests(x))
                if h != 0.0:
                    self._learn(x, label, h)
        return np.array(raw, dtype=np.float64)

    def standing(self) -> Standing:
        """How its members and combiners have done so far, who sleeps, and what the theorem says."""
        return standing(self, panel_view(self))

    def coef(self, names: Iterable[str] | None = None) -> dict[str, float]:
        """The weights by feature name of the linear member that has lost least: all that are not zero, or of `names`.

        Of those in one pass over the row; a member with the whole matrix shows none.
        """
        k = self.best_linear()
        if k is None:
            raise ValueError("no linear member of this panel keeps weights by name")
        found = dict(zip(*(part.tolist() for part in member_weights(self, k)), strict=True))
        return weights.by_name(self, self.features, found, names)

    def best_linear(self) -> int | None:
        """The place among `names()` of the linear member with weights by name that has lost least."""
        return self.best_of(Linear, self.standing())

    def best_of(self, kind: type, standing: Standing) -> int | None:
        """The place among `names()` of the member of a kind that has lost least."""
        losses = [math.inf if one.mean_loss is None else one.mean_loss for one in standing.members]
        able = [k for k, member in enumerate(self._flat()) if isinstance(member, kind)]
        return min(able, key=losses.__getitem__, default=None)

    def gains(self, names: Iterable[str] | None = None) -> dict[str, float]:
        """What the splits of its best trees have gained, by feature: of all that were split on, or of `names`."""
        return gains_of(self, self, self.standing(), names)

    def holds(self) -> dict[str, dict[str, int]]:
        """What its members keep beside weights: rows or trees, of how many at most."""
        return holds_of(self, self)

    def _flat(self) -> list[Any]:
        """The members behind `names()`."""
        found: list[Any] = []
        for name in self._order:
            member = self.members[name]
            found += member._flat() if name in self.open and isinstance(member, Panel) else []
            found.append(member)
        return found

    def names(self) -> list[str]:
        """The names of all whose predictions it combines, in their order; those of an open panel come before it."""
        found = []
        for name in self._order:
            member = self.members[name]
            if name in self.open and isinstance(member, Panel):
                found += [f"{name}/{inner}" for inner in member.names()]
            found.append(name)
        return found

    def settings(self) -> dict[str, Any]:
        return {
            "members": dict(self.members),
            "combiners": None if self.combiners is None else list(self.combiners),
            "player": self.player,
            "open": list(self.open),
            "offsets": dict(self.offsets),
            "loss": self.loss,
            "features": self.features,
        }

    @locked
    def state(self) -> dict[str, Any]:
        return {**self.native_state(), "guests": {name: registry.state(guest) for name, guest in self._guests.items()}}

    @locked
    def set_state(self, state: dict[str, Any]) -> None:
        states = state["guests"]
        if not isinstance(states, dict) or set(states) != set(self._guests):
            raise ValueError("the state has not one part per member that is not of the core")
        built = {
            name: registry.build(registry.name_of(guest), registry.settings(guest), states[name])
            for name, guest in self._guests.items()
        }
        self.set_native_state({name: part for name, part in state.items() if name != "guests"}, 1)
        self._guests = built

    __reduce__, __getstate__, __setstate__ = registry.reduce, registry.getstate, registry.setstate
    _repr_html_ = model_html

    def __repr__(self) -> str:
        """As it would be constructed, without the arguments that are the defaults."""
        given: dict[str, Any] = {"combiners": self.combiners and list(self.combiners), "player": self.player}
        given |= {"open": list(self.open), "offsets": self.offsets}
        given |= {"features": None if self.features == Features() else self.features}
        inside = [f"{{{', '.join(f'{name!r}: {member!r}' for name, member in self.members.items())}}}"]
        inside += [f"{name}={value!r}" for name, value in given.items() if value]
        return f"Panel({', '.join([*inside, f'loss={self.loss!r}'])})"

    def _native_rule(self) -> Any:
        members = [self.members[name] for name in self._order]
        pooled = sum(self._pools(name) for name in self._order)
        seats = {name: max(0, k - pooled + min(1, pooled)) for k, name in enumerate(self._order)}
        own = [losses.get(m.loss) if isinstance(m, Native) else losses.get("squared") for m in members]
        return panel_rule(
            [m._rule if isinstance(m, Native) else None for m in members],
            own,
            [name in self.open for name in self._order],
            [seats[self.offsets[name]] if name in self.offsets else -1 for name in self._order],
            [each.native(self._numbers) for each in self.combiners or usual(self._numbers)],
            (self.player or AdaNormalHedge())._rule,
            self._numbers,
        )

    def _pools(self, name: str) -> bool:
        member = self.members[name]
        return isinstance(member, Native) and pools(member._rule, losses.get(member.loss))

    def _check(self, loss: Loss, features: Features | None) -> None:
        wanted = Labels(loss.labels)
        for name, member in self.members.items():
            kind = getattr(member, "labels", wanted)
            if kind != wanted:
                raise ValueError(f"member {quoted(name)} learns labels of kind `{kind.kind}`, not `{wanted.kind}`")
            own = getattr(member, "features", Features()) if isinstance(member, Native) else Features()
            if own not in (Features(), features):
                raise ValueError(f"member {quoted(name)} has features of its own; give them to the panel")
        names = list(self.members)
        for name in self.open:
            if not isinstance(self.members.get(name), Panel):
                raise ValueError(f"open has {quoted(str(name))}, which is no panel among the members")
        for name, base in self.offsets.items():
            if name not in names or base not in names or names.index(base) >= names.index(name):
                message = f"offsets has {quoted(str(name))} upon {quoted(str(base))}"
                raise ValueError(f"{message}, expected two members, of which the second comes first")
            if self._pools(name) or self._pools(base):
                raise ValueError(f"offsets has {quoted(name)}: a linear member learns upon none, and none upon it")

    def _fresh_guests(self) -> Iterator[tuple[str, Any]]:
        """Members that are not of the core, and those of panels on this one, in the order in which they are told."""
        for name in self._order:
            member = self.members[name]
            if isinstance(member, Panel):
                yield from ((f"{name}/{inner}", guest) for inner, guest in member._fresh_guests())
            elif not isinstance(member, Native):
                yield name, registry.fresh(member)

    def _tell(self, x: Any) -> None:
        tell_guests(self, [float(guest.predict_one(x)) for guest in self._guests.values()])

    @locked
    def _predict_guests(self, x: Any) -> float:
        self._tell(x)
        return Model.predict_one(self, x)

    @locked
    def _learn_guests(self, x: Any, y: Any, weight: float = 1.0) -> None:
        self._lock.refuse_nested()
        self._learn(x, y, weight)

    def _learn(self, x: Any, y: Any, weight: float) -> None:
        self._tell(x)
        Model.learn_one(self, x, y, weight)
        if weight != 0.0:
            label = float(y) if self._numbers else 1.0 if y > 0 else -1.0
            for guest in self._guests.values():
                guest.learn_one(x, label, weight)


def gains_of(panel: Panel, kernel: Model, standing: Standing, names: Iterable[str] | None) -> dict[str, float]:
    """By feature, the gains of the trees that have lost least, of a panel that the kernel plays."""
    k = panel.best_of(RollingTrees, standing)
    if k is None or standing.members[k].asleep:
        raise ValueError("no member of this panel has trees" if k is None else "the trees sleep")
    _, slots, gains = holdings(kernel, k)
    return weights.by_name(kernel, panel.features, weights.not_zero(slots, gains), names)


def holds_of(panel: Panel, kernel: Model) -> dict[str, dict[str, int]]:
    """What the members of a panel that the kernel plays keep beside weights."""
    held = {name: holdings(kernel, k)[0] for k, name in enumerate(panel.names())}
    return {name: numbers for name, numbers in held.items() if numbers}


def _named(members: Mapping[str, Learner] | Iterable[Learner]) -> dict[str, Any]:
    if isinstance(members, Mapping):
        named = dict(members)
    else:
        given, named = list(members), {}
        for member in given:
            kind = type(member).__name__
            several = sum(type(other) is type(member) for other in given) > 1
            number = sum(name.split()[0] == kind for name in named) + 1
            named[f"{kind} {number}" if several else kind] = member
    if not named:
        raise ValueError("members is empty, expected at least one learner")
    for name, member in named.items():
        if not isinstance(name, str) or not name or "/" in name:
            raise ValueError(f"members has the name {name!r}, expected a word without `/`")
        if not isinstance(member, Learner):
            raise TypeError(f"member {quoted(name)} is a `{type(member).__name__}`, expected a learner")
    return named


def _checked(combiner: Any) -> Combiner:
    if not isinstance(combiner, (Mixing, Sharing, Stacking)):
        raise TypeError(f"a combiner is a `{type(combiner).__name__}`, expected Mixing, Sharing or Stacking")
    return combiner
