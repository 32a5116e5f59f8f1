"""`python -m benchmarks.accuracy`: how well we predict in one pass, beside the peers, on the sets of AFTERWIT_DATA."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from afterwit.errors import AfterwitError
from benchmarks.__main__ import columns
from benchmarks.accuracy import ours
from benchmarks.accuracy.comparison import Comparison, compared
from benchmarks.accuracy.peers import FAMILIES, PEERS, Peer, one_of_ours
from benchmarks.accuracy.predictions import MEASURES, Floats, losses_of
from benchmarks.accuracy.sets import TASKS, Rows, Set, read, sets_of
from benchmarks.accuracy.summary import HEADER, LOST_HEADER, lost_cells, short_change, shown, totals
from benchmarks.machine import installed, machine


def best_of(peer: Peer, rows: Rows, folder: Path, data: str) -> dict[str, tuple[str, Floats]]:
    """By measure: the setting of the smallest loss, and its losses."""
    best: dict[str, tuple[str, Floats]] = {}
    for number, (words, losses) in enumerate(peer.outcomes(rows, folder, data), 1):
        progress(f"{data}: {peer.name}, {number} of {len(peer.settings)}")
        for measure, loss in losses.items():
            if measure not in best or loss.mean() < best[measure][1].mean():
                best[measure] = words, loss
    return best


def against(peer: Peer, chosen: Set, rows: Rows, mine: dict[str, Floats], folder: Path) -> list[Comparison]:
    """One peer on one set, by each measure; nothing where it cannot learn the set."""
    if not peer.takes(rows):
        return []
    prefix = rows.first(peer.rows or len(rows))
    best = best_of(peer, prefix, folder, f"{chosen.name}-{chosen.version()}")
    return [
        compared(chosen.name, peer.name, words, measure, mine[measure][: len(theirs)], theirs)
        for measure, (words, theirs) in best.items()
    ]


def progress(text: str) -> None:
    """Says it on a terminal, over what was said before."""
    if sys.stderr.isatty():
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)


def line_header(peers: Sequence[Peer]) -> str:
    """Above the lines of the sets."""
    width = 19 if len(peers) == 1 else 7
    group = "".join(f"{peer.short:>{width}}" for peer in peers)
    return f"{'set':<20} {'rows':>8}  {'error/sq.':>10}{group}  {'log loss':>10}{group}"


def line_of(chosen: Set, rows: Rows, mine: dict[str, Floats], peers: Sequence[Peer], found: list[Comparison]) -> str:
    """Our losses by measure, and by how much they are above or below each peer's; one peer's own stand between."""
    line = f"{chosen.name:<20} {len(rows):>8,}"
    for measure in (one for one in MEASURES if one in mine):
        by_peer = {one.peer: one for one in found if one.measure == measure}
        line += f"  {shown(measure, mine[measure].mean()):>10}"
        for peer in peers:
            one = by_peer.get(peer.name)
            theirs = f"{shown(measure, one.theirs) if one else '':>12}" if len(peers) == 1 else ""
            line += f"{theirs}{short_change(one.ratio) if one else '-':>7}"
    return line


def compare_all(
    chosen: Sequence[Set], peers: Sequence[Peer], given: argparse.Namespace
) -> tuple[list[Comparison], dict[str, tuple[float, float]]]:
    """Set after set, one line each as it goes; and for each set our regret and its bound, where there is one."""
    found: list[Comparison] = []
    regrets: dict[str, tuple[float, float]] = {}
    print(line_header(peers))
    for one in chosen:
        progress(f"{one.name}: {given.learner}")
        rows = read(one)
        rows = rows.first(given.rows or len(rows))
        predictions, model = ours.learned(rows, given.learner)
        if regret := ours.regret(model):
            regrets[one.name] = regret
        mine = losses_of(rows, predictions)
        of_set = [c for peer in peers for c in against(peer, one, rows, mine, given.folder)]
        progress("")
        print(line_of(one, rows, mine, peers, of_set), flush=True)
        found += of_set
    return found, regrets


def print_summary(peers: Sequence[Peer], found: Sequence[Comparison]) -> None:
    """The totals, and the sets that we lose."""
    print("\nOver all sets: ties count for neither; mean (geometric) and median of our loss over theirs\n")
    print(columns([HEADER, *(one.cells() for one in totals(peers, found))]))
    lost = [one for one in found if one.lost_significantly]
    if lost:
        print("\nLost significantly (p < 0.05, as if rows were independent)\n")
        print(columns([LOST_HEADER, *map(lost_cells, lost)]))
    else:
        print("\nNo set is lost significantly.")


def regrets_line(regrets: dict[str, tuple[float, float]]) -> str:
    """On how many sets a panel has kept what its theorem promises, and on which it has not."""
    above = [name for name, (regret, bound) in regrets.items() if regret > bound]
    line = f"regret within its bound on {len(regrets) - len(above)} of {len(regrets)} sets"
    return f"{line}, above it on {', '.join(above)}" if above else line


def options() -> argparse.ArgumentParser:
    """What to run, and how much of it."""
    root = Path(__file__).parents[2]
    parser = argparse.ArgumentParser(prog="python -m benchmarks.accuracy", description=__doc__)
    parser.add_argument("--learner", default=ours.DEFAULT, help=f"ours, as on the command line ({ours.DEFAULT})")
    parser.add_argument("--only", nargs="+", metavar="SET", help="some of the sets")
    parser.add_argument("--ordered", action="store_true", help="only the sets whose rows come in an order of time")
    families = ", ".join(FAMILIES)
    parser.add_argument(
        "--peers", nargs="*", default=FAMILIES, metavar="PEER", help=f"some of {families}, or learners of ours"
    )
    parser.add_argument("--rows", type=int, help="at most so many of each set")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the numbers there, too")
    parser.add_argument(
        "--folder", type=Path, default=root / "build" / "accuracy", help="where predictions are kept (build/accuracy)"
    )
    return parser


def chosen_sets(parser: argparse.ArgumentParser, names: Sequence[str] | None) -> list[Set]:
    """Those of the data folder, or some of them; ends the program where there is none."""
    data = os.environ.get("AFTERWIT_DATA")
    if not data:
        parser.exit(2, "AFTERWIT_DATA is not set: it names the folder with the data sets and their README.md.\n")
    if not (Path(data) / "README.md").is_file():
        parser.exit(2, f"AFTERWIT_DATA is `{data}`, where there is no README.md that lists the sets.\n")
    known = sets_of(Path(data))
    if names is None:
        return known
    unknown = set(names) - {one.name for one in known}
    if unknown:
        parser.exit(2, f"`{min(unknown)}` is not a set of AFTERWIT_DATA; its tasks are {', '.join(TASKS)}.\n")
    return [one for one in known if one.name in names]


def main() -> None:
    """Runs what was asked for and prints it."""
    parser = options()
    given = parser.parse_args()
    sets = [one for one in chosen_sets(parser, given.only) if one.in_time or not given.ordered]
    others = [words for words in given.peers if words not in FAMILIES]
    asked = [*(peer for peer in PEERS if peer.family in given.peers), *map(one_of_ours, others)]
    peers = [peer for peer in asked if installed(peer.package)]
    for package in dict.fromkeys(peer.package for peer in asked if peer not in peers):
        print(f"{package} is not installed, and left out", file=sys.stderr)
    try:
        for words in (given.learner, *others):
            for task in {one.task for one in sets}:
                ours.learner(words, task, (1, 2, 3))
    except AfterwitError as error:
        parser.exit(2, f"{'--peers' if words in others else '--learner'}: {error}\n")
    about = machine() | {"learner": given.learner}
    for name, value in about.items():
        print(f"{name:<9} {value}")
    print("\nOur mean loss, and by how many per cent (x: times) it is below or above each peer's on the same rows\n")
    found, regrets = compare_all(sets, peers, given)
    if found:
        print_summary(peers, found)
    if regrets:
        print(f"\n{regrets_line(regrets)}")
    if given.json:
        results = {"machine": about, "sets": [asdict(one) for one in found]}
        results |= {"totals": [asdict(one) | {"met": one.met} for one in totals(peers, found)]}
        results |= {"regrets": {name: dict(zip(("regret", "bound"), of, strict=True)) for name, of in regrets.items()}}
        given.json.write_text(json.dumps(results, indent=2) + "\n")


if __name__ == "__main__":
    main()
