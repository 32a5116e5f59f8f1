"""The native core of afterwit."""

from collections.abc import Mapping, Sequence
import enum
import types
from typing import Annotated, overload

import numpy
from numpy.typing import NDArray


version: str = '0.1.0'

def give_back_memory() -> None:
    """Gives freed memory back to the system, where the allocator can."""

class Lock:
    """
    One thread at a time, with calls within calls; in a child as fresh as it can be.
    """

    def __init__(self) -> None: ...

    __enter__: types.MethodDescriptorType = ...

    __exit__: types.MethodDescriptorType = ...

    def refuse_nested(self) -> None:
        """Who holds it raises in a call within a call."""

def rows_of_mappings(mappings: list, keep_names: bool, keep_groups: bool, cells: CellRules | None = None) -> tuple: ...

def group_of_name(name: str) -> int:
    """The 64-bit hash of a group: a namespace, or a column."""

def key_of_name(name: str) -> int:
    """The 64-bit key of a feature's name."""

def key_in_namespace(namespace: str, name: str) -> int: ...

class CellUse(enum.Enum):
    """What a model says of a column."""

    plain = 0

    text = 1

    category = 2

    date = 3

class CellRules:
    """By which rules cells become features."""

    def __init__(self, text: Sequence[str] = [], dates: Sequence[str] = [], categorical: Sequence[str] = [], kept: Sequence[int] = [], ignored: Sequence[int] = [], rules: int = 2) -> None: ...

    @property
    def rules(self) -> int: ...

    def use(self, column: str) -> CellUse:
        """What is said of a column."""

class Layout:
    """How rows become slots of a table."""

    def __init__(self, bits: int, seed: int, exact: bool, intercept: bool, products: Sequence[Sequence[int]], ngrams: Mapping[int, int], cells: CellRules) -> None: ...

class CollisionCounter:
    """Distinct features, and how many of them meet in one slot."""

    def __init__(self, layout: Layout) -> None: ...

    def add(self, keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], starts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], names: list | None = None, groups: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None) -> None: ...

    def counts(self, most: int) -> dict: ...

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

    label_shared = 9

    label_of_several = 10

    weight_not_number = 11

    weight_negative = 12

    weight_too_large = 13

    base_not_zero = 14

    word_before_bar = 15

    bar_missing = 16

    scale_not_number = 17

    scale_too_large = 18

    weight_missing = 19

    record_too_short = 20

    record_too_long = 21

    record_too_large = 22

    quote_not_closed = 23

    text_after_quote = 24

    text_not_utf8 = 25

    query_id = 26

    feature_without_colon = 27

    feature_without_value = 28

    name_missing = 29

    index_missing = 30

    index_negative = 31

    index_not_integer = 32

    index_too_large = 33

    value_not_number = 34

    value_infinite = 35

    value_too_large = 36

    scaled_value_too_large = 37

    cell_infinite = 38

    cell_no_date = 39

    json_no_object = 40

    json_no_key = 41

    json_no_colon = 42

    json_no_value = 43

    json_no_comma = 44

    json_comma_too_many = 45

    json_not_closed = 46

    json_more_behind = 47

    json_word = 48

    json_number = 49

    json_control = 50

    json_escape = 51

    json_surrogate = 52

    json_too_deep = 53

    json_key_twice = 54

    json_nested_twice = 55

    json_array_mixed = 56

    json_array_nested = 57

    json_array_unread = 58

    label_nested = 59

