"""`afterwit aggregate`."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from functools import partial

import numpy as np
import numpy.typing as npt

from afterwit.cli.aggregation import report_of, show
from afterwit.cli.forecasts import check_forecasts, known_experts, say_absent
from afterwit.cli.mixtures import continued_mixture, mixture_of
from afterwit.cli.outputs import check_outputs, reporting
from afterwit.cli.pictures import picture_format, write_picture
from afterwit.errors import DataError, UsageError, listed, quoted_path
from afterwit.experts import Delayed, Mixture, MixtureHistory, hindsight
from afterwit.experts.forecasts import Array
from afterwit.files.output import write_output
from afterwit.storage import save
from afterwit.streams.csv_header import check_column
from afterwit.streams.numbers import NumberTable, read_numbers


def run(args: argparse.Namespace) -> int:
    """Aggregates, and prints the table."""
    check_outputs(args)
    _check_words(args)
    goes_on = vars(args)["from"] is not None
    model = continued_mixture(args) if goes_on else mixture_of(args)
    table = read_numbers(args.data, args.target, partial(_chosen, args))
    _check_target(table, model, args)
    new = _new_experts(model, table, args)
    check_forecasts(model, table)
    told = np.ones(len(table.values), dtype=bool) if table.target is None else ~np.isnan(table.target)
    if args.plot and not told.any():
        raise DataError("it has no rounds, so there is nothing to draw; leave --plot out", source=table.source)
    history, forecast = _played(model, table, told)
    found = hindsight(model, history, args.shifts, later=goes_on)
    if args.predictions:
        write_output(args.predictions, [f"{value!r}\n".encode() for value in forecast.tolist()])
    if args.save:
        save(model, args.save)
    if args.plot:
        from afterwit.plots import overview

        # It plays these rounds again for the bound after each of them.
        alike = not goes_on and (told.all() or not isinstance(model.player, Delayed))
        picture = overview(model if alike else None, history, table.rows(told).index, _title(model, table))
        write_picture(picture, args.plot)
    report = report_of(model, history, found, table, new)
    with reporting(args.predictions, args.save, args.plot):
        if args.json:
            print(json.dumps(report, indent=2, allow_nan=False))
        else:
            show(report)
    return 0


def _played(model: Mixture, table: NumberTable, told: npt.NDArray[np.bool_]) -> tuple[MixtureHistory, Array]:
    """The rounds with a target, as they were learned, and the forecasts of all.

    A round without one is of no importance; behind the last that has one they are only forecast: they may come again.
    """
    end = int(np.flatnonzero(told)[-1]) + 1 if told.any() else 0
    known, ahead = table.rows(slice(0, end)), table.rows(slice(end, None))
    any_y = model.forecast_range[0] if model.forecast_range else 0.0
    y = None if known.target is None else np.nan_to_num(known.target, nan=any_y)
    history = model.run(known, y, None if told[:end].all() else told[:end].astype(np.float64))
    later = model.predict_many(ahead) if len(ahead.values) else np.zeros(0)
    return history.only(told[:end]), np.concatenate([history.forecast, later])


def _check_words(args: argparse.Namespace) -> None:
    if args.gains and (args.target or args.loss):
        given = "--target" if args.target else "--loss"
        raise UsageError(f"--gains reads price relatives and has its own loss, -ln(w . x); leave {given} out")
    if args.loss == "gain":
        raise UsageError("--loss gain has no target; say --gains")
    if args.experts and args.ignore:
        raise UsageError("--experts and --ignore both choose columns; leave one of them out")
    if args.plot:
        picture_format(args.plot)


def _check_target(table: NumberTable, model: Mixture, args: argparse.Namespace) -> None:
    if model.loss == "gain" and args.target:
        raise UsageError("the columns are price relatives, of which none is a target; leave --target out")
    if model.loss != "gain" and args.target is None:
        raise UsageError(
            f"which column has what came? Name it with --target COLUMN (or say --gains, if these are price "
            f"relatives); the columns are {listed(table.columns)}"
        )


def _chosen(args: argparse.Namespace, columns: Sequence[str], source: str) -> Sequence[str]:
    """The columns that are experts, of all but the target and those words that name the rows."""
    for name in [*args.experts, *args.ignore]:
        check_column(name, "expert" if args.experts else "other", columns, source)
    return args.experts or [name for name in columns if name not in args.ignore]


def _new_experts(model: Mixture, table: NumberTable, args: argparse.Namespace) -> list[str]:
    """The columns that a mixture which goes on does not know yet, or an error; those that are missing are said."""
    if vars(args)["from"] is None:
        return []
    path = vars(args)["from"]
    known = known_experts(model, path)
    new = [name for name in table.columns if name not in known]
    if new and not model.grows:
        raise DataError(
            f"{listed(new)}: not among the {len(known)} experts of {quoted_path(path)}, and "
            f"`{type(model.player).__name__}` takes none that come late; leave such columns out with --ignore",
            source=table.source,
        )
    say_absent(model, table, path)
    return new


def _title(model: Mixture, table: NumberTable) -> str:
    from afterwit.plots.canvas import literal

    what = "stocks as one portfolio" if model.loss == "gain" else "forecasts as one"
    name = literal(table.source.rsplit("/", 1)[-1])
    late = model.player if isinstance(model.player, Delayed) else None
    rule = type(late.player if late else model.player).__name__
    return f"{name}: {len(table.columns)} {what}, by {rule}" + (f", {late.delay} rounds late" if late else "")
