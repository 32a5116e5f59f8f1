"""A model of the first rules of features, and what it said of rows that later rules take for others.

`python -m tests.stored.rules.cases FOLDER` writes the files of version 0.1.0 before it had rules 2; those beside this
one are what it wrote.
"""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import afterwit as aw
from afterwit.protocols import Labels

#: In a CSV booleans were words; in rows of Python an empty word was one, and numbers of a text were numbers.
TEXT = "sold,city,note,n,y\n" + "".join(
    f"{['True', 'false', 'TRUE', 'x'][r % 4]},{['Rome', '', 'NA'][r % 3]},{['a b', '3.5', ''][r % 3]},{r % 5},{r % 7}\n"
    for r in range(60)
)
ROWS: list[dict[str, Any]] = [
    {"sold": ["True", True, "true", False][r % 4], "city": ["Rome", "", None][r % 3], "note": ["a b", 3.5, ""][r % 3]}
    for r in range(12)
]


def said(model: Any, folder: Path) -> list[str]:
    """The predictions of the rows of the CSV and of Python, in every bit."""
    path = folder / "rows.csv"
    path.write_text(TEXT)
    batches = aw.read(path, target="y").batches(Labels("none"), wants=model.wants)
    raw = [float(each) for batch in batches for each in model.predict_many(batch)]
    many = [float(each) for each in model.predict_many(ROWS)]
    assert many == [model.predict_one(row) for row in ROWS]
    return [each.hex() for each in raw + many]


def taught(folder: Path, **more: Any) -> Any:
    """A model of the rows of both kinds."""
    path = folder / "rows.csv"
    path.write_text(TEXT)
    model = aw.linear.AdaGrad(loss="squared", features=aw.Features(names="exact", text=["note"], **more))
    aw.learn(model, aw.read(path, target="y"))
    model.learn_many(ROWS, [float(r) for r in range(len(ROWS))])
    return model


def main() -> None:
    folder = Path(sys.argv[1])
    with TemporaryDirectory() as temporary:
        model = taught(Path(temporary))
        aw.save(model, Path(temporary, "m"))
        (folder / "rules-1.afterwit.gz").write_bytes(gzip.compress(Path(temporary, "m").read_bytes(), mtime=0))
        (folder / "said.json").write_text(json.dumps(said(model, Path(temporary)), indent=0) + "\n")


if __name__ == "__main__":
    main()