class BadLine:
    """
    A bad line: its number and column from 1, its token as a slice of the data; of a CSV, in which field (from 0) of how many; of JSON, the name of the value.
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

    @property
    def field(self) -> int: ...

    @property
    def fields(self) -> int: ...

    @property
    def name(self) -> str: ...

class Parsed:
    """Rows, how far the data was read, and what was wrong with it."""

    @property
    def keys(self) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,))] | Annotated[NDArray[numpy.uint64], dict(shape=(None,))]: ...

    @property
    def values(self) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))] | Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    @property
    def starts(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]: ...

    @property
    def y(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    @property
    def weight(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))] | None:
        """None where all are 1, in VW text."""

    @property
    def groups(self) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,))] | None: ...

    @property
    def names(self) -> list | None: ...

    @property
    def ids(self) -> list[list]:
        """The text of each column of ids, row by row."""

    @property
    def consumed(self) -> int: ...

    @property
    def lines(self) -> int: ...

    @property
    def skipped(self) -> int: ...

    @property
    def stopped(self) -> bool:
        """At the last of the bad lines."""

    @property
    def bad_lines(self) -> list[BadLine]: ...

class Categories:
    """The features of each category of a column, hashed once."""

    def __init__(self, column: str, offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], bytes: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], missing: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, rules: CellRules, space: str = '') -> None: ...

    def __len__(self) -> int: ...

class Column:
    """One column of a block of rows."""

    def __len__(self) -> int: ...

    @property
    def name(self) -> str: ...

def number_column(name: str, values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], rules: CellRules, space: str = '') -> Column:
    """
    A column of numbers; a NaN is an empty cell. With a `space`, a field of that column.
    """

def string_column(name: str, offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], bytes: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], missing: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, rules: CellRules, space: str = '') -> Column:
    """A column of UTF-8 strings."""

def category_column(name: str, codes: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], categories: Categories, rules: CellRules, space: str = '') -> Column:
    """A column of categories; a negative code is an empty cell."""

def time_column(name: str, times: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], per_day: int, rules: CellRules, space: str = '') -> Column:
    """
    A column of times since 1970-01-01, a day having so many; the least number is an empty cell.
    """

def made_column(name: str, keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], starts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], names: list, groups: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Column:
    """A column whose features are made already."""

@overload
def spelled_numbers(values: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple: ...

@overload
def spelled_numbers(values: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple: ...

@overload
def spelled_numbers(values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple:
    """Numbers as words are spelled: offsets, bytes, and which are missing."""

def rows_of_columns(columns: Sequence[Column], rows: int, keep_names: bool, keep_groups: bool) -> tuple: ...

def split_objects(objects: list, missing: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple: ...

def csv_header(data: bytes, separator: str, final: bool) -> None | int | tuple[list[bytes], int, int]:
    """
    The cells of the first record, the bytes and the lines up to its end; if it is not whole, where its open quote is, or None.
    """

class CsvParser:
    """Parses the records behind the header of a CSV piece by piece."""

    def __init__(self, headings: Sequence[str], separator: str, *, target: str | None = None, weight: str | None = None, ids: Sequence[str] = (), kind: str = 'real', classes: Sequence[str] = (), cells: CellRules | None = None, names: bool = False, groups: bool = False, packed: bool = False, skip: bool = False, longest_record: int = 67108864) -> None: ...

    def parse(self, data: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], offset: int, final: bool, max_rows: int) -> Parsed:
        """
        Whole lines or records of data[offset:] (and the rest if final), at most max_rows rows.
        """

    @property
    def classes(self) -> list[int | str]:
        """The classes in order of their codes."""

    @property
    def class_count(self) -> int: ...

def csv_numbers(data: bytes, separator: str, columns: int, name: int | None, unread: Sequence[int], final: bool, longest_record: int) -> tuple:
    """
    Whole records as rows of numbers, NaN where a cell is missing, without the columns that are left `unread`: the values, the words of the column `name`, the line of each row, the bytes and lines read, and the bad cell that ended it.
    """

class JsonParser:
    """Parses JSON lines piece by piece."""

    def __init__(self, *, target: str = '_label', weight: str | None = None, ids: Sequence[str] = (), kind: str = 'real', classes: Sequence[str] = (), cells: CellRules | None = None, names: bool = False, groups: bool = False, packed: bool = False, skip: bool = False) -> None: ...

    def parse(self, data: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], offset: int, final: bool, max_rows: int) -> Parsed:
        """
        Whole lines or records of data[offset:] (and the rest if final), at most max_rows rows.
        """

    @property
    def classes(self) -> list[int | str]:
        """The classes in order of their codes."""

    @property
    def class_count(self) -> int: ...

    @property
    def columns_met(self) -> object:
        """
        How many rows there were, and their columns as (name, the first row that had it, how many had it before the first that had not); None if they are too many.
        """

class SvmlightParser:
    """Parses svmlight text piece by piece."""

    def __init__(self, kind: str, classes: Sequence[str], skip: bool, packed: bool = False) -> None: ...

    def parse(self, data: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], offset: int, final: bool, max_rows: int) -> Parsed:
        """
        Whole lines or records of data[offset:] (and the rest if final), at most max_rows rows.
        """

    @property
    def classes(self) -> list[int | str]:
        """The classes in order of their codes."""

    @property
    def class_count(self) -> int: ...

class VwParser:
    """Parses Vowpal Wabbit's text piece by piece."""

    def __init__(self, kind: str, classes: Sequence[str], skip: bool, names: bool = False, groups: bool = False, packed: bool = False, tags: bool = False) -> None: ...

    def parse(self, data: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], offset: int, final: bool, max_rows: int) -> Parsed:
        """
        Whole lines or records of data[offset:] (and the rest if final), at most max_rows rows.
        """

    @property
    def classes(self) -> list[int | str]:
        """The classes in order of their codes."""

    @property
    def class_count(self) -> int: ...

    @property
    def columns_met(self) -> object:
        """
        How many rows there were, and their columns as (name, the first row that had it, how many had it before the first that had not); None if they are too many.
        """

