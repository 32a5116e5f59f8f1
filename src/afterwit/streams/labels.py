"""Labels that come as Python objects or arrays, checked and turned into numbers."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from afterwit._core import SvmlightParser, parse_number
from afterwit.errors import DataError, quoted
from afterwit.numbers import real, real_array, unmasked
from afterwit.protocols import ClassName, Labels, Position

Numbers = npt.NDArray[np.float64]
#: Of two labels, one of these words is the negative one.
NEGATIVE = ("no", "false", "n", "f", "negative", "neg", "0", "-1")
#: Up to here every whole number is a double, and so the same in text, arrays and objects.
LARGEST_CLASS = 2.0**53
#: How many rows decide which labels a stream has, whatever the size of its batches.
LOOKED_AT = 4096


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


def number_or_word(label: Any) -> ClassName | float | None:
    """A whole number, another number, or a word, whether it comes as text or as an object; None for anything else.

    >>> [number_or_word(label) for label in ("+1.0", np.float64(1), True, "1.5", "one", None)]
    [1, 1, 1, 1.5, 'one', None]
    """
    try:
        number = parse_number(label.encode()) if isinstance(label, str) else real(label)
    except OverflowError:
        return math.inf
    except (TypeError, ValueError):
        return str(label) if isinstance(label, str) else None
    return int(number) if number.is_integer() and abs(number) <= LARGEST_CLASS else number


def decided(labels: Iterable[Any]) -> Labels:
    """The definite kind of some labels, words of a text or objects: what a stream asked for kind "auto" delivers.

    Numbers are -1/+1 or 0/1, or two others that are whole, or else real; words are two or several classes. A fraction
    beside words leaves them real: no class is a fraction, and the error is then about the word.

    >>> decided(["1", "-1.0", "+1"]), decided([3, 7.0, 3]), decided([0.5, 1]), decided([1, 2, 3])
    (Labels(kind='binary', classes=None), Labels(kind='binary', classes=(3, 7)), Labels(kind='real', classes=None), \
Labels(kind='real', classes=None))
    >>> decided(["spam", "ham"]).classes, decided(["Ham", "No"]).classes, decided(["ham", "spam", "3"])
    (('ham', 'spam'), ('No', 'Ham'), Labels(kind='classes', classes=None))
    """
    found: set[ClassName] = set()
    for label in _different(labels):
        name = number_or_word(label)
        if isinstance(name, float):
            return Labels("real", found=True)
        if name is not None:
            found.add(name)
    words = any(isinstance(name, str) for name in found)
    if found and (found <= {-1, 1} or found <= {0, 1}):
        return Labels("binary", found=True)
    if len(found) == 2:
        return Labels("binary", tuple(sorted(found, key=_negative_first if words else None)), found=True)
    return Labels("classes" if words else "real", found=True)


def _different(labels: Iterable[Any]) -> Iterable[Any]:
    labels = labels.tolist() if isinstance(labels, np.ndarray) else labels
    try:
        return set(labels)
    except TypeError:  # one is a list, say: no label, which is an error when it is read
        return labels


def _negative_first(name: ClassName) -> tuple[bool, str]:
    return str(name).lower() not in NEGATIVE, str(name)


def by_names(labels: Labels) -> Labels:
    """The same labels; of kind "auto", names decide before any row does."""
    if labels.kind != "auto" or labels.classes is None:
        return labels
    return Labels("binary" if len(labels.classes) == 2 else "classes", labels.classes)


def check_start(labels: Labels, start: Position | None) -> None:
    """Refuses to find out the labels where the first rows are not looked at."""
    if labels.kind == "auto" and start is not None:
        raise ValueError("kind is `auto`, which the first rows decide, and they are before `start`; name the kind")


def hint(labels: Labels) -> str:
    """What the error about a label adds where the first rows decided which labels there are.

    >>> hint(decided(["no", "yes"]))
    '; the first rows had only two labels, `no` and `yes`: say what the labels are with `task`, or `--task`'
    """
    if not labels.found:
        return ""
    had = "numbers" if labels.kind == "real" else "words"
    if labels.kind == "binary" and labels.classes is None:
        had = "only -1, 0 or 1"
    elif labels.kind == "binary":
        had = "only two labels, " + " and ".join(quoted(str(name)) for name in labels.classes or ())
    return f"; the first rows had {had}: say what the labels are with `task`, or `--task`"


def no_third(labels: Labels) -> str:
    """What the error about an unknown label adds where there are two by name, and the first rows did not decide so."""
    two = labels.kind == "binary" and labels.classes is not None and not labels.found
    return "; for more than two labels begin anew with the task `classes`" if two else ""


def labels_in_text(labels: Labels, named: tuple[ClassName, ...] | None) -> Labels:
    """The labels that a pass over text asks for, checked; `named` are the classes that the stream was given."""
    kinds = ("real", "binary", "classes", "none", "auto")
    if labels.kind not in kinds:
        raise ValueError(f"kind is {quoted(labels.kind)}, expected one of {', '.join(kinds)}")
    classes = named if labels.classes is None else labels.classes
    if classes is None or labels.kind in ("real", "none"):
        return replace(labels, classes=None)
    distinct = len(set(SvmlightParser("classes", [str(name) for name in classes], False).classes))
    if distinct != len(classes) or distinct == 0:
        raise ValueError(f"classes are {quoted(str(classes))}, expected different names, at least one")
    if labels.kind == "binary" and distinct != 2:
        raise ValueError(f"classes has {distinct} names, expected two: the negative and the positive")
    return replace(labels, classes=classes)


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
    """Turns labels into numbers as `Labels` asks, over consecutive batches: class codes go on from batch to batch.

    Of kind "auto", those that are looked at, or else read, first decide.
    """

    def __init__(self, labels: Labels, source: str) -> None:
        self.source = source
        self._decides = labels.kind == "auto"
        self._keep(by_names(labels))

    @property
    def decision(self) -> Labels | None:
        """The labels that were decided on, where that was asked for."""
        return self.labels if self._decides else None

    def _keep(self, labels: Labels) -> None:
        self.labels = labels
        self.classes: list[ClassName] = list(labels.classes or ())
        self._codes: dict[Any, int] = {name: code for code, name in enumerate(self.classes)}

    def look(self, y: Sequence[Any] | npt.NDArray[Any]) -> None:
        """Decides by the first `LOOKED_AT` of these labels, where that was asked for and there is one."""
        if self.labels.kind == "auto" and len(y):
            self._keep(decided(y[:LOOKED_AT]))

    def read(self, y: Sequence[Any] | npt.NDArray[Any], first_row: int) -> Numbers:
        """The labels of the rows from `first_row` (counted from 1) on."""
        if self.labels.kind == "auto":
            self._keep(decided(y))
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
                f"numbers need a loss such as `squared`){hint(self.labels)}"
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
            message = f"the label is `{label!r}`, expected a number{hint(self.labels)}"
            raise DataError(message, source=self._at(row)) from None

    def _code(self, label: Any, row: int) -> int:
        try:
            name = class_name(label)
        except (TypeError, ValueError, OverflowError):
            message = f"the label is `{label!r}`, expected an integer or a word{hint(self.labels)}"
            raise DataError(message, source=self._at(row)) from None
        code = self._codes.get(name)
        if code is None and self.labels.classes is not None:
            code = self._codes.get(number_or_word(label))  # a name that is a number may come as text
        if code is None:
            if self.labels.classes is not None:
                known = ", ".join(map(str, self.classes[:10]))
                message = f"the label is `{name}`, expected one of {known}{hint(self.labels)}{no_third(self.labels)}"
                raise DataError(message, source=self._at(row))
            code = self._codes[name] = len(self.classes)
            self.classes.append(name)
        return code

    def _at(self, row: int) -> str:
        return f"{self.source}, row {row}"
