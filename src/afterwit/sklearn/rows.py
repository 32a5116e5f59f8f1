"""X as scikit-learn takes it, checked, and as a learner takes it: some rows at a time, in any order."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.utils import check_array
from sklearn.utils.validation import validate_data

from afterwit._core import key_of_name
from afterwit.errors import DataError
from afterwit.features import group
from afterwit.learning.pieces import taken
from afterwit.protocols import Batch, Wants
from afterwit.streams.arrays import rows_of
from afterwit.streams.tables import is_table, rows_of_table

Order = slice | npt.NDArray[np.int64]
LARGEST = float(np.finfo(np.float32).max)
#: How the types of columns of numbers begin.
NUMBERS = ("int", "uint", "float", "double", "half", "decimal", "bool", "sparse")
TAKEN: dict[str, Any] = {"accept_sparse": "csr", "dtype": [np.float64, np.float32]}


def checked(estimator: Any, X: Any, *, reset: bool) -> Any:
    """X with as many columns and the names that the estimator knows, or with `reset` takes from here on.

    A table whose columns all have names stays one, and may have words and missing cells; all else becomes an array or a
    CSR matrix of finite numbers.
    """
    if not is_table(X):
        X = validate_data(estimator, X, reset=reset, **TAKEN)
    else:
        validate_data(estimator, X, reset=reset, skip_check_array=True)
        if hasattr(estimator, "feature_names_in_"):
            if X.shape[0] == 0:
                raise ValueError(f"Found array with 0 sample(s) (shape={X.shape}) while a minimum of 1 is required.")
            return X
        X = check_array(X, estimator=estimator, **TAKEN)
    values = getattr(X, "data", X) if hasattr(X, "indptr") else X
    if values.dtype == np.float64 and values.size and max(values.max(), -values.min()) > LARGEST:
        raise DataError("X has a value that does not fit a 32-bit float; scale it")
    return X


def only_numbers(X: Any) -> bool:
    """Whether no column of a table has anything else."""
    kinds = X.dtypes if hasattr(X, "dtypes") else X.schema.types  # as pandas and Polars spell them, or PyArrow
    return all(str(kind).lower().startswith(NUMBERS) for kind in kinds)


def bits_for(columns: int) -> int:
    """The bits of a table in which so many columns have a slot each."""
    return max(18, min(30, (columns - 1).bit_length()))


class Rows:
    """The rows of what `checked` returned. A learner that was taught by names gets arrays by these names."""

    def __init__(self, X: Any, names: Any, wants: Wants) -> None:
        self._X = rows_of_table(X, wants) if is_table(X) else X
        self._names = None if names is None or is_table(X) else list(map(str, names))
        self._wants = wants
        if self._names is not None and (wants.text or wants.dates or wants.categorical):
            raise ValueError("the learner was told what some columns are, by name; give a data frame with these names")
        self.count = len(self._X) if isinstance(self._X, Batch) else self._X.shape[0]

    def part(self, where: Order) -> Any:
        """Some of them: a batch, an array or a CSR matrix."""
        if isinstance(self._X, Batch):
            return taken(self._X, where)
        whole = isinstance(where, slice) and where.start == 0 and where.stop >= self.count
        X = self._X if whole else self._X[where]
        return X if self._names is None else self._named(rows_of(X), self._names)

    def _named(self, batch: Batch, names: list[str]) -> Batch:
        columns = batch.keys.astype(np.int64)
        return replace(
            batch,
            keys=keys_of(names)[columns],
            names=[names[column] for column in columns.tolist()] if self._wants.names else None,
            groups=_array(map(group, names))[columns] if self._wants.groups else None,
        )


def keys_of(names: Any) -> npt.NDArray[np.uint64]:
    """The keys of columns of these names."""
    return _array(key_of_name(str(name)) for name in names)


def _array(keys: Any) -> npt.NDArray[np.uint64]:
    return np.array(list(keys), dtype=np.uint64)
