"""Labels that come as Python objects or arrays, checked and turned into numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Any

import numpy as np
import numpy.typing as npt

from afterwit._core import SvmlightParser
from afterwit.errors import DataError, quoted
from afterwit.numbers import real, real_array, unmasked
from afterwit.protocols import ClassName, Labels

Numbers = npt.NDArray[np.float64]


def class_name(label: Any) -> ClassName:
    """The class that a label names: a word, or a whole number however it is typed.

    >>> class_name(np.float64(3.0)), class_name("cat")
    (3, 'cat')
    """
    if isinstance(label, str):
        return str(label)
    if isinstance(label, (int, np.integer)) and not isinstance(label, np.timedelta64):
        return int(label)
    number = real(label)
    if not number.is_integer():
        raise ValueError(f"class `{label}` is not a whole number; expected integers or words")
    return int(number)


def class_of_text(text: str) -> ClassName:
    """The class that a word in a file names: digits are a number.

    >>> class_of_text("+03"), class_of_text("cat")
    (3, 'cat')
    """
    return int(text) if re.fullmatch(r"[+-]?[0-9]+", text) else text


def labels_in_text(labels: Labels, named: tuple[ClassName, ...] | None) -> Labels:
    """The labels that a pass over text asks for, checked; `named` are the classes that the stream was given."""
    kinds = ("real", "binary", "classes", "none")
    if labels.kind not in kinds:
        raise ValueError(f"kind is {quoted(labels.kind)}, expected one of {', '.join(kinds)}")
    classes = named if labels.classes is None else labels.classes
    if classes is None or labels.kind in ("real", "none"):
        return Labels(labels.kind)
    distinct = len(set(SvmlightParser("classes", [str(name) for name in classes], False).classes))
    if distinct != len(classes) or distinct == 0:
        raise ValueError(f"classes are {quoted(str(classes))}, expected different names, at least one")
    if labels.kind == "binary" and distinct != 2:
        raise ValueError(f"classes has {distinct} names, expected two: the negative and the positive")
    return Labels(labels.kind, classes)


def in_order(y: Any) -> Sequence[Any] | npt.NDArray[Any]:
    """The labels of all rows; refuses what has no order, such as a mapping, whose keys would be the labels."""
    if not hasattr(y, "__array__"):
        if isinstance(y, (Mapping, Set, str, bytes)) or not isinstance(y, Iterable):
            raise DataError(f"y is {quoted(repr(y))}, expected one label per row, in their order")
        return list(y)
    found = unmasked("y", y)
    if found.ndim != 1:
        raise DataError(f"y has {found.ndim} dimensions, expected one label per row")
    return found


class LabelReader:
    """Turns labels into numbers as `Labels` asks, over consecutive batches: class codes go on from batch to batch."""

    def __init__(self, labels: Labels, source: str) -> None:
        self.labels = labels
        self.source = source
        self.classes: list[ClassName] = list(labels.classes or ())
        self._codes = {name: code for code, name in enumerate(self.classes)}

    def read(self, y: Sequence[Any] | npt.NDArray[Any], first_row: int) -> Numbers:
        """The labels of the rows from `first_row` (counted from 1) on."""
        if self.labels.kind == "none":
            return np.zeros(len(y))
        if self.labels.kind == "classes" or self.labels.classes is not None:
            codes = np.array([self._code(label, first_row + i) for i, label in enumerate(y)], dtype=np.float64)
            return codes if self.labels.kind == "classes" else 2.0 * codes - 1.0
        try:
            numbers = real_array("y", y)
        except DataError:
            numbers = np.array([self._number(label, first_row + i) for i, label in enumerate(y)])
        if numbers.ndim != 1:
            raise DataError(f"y has {numbers.ndim} dimensions, expected one label per row", source=self.source)
        return self._checked(numbers, first_row)

    def _checked(self, numbers: Numbers, first_row: int) -> Numbers:
        if self.labels.kind == "binary":
            bad = (numbers != 1.0) & (numbers != -1.0) & (numbers != 0.0)
            expected = (
                "-1 or +1, or 0 or 1 (name two other labels with `classes`, several with `OneVsAll`; "
                "numbers need a loss such as `squared`)"
            )
        else:
            bad = ~(np.abs(numbers) <= np.finfo(np.float32).max)
            expected = "a finite number that fits a 32-bit float"
        if bad.any():
            row = int(np.argmax(bad))
            raise DataError(f"the label is `{numbers[row]:g}`, expected {expected}", source=self._at(first_row + row))
        return np.where(numbers == 0.0, -1.0, numbers) if self.labels.kind == "binary" else numbers

    def _number(self, label: Any, row: int) -> float:
        try:
            return real(label)
        except (TypeError, ValueError, OverflowError):
            raise DataError(f"the label is `{label!r}`, expected a number", source=self._at(row)) from None

    def _code(self, label: Any, row: int) -> int:
        try:
            name = class_name(label)
        except (TypeError, ValueError, OverflowError):
            raise DataError(f"the label is `{label!r}`, expected an integer or a word", source=self._at(row)) from None
        code = self._codes.get(name)
        if code is None:
            if self.labels.classes is not None:
                known = ", ".join(map(str, self.classes[:10]))
                raise DataError(f"the label is `{name}`, expected one of {known}", source=self._at(row))
            code = self._codes[name] = len(self.classes)
            self.classes.append(name)
        return code

    def _at(self, row: int) -> str:
        return f"{self.source}, row {row}"
