"""Weights by the names of features."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from afterwit._core import Model, key_in_namespace, key_of_name
from afterwit.features import Features
from afterwit.learners.native import Native

INTERCEPT = "(intercept)"


def coef(model: Native, names: Iterable[str] | None = None) -> dict[str, float]:
    """The weights by feature name: all that are not zero, or those of `names`."""
    return {name: float(row[0]) for name, row in named_weights(model, model.features, names).items()}


def named_weights(kernel: Model, features: Features, names: Iterable[str] | None) -> dict[str, npt.NDArray[np.float64]]:
    """Feature name to the weights of all learners."""
    if names is not None:
        return _weights_of(kernel, list(names))
    _check_names(kernel, features)
    slots, weights, known = kernel.weights()
    return {_name(kernel, features, known, slot): row for slot, row in zip(slots.tolist(), weights, strict=True)}


def by_name(
    kernel: Model, features: Features, found: dict[int, float], names: Iterable[str] | None
) -> dict[str, float]:
    """Weights by slot under the names of their features: of all of them, or of `names`."""
    if names is not None:
        wanted = list(names)
        slots = kernel.slots_of(np.array([key(name) for name in wanted], dtype=np.uint64)).tolist()
        at = {
            name: kernel.intercept_slot if name == INTERCEPT else slot for name, slot in zip(wanted, slots, strict=True)
        }
        return {name: found.get(slot, 0.0) for name, slot in at.items()}
    _check_names(kernel, features)
    known = kernel.weights()[2]
    return {_name(kernel, features, known, slot): weight for slot, weight in found.items()}


def not_zero(slots: npt.NDArray[np.uint32], values: npt.NDArray[np.float64]) -> dict[int, float]:
    """The values by slot, without those that are 0."""
    return {slot: value for slot, value in zip(slots.tolist(), values.tolist(), strict=True) if value != 0.0}


def _name(kernel: Model, features: Features, known: list[str], slot: int) -> str:
    return INTERCEPT if slot == kernel.intercept_slot else known[slot - 1] if features.exact else str(slot)


def _weights_of(kernel: Model, names: list[str]) -> dict[str, npt.NDArray[np.float64]]:
    keys = np.array([key(name) for name in names], dtype=np.uint64)
    *rows, intercept = kernel.weights_of(keys)
    found = dict(zip(names, rows, strict=True))
    if INTERCEPT in found:
        found[INTERCEPT] = intercept
    return found


def key(name: str) -> int:
    """The key of `price`, `city=Rome` or, in a namespace, `user^17`."""
    namespace, separator, inner = str(name).partition("^")
    return key_in_namespace(namespace, inner) if separator else key_of_name(str(name))


def _check_names(kernel: Model, features: Features) -> None:
    if not features.exact and not kernel.slots_are_indices:
        raise ValueError(
            'the names were hashed and not kept; ask for some with coef(names=[...]), or use Features(names="exact")'
        )
