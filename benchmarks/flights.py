"""`python -m benchmarks.flights --picture docs/flights.png`: the demo's stream, learned by us and by Vowpal Wabbit.

Both read the same rows in order and predict each before they learn it; the error so far is drawn over the rows.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import afterwit as aw
from benchmarks.measure import python, usage

sys.path.insert(0, str(Path(__file__).parents[1] / "examples"))
import flights


def vowpal_wabbit(rows: list[tuple[dict[str, Any], int]], folder: Path) -> npt.NDArray[np.float64]:
    """Its margins: all defaults but for the loss, which is ours."""
    data, margins = folder / "flights.vw", folder / "margins"
    with open(data, "w", encoding="utf-8") as file:
        for x, y in rows:
            words = (f"{name}={value}" if isinstance(value, str) else f"{name}:{value}" for name, value in x.items())
            file.write(f"{2 * y - 1} | {' '.join(words)}\n")
    usage(python("vowpalwabbit", "-d", data, "-p", margins, "--quiet", "--loss_function", "logistic"))
    return np.loadtxt(margins)


def ours(rows: list[tuple[dict[str, Any], int]], learner: aw.linear.Perceptron) -> npt.NDArray[np.float64]:
    """The margins of one of our learners."""
    return learner.learn_many([x for x, _ in rows], [y for _, y in rows])


def log_loss(margins: npt.NDArray[np.float64], y: npt.NDArray[np.float64]) -> float:
    """The mean of ln(1 + exp(-y m))."""
    return float(np.logaddexp(0.0, -y * margins).mean())


def draw(wrong: dict[str, npt.NDArray[np.bool_]], path: str) -> None:
    """The share of wrong predictions so far, and over the last rows."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(8, 4.2))
    colours = {"Vowpal Wabbit": "tab:orange", "afterwit": "tab:blue", "always the commoner": "0.6"}
    for name, errors in wrong.items():
        rows = np.arange(1, len(errors) + 1)
        so_far = 100 * np.cumsum(errors) / rows
        style = {"linewidth": 6, "alpha": 0.45} if name == "Vowpal Wabbit" else {"linewidth": 1.4, "zorder": 3}
        axes.plot(rows[500:], so_far[500:], label=f"{name} ({so_far[-1]:.2f} %)", color=colours[name], **style)
    axes.set_xlabel("flights out of New York in 2013, in order of departure")
    axes.set_ylabel("late or not: wrong so far (%)")
    axes.set_ylim(28, 46)
    axes.legend(frameon=False)
    axes.grid(alpha=0.3)
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    figure.savefig(path, dpi=130, bbox_inches="tight")
    print(f"picture: {path}")


def main() -> None:
    """Learns the year with each, prints the table and draws the picture."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--picture", metavar="PNG", help="where to draw")
    args = parser.parse_args()
    rows = list(flights.flights())
    y = np.array([2.0 * late - 1.0 for _, late in rows])
    with tempfile.TemporaryDirectory() as folder:
        margins = {
            "afterwit": ours(rows, aw.linear.AdaGrad(normalized=True)),
            "Vowpal Wabbit": vowpal_wabbit(rows, Path(folder)),
        }
    print(f"{len(rows):,} flights\n{'':<20}  error rate  log loss")
    wrong = {name: (m >= 0) != (y > 0) for name, m in margins.items()}
    for name, m in margins.items():
        print(f"{name:<20}  {wrong[name].mean():>10.4%}  {log_loss(m, y):.5f}")
    before = np.concatenate([[0.0], np.cumsum(y)[:-1]])
    wrong["always the commoner"] = (before >= 0) != (y > 0)
    print(f"{'always the commoner':<20}  {wrong['always the commoner'].mean():>10.4%}")
    if args.picture:
        draw(wrong, args.picture)


if __name__ == "__main__":
    main()
