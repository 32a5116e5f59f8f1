"""Rows as text, fast: every token in a line of fixed width with a mask over the characters that are there."""

from __future__ import annotations

import re

import numpy as np

from benchmarks.rows import Chunk

WIDTH = 15  # of ` 12345:0.123456`
FRACTION = 9  # where the decimals begin


def svmlight(chunk: Chunk) -> bytes:
    """`1 3:0.1234 7:0.25`"""
    return _text(chunk, b"")


def vw(chunk: Chunk) -> bytes:
    """`1 | 3:0.1234 7:0.25`"""
    return _text(chunk, b" |")


def words(chunk: Chunk) -> bytes:
    """`1 | w3 w7`: the same features as words, without values."""
    text = _text(chunk, b" |").replace(b" ", b" w").replace(b" w|", b" |")
    return re.sub(rb":[0-9.]+", b"", text)


def _text(chunk: Chunk, behind_label: bytes) -> bytes:
    features, rows = len(chunk.indices), len(chunk.y)
    tokens = np.zeros((features + rows, WIDTH), dtype=np.uint8)
    there = np.zeros(tokens.shape, dtype=bool)
    label = np.arange(rows) + chunk.starts[:-1]
    is_feature = np.ones(len(tokens), dtype=bool)
    is_feature[label] = False
    tokens[is_feature], there[is_feature] = _features(chunk)
    for y in np.unique(chunk.y):
        prefix = b"\n%d%s" % (y, behind_label)
        at = label[chunk.y == y]
        tokens[at, : len(prefix)] = np.frombuffer(prefix, dtype=np.uint8)
        there[at, : len(prefix)] = True
    return tokens[there].tobytes()[1:] + b"\n"


def _features(chunk: Chunk) -> tuple[np.ndarray, np.ndarray]:
    tokens = np.empty((len(chunk.indices), WIDTH), dtype=np.uint8)
    there = np.ones(tokens.shape, dtype=bool)
    tokens[:] = np.frombuffer(b" 00000:0.000000", dtype=np.uint8)
    for place in range(5):
        power = 10 ** (4 - place)
        tokens[:, 1 + place] += (chunk.indices // power % 10).astype(np.uint8)
        there[:, 1 + place] = chunk.indices >= power
    for place in range(6):
        tokens[:, FRACTION + place] += (chunk.millionths // 10 ** (5 - place) % 10).astype(np.uint8)
        there[:, FRACTION + place] = chunk.decimals > place
    return tokens, there
