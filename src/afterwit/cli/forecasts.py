"""`afterwit predict` with a mixture: the forecasts of its experts as one."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from afterwit.cli.standard import say
from afterwit.errors import DataError, UsageError, listed, quoted_path
from afterwit.experts import Mixture
from afterwit.experts.forecasts import Array
from afterwit.experts.mixed_loss import MixedLoss
from afterwit.experts.player import SLEEP
from afterwit.files.output import STDOUT, write_output
from afterwit.streams.numbers import NumberTable, read_numbers

#: What `predict` can be asked for that is about rows of features.
ROWS: dict[str, Any] = {"weight": None, "label": False, "probability": False, "threshold": None, "id": []}


def run(model: Mixture, args: argparse.Namespace) -> int:
    """Forecasts, and prints or writes a line per round."""
    for option, unset in ROWS.items():
        if getattr(args, option) != unset:
            raise UsageError(f"{quoted_path(args.model)} mixes forecasts; leave --{option} out")
    if len(args.data) > 1:
        raise UsageError(f"{quoted_path(args.model)} mixes forecasts; give it one file")
    names = known_experts(model, args.model)
    table = read_numbers(args.data[0], None, lambda columns, _: [name for name in columns if name in names])
    check_forecasts(model, table)
    say_absent(model, table, args.model, args.strict)
    found = model.predict_many(table) if len(table.values) else np.zeros(0)
    write_output(args.predictions or STDOUT, (_lines(found, args.json),))
    return 0


def known_experts(model: Mixture, path: str) -> Sequence[str]:
    """The names of the experts of a saved mixture."""
    names = model.experts
    if not names:
        raise UsageError(f"{quoted_path(path)} holds {model!r}, which has no experts with names; teach it with a table")
    return names


def say_absent(model: Mixture, table: NumberTable, path: str, strict: bool = False) -> None:
    """Says which experts of a saved mixture have no column; with `strict`, or where none can sleep, it is an error.

    One that can sleep, and whose column was left out on purpose, does so without a word.
    """
    met = {*table.columns, *(table.unread if model.player.sleeps else ())}
    absent = [name for name in model.experts or () if name not in met]
    if not absent:
        return
    sentence = f"no column is read for {listed(absent)} of {quoted_path(path)}"
    if not model.player.sleeps:
        sentence += f", and `{type(model.player).__name__}` has no form for experts that sleep"
    if strict or not model.player.sleeps:
        raise DataError(sentence, source=table.source)
    say(f"{table.source}: {sentence}: asleep")


def check_forecasts(model: Mixture, table: NumberTable) -> None:
    """Refuses what the mixture would, with the place in the file."""
    low, high, expected = MixedLoss(model.loss).limits(model.forecast_range)
    expected = expected.replace("the forecast_range", "the --range").replace("NaN", "an empty cell")
    columns = [*zip(table.columns, table.values.T, strict=True)]
    columns += [] if table.target is None else [(table.target_name, table.target)]
    for name, values in columns:
        wrong = (values < low) | (values > high)
        if wrong.any():
            row = int(np.argmax(wrong))
            table.refuse(row, name, f"`{values[row]:g}` is out of range; expected {expected}")
    if not model.player.sleeps and np.isnan(table.values).any():
        row, i = (int(k) for k in np.argwhere(np.isnan(table.values))[0])
        rule = type(model.player).__name__
        table.refuse(
            row, table.columns[i], f"it is missing, and `{rule}` has no form for experts that sleep; {SLEEP} have one"
        )


def _lines(found: Array, as_json: bool) -> bytes:
    if not as_json:
        return "".join(f"{value!r}\n" for value in found.tolist()).encode()
    rows = ({"forecast": value if value == value else None} for value in found.tolist())
    return "".join(f"{json.dumps(row)}\n" for row in rows).encode()
