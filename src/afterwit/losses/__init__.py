"""Losses: value and derivative in the prediction p, and the constants that theorems ask for.

Every loss has `labels` ("real" or "binary": the labels it is defined for), `value(p, y)` and `derivative(p, y)`. With C
a bound on |p| and |y|, `lipschitz(C)` is the largest |derivative|; `curvature(C)` is a sigma > 0 with
loss(b) >= loss(a) + loss'(a)(b - a) + (sigma/2)(loss'(a)(b - a))^2, infinite where any will do, or None where there is
none (errata 13); and `smoothness` is the largest second derivative, or None.

>>> get("quantile:0.9").value(1.0, 3.0)
1.8
"""

from __future__ import annotations

from afterwit.losses.absolute import Absolute
from afterwit.losses.hinge import Hinge
from afterwit.losses.logistic import Logistic
from afterwit.losses.quantile import Quantile
from afterwit.losses.squared import Squared

Loss = Squared | Logistic | Hinge | Absolute | Quantile

_PLAIN: dict[str, type[Squared | Logistic | Hinge | Absolute]] = {
    "squared": Squared,
    "logistic": Logistic,
    "hinge": Hinge,
    "absolute": Absolute,
}

__all__ = ["Absolute", "Hinge", "Logistic", "Loss", "Quantile", "Squared", "get"]


def get(loss: str | Loss) -> Loss:
    """The loss of that name (`squared`, `logistic`, `hinge`, `absolute`, `quantile:0.9`), or the loss itself."""
    if not isinstance(loss, str):
        if isinstance(loss, (Squared, Logistic, Hinge, Absolute, Quantile)):
            return loss
        raise TypeError(f"loss is `{loss!r}`, expected a name such as `logistic` or one of afterwit.losses")
    if loss in _PLAIN:
        return _PLAIN[loss]()
    name, _, parameter = loss.partition(":")
    if name == "quantile":
        try:
            return Quantile(float(parameter))
        except ValueError:
            raise ValueError(f"loss is `{loss}`, expected a level between 0 and 1, as in `quantile:0.9`") from None
    raise ValueError(f"loss is `{loss}`, expected one of {', '.join(_PLAIN)}, quantile:LEVEL")
