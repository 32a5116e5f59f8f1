"""`afterwit reproduce`."""

from __future__ import annotations

import argparse
import json

from afterwit.cli.outputs import check_outputs, reporting
from afterwit.cli.pictures import picture_format, write_picture
from afterwit.cli.screen import Screen
from afterwit.errors import UsageError, listed, nearest, quoted
from afterwit.experiments import experiments


def run(args: argparse.Namespace) -> int:
    """Runs an experiment, or lists all of them; 1 where something that its source says is not so."""
    known = experiments()
    if args.name is None:
        if args.json:
            print(json.dumps({name: module.SOURCE for name, module in known.items()}, indent=2))
            return 0
        width = max(map(len, known))
        for name, module in known.items():
            first = (module.__doc__ or "").split("\n")[0]
            print(f"{name:<{width}}  {module.SOURCE}\n{'':<{width}}  {first}")
        return 0
    if args.name not in known:
        meant = nearest(args.name, list(known))
        raise UsageError(f"there is no experiment {quoted(args.name)}; {meant}they are {listed(list(known))}")
    check_outputs(args)
    if args.plot:
        picture_format(args.plot)
    with Screen(args.name) as screen:
        outcome = known[args.name].run(screen.say)
    if args.plot and outcome.draw is None:
        raise UsageError(f"{args.name} has no figure; leave --plot out")
    if args.plot and outcome.draw is not None:
        write_picture(outcome.draw(), args.plot)
    with reporting(args.plot):
        print(json.dumps(outcome.plain(), indent=2, allow_nan=False) if args.json else outcome)
    return 0 if all(claim.holds for claim in outcome.claims) else 1
