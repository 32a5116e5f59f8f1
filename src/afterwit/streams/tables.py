"""Rows from tables: pandas, Polars, PyArrow, Parquet files, and all that exports an Arrow stream."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from afterwit.errors import DataError, nearest, quoted
from afterwit.protocols import NOTHING, Batch, ClassName, Labels, Position, Wants
from afterwit.schema import UNKNOWN, Schema
from afterwit.streams import labels as label_room
from afterwit.streams.arrow_tables import ArrowTable
from afterwit.streams.blocks import Block, Table, joined, rows_of_block
from afterwit.streams.ids import check_roles, no_features
from afterwit.streams.labels import LabelReader, check_start, in_order
from afterwit.streams.likely_ids import LEAST_ROWS, columns_to_look_at, likely_ids
from afterwit.streams.pandas_tables import PandasTable, is_frame
from afterwit.streams.weights import weights

BATCH_ROWS = 4096


def is_table(X: Any) -> bool:
    """Whether X is a data frame or exports an Arrow stream of columns."""
    exports = hasattr(X, "__arrow_c_stream__") and getattr(X, "ndim", 2) == 2
    return is_frame(X) or _is_lazy(X) or (exports and not isinstance(X, type))


def table_of(X: Any) -> Table:
    """The columns of a data frame or of an Arrow stream; a Polars lazy frame is collected."""
    return PandasTable(X) if is_frame(X) else ArrowTable(X.collect() if _is_lazy(X) else X)


def rows_of_table(X: Any, wants: Wants = NOTHING) -> Batch:
    """All rows and all columns of a table, without labels."""
    table = table_of(X)
    columns = [name for name in table.columns if wants.reads(name)]
    blocks = table.blocks(columns, BATCH_ROWS)
    return joined([rows_of_block(block, columns, wants, table.name) for block in blocks], wants)


class TableStream:
    """The rows of a table, in order.

    A number is the feature `column`, a string is `column=text` with value 1, a date its parts; a zero, a null and a NaN
    are no feature. `target` names the column of the labels (or `y` has them), `weight` that of the importance weights;
    columns in `ids` come along as texts. A stream of labels of kind "none" needs neither target nor weight.
    """

    skipped = 0

    def __init__(
        self,
        table: Table,
        target: str | None = None,
        weight: Any = None,
        *,
        y: Any = None,
        classes: Sequence[ClassName] | None = None,
        batch_rows: int = BATCH_ROWS,
        taught: Schema | None = None,
        ids: Sequence[str] = (),
    ) -> None:
        if batch_rows < 1:
            raise ValueError(f"batch_rows is {batch_rows}, expected at least 1")
        check_roles(ids, target, weight)
        taught = taught or UNKNOWN
        known = taught.among(table.columns)
        if target is None and y is None and not (isinstance(weight, str) and weight == known.target):
            target = known.target
        if weight is None and known.weight != target:
            weight = known.weight
        self._table, self._target, self._batch_rows = table, target, batch_rows
        missed = target is None and y is None and taught.target not in table.columns
        self._missed = taught.target if missed else None
        self.classes = known.classes if classes is None else tuple(classes)
        self._y = None if y is None else in_order(y)
        self._weight = weight if isinstance(weight, str) else weights(weight, self._rows("weight"))
        self.rereadable, self.size = table.rereadable, table.size
        rows = "" if table.size is None else f", {table.size:,} rows"
        self.description = f"{table.name} ({table.kind}{rows})" if table.name not in table.kind else table.kind + rows
        self.ids = tuple(ids)
        weighted = weight if isinstance(weight, str) else None
        kept_out = no_features(replace(known, columns=taught.columns), self.ids, target, weighted)
        self._features = tuple(name for name in table.columns if name not in (target, weighted, *kept_out))
        self.schema = Schema(target, weighted, self.classes, self._features, ids=kept_out).bounded()
        self.likely_ids: tuple[str, ...] = ()
        self._was_read = False
        if self._y is not None and len(self._y) != (rows_known := self._rows("y")):
            raise DataError(f"y has {len(self._y)} entries, expected {rows_known} (one per row)")
        if self._y is not None and target is not None:
            raise DataError("the labels are in `y`, or in the column that `target` names; give one of the two")

    def like(self, taught: Schema) -> TableStream:
        """The same rows; what it was not told of its columns is as it was in what a model was taught."""
        told: dict[str, Any] = {"y": self._y, "classes": self.classes, "batch_rows": self._batch_rows, "ids": self.ids}
        return TableStream(self._table, self._target, self._weight, **told, taught=taught)

    def batches(self, labels: Labels, *, wants: Wants = NOTHING, start: Position | None = None) -> Iterator[Batch]:
        """The rows from `start` on, in batches of at most `batch_rows`."""
        check_start(labels, start)
        if labels.classes is None and labels.kind in ("binary", "classes", "auto"):
            labels = replace(labels, classes=self.classes)
        return self._pass(labels, wants, start)

    def _pass(self, labels: Labels, wants: Wants, start: Position | None) -> Iterator[Batch]:
        if self._was_read and not self.rereadable:
            raise DataError("it can be read only once, and it was", source=self._table.name)
        self._was_read = True
        self._check_columns(labels)
        reader = LabelReader(labels, self._table.name)
        done = self._return_to(start, reader) if start else 0
        weighted = self._weight if isinstance(self._weight, str) else None
        weight = [weighted] if weighted is not None and labels.kind != "none" else []
        features = [name for name in self._features if wants.reads(name)]
        target = [self._target] if self._target is not None and labels.kind != "none" else []
        blocks = self._table.blocks([*features, *target, *weight, *self.ids], self._batch_rows, done)
        if reader.labels.kind == "auto":
            blocks = self._look(blocks, reader)
        for block in blocks:
            rows = rows_of_block(block, features, wants, self._table.name)
            if done == 0 and block.rows >= LEAST_ROWS and labels.kind != "none":
                self.likely_ids = self._ids_in(block, wants)
            y = self._labels(block, reader)
            done += block.rows
            position = Position(rows=done, crc=self._table.crc)
            classes = tuple(reader.classes) if labels.kind != "none" else ()
            yield replace(
                rows,
                y=y,
                weight=self._weights(block, labels),
                classes=classes,
                position=position,
                labels=reader.decision,
                ids=tuple(block.texts(name) for name in self.ids) if self.ids else None,
            )

    def _ids_in(self, block: Block, wants: Wants) -> tuple[str, ...]:
        columns = columns_to_look_at(self._features, wants)
        return likely_ids(rows_of_block(block, columns, replace(wants, groups=True), self._table.name), columns)

    def _look(self, blocks: Iterator[Block], reader: LabelReader) -> Iterator[Block]:
        """All blocks, after the reader has looked at the first labels; a missing one is no label."""
        if self._y is not None:
            reader.look(self._y)
            return blocks
        first, found, rows = list[Block](), list[Any](), 0
        while rows < label_room.LOOKED_AT and (block := next(blocks, None)) is not None:
            values, missing = block.labels(str(self._target))
            found += [value for i, value in enumerate(values) if missing is None or not missing[i]]
            first.append(block)
            rows += block.rows
        reader.look(found)
        return chain(first, blocks)

    def _return_to(self, start: Position, reader: LabelReader) -> int:
        """Checks that the rows before `start` are there; codes of classes stay the same."""
        if start.crc != self._table.crc:
            message = "the input changed since the checkpoint was written; start again from the beginning"
            raise DataError(message, source=self._table.name)
        rows = self._table.size
        if reader.labels.kind == "classes" and reader.labels.classes is None:
            rows = 0
            for block in self._table.blocks([self._target] if self._target else [], self._batch_rows, 0, start.rows):
                self._labels(block, reader)
                rows += block.rows
        if rows is not None and rows < start.rows:
            message = f"the input changed: it has {rows} rows, and {start.rows} were read before"
            raise DataError(message, source=self._table.name)
        return start.rows

    def _check_columns(self, labels: Labels) -> None:
        target = self._target or self._missed
        if target is None and self._y is None and labels.kind != "none":
            message = "which column has the labels? Name it with `target`"
            raise DataError(f"{message}; the columns are {self._listed()}", source=self._table.name)
        roles = [] if labels.kind == "none" else [("weight", self._weight), ("target", target)]
        for what, name in [*roles, *(("id", name) for name in self.ids)]:
            if isinstance(name, str) and name not in self._table.columns:
                message = f"{what} is {quoted(name)}, and there is no such column"
                advice = nearest(name, self._table.columns)
                raise DataError(f"{message}; {advice}the columns are {self._listed()}", source=self._table.name)

    def _labels(self, block: Block, reader: LabelReader) -> npt.NDArray[np.float64]:
        if reader.labels.kind == "none":
            return np.zeros(block.rows)
        if self._target is None:
            first = block.first_row - 1
            return reader.read(self._y[first : first + block.rows], block.first_row)  # type: ignore[index]
        values, missing = block.labels(self._target)
        if missing is not None and missing.any():
            row = block.first_row + int(np.argmax(missing))
            place = f"{self._table.name}, row {row}, column {quoted(self._target)}"
            raise DataError("the label is missing; drop the row, or fill it in", source=place)
        return reader.read(values, block.first_row)

    def _weights(self, block: Block, labels: Labels) -> npt.NDArray[np.float64] | None:
        if isinstance(self._weight, str):
            if labels.kind == "none":
                return None
            values, _ = block.labels(self._weight)
            return weights(values, block.rows, self._table.name, block.first_row)
        first = block.first_row - 1
        return None if self._weight is None else self._weight[first : first + block.rows]

    def _rows(self, what: str) -> int:
        if self._table.size is None and what == "y":
            raise DataError("y goes with a table whose length is known; name a column with `target`")
        return self._table.size or 0

    def _listed(self, most: int = 10) -> str:
        names = self._table.columns
        shown = ", ".join(quoted(name) for name in names[:most])
        return f"{shown} and {len(names) - most} more" if len(names) > most else shown


def _is_lazy(X: Any) -> bool:
    return type(X).__module__.startswith("polars") and type(X).__name__ == "LazyFrame"
