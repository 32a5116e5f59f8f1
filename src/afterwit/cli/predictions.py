"""Predictions as lines of text: one thing a line, several as CSV with a header, or a JSON object each."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from afterwit.errors import DataError, quoted
from afterwit.learning.answers import check_answers, labels, probabilities
from afterwit.learning.lesson import labels_of, loss_of
from afterwit.protocols import Batch, ClassName

Raw = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Asked:
    """What is to be said of every row: its ids by column, its label, its probability, or else the prediction itself."""

    ids: tuple[str, ...] = ()
    label: bool = False
    probability: bool = False
    threshold: float | None = None

    def check(self, model: Any) -> None:
        """Raises where the model has no such answers."""
        if self.label or self.threshold is not None:
            check_answers(model, "label", self.threshold)
        if self.probability:
            check_answers(model, "probability")

    def header(self, model: Any) -> bytes:
        """The first line, where there is more than one thing to say."""
        nothing = np.zeros((0, len(model.classes) if labels_of(model).kind == "classes" else 1))
        names = list(self.columns(model, nothing, [[] for _ in self.ids]))
        return _csv([names]) if len(names) > 1 else b""

    def lines(self, model: Any, batch: Batch, raw: Raw) -> bytes:
        """A line per row."""
        columns = self.columns(model, raw, batch.ids or ())
        if len(columns) > 1:
            return _csv(zip(*columns.values(), strict=True))
        return "".join(f"{_line(value)}\n" for value in next(iter(columns.values()))).encode("utf-8", "surrogateescape")

    def columns(self, model: Any, raw: Raw, ids: Any) -> dict[str, list[Any]]:
        """What is asked for by name, a value per row."""
        several = labels_of(model).kind == "classes"
        found: dict[str, list[Any]] = {}
        if self.label:
            found["label"] = labels(model, raw, self.threshold).tolist()
        if self.probability and several:
            shares = probabilities(model, raw).T
            found |= {f"probability:{name}": p.tolist() for name, p in zip(model.classes, shares, strict=True)}
        elif self.probability:
            found["probability"] = probabilities(model, raw).tolist()
        if not self.label and not self.probability:
            found["label" if several else "raw"] = _names(model, raw) if several else raw[:, 0].tolist()
        return self._beside(ids, found)

    def json_lines(self, model: Any, batch: Batch, raw: Raw) -> bytes:
        """An object per row: ids, raw, and where they exist label and probability (of the positive, or that label)."""
        kind = labels_of(model).kind
        columns: dict[str, list[Any]] = {"raw": raw.tolist() if kind == "classes" else raw[:, 0].tolist()}
        if kind == "classes":
            columns["label"] = _names(model, raw)
        elif kind == "binary":
            columns["label"] = labels(model, raw, self.threshold).tolist()
        if loss_of(model) == "logistic" and raw.shape[1] > 0:
            shares = probabilities(model, raw)
            columns["probability"] = (shares.max(axis=1) if kind == "classes" else shares).tolist()
            if self.probability and kind == "classes":
                names = list(map(str, model.classes))
                columns["probabilities"] = [dict(zip(names, each, strict=True)) for each in shares.tolist()]
        columns = self._beside(batch.ids or (), columns)
        rows = zip(*columns.values(), strict=True)
        return "".join(json.dumps(dict(zip(columns, row, strict=True))) + "\n" for row in rows).encode()

    def _beside(self, ids: Any, found: dict[str, list[Any]]) -> dict[str, list[Any]]:
        """The ids before what was found; no two columns have one name."""
        for name in self.ids:
            if name in found:
                raise DataError(f"the id {quoted(name)} has the name of what is predicted; rename that column")
        return {**dict(zip(self.ids, ids, strict=True)), **found}


def lines_of(model: Any, raw: Raw) -> bytes:
    """One line per row: the raw prediction, exactly; for several classes the name of the class (nothing before any)."""
    if labels_of(model).kind == "classes":
        return "".join(f"{_line(name)}\n" for name in _names(model, raw)).encode("utf-8", "surrogateescape")
    return "".join(f"{value!r}\n" for value in raw[:, 0].tolist()).encode()


def _csv(rows: Any) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode("utf-8", "surrogateescape")


def _line(name: ClassName | float) -> str:
    """A label or number on one line: as a JSON string, if it has more lines, or could be taken for such a string.

    >>> print(_line("a\\nb"), _line("a b"), _line(7))
    "a\\nb" a b 7
    """
    text = str(name)
    return json.dumps(text) if text.startswith('"') or text.splitlines() not in ([], [text]) else text


def _names(model: Any, raw: Raw) -> list[Any]:
    """The class of each row's largest prediction; an empty name where no class was known."""
    if raw.shape[1] == 0:
        return [""] * len(raw)
    best = raw.argmax(axis=1)
    known = np.isfinite(raw.max(axis=1)).tolist()
    return [model.classes[code] if is_known else "" for code, is_known in zip(best.tolist(), known, strict=True)]
