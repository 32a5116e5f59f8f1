"""`afterwit aggregate`."""

from __future__ import annotations

import argparse
import inspect
import json
from typing import Any

import numpy as np

from afterwit import registry
from afterwit.cli.aggregation import report_of, show
from afterwit.cli.outputs import check_outputs, reporting
from afterwit.cli.pictures import picture_format, write_picture
from afterwit.errors import DataError, UsageError, listed
from afterwit.experts import Mixture, hindsight
from afterwit.experts.mixed_loss import MixedLoss
from afterwit.files.output import write_output
from afterwit.learning.words import setting_of, whole_where_wanted
from afterwit.storage import save
from afterwit.streams.numbers import NumberTable, read_numbers


def run(args: argparse.Namespace) -> int:
    """Aggregates, and prints the table."""
    check_outputs(args)
    _check_words(args)
    model = _model(args)
    table = read_numbers(args.data, args.target)
    _check(table, model, args)
    if args.plot and not len(table.values):
        raise DataError("it has no rounds, so there is nothing to draw; leave --plot out", source=table.source)
    history = model.run(table, table.target)
    found = hindsight(model, history, args.shifts)
    if args.predictions:
        write_output(args.predictions, [f"{value!r}\n".encode() for value in history.forecast.tolist()])
    if args.save:
        save(model, args.save)
    if args.plot:
        from afterwit.plots import overview

        write_picture(overview(model, history, table.index, _title(model, table)), args.plot)
    report = report_of(model, history, found, table)
    with reporting(args.predictions, args.save, args.plot):
        if args.json:
            print(json.dumps(report, indent=2, allow_nan=False))
        else:
            show(report)
    return 0


def rules() -> dict[str, type[Any]]:
    """The players that can be named: registered name -> class. They take experts, and any losses."""
    return {
        name: cls
        for name, cls in registry.classes().items()
        if "experts" in inspect.signature(cls).parameters and not getattr(cls, "binary", False)
    }


def _check_words(args: argparse.Namespace) -> None:
    if args.gains and (args.target or args.loss):
        given = "--target" if args.target else "--loss"
        raise UsageError(f"--gains reads price relatives and has its own loss, -ln(w . x); leave {given} out")
    if args.loss == "gain":
        raise UsageError("--loss gain has no target; say --gains")
    if args.plot:
        picture_format(args.plot)


def _model(args: argparse.Namespace) -> Mixture:
    name, _, rest = args.rule.partition(":")
    known = rules()
    if name not in known:
        raise UsageError(f"`{name}` is not a rule; expected one of {', '.join(known)}")
    parameters = inspect.signature(known[name]).parameters
    settings = dict(setting_of(word, args.rule) for word in rest.split(",")) if rest else {}
    for key in settings:
        if key not in parameters:
            raise UsageError(f"`{name}` has no setting `{key}`; it has {', '.join(parameters) or 'none'}")
    try:
        player = known[name](**whole_where_wanted(settings, known[name]))
    except (TypeError, ValueError) as error:
        raise UsageError(f"`{args.rule}`: {error}") from error
    try:
        return Mixture(player, "gain" if args.gains else args.loss or "squared", not args.no_gradient, args.range)
    except (TypeError, ValueError) as error:
        raise UsageError(str(error).replace("forecast_range", "--range").replace("loss is", "--loss is")) from error


def _check(table: NumberTable, model: Mixture, args: argparse.Namespace) -> None:
    """Refuses what the mixture would, with the place in the file."""
    if args.target is None and not args.gains:
        raise UsageError(
            f"which column has what came? Name it with --target COLUMN (or say --gains, if these are price "
            f"relatives); the columns are {listed(table.columns)}"
        )
    low, high, expected = MixedLoss(model.loss).limits(model.forecast_range)
    columns = [*zip(table.columns, table.values.T, strict=True)]
    columns += [] if table.target is None else [(args.target, table.target)]
    for name, values in columns:
        wrong = (values < low) | (values > high)
        if wrong.any():
            row = int(np.argmax(wrong))
            expected = expected.replace("the forecast_range", "the --range").replace("NaN", "an empty cell")
            table.refuse(row, name, f"`{values[row]:g}` is out of range; expected {expected}")
    if not model.player.sleeps and np.isnan(table.values).any():
        row, i = (int(k) for k in np.argwhere(np.isnan(table.values))[0])
        rule = type(model.player).__name__
        table.refuse(row, table.columns[i], f"it is missing, and `{rule}` has no form for experts that sleep")


def _title(model: Mixture, table: NumberTable) -> str:
    from afterwit.plots.canvas import literal

    what = "stocks as one portfolio" if model.loss == "gain" else "forecasts as one"
    name = literal(table.source.rsplit("/", 1)[-1])
    return f"{name}: {len(table.columns)} {what}, by {type(model.player).__name__}"
