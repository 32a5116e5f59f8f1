"""What every loss is, and how it is found by its name."""

from __future__ import annotations

from typing import ClassVar

from afterwit._core import Loss as CoreLoss

#: Name -> class, in the order in which the room's `__init__` has them.
_named: dict[str, type[Loss]] = {}


class Loss(CoreLoss):
    """A loss of the core with the constants that theorems ask for; `afterwit.losses` says what they are.

    A class gives its `name`; one with a parameter also gives the word for it and what is expected, with an example.
    """

    name: ClassVar[str]
    labels: ClassVar[str]
    smoothness: ClassVar[float | None] = None
    _parameter: ClassVar[str] = ""
    _expected: ClassVar[str] = ""

    def __init_subclass__(cls, *, name: str = "", parameter: str = "", expected: str = "") -> None:
        if name:
            cls.name, cls._parameter, cls._expected = name, parameter, expected
            _named[name] = cls

    def lipschitz(self, bound: float) -> float | None:
        """The largest |derivative| while |p| and |y| are at most `bound`; None where there is none."""
        raise NotImplementedError(f"`{type(self).__name__}` does not say how steep it is")

    def curvature(self, bound: float) -> float | None:
        """The sigma of exp-concavity there, or None."""
        return None

    def slopes(self) -> tuple[float, float] | None:
        """Where the loss is the largest s (y - p) over low <= s <= high: low and high."""
        return None

    def __str__(self) -> str:
        return self.name


def names(labels: str | None = None) -> list[str]:
    """How the losses are spelled, all of them or those for one kind of labels.

    >>> names("real")
    ['squared', 'absolute', 'quantile:LEVEL']
    """
    kinds = [kind for kind in _named.values() if labels in (None, kind.labels)]
    return [f"{kind.name}:{kind._parameter}" if kind._parameter else kind.name for kind in kinds]


def get(loss: str | Loss) -> Loss:
    """The loss of that name (`squared`, `logistic`, `quantile:0.9`; `names` has them all), or the loss itself."""
    if not isinstance(loss, str):
        if isinstance(loss, Loss):
            return loss
        raise TypeError(f"loss is `{loss!r}`, expected a name such as `logistic` or one of afterwit.losses")
    name, colon, parameter = loss.partition(":")
    kind = _named.get(name)
    if kind is None or (colon and not kind._parameter):
        raise ValueError(f"loss is `{loss}`, expected one of {', '.join(names())}")
    if not kind._parameter:
        return kind()  # type: ignore[call-arg]
    try:
        return kind(float(parameter))  # type: ignore[arg-type]
    except ValueError:
        raise ValueError(f"loss is `{loss}`, expected {kind._expected}") from None
