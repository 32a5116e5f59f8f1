"""Seeded rows in chunks: sparse ones like a corpus of news, and dense ones."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

CHUNK = 20_000
WORDS = 47_000
NONZEROS = 75
COLUMNS = 54
SEED = 20


class Chunk(NamedTuple):
    """Rows in compressed form; a value is `millionths[i]` / 1,000,000, written with 4 to 6 decimals."""

    starts: np.ndarray
    indices: np.ndarray
    millionths: np.ndarray
    decimals: np.ndarray
    y: np.ndarray


def sparse(rows: int, classes: int = 0) -> Iterator[Chunk]:
    """Words with power-law frequencies, about 75 a row, rows of length about 1; labels -1 and 1, or 1, ..., classes."""
    rng = np.random.default_rng(SEED)
    frequency = 1.0 / (np.arange(WORDS) + 30.0)
    reach = np.cumsum(frequency) / frequency.sum()
    rarity = -np.log(frequency / frequency.sum())
    name = rng.permutation(WORDS) + 1
    truth = rng.normal(size=(classes, WORDS + 1) if classes else WORDS + 1)
    for rng, count in _chunks(rows):
        drawn = rng.gamma(2.0, NONZEROS / 2.0, count).astype(np.int64) + 3
        row = np.repeat(np.arange(count), drawn)
        rank = np.minimum(np.searchsorted(reach, rng.random(len(row))), WORDS - 1)
        at = np.unique(row * (WORDS + 1) + name[rank], return_index=True)[1]
        row, rank = row[at], rank[at]
        starts = np.concatenate([[0], np.cumsum(np.bincount(row, minlength=count))])
        values = rarity[rank] * rng.lognormal(0.0, 0.4, len(rank))
        values /= np.sqrt(np.add.reduceat(values**2, starts[:-1]))[row]
        yield _chunk(rng, starts, name[rank], values, truth)


def dense(rows: int, columns: int = COLUMNS) -> Iterator[Chunk]:
    """54 columns without a zero."""
    truth = np.random.default_rng(SEED + 1).normal(size=columns + 1)
    for rng, count in _chunks(rows):
        starts = np.arange(count + 1) * columns
        indices = np.tile(np.arange(1, columns + 1), count)
        yield _chunk(rng, starts, indices, rng.random(count * columns), truth)


def narrow(rows: int) -> Iterator[Chunk]:
    """Ten columns without a zero."""
    return dense(rows, 10)


def _chunks(rows: int) -> Iterator[tuple[np.random.Generator, int]]:
    for first in range(0, rows, CHUNK):
        yield np.random.default_rng([SEED, first]), min(CHUNK, rows - first)


def _chunk(
    rng: np.random.Generator, starts: np.ndarray, indices: np.ndarray, values: np.ndarray, truth: np.ndarray
) -> Chunk:
    decimals = rng.integers(4, 7, len(values))
    unit = 10 ** (6 - decimals)
    millionths = np.clip(np.round(values * 1e6).astype(np.int64) // unit, 1, 10**decimals - 1) * unit
    noisy = [_noisy(rng, np.add.reduceat(each[indices] * values, starts[:-1])) for each in np.atleast_2d(truth)]
    y = np.where(noisy[0] > 0.0, 1, -1) if truth.ndim == 1 else np.argmax(noisy, axis=0) + 1
    return Chunk(starts, indices, millionths, decimals, y)


def _noisy(rng: np.random.Generator, margin: np.ndarray) -> np.ndarray:
    return margin - margin.mean() + 0.3 * margin.std() * rng.normal(size=len(margin))