class Loss:
    """
    A loss of the core: one of those that have a function of their own here.
    """

    def __init__(self, loss: Loss) -> None: ...

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

def exp(x: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
    """The core's own exponential."""

def expm1(x: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

def log(x: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

def log1p(x: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

def absolute() -> Loss: ...

def gain() -> Loss: ...

def hinge() -> Loss: ...

def logistic() -> Loss: ...

def quantile(tau: float) -> Loss: ...

def squared() -> Loss: ...

def interval_regret(r: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], lengths: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple:
    """
    The worst regret on the intervals of each length, where it starts and to whom.
    """

def shifting_regret(r: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], segments: int) -> tuple:
    """
    The regret to the best partitions into 1, 2, ... segments; how many segments each has, their first rounds and their experts.
    """

class Domain:
    """A convex set of points."""

    @staticmethod
    def reals(size: int) -> Domain: ...

    @staticmethod
    def ball(radius: float, size: int) -> Domain: ...

    @staticmethod
    def box(low: Sequence[float], high: Sequence[float]) -> Domain: ...

    @staticmethod
    def simplex(size: int) -> Domain: ...

    def project(self, point: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    def least(self, linear: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    def holds(self, point: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> bool: ...

class PointPlayer:
    """A point of a convex domain, played by some rule."""

    def clone(self) -> PointPlayer: ...

    def play(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    def update(self, gradient: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], curvature: float = 0.0) -> tuple | None: ...

    def run(self, losses: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], curvature: float = 0.0, keep: bool = False) -> tuple: ...

    def state(self) -> dict: ...

    def set_state(self, state: dict) -> None: ...

    @property
    def size(self) -> int: ...

def descent(domain: Domain, rate: float, strength: float = 0.0, falls: bool = False) -> PointPlayer:
    """Steps of rate, rate/sqrt(t) or, without a rate, 1/(strength t)."""

def leader(domain: Domain, rate: float, falls: bool = False, entropic: bool = False, optimistic: bool = False, hint: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None) -> PointPlayer:
    """The leader, regularised by 1/rate; 0 without a regulariser."""

class LearningRule:
    """How learners move, with its settings."""

class Labels(enum.Enum):
    real = 0

    binary = 1

    classes = 2

class Model:
    """Learners that follow one rule, over one table."""

    def __init__(self, rule: LearningRule, loss: Loss, layout: Layout, labels: Labels, precise: bool = False) -> None:
        """
        One learner, or one per class; `precise` keeps doubles where floats are kept otherwise.
        """

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

    def predict_rows(self, keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], starts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], groups: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]: ...

    def learn_rows(self, keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], starts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], y: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], weight: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None, classes: int = 0, names: list | None = None, groups: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]: ...

    def learn_csr(self, indices: Annotated[NDArray, dict(shape=(None,), order='C', device='cpu', writable=False)], data: Annotated[NDArray, dict(shape=(None,), order='C', device='cpu', writable=False)], indptr: Annotated[NDArray, dict(shape=(None,), order='C', device='cpu', writable=False)], y: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], weight: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None, classes: int = 0) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]:
        """Learns the rows of a CSR matrix in place, without names."""

    def add_learners(self, n: int) -> None: ...

    @property
    def learners(self) -> int: ...

    @property
    def slots_are_indices(self) -> bool: ...

    @property
    def intercept_slot(self) -> int: ...

    def native_state(self) -> dict: ...

    def set_native_state(self, state: dict, learners: int) -> None: ...

    def weights(self) -> tuple: ...

    def slots_of(self, keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]: ...

    def weights_of(self, keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]: ...

