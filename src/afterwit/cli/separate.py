"""`afterwit separate`."""

from __future__ import annotations

import argparse
import json
from typing import Any

from afterwit.cli.learners import stream_of
from afterwit.cli.outputs import check_outputs, reporting
from afterwit.cli.pictures import picture_format, write_picture
from afterwit.cli.screen import Screen, show_skipped
from afterwit.errors import UsageError, printable
from afterwit.games import Separation
from afterwit.games.points import points_of
from afterwit.games.separation import Search, search_points
from afterwit.shown.models import largest, shown

#: How many entries of the separator a person sees.
TOP = 10


def run(args: argparse.Namespace) -> int:
    """Looks for a separator and prints it."""
    check_outputs(args)
    if args.plot:
        picture_format(args.plot)
    if args.classes and len(args.classes.split(",")) != 2:
        raise UsageError(f"--classes is `{printable(args.classes)}`, expected two names, the negative one first")
    stream = stream_of(args)
    points = points_of(stream, intercept=args.intercept)
    with Screen(stream.description) as screen:

        def watch(search: Search, most: int) -> None:
            screen.say(f"{search.rounds:,} of {most:,} rounds; no margin is above {search.margin_at_most:.4g}")

        found = search_points(points, args.algorithm, args.rounds, watch)
    if args.plot:
        from afterwit.plots.separation import separation

        write_picture(separation(points, found).figure, args.plot)
    with reporting(args.plot):
        print(json.dumps(_plain(found), indent=2, allow_nan=False) if args.json else f"{found}{_heaviest(found)}")
    show_skipped(stream)
    return 0


def _plain(found: Separation) -> dict[str, Any]:
    told = {name: value for name, value in vars(found).items() if name not in ("features", "separator")}
    w = None if found.separator is None else dict(zip(found.features, found.separator.tolist(), strict=True))
    return {"separates": w is not None, **told, "features": len(found.features), "separator": w}


def _heaviest(found: Separation) -> str:
    if found.separator is None:
        return ""
    rows = shown(largest(dict(zip(found.features, found.separator.tolist(), strict=True)), TOP))
    if found.intercept:
        rows = [["(intercept)", f"{found.intercept:+.6g}"], *rows]
    width = max(len(name) for name, _ in rows)
    return "".join(f"\n  {name:<{width}}  {value}" for name, value in rows)
