"""A cache holds for the options, labels, library and file that it was written for; let one alone of these be another,
and it is written anew.
"""

from __future__ import annotations

import importlib
import inspect
import os
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import pytest

from afterwit import streams
from afterwit.errors import DataError
from afterwit.protocols import Labels, Wants
from afterwit.streams import cache
from afterwit.streams.cache import CachedStream
from afterwit.streams.csv import CsvStream
from afterwit.streams.json_lines import JsonLines
from afterwit.streams.svmlight import SVMLIGHT
from afterwit.streams.text import TextStream
from afterwit.streams.vw import VW
from tests.streams.test_cache import bits, cache_of, made_old


@dataclass(frozen=True)
class Case:
    """A text that gives other rows, or an error, for another value of any option alone."""

    text: str
    options: dict[str, Any]
    others: dict[str, Any]


SOME: dict[str, Any] = {"on_error": "skip", "classes": (1, 2), "batch_rows": 2, "ids": ()}
OTHERS: dict[str, Any] = {"on_error": "raise", "classes": (2, 1), "batch_rows": 3, "ids": ("tag",)}
CASES: dict[type[Any], Case] = {
    # In svmlight all behind the label is a comment, in VW text `#` is a tag.
    TextStream: Case(
        text="2 #| 3:1\n1 #| 4:1\n2 word #| 5:1\n2 #| 6:1\n",
        options={"format": SVMLIGHT, **SOME},
        others={"format": VW, **OTHERS},
    ),
    # There are the columns y, z and h, whether commas or semicolons separate.
    CsvStream: Case(
        text="b,y,z,h,k;y;z;h\nTrue,1,2,3,a;2;1;4\n0,2,2,1,b c;1;1;5\n1,7,2,1,b;1;1;5\n0,1,1,0.1,b;1;1;5\n",
        options={"target": "y", "weight": "h", "separator": ",", **SOME},
        others={"target": "z", "weight": None, "separator": ";", **OTHERS, "ids": ("b",)},
    ),
    JsonLines: Case(
        text='{"b":true,"y":1,"z":2,"h":3}\n{"b":0,"y":2,"z":2,"h":1}\n{"b":"c","y":7,"z":2,"h":1}\n'
        '{"b":0,"y":1,"z":1,"h":0.5}\n',
        options={"target": "y", "weight": "h", **SOME},
        others={"target": "z", "weight": None, **OTHERS, "ids": ("b",)},
    ),
}
BINARY, NOTHING = Labels("binary"), Wants()
#: What else a pass is asked for, of the CSV.
OTHER_LABELS = {"kind": Labels("classes"), "classes": Labels("binary", (2, 1))}
OTHER_WANTS = {
    "names": True,
    "groups": True,
    "text": ("k;y;z;h",),
    "packed": True,
    "dates": ("k;y;z;h",),
    "categorical": ("z",),
    "keep": ("z",),
    "ignore": ("z",),
    "rules": 1,
}


@dataclass(frozen=True)
class Ask:
    """A stream, and what a pass over it is asked for."""

    stream: Callable[[], Any]
    labels: Labels = BINARY
    wants: Wants = NOTHING

    def found(self, stream: Any) -> Any:
        """All batches and what is said of bad lines, or the error."""
        try:
            batches = bits(stream.batches(self.labels, wants=self.wants))
        except DataError as error:
            return str(error)
        return batches, [str(bad) for bad in stream.bad_lines]

    @property
    def text(self) -> Any:
        return self.found(self.stream())

    @property
    def cached(self) -> Any:
        return self.found(CachedStream(self.stream()))


def case_of(of: type[Any], folder: Path) -> tuple[Path, Case]:
    path = folder / "rows"
    path.write_text(CASES[of].text)
    return made_old(path), CASES[of]


def check_kept_apart(path: Path, one: Ask, other: Ask) -> None:
    """What is kept for one is not given to the other, for which it is written anew."""
    assert one.text != other.text
    assert one.cached == one.text
    before = os.stat(cache_of(path)).st_ino
    assert other.cached == other.text
    after = os.stat(cache_of(path)).st_ino
    assert (after == before) == isinstance(other.text, str)  # an error leaves it
    assert other.cached == other.text
    assert os.stat(cache_of(path)).st_ino == after


@pytest.mark.parametrize(("of", "option"), [(of, option) for of, case in CASES.items() for option in case.others])
def test_another_value_of_one_option(tmp_path: Path, of: type[Any], option: str) -> None:
    path, case = case_of(of, tmp_path)
    other = {**case.options, option: case.others[option]}
    check_kept_apart(path, Ask(lambda: of(path, **case.options)), Ask(lambda: of(path, **other)))


@pytest.mark.parametrize("field", [*OTHER_LABELS, *OTHER_WANTS])
def test_another_wish_of_the_learner(tmp_path: Path, field: str) -> None:
    path, case = case_of(CsvStream, tmp_path)

    def stream() -> CsvStream:
        return CsvStream(path, **{**case.options, "classes": None if field == "kind" else case.options["classes"]})

    wants = Wants(**{field: OTHER_WANTS[field]}) if field in OTHER_WANTS else NOTHING
    plain = Labels("real") if field == "kind" else BINARY
    check_kept_apart(path, Ask(stream, plain), Ask(stream, OTHER_LABELS.get(field, plain), wants))


def test_none_is_left_out() -> None:
    """Neither a stream with a cache, nor an option, nor anything that a learner may ask for."""
    names = [f"{streams.__name__}.{module.name}" for module in pkgutil.iter_modules(streams.__path__)]
    classes = {of for name in names for of in vars(importlib.import_module(name)).values() if inspect.isclass(of)}
    assert {of for of in classes if hasattr(of, "options") and not hasattr(of, "_is_protocol")} == set(CASES)
    for of, case in CASES.items():
        # What a model was taught becomes its target, weight and classes.
        parameters = [name for name in inspect.signature(of).parameters if name != "taught"]
        assert parameters == ["path", *case.options] == ["path", *case.others]
    assert list(OTHER_LABELS) == [field.name for field in fields(Labels) if field.compare]
    assert list(OTHER_WANTS) == [field.name for field in fields(Wants)]


def test_another_version_of_the_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, case = case_of(TextStream, tmp_path)
    ask = Ask(lambda: TextStream(path, **case.options))
    caches = []
    for version in ("0.1", "0.1", "0.2"):
        monkeypatch.setattr(cache, "version", version)
        assert ask.cached == ask.text
        caches.append(os.stat(cache_of(path)).st_ino)
    assert caches[0] == caches[1] != caches[2]


@pytest.mark.parametrize("differs", ["size", "time", "inode"])
def test_a_file_of_another_size_time_or_inode(tmp_path: Path, differs: str) -> None:
    """The others are the same: not even the bytes are looked at then."""
    path = tmp_path / "rows.svm"
    path.write_text("1 3:0.5\n")
    made_old(path)
    ask = Ask(lambda: TextStream(path))
    first = ask.cached
    before = os.stat(path)
    copy = path.with_name("copy") if differs == "inode" else path
    copy.write_text("1 3:0.55\n" if differs == "size" else "1 4:0.5\n")
    made_old(copy)
    if differs == "time":
        os.utime(path, ns=(10**18, 10**18 + 1_000_000))
    os.replace(copy, path)
    now = os.stat(path)
    same = (now.st_size == before.st_size, now.st_mtime_ns == before.st_mtime_ns, now.st_ino == before.st_ino)
    assert same == (differs != "size", differs != "time", differs != "inode")
    assert ask.cached == ask.text != first
