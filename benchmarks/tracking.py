"""`python -m benchmarks.tracking`: what a round of AdaNormalHedge.TV costs early and late, over ten experts.

CPU microseconds per round in a window that begins at round t, and how many starts are kept there: the form that keeps
O(log t) of them beside the exact one, which keeps all t.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from afterwit._core import alive
from afterwit.experts import AdaNormalHedgeTV

EXPERTS, WINDOW = 10, 4096
EXACT_UP_TO = 1 << 12


def microseconds(exact: bool, starts: list[int]) -> list[float]:
    """Per round of the windows that begin at these rounds."""
    rng, player, done, found = np.random.default_rng(0), AdaNormalHedgeTV(exact=exact, experts=EXPERTS), 0, []
    for start in starts:
        while done < start:
            size = min(1 << 16, start - done)
            player.run(rng.random((size, EXPERTS)))
            done += size
        window = rng.random((256 if exact else WINDOW, EXPERTS))
        before = time.process_time()
        player.run(window)
        found.append(1e6 * (time.process_time() - before) / len(window))
        done += len(window)
    return found


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.tracking", description=__doc__)
    parser.add_argument("--rounds", type=int, default=1 << 20, help="the last window begins there (2^20)")
    last = parser.parse_args().rounds
    starts = [1 << k for k in range(10, max(11, last.bit_length()), 2)]
    some = microseconds(False, starts)
    every = microseconds(True, [start for start in starts if start <= EXACT_UP_TO])
    print(f"{'t':>10}{'kept':>7}{'us a round':>12}{'us / log2 t':>13}{'exact: kept':>14}{'us a round':>12}")
    for k, (start, cost) in enumerate(zip(starts, some, strict=True)):
        exact = f"{start:>14,}{every[k]:>12.1f}" if k < len(every) else ""
        print(f"{start:>10,}{len(alive(start)):>7}{cost:>12.2f}{cost / np.log2(start):>13.3f}{exact}")


if __name__ == "__main__":
    main()