class DenseRule(LearningRule):
    pass

class ClassLearner:
    """
    One learner over columns for several classes, as panels seat them: entry j of a row is feature j, classes are 0, 1, ...
    """

    def __init__(self, rule: DenseRule, classes: int = 0, intercept: bool = True) -> None: ...

    def predict(self, x: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """The probabilities of the classes met so far."""

    def learn(self, x: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], y: int, weight: float = 1.0) -> None: ...

    def state(self) -> dict: ...

    def set_state(self, state: dict) -> None: ...

def neighbours_rule(neighbours: int, window: int, numbers: bool, width: int, wide: int = 0) -> DenseRule: ...

def network_rule(hidden: int, rate: float, seed: int, numbers: bool, width: int, wide: int = 0) -> DenseRule: ...

def online_newton_rule(penalty: float, walk: float, fades: bool, numbers: bool, width: int, wide: int = 0) -> DenseRule: ...

def rolling_trees_rule(trees: int, window: int, rate: float, seed: int, numbers: bool, width: int, wide: int = 0) -> DenseRule: ...

def vector_exp2(y: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
    """2^y in the loops over experts, for |y| <= 1000."""

def vector_exp2_minus_exp2(h: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
    """2^h - 2^-h there, for |h| <= 1."""

def vector_log1p(x: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
    """log(1 + x) in the loops over experts, for |x| <= 1/2."""

class Rule:
    """How players of one kind learn."""

class Player:
    """A distribution over experts, played by some rule."""

    def __init__(self, rule: Rule, low: float = 0.0, high: float = 1.0) -> None: ...

    def clone(self) -> Player: ...

    def play(self, confidence: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    def update(self, losses: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], confidence: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)] | None = None) -> tuple | None: ...

    def run(self, losses: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], confidence: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)] | None = None, keep: bool = False) -> tuple: ...

    def add(self, prior: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def remove(self, expert: int) -> None: ...

    def state(self) -> dict: ...

    def set_state(self, state: dict) -> None: ...

    @property
    def size(self) -> int: ...

    def prior(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    @staticmethod
    def delayed(players: list, turn: int, low: float, high: float) -> Player: ...

    @property
    def turns(self) -> int: ...

    def players(self) -> list: ...

    def skip(self, rounds: int) -> None: ...

    @staticmethod
    def leading_history(base: Player, master: Player | None, rate: float, exact: bool, low: float, high: float) -> Player: ...

    def memory(self) -> tuple: ...

    def set_memory(self, rounds: float, copies: list, shares: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], master: Player | None) -> None: ...

    def mix(self, forecasts: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], y: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], weight: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, loss: Loss, gradient: bool, scale: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], keep: bool = False) -> tuple: ...

    @staticmethod
    def randomized(player: Player, seed: int, told: bool, low: float, high: float, draws: float = 0.0, slept: float = 0.0) -> Player: ...

    def inner(self) -> Player: ...

class AdaNormalHedgeRule(Rule):
    def __init__(self) -> None: ...

class NormalHedgeDTRule(Rule):
    def __init__(self) -> None: ...

class AdaNormalHedgeTVRule(Rule):
    def __init__(self, exact: bool) -> None: ...

class FixedShareRule(Rule):
    def __init__(self, rate: float, share: float) -> None: ...

class FreeBoaRule(Rule):
    def __init__(self) -> None: ...

class HalvingRule(Rule):
    def __init__(self) -> None: ...

class HedgeRule(Rule):
    def __init__(self, rate: float, horizon: float, eps: float) -> None: ...

