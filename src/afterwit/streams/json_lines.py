"""JSON lines: an object a line, and a line a row."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from afterwit._core import BadLine, JsonParser
from afterwit.errors import DataError, quoted
from afterwit.features import cell_rules
from afterwit.files.compressed import ByteReader, source_name
from afterwit.protocols import Batch, ClassName, Labels, Position, Wants
from afterwit.schema import Schema
from afterwit.streams.ids import check_roles, no_features
from afterwit.streams.json_faults import sentence
from afterwit.streams.likely_ids import columns_to_look_at, likely_ids
from afterwit.streams.text_format import TextParser
from afterwit.streams.text_pass import TextFile, TextPass
from afterwit.streams.whole_lines import Lines, WholeLines

#: The key of the label in Vowpal Wabbit's JSON, and of what comes along with a row there.
VW_LABEL, VW_TAG = "_label", "_tag"


class JsonLines(TextFile):
    """The rows of a text that has an object on each line; plain or compressed, or `-`.

    A row is what the dict of its keys would be: the value 3.5 of `price` is the feature `price`, the value "Rome" of
    `city` is `city=Rome`, an object is a namespace, and an array is each of its words (`tag=new`, `tag=red`) or of its
    numbers (`size[0]`, `size[1]`). null is missing, and neither it nor 0 is a feature; true is 1.

    `target` is the key of the label, `weight` that of the importance of the row; the values of `ids` come along as they
    are. Without a target it is `_label`, as in Vowpal Wabbit's JSON, where it may be {"Label": 1, "Weight": 2}; `_tag`
    is then no feature. `on_error="skip"` drops bad lines whole and counts them in `skipped`; `bad_lines` has the first
    few of the pass. Keys are known once they were met: `schema` has those of the last pass.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        target: str | None = None,
        weight: str | None = None,
        on_error: str = "raise",
        classes: Sequence[ClassName] | None = None,
        batch_rows: int = 4096,
        taught: Schema | None = None,
        ids: Sequence[str] = (),
    ) -> None:
        if target is not None and target == weight:
            raise ValueError(f"target and weight are both {quoted(target)}, expected two keys")
        super().__init__(path, on_error, classes, batch_rows, taught, ids)
        check_roles(self.ids, target, weight)
        known = self._taught
        self.target = target if target is not None or known.target == weight else known.target
        self.weight = weight if weight is not None or known.weight == self.target else known.weight
        self._left_out = no_features(known, self.ids, self._label, self.weight)
        self._schema = Schema(self._label, self.weight, self.classes, ids=self._left_out)
        self._describe(None)
        if self.rereadable:
            with ByteReader(self.path) as reader:
                self._describe(reader.compression)

    @property
    def _label(self) -> str:
        return VW_LABEL if self.target is None else self.target

    def like(self, taught: Schema) -> JsonLines:
        """The same rows; what it was not told of its keys is as it was in what a model was taught."""
        told = (self.path, self.target, self.weight, self.on_error, self.classes, self.batch_rows)
        return JsonLines(*told, taught, self.ids)

    @property
    def options(self) -> dict[str, Any]:
        """All that decides which rows and batches the file gives; a cache holds for the same alone."""
        return {
            "format": "json",
            "target": self.target,
            "weight": self.weight,
            "on_error": self.on_error,
            "classes": self.classes,
            "batch_rows": self.batch_rows,
            "ids": self.ids,
            "left_out": self._left_out,
        }

    def _begun(self, reader: ByteReader, labels: Labels, wants: Wants) -> TextPass:
        self._describe(reader.compression)
        source = source_name(self.path)
        wants = replace(wants, ignore=(*wants.ignore, *self._left_out))

        def parser(labels: Labels, wants: Wants = wants) -> TextParser:
            return JsonParser(
                target=self._label,
                weight=self.weight,
                ids=self.ids,
                kind=labels.kind,
                classes=[str(name) for name in labels.classes or ()],
                cells=cell_rules(wants),
                names=wants.names,
                groups=wants.groups,
                packed=wants.packed,
                skip=self.on_error == "skip",
            )

        def error(bad: BadLine, block: Lines, labels: Labels, lines_before: int) -> DataError:
            return sentence(bad, block, self._label, self.weight, labels, source, lines_before)

        def ids_in(block: Lines, offset: int, final: bool, rows: int) -> tuple[str, ...]:
            columns = columns_to_look_at(self.schema.columns, wants)
            if not columns:
                return ()
            grouped = parser(Labels("none"), replace(wants, names=False, groups=True, packed=False))
            found = grouped.parse(block, offset, final, rows)
            return likely_ids(Batch(found.keys, found.values, found.starts, found.y, groups=found.groups), columns)

        looks = None if labels.kind == "none" else ids_in
        return TextPass(self, labels, parser, WholeLines(reader), error, Position(), looks)

    def _describe(self, compression: str | None) -> None:
        kinds = ["JSON lines", *([compression] if compression else [])]
        self.description = f"{source_name(self.path)} ({', '.join(kinds)})"
