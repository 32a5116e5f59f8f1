"""Predictions as lines of text, and the file they grow in."""

from __future__ import annotations

import contextlib
import json
import os
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from afterwit.errors import AfterwitError
from afterwit.learning.lesson import labels_of, loss_of

Raw = npt.NDArray[np.float64]


def lines_of(model: Any, raw: Raw) -> bytes:
    """One line per row: the raw prediction, exactly; for several classes the name of the class (nothing before any)."""
    if labels_of(model).kind == "class":
        return "".join(f"{name}\n" for name in _names(model, raw)).encode("utf-8", "surrogateescape")
    return "".join(f"{value!r}\n" for value in raw[:, 0].tolist()).encode()


def json_lines_of(model: Any, raw: Raw) -> bytes:
    """One JSON object per row: raw, and where they exist label and probability (of +1, or of the label's class)."""
    kind = labels_of(model).kind
    columns: dict[str, list[Any]] = {"raw": raw.tolist() if kind == "class" else raw[:, 0].tolist()}
    if kind == "class":
        columns["label"] = _names(model, raw)
    elif kind == "binary":
        columns["label"] = np.where(raw[:, 0] >= 0.0, 1, -1).tolist()
    if loss_of(model) == "logistic" and raw.shape[1] > 0:
        sigmoid = np.exp(-np.logaddexp(0.0, -raw))
        chosen = sigmoid.max(axis=1) / sigmoid.sum(axis=1) if kind == "class" else sigmoid[:, 0]
        columns["probability"] = chosen.tolist()
    rows = zip(*columns.values(), strict=True)
    return "".join(json.dumps(dict(zip(columns, row, strict=True))) + "\n" for row in rows).encode()


def _names(model: Any, raw: Raw) -> list[Any]:
    """The class of each row's largest prediction; an empty name where no class was known."""
    if raw.shape[1] == 0:
        return [""] * len(raw)
    best = raw.argmax(axis=1)
    known = np.isfinite(raw.max(axis=1)).tolist()
    return [model.classes[code] if is_known else "" for code, is_known in zip(best.tolist(), known, strict=True)]


class PredictionFile:
    """Grows as FILE.part and becomes FILE at the end; `state` says how far it is, for a resumed run to go on there."""

    def __init__(self, path: str, state: dict[str, int] | None = None) -> None:
        self._path, self._part = Path(path), Path(f"{path}.part")
        self._size, self._crc = (state["size"], state["crc"]) if state else (0, 0)
        try:
            if state:
                self._check_part()
            self._file = open(self._part, "r+b" if state else "wb")
            self._file.truncate(self._size)
            self._file.seek(self._size)
        except OSError as error:
            raise self._unwritable(error) from error

    def write(self, lines: bytes) -> None:
        """Appends lines."""
        try:
            self._file.write(lines)
        except OSError as error:
            raise self._unwritable(error) from error
        self._size += len(lines)
        self._crc = zlib.crc32(lines, self._crc)

    def state(self) -> dict[str, int]:
        """How far the file is; what was written is on the disk when this returns."""
        try:
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as error:
            raise self._unwritable(error) from error
        return {"size": self._size, "crc": self._crc}

    def publish(self) -> None:
        """Gives the closed file its own name."""
        os.replace(self._part, self._path)

    def discard(self) -> None:
        """Removes what was written, when nothing can go on from it."""
        with contextlib.suppress(OSError):
            self._file.close()
        self._part.unlink(missing_ok=True)

    def close(self) -> None:
        try:
            self._file.close()
        except OSError as error:
            raise self._unwritable(error) from error

    def _check_part(self) -> None:
        """After a kill at the very end the part may have its own name already: it goes back under the other."""
        if not self._part.exists() and self._path.exists():
            os.replace(self._path, self._part)
        crc, left = 0, self._size
        with open(self._part, "rb") as file:
            while left and (block := file.read(min(left, 1 << 20))):
                crc, left = zlib.crc32(block, crc), left - len(block)
        if left or crc != self._crc:
            raise AfterwitError(f"`{self._part}` is not what the checkpoint left; start again without --resume")

    def _unwritable(self, error: OSError) -> AfterwitError:
        return AfterwitError(f"cannot write `{self._part}`: {(error.strerror or str(error)).lower()}")