class MLPolRule(Rule):
    def __init__(self) -> None: ...

class FreeMLPolRule(Rule):
    def __init__(self) -> None: ...

class NormalHedgeRule(Rule):
    def __init__(self) -> None: ...

class AdaptMLProdRule(Rule):
    def __init__(self) -> None: ...

class BoaRule(Rule):
    def __init__(self) -> None: ...

class TwoNormRule(Rule):
    def __init__(self) -> None: ...

def alive(t: int, all: bool = False) -> list[int]:
    """Who of those born in rounds 1, 2, ..., t is alive (errata 33)."""

class AdaGradRule(LearningRule):
    def __init__(self, rate: float) -> None: ...

class ArowRule(LearningRule):
    def __init__(self, noise: float, numbers: bool) -> None: ...

class NormalizedArowRule(LearningRule):
    def __init__(self, noise: float, numbers: bool) -> None: ...

class CoinBettingRule(LearningRule):
    def __init__(self, endowment: float) -> None: ...

class NormalizedCoinBettingRule(LearningRule):
    def __init__(self, endowment: float, numbers: bool, squared: bool) -> None: ...

class DiagonalNewtonRule(LearningRule):
    def __init__(self, variance: float, squared: bool) -> None: ...

class NormalizedDiagonalNewtonRule(LearningRule):
    def __init__(self, variance: float, squared: bool) -> None: ...

class GradientDescentRule(LearningRule):
    def __init__(self, rate: float, radius: float) -> None: ...

