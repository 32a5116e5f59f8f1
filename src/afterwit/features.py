"""How a model turns feature names and indices into slots of its weight table."""

from __future__ import annotations

from dataclasses import dataclass

from afterwit.protocols import Wants
from afterwit.registry import register


@register("features")
@dataclass(frozen=True)
class Features:
    """Names and indices to slots; a part of the model, so that a model learned from a file also serves dicts.

    With `names="hashed"` a feature goes to one of 2^bits slots by its hash (`seed` chooses the hash; with seed 0 the
    index k < 2^bits has slot k). With `names="exact"` every name has a slot of its own and the names are kept;
    `bits` and `seed` then play no part. `intercept` adds a constant feature, which never shares its slot.

    >>> Features(bits=20)
    Features(bits=20, seed=0, names='hashed', intercept=True)
    """

    bits: int = 18
    seed: int = 0
    names: str = "hashed"
    intercept: bool = True

    def __post_init__(self) -> None:
        if self.names not in ("hashed", "exact"):
            raise ValueError(f"names is `{self.names}`, expected `hashed` or `exact`")
        if not isinstance(self.bits, int) or not 1 <= self.bits <= 30:
            raise ValueError(f"bits is `{self.bits}`, expected a whole number from 1 to 30")
        if not isinstance(self.seed, int) or not 0 <= self.seed < 2**64:
            raise ValueError(f"seed is `{self.seed}`, expected a whole number from 0 to 2^64 - 1")

    @property
    def exact(self) -> bool:
        """Whether names are kept."""
        return self.names == "exact"

    @property
    def wants(self) -> Wants:
        """What a stream must tell of the features."""
        return Wants(names=self.exact)
