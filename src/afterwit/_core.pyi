"""The native core of afterwit."""

from collections.abc import Sequence
import enum
from typing import Annotated, overload

import numpy
from numpy.typing import NDArray


def parse_number(text: bytes) -> float:
    """The double nearest to a decimal literal."""

class Fault(enum.Enum):
    """What is wrong with a line."""

    label_missing = 1

    label_not_number = 2

    label_infinite = 3

    label_not_binary = 4

    label_not_integer = 5

    label_too_large = 6

    label_not_utf8 = 7

    label_unknown = 8

    query_id = 9

    feature_without_colon = 10

    feature_without_value = 11

    index_missing = 12

    index_negative = 13

    index_not_integer = 14

    index_too_large = 15

    value_not_number = 16

    value_infinite = 17

    value_too_large = 18

class BadLine:
    """
    A bad line: its number and column from 1, and its token as a slice of the data.
    """

    @property
    def fault(self) -> Fault: ...

    @property
    def line(self) -> int: ...

    @property
    def column(self) -> int: ...

    @property
    def offset(self) -> int: ...

    @property
    def length(self) -> int: ...

class Parsed:
    """Rows, how far the data was read, and what was wrong with it."""

    @property
    def keys(self) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,))]: ...

    @property
    def values(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    @property
    def starts(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]: ...

    @property
    def y(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    @property
    def consumed(self) -> int: ...

    @property
    def lines(self) -> int: ...

    @property
    def skipped(self) -> int: ...

    @property
    def bad_lines(self) -> list[BadLine]: ...

class SvmlightParser:
    """Parses svmlight text piece by piece."""

    def __init__(self, kind: str, classes: Sequence[str], skip: bool) -> None: ...

    def parse(self, data: bytes, offset: int, final: bool, max_rows: int) -> Parsed:
        """
        Whole lines of data[offset:] (and the rest if final), at most max_rows rows.
        """

    @property
    def classes(self) -> list[int | str]:
        """The classes in order of their codes."""

    @property
    def class_count(self) -> int: ...

def rows_of_mappings(mappings: list, keep_names: bool, keep_groups: bool, text: Sequence[str]) -> tuple: ...

def group_of_name(name: str) -> int:
    """The 64-bit hash of a group: a namespace, or a column."""

def key_of_name(name: str) -> int:
    """The 64-bit key of a feature's name."""

def key_in_namespace(namespace: str, name: str) -> int: ...

class Squared:
    def __init__(self) -> None: ...

    @overload
    def value(self, p: float, y: float) -> float:
        """The loss of predicting p where the label is y."""

    @overload
    def value(self, p: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], y: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    @overload
    def derivative(self, p: float, y: float) -> float:
        """The derivative in p; at a kink, a subderivative."""

    @overload
    def derivative(self, p: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], y: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    def invariant(self, p: float, y: float, step: float, a: float) -> float:
        """The importance-invariant step: (p(step) - p)/a along p' = -a loss'(p)."""

class Logistic:
    def __init__(self) -> None: ...

    @overload
    def value(self, p: float, y: float) -> float:
        """The loss of predicting p where the label is y."""

    @overload
    def value(self, p: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], y: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    @overload
    def derivative(self, p: float, y: float) -> float:
        """The derivative in p; at a kink, a subderivative."""

    @overload
    def derivative(self, p: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], y: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    def invariant(self, p: float, y: float, step: float, a: float) -> float:
        """The importance-invariant step: (p(step) - p)/a along p' = -a loss'(p)."""

class Hinge:
    def __init__(self) -> None: ...

    @overload
    def value(self, p: float, y: float) -> float:
        """The loss of predicting p where the label is y."""

    @overload
    def value(self, p: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], y: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    @overload
    def derivative(self, p: float, y: float) -> float:
        """The derivative in p; at a kink, a subderivative."""

    @overload
    def derivative(self, p: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], y: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    def invariant(self, p: float, y: float, step: float, a: float) -> float:
        """The importance-invariant step: (p(step) - p)/a along p' = -a loss'(p)."""

class Absolute:
    def __init__(self) -> None: ...

    @overload
    def value(self, p: float, y: float) -> float:
        """The loss of predicting p where the label is y."""

    @overload
    def value(self, p: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], y: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    @overload
    def derivative(self, p: float, y: float) -> float:
        """The derivative in p; at a kink, a subderivative."""

    @overload
    def derivative(self, p: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], y: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    def invariant(self, p: float, y: float, step: float, a: float) -> float:
        """The importance-invariant step: (p(step) - p)/a along p' = -a loss'(p)."""

class Quantile:
    def __init__(self, tau: float) -> None: ...

    @overload
    def value(self, p: float, y: float) -> float:
        """The loss of predicting p where the label is y."""

    @overload
    def value(self, p: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], y: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    @overload
    def derivative(self, p: float, y: float) -> float:
        """The derivative in p; at a kink, a subderivative."""

    @overload
    def derivative(self, p: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], y: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    def invariant(self, p: float, y: float, step: float, a: float) -> float:
        """The importance-invariant step: (p(step) - p)/a along p' = -a loss'(p)."""

    @property
    def tau(self) -> float: ...

def exp(x: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
    """The core's own exponential."""

def expm1(x: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

def log(x: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

def log1p(x: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

class PerceptronRule:
    def __init__(self) -> None: ...

class GradientDescentRule:
    def __init__(self, rate: float, radius: float) -> None: ...

class PegasosRule:
    def __init__(self, strength: float) -> None: ...

class AdaGradRule:
    def __init__(self, rate: float) -> None: ...

class NormalizedAdaGradRule:
    def __init__(self, rate: float) -> None: ...

class Labels(enum.Enum):
    real = 0

    binary = 1

    code = 2

class Linear:
    """Linear learners over one table of weights."""

    @overload
    def __init__(self, rule: PerceptronRule, loss: Squared | Logistic | Hinge | Absolute | Quantile, bits: int, seed: int, exact: bool, intercept: bool, labels: Labels, many: bool = False) -> None: ...

    @overload
    def __init__(self, rule: GradientDescentRule, loss: Squared | Logistic | Hinge | Absolute | Quantile, bits: int, seed: int, exact: bool, intercept: bool, labels: Labels, many: bool = False) -> None: ...

    @overload
    def __init__(self, rule: PegasosRule, loss: Squared | Logistic | Hinge | Absolute | Quantile, bits: int, seed: int, exact: bool, intercept: bool, labels: Labels, many: bool = False) -> None: ...

    @overload
    def __init__(self, rule: AdaGradRule, loss: Squared | Logistic | Hinge | Absolute | Quantile, bits: int, seed: int, exact: bool, intercept: bool, labels: Labels, many: bool = False) -> None: ...

    @overload
    def __init__(self, rule: NormalizedAdaGradRule, loss: Squared | Logistic | Hinge | Absolute | Quantile, bits: int, seed: int, exact: bool, intercept: bool, labels: Labels, many: bool = False) -> None: ...

    def predict_one(self, x: object) -> float:
        """
        The raw prediction (margin or value) for one row: a mapping of names, or a one-dimensional array.
        """

    def learn_one(self, x: object, y: object, weight: float = 1.0) -> None:
        """Learns one row and its label."""

    def predict_codes(self, x: object) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """The raw predictions of all learners for one row."""

    def learn_code(self, x: object, y: object, weight: float, classes: int) -> None:
        """Learns one row and the code of its class."""

    def predict_rows(self, keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], starts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]: ...

    def learn_rows(self, keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], starts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], y: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], weight: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None, classes: int = 0, names: list | None = None) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]: ...

    def add_learners(self, n: int) -> None: ...

    def native_state(self) -> dict: ...

    def set_native_state(self, state: dict, learners: int) -> None: ...

    def weights(self) -> tuple: ...

    def weights_of(self, keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]: ...

    def intercept_weights(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    @property
    def learners(self) -> int: ...

    @property
    def slots_are_indices(self) -> bool: ...

    @property
    def intercept_slot(self) -> int: ...

class Ledger:
    """Running totals of losses, errors and margins."""

    def __init__(self, loss: Squared | Logistic | Hinge | Absolute | Quantile, codes: bool, window: int = 0) -> None: ...

    def add(self, raw: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], y: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], weight: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None) -> None: ...

    def totals(self) -> dict: ...

    def curve(self) -> list: ...

    def window(self) -> dict: ...

    def window_curve(self) -> list: ...

    def auc(self) -> tuple: ...

    def state(self) -> dict: ...

    def set_state(self, state: dict) -> None: ...
