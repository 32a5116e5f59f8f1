"""JSON lines from the file to the report, beside Vowpal Wabbit's `--json` and beside Python's own parser."""

from __future__ import annotations

from pathlib import Path

from benchmarks.benchmark import Benchmark, Beside, Sizes
from benchmarks.data import made
from benchmarks.measure import Side, python
from benchmarks.numeric_text import VW, vowpal_wabbit


def _rows(sizes: Sizes) -> int:
    return 2 * sizes.text  # they are short


def _files(sizes: Sizes) -> tuple[Path, Path]:
    folder = made("events", _rows(sizes), sizes.folder)
    return folder / "all.jsonl", folder / "one.jsonl"


def _ours(sizes: Sizes) -> Side:
    whole, one = (python("benchmarks.sides.text_afterwit", path) for path in _files(sizes))
    return Side(whole, one)


def _vw(sizes: Sizes) -> tuple[Side, Side]:
    whole, one = ([*vowpal_wabbit(path), "--json"] for path in _files(sizes))
    return _ours(sizes), Side(whole, one)


def _loads(sizes: Sizes) -> tuple[Side, Side]:
    whole, one = (python("benchmarks.sides.json_afterwit", path) for path in _files(sizes))
    return _ours(sizes), Side(whole, one)


WORK = "JSON lines, 10 words and numbers"
JSON = [
    Benchmark("json", WORK, *VW, 2.0, 4.0, _rows, Beside(_vw), memory=True),
    Benchmark("json", WORK, "`json.loads`, our `learn_one`", (), None, None, _rows, Beside(_loads)),
]