class Hindsight:
    """The loss of a fixed linear predictor on rows that are read again."""

    def __init__(self, loss: Loss) -> None: ...

    def trace(self, model: Model, keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], starts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], y: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], weight: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, names: list | None, groups: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """
        Lets a learner learn the rows and notes what the theorems ask for; its predictions.
        """

    def add_loss(self, model: Model, keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], starts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], y: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], weight: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, groups: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, width: float, u: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], gradient: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], hessian: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')] | None = None) -> tuple:
        """
        The loss of u on the rows, and with kinks rounded; adds the gradient and the Hessian of the latter.
        """

    @property
    def slots(self) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,))]: ...

    @property
    def sums(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    @property
    def squares(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    @property
    def gradient_squares(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    @property
    def low(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    @property
    def high(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    @property
    def rounds(self) -> float: ...

    @property
    def reach(self) -> float: ...

    @property
    def gradient(self) -> float: ...

    @property
    def all_one(self) -> bool: ...

class NormalizedAdaGradRule(LearningRule):
    def __init__(self, rate: float) -> None: ...

class NormalizedGradientDescentRule(LearningRule):
    def __init__(self, rate: float) -> None: ...

class PassiveAggressiveRule(LearningRule):
    def __init__(self, aggressiveness: float) -> None: ...

class NormalizedPassiveAggressiveRule(LearningRule):
    def __init__(self, aggressiveness: float, numbers: bool) -> None: ...

class PegasosRule(LearningRule):
    def __init__(self, strength: float) -> None: ...

class PerceptronRule(LearningRule):
    def __init__(self) -> None: ...

class Exp3Rule:
    """Exponential weights for a bandit. Who uses it holds a lock."""

    def __init__(self, arms: int, seed: int, rate: float, horizon: int) -> None: ...

    def clone(self) -> Exp3Rule: ...

    @property
    def rounds(self) -> int: ...

    @property
    def rate(self) -> float: ...

    def losses(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """The estimated losses of this epoch."""

    def weights(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    def draw(self) -> int: ...

    def update(self, arm: int, loss: float) -> None: ...

    def run(self, losses: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], keep: bool) -> tuple:
        """The arms that were drawn, and all weights or none."""

    def set(self, losses: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], rounds: int) -> None: ...

class Points:
    """Points with labels -1 and +1 that a separator is sought for."""

    def __init__(self, columns: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], starts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], y: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], width: int) -> None: ...

    @property
    def longest(self) -> float: ...

    def conflict(self) -> object:
        """Two points that no w separates, or one that is zero twice; or None."""

    def margins(self, w: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """y_i w . x_i of every point."""

class OptimisticPerceptronGame:
    """Algorithm 1, going on."""

    def __init__(self, points: Points) -> None: ...

    def advance(self, rounds: int, numbers: int) -> bool:
        """
        Goes on until there were so many rounds (then false), so many numbers were touched, or something separates.
        """

    @property
    def rounds(self) -> int: ...

    @property
    def operations(self) -> float: ...

    @property
    def margin_at_most(self) -> float: ...

    def last(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """The last w."""

    @property
    def mean_round(self) -> int: ...

    @property
    def last_round(self) -> int: ...

    def sum(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """w_1 + ... + w_t."""

class CyclicPerceptronPasses:
    """Passes over the points, going on."""

    def __init__(self, points: Points) -> None: ...

    def advance(self, rounds: int, numbers: int) -> bool:
        """
        Goes on until there were so many rounds (then false), so many numbers were touched, or something separates.
        """

    @property
    def rounds(self) -> int: ...

    @property
    def operations(self) -> float: ...

    @property
    def margin_at_most(self) -> float: ...

    def last(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """The last w."""

    @property
    def visits(self) -> int: ...

    @property
    def separates(self) -> bool: ...

class ZeroSum:
    """A matrix game, going on; known to the call alone that began it."""

    def __init__(self, matrix: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> None: ...

    def advance(self, rounds: int, numbers: int, gap: float) -> None:
        """
        Goes on to so many rounds in all, until about so many numbers were touched, or to this gap.
        """

    @property
    def gap(self) -> float: ...

    @property
    def rounds(self) -> int: ...

    def gaps(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """That of the means after each round."""

    def mean_row(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    def mean_column(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

class TreesRule(LearningRule):
    pass

def template_rule(feature: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], threshold: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], below: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], above: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], keys: Sequence[int], names: Sequence[str], shares: bool, node: LearningRule | None = None) -> TreesRule:
    """
    Experts over a given tree or graph, whose nodes have learners if one is given.
    """

def grown_rule(depth: int, seed: int, node: LearningRule | None = None) -> TreesRule:
    """The same over a tree that the rows themselves make."""

def tree_view(model: Model, tree: int = 0) -> tuple: ...

class Combiner:
    """How one prediction is made out of many."""

def mixing(rule: Rule, own: bool) -> Combiner: ...

def sharing() -> Combiner: ...

def stacking(penalty: float, walk: float, deep: bool) -> Combiner: ...

class PanelRule(LearningRule):
    pass

def panel_rule(members: list, losses: list, open: Sequence[bool], offsets: Sequence[int], combiners: Sequence[Combiner], last: Rule, numbers: bool) -> PanelRule: ...

def pools(rule: LearningRule, loss: Loss) -> bool:
    """Whether a rule has a form that shares its scales with others."""

def tell_guests(model: Model, predictions: Sequence[float]) -> None: ...

def panel_view(model: Model) -> dict:
    """
    What a panel's members have lost, who sleeps, and the weights of its players.
    """

def holdings(model: Model, member: int = 0) -> tuple:
    """
    What a learner over columns keeps, or a member of a panel: numbers by name; slots, and the gains of trees there.
    """

def member_weights(model: Model, member: int) -> tuple:
    """
    The slots in which a member is not 0, ascending, and its weights there.
    """

class Ledger:
    """Running totals of losses, errors and margins."""

    def __init__(self, loss: Loss, classes: bool, window: int = 0, confusion: bool = False) -> None: ...

    def add(self, raw: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], y: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], weight: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None, columns: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None, labels: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None) -> None: ...

    def totals(self) -> dict: ...

    def curve(self) -> list: ...

    def window(self) -> dict: ...

    def window_curve(self) -> list: ...

    def auc(self) -> tuple: ...

    def spread(self) -> float: ...

    def cells(self) -> tuple: ...

    def tallies(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]: ...

    def confusion(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]: ...

    def state(self) -> dict: ...

    def set_state(self, state: dict) -> None: ...

def probability(margin: float) -> float:
    """Of +1, for a margin of logistic loss."""

def probabilities(raw: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], several: bool) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]:
    """
    Of +1 for each margin, or with several classes of each of them in every row.
    """
