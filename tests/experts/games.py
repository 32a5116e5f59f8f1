"""Games of every kind, by name: losses in [0, 1], rounds x experts, with ties, zeros, ones and one expert alone."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
RNG = np.random.default_rng(7)
ROUNDS = 2000


def _switching() -> Array:
    losses = RNG.random((ROUNDS, 5))
    losses[: ROUNDS // 2, 0] *= 0.2
    losses[ROUNDS // 2 :, 1] *= 0.2
    return losses


GAMES: dict[str, Array] = {
    "random": RNG.random((ROUNDS, 10)),
    "zeros and ones": np.round(RNG.random((ROUNDS, 17))),
    "ties": np.round(4.0 * RNG.random((ROUNDS, 6))) / 4.0,
    "pairs that are alike": np.repeat(RNG.random((ROUNDS, 4)), 2, axis=1),
    "one expert": RNG.random((ROUNDS, 1)),
    "one round": RNG.random((1, 4)),
    "no loss at all": np.zeros((ROUNDS, 3)),
    "all lose": np.ones((ROUNDS, 3)),
    "one is perfect": np.column_stack([np.zeros(ROUNDS), np.ones((ROUNDS, 33))]),
    "one is hopeless": np.column_stack([np.ones(ROUNDS), 0.5 * RNG.random((ROUNDS, 3))]),
    "switch at half": _switching(),
    "small gaps": 0.5 + 1e-4 * np.arange(5) + 0.01 * RNG.random((ROUNDS, 5)),
    "alternating": np.column_stack([np.arange(ROUNDS) % 2, 1 - np.arange(ROUNDS) % 2]).astype(np.float64),
    "200 experts": RNG.random((300, 200)) ** 3,
}


def confidences(losses: Array, seed: int = 0) -> Array:
    """Some sleep, some are sure, some are half sure; now and then nobody is awake."""
    rng = np.random.default_rng(seed)
    I = np.where(
        rng.random(losses.shape) < 0.4, 0.0, np.where(rng.random(losses.shape) < 0.5, 1.0, rng.random(losses.shape))
    )
    I[::37] = 0.0
    return I
