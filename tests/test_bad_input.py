"""Bad input of every kind: what the error says, that skipping it changes nothing else, and what the command does."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import os
import signal
import subprocess
import threading
import time
from contextlib import suppress
from datetime import date, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard

import afterwit as aw
from afterwit.errors import DataError
from afterwit.linear import AdaGrad, OneVsAll
from afterwit.streams import csv_records, whole_lines
from tests.cli.commands import afterwit, started

BINARY, PAIR = "expected -1 or +1, or 0 or 1", "something like `3:0.5`"
INDEX, FLOAT32 = "an integer from 0 to 4294967295", "at most 3.4028234e38"
VW_PAIR, WEIGHT = "something like `price:0.5`", "0 or more"
NUMBER = "something like `1` or `-2.5`"


class Line(NamedTuple):
    """A bad line among good ones: the column and the value that the error names, and a part of what it expected.

    The kind is that of the labels: `binary`, `real`, `classes`, or `named` for the two classes cat and dog.
    """

    name: str
    format: str
    bad: bytes
    column: int
    value: str
    expected: str
    kind: str = "binary"
    can_skip: bool = True


LINES = [
    # name, format, the line, column, value, expected
    Line("negative index", "svmlight", b"1 -3:1", 3, "-3", INDEX),
    Line("index of 2^32", "svmlight", b"1 4294967296:1", 3, "4294967296", INDEX),
    Line("index of 23 digits", "svmlight", b"1 2:1 99999999999999999999999:1", 7, "99999999999999999999999", INDEX),
    Line("index is a word", "svmlight", b"1 a:1", 3, "a", INDEX),
    Line("index with a point", "svmlight", b"1 3.5:1", 3, "3.5", INDEX),
    Line("index not UTF-8", "svmlight", b"1 \xff:1", 3, "\\xff", INDEX),
    Line("no index", "svmlight", b"1 :5", 3, ":5", PAIR),
    Line("no value", "svmlight", b"1 3:", 3, "3:", PAIR),
    Line("no colon", "svmlight", b"1 3:0.5 junk", 9, "junk", PAIR),
    Line("two colons", "svmlight", b"1 3:1:2", 5, "1:2", PAIR),
    Line("NaN", "svmlight", b"1 3:nan", 5, "nan", PAIR),
    Line("inf", "svmlight", b"1 3:-inf", 5, "-inf", PAIR),
    Line("1e400", "svmlight", b"1 3:1e400", 5, "1e400", FLOAT32),
    Line("1e39", "svmlight", b"1 3:-1e39", 5, "-1e39", FLOAT32),
    Line("hex", "svmlight", b"1 3:0x1p3", 5, "0x1p3", PAIR),
    Line("underscore", "svmlight", b"1 3:1_000", 5, "1_000", PAIR),
    Line("two points", "svmlight", b"1 3:1.2.3", 5, "1.2.3", PAIR),
    Line("decimal comma", "svmlight", b"1 3:1,5", 5, "1,5", PAIR),
    Line("two signs", "svmlight", b"1 3:+-1", 5, "+-1", PAIR),
    Line("no exponent", "svmlight", b"1 3:1e", 5, "1e", PAIR),
    Line("value not UTF-8", "svmlight", b"1 3:\xff", 5, "\\xff", PAIR),
    Line("zero byte", "svmlight", b"1\x003:1", 1, "1\\x003:1", "something like `1 3:0.5`"),
    Line("query", "svmlight", b"1 qid:3 4:1", 3, "qid:3", "no `qid:`"),
    Line("no label", "svmlight", b"3:1 4:1", 1, "3:1", "something like `1 3:0.5`"),
    Line("third class", "svmlight", b"2 3:1", 1, "2", BINARY),
    Line("half a class", "svmlight", b"0.5 3:1", 1, "0.5", BINARY),
    Line("label is a word", "svmlight", b"maybe 3:1", 1, "maybe", BINARY),
    Line("label is NaN", "svmlight", b"nan 3:1", 1, "nan", BINARY),
    Line("label is junk", "svmlight", b"\x00\xff\x07 3:1", 1, "\\x00\\xff\\x07", BINARY),
    Line("neither of two classes", "svmlight", b"cow 3:1", 1, "cow", "`cat` or `dog`", "named"),
    Line("real label is a word", "svmlight", b"word 3:1", 1, "word", NUMBER, "real"),
    Line("real label is inf", "svmlight", b"inf 3:1", 1, "inf", NUMBER, "real"),
    Line("real label is NaN", "svmlight", b"nan 3:1", 1, "nan", NUMBER, "real"),
    Line("real label of 1e39", "svmlight", b"1e39 3:1", 1, "1e39", FLOAT32, "real"),
    Line("real label of 1e400", "svmlight", b"-1e400 3:1", 1, "-1e400", FLOAT32, "real"),
    Line("class with a point", "svmlight", b"1.5 3:1", 1, "1.5", "an integer or a word", "classes"),
    Line("class above 2^63", "svmlight", b"9223372036854775808 3:1", 1, "9223372036854775808", "below 2^63", "classes"),
    Line("class not UTF-8", "svmlight", b"\xff 3:1", 1, "\\xff", "an integer or a word", "classes"),
    Line("new class on a bad line", "svmlight", b"cow 3:x", 7, "x", PAIR, "classes"),
    Line("no value", "vw", b"1 |u a:", 6, "a:", VW_PAIR),
    Line("no name", "vw", b"1 | :3", 5, ":3", VW_PAIR),
    Line("value is a word", "vw", b"1 | a b:x", 9, "x", VW_PAIR),
    Line("NaN", "vw", b"1 | a:nan", 7, "nan", VW_PAIR),
    Line("inf", "vw", b"1 | a:inf", 7, "inf", VW_PAIR),
    Line("1e400", "vw", b"1 | a:1e400", 7, "1e400", FLOAT32),
    Line("1e39", "vw", b"1 | a:1e39", 7, "1e39", FLOAT32),
    Line("hex", "vw", b"1 | a:0x10", 7, "0x10", VW_PAIR),
    Line("underscore", "vw", b"1 | a:1_0", 7, "1_0", VW_PAIR),
    Line("two points", "vw", b"1 | a:1.2.3", 7, "1.2.3", VW_PAIR),
    Line("decimal comma", "vw", b"1 | a:1,5", 7, "1,5", VW_PAIR),
    Line("value behind a name not UTF-8", "vw", b"1 | \xff:x", 7, "x", VW_PAIR),
    Line("scale is a word", "vw", b"1 |u:x a", 6, "x", "something like `|user:0.5`"),
    Line("scale of 1e39", "vw", b"1 |u:1e39 a", 6, "1e39", FLOAT32),
    Line("scaled beyond a float", "vw", b"1 |u:1e20 a:1e20", 13, "1e20", FLOAT32),
    Line("no bar", "vw", b"1 a b", 1, "1", "something like `1 | price:0.5 red`"),
    Line("no label", "vw", b"| a", 1, "|", "something like `1 | price:0.5 red`"),
    Line("third class", "vw", b"2 | a", 1, "2", BINARY),
    Line("label is a word", "vw", b"maybe | a", 1, "maybe", BINARY),
    Line("label not UTF-8", "vw", b"\xff | a", 1, "\\xff", BINARY),
    Line("real label is a word", "vw", b"word | a", 1, "word", NUMBER, "real"),
    Line("neither of two classes", "vw", b"cow | a", 1, "cow", "`cat` or `dog`", "named"),
    Line("new class on a bad line", "vw", b"cow | a:x", 9, "x", VW_PAIR, "classes"),
    Line("negative weight", "vw", b"1 -1 | a", 3, "-1", WEIGHT),
    Line("weight is NaN", "vw", b"1 nan | a", 3, "nan", WEIGHT),
    Line("weight is a word", "vw", b"1 x | a", 3, "x", WEIGHT),
    Line("weight of 1e39", "vw", b"1 1e39 | a", 3, "1e39", FLOAT32),
    Line("base", "vw", b"1 1 0.5 | a", 5, "0.5", "expected 0"),
    Line("row of several lines", "vw", b"shared | a", 1, "shared", "something like `1 | price:0.5 red`"),
    Line("bandit label", "vw", b"0:1:0.5 | a", 1, "0:1:0.5", "one label without a colon"),
    Line("costs", "vw", b"1:0.5 2:1 | a", 1, "1:0.5", "one label without a colon"),
    Line("words before the bar", "vw", b"1 2 0 'tag more | a", 7, "'tag", "a label, a weight and a tag"),
    Line("too short", "csv", b"1,x,1", 6, "y", "4 fields as in the header, found 3"),
    Line("too long", "csv", b"1,x,1,1,5", 9, "5", "4 fields as in the header, found 5"),
    Line("quote not closed", "csv", b'1,"x,1,1', 3, "b", "another before the end", can_skip=False),
    Line("text after a quote", "csv", b'1,"x"z,1,1', 6, "z", "the separator or the end"),
    Line("not UTF-8", "csv", b"1,\xff,1,1", 3, "\\xff", "text in UTF-8"),
    Line("1e400", "csv", b"1e400,x,1,1", 1, "1e400", FLOAT32),
    Line("1e39", "csv", b"-1e39,x,1,1", 1, "-1e39", FLOAT32),
    Line("inf", "csv", b"1,-inf,1,1", 3, "-inf", "an empty cell where it is missing"),
    Line("Infinity", "csv", b"+Infinity,x,1,1", 1, "+Infinity", "an empty cell where it is missing"),
    Line("no target", "csv", b"1,x,1,", 7, "y", "a label in every record"),
    Line("target is NA", "csv", b"1,x,1,NA", 7, "NA", "a label in every record"),
    Line("weight is NaN", "csv", b"1,x,nan,1", 5, "nan", WEIGHT),
    Line("target in quotes is empty", "csv", b'1,x,1,""', 8, "y", "a label in every record"),
    Line("third class", "csv", b"1,x,1,2", 7, "2", BINARY),
    Line("target is a word", "csv", b"1,x,1,maybe", 7, "maybe", BINARY),
    Line("target not UTF-8", "csv", b"1,x,1,\xff", 7, "\\xff", BINARY),
    Line("target with a decimal comma", "csv", b'1,x,1,"1,5"', 8, "1,5", NUMBER, "real"),
    Line("real target is a word", "csv", b"1,x,1,word", 7, "word", NUMBER, "real"),
    Line("real target is inf", "csv", b"1,x,1,inf", 7, "inf", NUMBER, "real"),
    Line("neither of two classes", "csv", b"1,x,1,cow", 7, "cow", "`cat` or `dog`", "named"),
    Line("new class on a bad line", "csv", b"1e39,x,1,cow", 1, "1e39", FLOAT32, "classes"),
    Line("negative weight", "csv", b"1,x,-1,1", 5, "-1", WEIGHT),
    Line("no weight", "csv", b"1,x,,1", 5, "w", WEIGHT),
    Line("weight is a word", "csv", b"1,x,z,1", 5, "z", WEIGHT),
    Line("weight is inf", "csv", b"1,x,inf,1", 5, "inf", WEIGHT),
    Line("too short", "tsv", b"1\tx\t1", 6, "y", "4 fields as in the header, found 3"),
    Line("commas for tabs", "tsv", b"1,x,1,1", 8, "b", "4 fields as in the header, found 1"),
    Line("third class", "tsv", b"1\tx\t1\t3", 7, "3", BINARY),
    Line("begins with an array", "json", b'[1,2]', 1, "[", "expected an object on each line"),
    Line("begins with a word", "json", b'x', 1, "x", "an object on a line of its own"),
    Line("begins with a string", "json", b'"a"', 1, '"a"', "an object on a line of its own"),
    Line("begins with a bracket that closes", "json", b'}', 1, "}", "an object on a line of its own"),
    Line("brace alone", "json", b'{', 2, "{", "all of it on one line"),
    Line("ends behind a key", "json", b'{"a"', 5, '{"a"', "all of it on one line"),
    Line("ends behind a colon", "json", b'{"a":', 6, '{"a":', "all of it on one line"),
    Line("ends behind a comma", "json", b'{"a":1,', 8, '{"a":1,', "all of it on one line"),
    Line("ends in an array", "json", b'{"y":1,"a":[1,', 15, '{"y":1,"a":[1,', "all of it on one line"),
    Line("object not closed", "json", b'{"a":1,"y":1', 1, '{"a":1,"y":1', "an object on a line of its own"),
    Line("array not closed", "json", b'{"y":1,"a":[1', 12, "[1", "an object on a line of its own"),
    Line("string not closed", "json", b'{"y":1,"a":"x}', 12, '"x}', "an object on a line of its own"),
    Line("key not closed", "json", b'{"y":1,"a:1}', 8, "\"a:1}", "an object on a line of its own"),
    Line("backslash at the end", "json", b'{"y":1,"a":"x\\', 12, '"x\\', "an object on a line of its own"),
    Line("two objects", "json", b'{"y":1}{"y":1}', 8, "{", "an object on a line of its own"),
    Line("comma behind the object", "json", b'{"y":1},', 8, ",", "an object on a line of its own"),
    Line("key without quotes", "json", b'{a:1}', 2, "a", "double quotes"),
    Line("key in single quotes", "json", b"{'a':1}", 2, "'a'", "double quotes"),
    Line("key is a number", "json", b'{1:1}', 2, "1", "double quotes"),
    Line("no key", "json", b'{:1}', 2, ":", "double quotes"),
    Line("two commas", "json", b'{"a":1,,"y":1}', 8, ",", "double quotes"),
    Line("no colon", "json", b'{"a" 1}', 6, "1", "a colon"),
    Line("equals", "json", b'{"a"=1}', 5, "=1", "a colon"),
    Line("two colons", "json", b'{"a"::1}', 6, ":", "true, false, null"),
    Line("no value", "json", b'{"a":,"y":1}', 6, ",", "true, false, null"),
    Line("no value at the end", "json", b'{"y":1,"a":}', 12, "}", "true, false, null"),
    Line("no comma", "json", b'{"a":1 "y":1}', 8, '"y"', "a comma"),
    Line("semicolon", "json", b'{"a":1;"y":1}', 6, "1;", "digits such as"),
    Line("wrong bracket", "json", b'{"a":1]', 7, "]", "a comma"),
    Line("comma at the end", "json", b'{"y":1,"a":1,}', 13, ",", "no comma there"),
    Line("comma at the end of an array", "json", b'{"y":1,"a":[1, ]}', 14, ",", "no comma there"),
    Line("two commas in an array", "json", b'{"y":1,"a":[1,,2]}', 15, ",", "true, false, null"),
    Line("NaN", "json", b'{"y":1,"a":NaN}', 12, "NaN", "null where a number is missing"),
    Line("nan", "json", b'{"y":1,"a":nan}', 12, "nan", "null where a number is missing"),
    Line("Infinity", "json", b'{"y":1,"a":Infinity}', 12, "Infinity", "null where a number is missing"),
    Line("-Infinity", "json", b'{"y":1,"a":-Infinity}', 12, "-Infinity", "null where a number is missing"),
    Line("NaN in an array", "json", b'{"y":1,"a":[1,NaN]}', 15, "NaN", "null where a number is missing"),
    Line("None", "json", b'{"y":1,"a":None}', 12, "None", "true, false, null"),
    Line("True", "json", b'{"y":1,"a":True}', 12, "True", "true, false, null"),
    Line("undefined", "json", b'{"y":1,"a":undefined}', 12, "undefined", "true, false, null"),
    Line("too short a word", "json", b'{"y":1,"a":tru}', 12, "tru", "true, false, null"),
    Line("too long a word", "json", b'{"y":1,"a":nullx}', 12, "nullx", "true, false, null"),
    Line("string in single quotes", "json", b'{"y":1,"a":\'x\'}', 12, "'x'", "true, false, null"),
    Line("comment", "json", b'{"y":1,"a":/*x*/1}', 12, "/*x*/1", "true, false, null"),
    Line("plus", "json", b'{"y":1,"a":+1}', 12, "+1", "digits such as"),
    Line("leading zero", "json", b'{"y":1,"a":01}', 12, "01", "digits such as"),
    Line("no digit before the point", "json", b'{"y":1,"a":.5}', 12, ".5", "digits such as"),
    Line("no digit behind the point", "json", b'{"y":1,"a":1.}', 12, "1.", "digits such as"),
    Line("no digit behind the point but an exponent", "json", b'{"y":1,"a":1.e5}', 12, "1.e5", "digits such as"),
    Line("no exponent", "json", b'{"y":1,"a":1e}', 12, "1e", "digits such as"),
    Line("minus alone", "json", b'{"y":1,"a":-}', 12, "-", "digits such as"),
    Line("hex", "json", b'{"y":1,"a":0x10}', 12, "0x10", "digits such as"),
    Line("underscore", "json", b'{"y":1,"a":1_0}', 12, "1_0", "digits such as"),
    Line("two points", "json", b'{"y":1,"a":1.2.3}', 12, "1.2.3", "digits such as"),
    Line("1e400", "json", b'{"y":1,"a":1e400}', 12, "1e400", FLOAT32),
    Line("1e39", "json", b'{"y":1,"a":-1e39}', 12, "-1e39", FLOAT32),
    Line("1e39 in an array", "json", b'{"y":1,"a":[0,1e39]}', 15, "1e39", FLOAT32),
    Line("1e39 in an object", "json", b'{"y":1,"u":{"a":1e39}}', 17, "1e39", FLOAT32),
    Line("control character", "json", b'{"y":1,"a":"x\ty"}', 14, "\\t", "escaped"),
    Line("zero byte", "json", b'{"y":1,"a\x00":1}', 10, "\\x00", "escaped"),
    Line("no escape", "json", b'{"y":1,"a":"\\x41"}', 13, "\\x", "one such as"),
    Line("short escape", "json", b'{"y":1,"a":"\\u12"}', 13, "\\u12", "one such as"),
    Line("escape with a letter", "json", b'{"y":1,"a":"\\u12g4"}', 13, "\\u12g4", "one such as"),
    Line("half of a character", "json", b'{"y":1,"a":"\\ud83d"}', 13, "\\ud83d", "expected two"),
    Line("low half alone", "json", b'{"y":1,"a":"\\ude00"}', 13, "\\ude00", "expected two"),
    Line("two high halves", "json", b'{"y":1,"a":"\\ud83d\\ud83d"}', 13, "\\ud83d", "expected two"),
    Line("half of a character in a key", "json", b'{"y":1,"\\ud83d":1}', 9, "\\ud83d", "expected two"),
    Line("word not UTF-8", "json", b'{"y":1,"a":"\xff"}', 13, "\\xff", "text in UTF-8"),
    Line("key not UTF-8", "json", b'{"y":1,"\xc3":1}', 9, "\\xc3", "text in UTF-8"),
    Line("key twice", "json", b'{"y":1,"a":1,"a":2}', 15, "a", "every key once"),
    Line("key twice by an escape", "json", b'{"y":1,"a":1,"\\u0061":2}', 15, "\\u0061", "every key once"),
    Line("key twice inside", "json", b'{"y":1,"u":{"a":1,"a":2}}', 20, "a", "every key once"),
    Line("target twice", "json", b'{"y":1,"y":0}', 9, "y", "every key once"),
    Line("nested twice", "json", b'{"y":1,"u":{"v":{"a":1}}}', 17, "u^v", "numbers, words or arrays"),
    Line("words and numbers", "json", b'{"y":1,"a":["x",1]}', 17, "1", "the one or the other"),
    Line("numbers and words", "json", b'{"y":1,"a":[1,"x"]}', 15, '"x"', "the one or the other"),
    Line("array in an array", "json", b'{"y":1,"a":[[1]]}', 13, "[", "numbers or words"),
    Line("object in an array", "json", b'{"y":1,"a":[{"b":1}]}', 13, "{", "numbers or words"),
    Line("no target", "json", b'{"a":1,"w":2}', 13, "y", "a label in every row"),
    Line("target is null", "json", b'{"a":1,"w":2,"y":null}', 18, "null", "a label in every row"),
    Line("target is empty", "json", b'{"a":1,"w":2,"y":""}', 18, '""', "a label in every row"),
    Line("target is an array", "json", b'{"y":[1],"w":2}', 6, "[1]", "a number, a word or a boolean"),
    Line("target is an object", "json", b'{"y":{"b":1},"w":2}', 6, '{"b":1}', "a number, a word or a boolean"),
    Line("third class", "json", b'{"y":2,"w":2}', 6, "2", BINARY),
    Line("target is a word", "json", b'{"y":"maybe","w":2}', 7, "maybe", BINARY),
    Line("target is NaN", "json", b'{"y":NaN,"w":2}', 6, "NaN", "null where"),
    Line("target not UTF-8", "json", b'{"y":"\xff","w":2}', 7, "\\xff", "text in UTF-8"),
    Line("real target is a word", "json", b'{"y":"word","w":2}', 7, "word", NUMBER, "real"),
    Line("real target of 1e400", "json", b'{"y":1e400,"w":2}', 6, "1e400", FLOAT32, "real"),
    Line("class with a point", "json", b'{"y":1.5,"w":2}', 6, "1.5", "an integer or a word", "classes"),
    Line("neither of two classes", "json", b'{"y":"cow","w":2}', 7, "cow", "`cat` or `dog`", "named"),
    Line("neither is true", "json", b'{"y":true,"w":2}', 6, "true", "`cat` or `dog`", "named"),
    Line("new class on a bad line", "json", b'{"y":"cow","a":1e39}', 16, "1e39", FLOAT32, "classes"),
    Line("no weight", "json", b'{"y":1,"a":1}', 13, "w", WEIGHT),
    Line("weight is null", "json", b'{"y":1,"w":null}', 12, "null", WEIGHT),
    Line("weight is a word", "json", b'{"y":1,"w":"2"}', 12, '"2"', WEIGHT),
    Line("weight is true", "json", b'{"y":1,"w":true}', 12, "true", WEIGHT),
    Line("negative weight", "json", b'{"y":1,"w":-1}', 12, "-1", WEIGHT),
    Line("weight of 1e39", "json", b'{"y":1,"w":1e39}', 12, "1e39", FLOAT32),
]  # fmt: skip

GOOD = {
    "svmlight": (b"", b"%s 3:0.5 7:1"),
    "vw": (b"", b"%s 2 |u a:0.5 b"),
    "csv": (b"a,b,w,y\n", b"0.5,red,2,%s"),
    "tsv": (b"a\tb\tw\ty\n", b"0.5\tred\t2\t%s"),
    "json": (b"", b'{"a":0.5,"b":["red"],"w":2,"y":%s}'),
}
ENDINGS = {"svmlight": "svm", "vw": "vw", "csv": "csv", "tsv": "tsv", "json": "jsonl"}
KEYED = ("csv", "tsv", "json")
LABELS = {
    "binary": [b"1", b"-1", b"+1", b"0"],
    "real": [b"0.5", b"-2", b"3e1", b"0"],
    "classes": [b"cat", b"7", b"dog", b"cat"],
    "named": [b"cat", b"dog", b"dog", b"cat"],
}
PLACES = ["first", "middle", "last", "last without a newline"]


def lines_of(case: Line) -> list[bytes]:
    labels = LABELS[case.kind]
    if case.format == "json":
        labels = [b'"%s"' % label if label.isalpha() else label.removeprefix(b"+") for label in labels]
    return [GOOD[case.format][1] % label for label in labels]


def text_of(case: Line, place: str) -> tuple[bytes, int]:
    """The text with the bad line in its place, and the number of that line."""
    lines, header = lines_of(case), GOOD[case.format][0]
    at = {"first": 0, "middle": 2}.get(place, len(lines))
    lines.insert(at, case.bad)
    text = header + b"".join(line + b"\n" for line in lines)
    return text.removesuffix(b"\n") if "without" in place else text, at + header.count(b"\n") + 1


def options_of(case: Line) -> dict[str, Any]:
    columns = {"target": "y", "weight": "w"} if case.format in KEYED else {}
    return columns | ({"classes": ["cat", "dog"]} if case.kind == "named" else {})


def words_of(case: Line) -> list[str]:
    words = ["--target", "y", "--weight", "w"] if case.format in KEYED else []
    more = {
        "binary": ["--task", "binary"],
        "real": ["--loss", "squared"],
        "classes": ["--classes", "any"],
        "named": ["--classes", "cat,dog"],
    }
    return words + more.get(case.kind, [])


def model_for(kind: str) -> Any:
    loss = "squared" if kind == "real" else "logistic"
    model = AdaGrad(normalized=True, loss=loss, features=aw.Features(bits=8))
    return OneVsAll(model) if kind == "classes" else model


def bits(state: Any) -> Any:
    """A state that `==` compares bit by bit."""
    if isinstance(state, dict):
        return {key: bits(value) for key, value in state.items()}
    if isinstance(state, (list, tuple)):
        return [bits(value) for value in state]
    return state.tobytes() if isinstance(state, np.ndarray) else repr(state)


def name_of(case: Any) -> str:
    return " ".join([getattr(case, "format", ""), case.name]).strip().replace(" ", "-")


def error_of(path: object, kind: str = "binary", **options: Any) -> DataError:
    """The error of learning; no thread is left behind."""
    with pytest.raises(DataError) as caught:
        aw.learn(model_for(kind), aw.read(path, **options))
    assert "afterwit-ahead" not in {thread.name for thread in threading.enumerate()}
    return caught.value


def assert_says(error: DataError, path: Path, case: Line, line: int) -> None:
    assert (error.source, error.line, error.column) == (str(path), line, case.column)
    assert str(error).startswith(f"{path}, line {line}, column {case.column}: ")
    assert f"`{case.value}`" in error.message
    assert case.expected in error.message.partition("expected")[1] + error.message.partition("expected")[2]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("case", LINES, ids=name_of)
def test_a_bad_line_stops_with_its_place(tmp_path: Path, case: Line, place: str) -> None:
    path = tmp_path / f"rows.{ENDINGS[case.format]}"
    text, line = text_of(case, place)
    path.write_bytes(text)
    assert_says(error_of(path, case.kind, **options_of(case)), path, case, line)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("case", LINES, ids=name_of)
def test_a_skipped_line_changes_nothing(tmp_path: Path, case: Line, place: str) -> None:
    path, clean = (tmp_path / f"{name}.{ENDINGS[case.format]}" for name in ("rows", "clean"))
    text, line = text_of(case, place)
    path.write_bytes(text)
    options = options_of(case)
    if not case.can_skip:
        assert_says(error_of(path, case.kind, on_error="skip", **options), path, case, line)
        return
    clean.write_bytes(GOOD[case.format][0] + b"\n".join(lines_of(case)))
    model, expected = model_for(case.kind), model_for(case.kind)
    stream = aw.read(path, on_error="skip", **options)
    report = json.loads(aw.learn(model, stream).to_json())
    [shown] = stream.bad_lines  # type: ignore[attr-defined]
    assert_says(shown, path, case, line)
    assert report["skipped"] == 1
    plain = json.loads(aw.learn(expected, aw.read(clean, **options)).to_json())
    differ = {key for key in report if report[key] != plain[key]}
    assert differ <= {"skipped", "source"}
    assert bits(model.state()) == bits(expected.state())
    if case.kind == "classes":
        assert model.classes == expected.classes
    raw = [aw.predict(learned, aw.read(clean, **options)).tobytes() for learned in (model, expected)]
    assert raw[0] == raw[1]


def test_many_bad_lines_are_counted_and_the_first_few_shown(tmp_path: Path) -> None:
    path = tmp_path / "rows.svm"
    path.write_bytes(b"1 3:1\n1 x:1\n" * 1000)
    stream = aw.read(path, on_error="skip", batch_rows=7)
    report = aw.learn(model_for("binary"), stream)
    assert (report.rows, report.skipped) == (1000, 1000)
    assert [bad.line for bad in stream.bad_lines] == [2, 4, 6, 8, 10]  # type: ignore[attr-defined]


@pytest.mark.parametrize("case", LINES[::6], ids=name_of)
def test_the_command_on_a_bad_line(tmp_path: Path, case: Line) -> None:
    path, model, predictions = tmp_path / f"rows.{ENDINGS[case.format]}", tmp_path / "m", tmp_path / "p"
    path.write_bytes(text_of(case, "middle")[0])
    words = ["learn", path, *words_of(case), "--save", model, "--predictions", predictions]
    sentence = str(error_of(path, case.kind, **options_of(case)))
    done = afterwit(*words)
    assert (done.returncode, done.stdout, done.stderr.decode()) == (1, b"", f"afterwit: {sentence}\n")
    assert os.listdir(tmp_path) == [path.name]
    done = afterwit(*words, "--on-error", "skip")
    if not case.can_skip:
        assert (done.returncode, done.stdout, done.stderr.decode()) == (1, b"", f"afterwit: {sentence}\n")
        return
    assert (done.returncode, done.stderr.decode()) == (0, f"afterwit: skipped: {sentence}\n")
    assert len(predictions.read_bytes().splitlines()) == 4
    assert model.exists()


TEXT = b"1 3:0.5 7:1\n-1 2:2.5\n" * 2000
TABLE = "a,b,w,y\n0.5,red,2,1\n"


class File(NamedTuple):
    """A bad file: its name (a pattern where no file is made), its bytes, and parts of what the error says."""

    name: str
    path: str
    content: bytes | None
    says: list[str]
    options: dict[str, Any] = {}  # noqa: RUF012
    line: int | None = None


def damaged(packed: bytes) -> bytes:
    """One bit of the checksum at the end is wrong."""
    return packed[:-8] + bytes([packed[-8] ^ 1]) + packed[-7:]


Y = {"target": "y"}
CUT, GET = "data ends too early", "get it again"
FILES = [
    # name, path, bytes, what the error says, options, line
    File("missing", "none.svm", None, ["cannot read `{path}`", "no such file"]),
    File("missing CSV", "none.csv", None, ["cannot read `{path}`", "no such file"], Y),
    File("missing Parquet", "none.parquet", None, ["cannot read `{path}`", "no such file"], Y),
    File("directory", ".", None, ["cannot read `{path}`", "it is a directory"]),
    File("directory as CSV", ".", None, ["cannot read `{path}`", "it is a directory"], Y),
    File("pattern without a match", "part-*.svm", None, ["no file matches `{path}`", "is the folder right?"]),
    File("empty CSV", "a.csv", b"", ["{path}: it is empty", "expected a first line with the names"], Y),
    File("blank CSV", "a.csv", b"\n \n", ["{path}: it is empty", "expected a first line with the names"], Y),
    File("empty Parquet", "a.parquet", b"", ["{path}: the Parquet data is damaged or cut short"], Y),
    File("text as Parquet", "a.parquet", TEXT, ["{path}: it begins with `1 3:`", "expected a Parquet file"], Y),
    File("cut gzip", "a.svm.gz", gzip.compress(TEXT)[:-20], ["{path}: the gzip " + CUT, GET]),
    File("cut bz2", "a.svm.bz2", bz2.compress(TEXT)[:-20], ["{path}: the bz2 " + CUT, GET]),
    File("cut xz", "a.svm.xz", lzma.compress(TEXT)[:-20], ["{path}: the xz " + CUT, GET]),
    File("cut zstd", "a.svm.zst", zstandard.compress(TEXT)[:-4], ["{path}: the zstd " + CUT, GET]),
    File("gzip of two bytes", "a.svm.gz", b"\x1f\x8b", ["{path}: the gzip " + CUT, GET]),
    File("damaged gzip", "a.svm", damaged(gzip.compress(TEXT)), ["{path}: the gzip data is damaged", "again"]),
    File("gzip head, then junk", "a.svm", b"\x1f\x8b" + b"x" * 40, ["{path}: the gzip data is damaged", "again"]),
    File("zstd head, then junk", "a.svm", b"\x28\xb5\x2f\xfd" + b"x" * 40, ["{path}: the zstd data is damaged"]),
    File("cut gzip of CSV", "a.csv.gz", gzip.compress(b"a,y\n" + b"1,1\n" * 999)[:-9], ["{path}: the gzip " + CUT], Y),
    File("no format to tell", "rows", b"\n what is this, please\n", ["cannot tell its format", "`what is this, please`",
         "`format`, or for CSV name", "`target`"]),
    File("junk", "rows", b"\x00\x01\xff" * 99, ["label `\\x00\\x01\\xff", "is not a number; expected -1"], line=1),
    File("junk as CSV", "a.csv", bytes(range(256)), ["there is no target column `y`", "`\\x00\\x01"], Y),
    File("UTF-16", "a.csv", TABLE.encode("utf-16"), ["the heading `\\xff\\xfea", "is not UTF-8"], Y, line=1),
    File("lines end with CR", "a.svm", b"1 3:1\r-1 2:1\r", ["`\\r` alone; expected `\\n`"], {"format": "svmlight"}, 1),
    File("lines end with CR", "a.vw", b"1 | a\r-1 | b\r", ["`\\r` alone; expected `\\n`"], {"format": "vw"}, 1),
    File("lines end with CR", "a.csv", b"y,a\r1,1\r0,2\r", ["`\\r` alone; expected `\\n`"], Y, line=1),
    File("wrong target", "a.csv", b"a,label\n1,1\n", ["no target column `lable`", "did you mean `label`?",
         "the columns are `a`, `label`"], {"target": "lable"}),
    File("wrong weight", "a.csv", b"a,importance,y\n1,1,1\n", ["no weight column `importanc`",
         "did you mean `importance`?"], {"target": "y", "weight": "importanc"}),
    File("no target named", "a.csv", b"a,y\n1,1\n", ["which column has the label?", "`target`", "`a`, `y`"]),
    File("columns of one name", "a.csv", b"a,b,a,y\n1,1,1,1\n", ["are called `a`", "(columns 1 and 3)"], Y, line=1),
    File("columns without a name", "a.csv", b"y,,\n1,1,1\n", ["columns have no name", "(columns 2 and 3)"], Y, line=1),
    File("heading not UTF-8", "a.csv", b"a\xff,y\n1,1\n", ["the heading `a\\xff` is not UTF-8"], Y, line=1),
    File("heading with an open quote", "a.csv", b'a,"y\n1,1\n', ["column 3", "is never closed", "another"], Y, 1),
]  # fmt: skip


@pytest.mark.parametrize("on_error", ["raise", "skip"])
@pytest.mark.parametrize("case", FILES, ids=name_of)
def test_a_bad_file_is_refused(tmp_path: Path, case: File, on_error: str) -> None:
    path = tmp_path / case.path
    if case.content is not None:
        path.write_bytes(case.content)
    if on_error == "skip" and ((case.line == 1 and not case.options) or case.path.endswith("parquet")):
        return  # a bad line like others; a table, which has no lines
    error = error_of(str(path), on_error=on_error, **case.options)
    for part in case.says:
        assert part.replace("{path}", str(path)) in str(error)
    assert str(path) in str(error)
    assert error.line == case.line


@pytest.mark.parametrize("case", FILES[::4], ids=name_of)
def test_the_command_on_a_bad_file(tmp_path: Path, case: File) -> None:
    path = tmp_path / case.path
    if case.content is not None:
        path.write_bytes(case.content)
    before = os.listdir(tmp_path)
    options = [word for name, value in case.options.items() for word in (f"--{name}", value)]
    outputs = ["--save", tmp_path / "m", "--predictions", tmp_path / "p"]
    done = afterwit("learn", path, *options, "--task", "binary", *outputs)
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.decode() == f"afterwit: {error_of(str(path), **case.options)}\n"
    assert os.listdir(tmp_path) == before


def test_an_unknown_format(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(TEXT)
    with pytest.raises(ValueError, match="format is `arff`, expected one of svmlight, vw, csv, tsv, json"):
        aw.read(tmp_path / "a", format="arff")
    done = afterwit("learn", tmp_path / "a", "--format", "arff")
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"invalid choice: 'arff'" in done.stderr
    assert b"Traceback" not in done.stderr


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read all")
@pytest.mark.parametrize("name", ["a.svm", "a.csv", "a.parquet"])
def test_a_forbidden_file(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    pq.write_table(pa.table({"y": [1]}), path)
    path.chmod(0)
    assert str(error_of(path)) == f"cannot read `{path}`: permission denied"


@pytest.mark.parametrize("name", ["a.svm", "a.vw", "rows"])
def test_a_text_without_a_row_is_no_error(tmp_path: Path, name: str) -> None:
    for text in (b"", b"\n\n", gzip.compress(b"")):
        (tmp_path / name).write_bytes(text)
        assert aw.learn(model_for("binary"), aw.read(tmp_path / name)).rows == 0
    done = afterwit("learn", tmp_path / name)
    assert (done.returncode, done.stderr.decode().count("\n")) == (0, 1)
    assert b"has no rows" in done.stderr


def test_words_of_a_csv_that_look_like_numbers(tmp_path: Path) -> None:
    """No number by the rule for numbers, so a word: `column=word`, as any other."""
    path = tmp_path / "a.csv"
    path.write_bytes(b'a,y\n0x10,1\n1_0,1\n1.2.3,1\n"1,5",1\ninfinite,1\n')
    model = AdaGrad(normalized=True, features=aw.Features(names="exact", intercept=False))
    aw.learn(model, aw.read(path, target="y"))
    for word in ("0x10", "1_0", "1.2.3", "1,5", "infinite"):
        assert model.predict_one({"a": word}) > 0


def test_names_of_vw_are_bytes_and_shown_escaped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, model = tmp_path / os.fsdecode(b"\xfd.vw"), tmp_path / "m"
    path.write_bytes(b"1 | \xff:1\n-1 | \xfe \x1b[31m\n")
    monkeypatch.setenv("PYTHONIOENCODING", "utf-8:strict")
    done = afterwit("learn", path, "--names", "exact", "--save", model)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"/\\xfd.vw (VW text)" in done.stdout  # as in errors, and as the names of features
    shown = afterwit("inspect", model)
    assert (shown.returncode, shown.stderr) == (0, b"")
    assert all(name in shown.stdout for name in (b" \\xff ", b" \\xfe ", b" \\x1b[31m "))


@pytest.mark.parametrize("format", ["svmlight", "vw", "csv"])
@pytest.mark.parametrize("place", PLACES)
def test_a_line_over_the_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, format: str, place: str) -> None:
    monkeypatch.setattr(whole_lines, "CHUNK_BYTES", 8)
    monkeypatch.setattr(whole_lines, "LONGEST_LINE", 50)
    monkeypatch.setattr(csv_records, "LONGEST_RECORD", 50)
    bad = {"svmlight": b"1 3:" + b"0" * 60, "vw": b"1 | " + b"a" * 60, "csv": b"1," + b"x" * 60 + b",1,1"}[format]
    case = Line("over the limit", format, bad, 1 if format == "csv" else 51, "", "")
    text, line = text_of(case, place)
    path = tmp_path / f"rows.{ENDINGS[format]}"
    path.write_bytes(text)
    error = error_of(path, **options_of(case))
    assert (error.source, error.line, error.column) == (str(path), line, case.column)
    assert "MB, the most that is read" in error.message


@pytest.mark.slow
@pytest.mark.parametrize("format", ["svmlight", "vw", "csv"])
def test_a_line_over_the_real_limit(tmp_path: Path, format: str) -> None:
    long = b"0" * (64 << 20)
    bad = {"svmlight": b"1 3:" + long, "vw": b"1 | " + long, "csv": b"1," + long + b",1,1"}[format]
    case = Line("over the limit", format, bad, 1 if format == "csv" else (64 << 20) + 1, "", "")
    text, line = text_of(case, "middle")
    path = tmp_path / f"rows.{ENDINGS[format]}"
    path.write_bytes(text)
    error = error_of(path, **options_of(case))
    assert (error.line, error.column) == (line, case.column)
    assert "longer than 64 MB, the most that is read" in error.message


TABLES: list[tuple[str, dict[str, list[Any]], dict[str, str], list[str]]] = [
    # name, columns, options, what the error says
    ("infinite number", {"x": [1.0, 2.0, np.inf], "y": [1, 0, 1]}, Y, ["row 3, column `x`", "`inf`", "finite number"]),
    ("1e39", {"x": [1.0, -1e39], "y": [1, 0]}, Y, ["row 2, column `x`", "`-1e+39`", "fits a 32-bit float"]),
    ("null label", {"x": [1.0, 2.0], "y": [1, None]}, Y, ["row 2, column `y`", "the label is missing", "fill it in"]),
    ("third class", {"x": [1.0, 2.0], "y": [1, 2]}, Y, ["row 2", "the label is `2`", "expected -1 or +1"]),
    ("word for a label", {"x": [1.0, 2.0], "y": ["a", "b"]}, Y, ["row 1", "the label is `'a'`", "expected a number"]),
    ("spans of time", {"x": [timedelta(hours=17)], "y": [1]}, Y, ["column `x`", "`duration[us]`", "as a number"]),
    ("dates as labels", {"x": [1], "y": [date(2026, 1, 1)]}, Y, ["column `y`", "`date32[day]`"]),
    ("negative weight", {"x": [1, 1], "y": [1, 0], "w": [1, -1]}, {**Y, "weight": "w"}, ["row 2", "`-1`", WEIGHT]),
    ("word for a weight", {"x": [1, 1], "y": [1, 0], "w": ["2", "b"]}, {**Y, "weight": "w"},
     ["row 2", "the weight is `b`", "expected a finite number, 0 or more"]),
    ("null weight", {"x": [1, 1], "y": [1, 0], "w": [1, None]}, {**Y, "weight": "w"}, ["row 2", "`nan`", WEIGHT]),
    ("wrong target", {"x": [1.0], "label": [1]}, {"target": "lable"}, ["target is `lable`", "did you mean `label`?"]),
    ("no target named", {"x": [1.0], "y": [1]}, {}, ["which column has the labels?", "`target`", "`x`, `y`"]),
]  # fmt: skip


@pytest.mark.parametrize("case", TABLES, ids=lambda case: case[0].replace(" ", "-"))
def test_a_bad_table_is_refused(tmp_path: Path, case: tuple[str, Any, dict[str, str], list[str]]) -> None:
    _, columns, options, says = case
    table, path = pa.table(columns), tmp_path / "a.parquet"
    pq.write_table(table, path)
    for source, name in ((table, "Table"), (path, str(path))):
        error = str(error_of(source, **options))
        assert error.startswith(name)
        for part in says:
            assert part in error


def test_a_damaged_parquet_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"x": np.arange(10000.0), "y": np.ones(10000)}), path)
    whole = path.read_bytes()
    words = ("learn", path, "--target", "y", "--save", tmp_path / "m", "--predictions", tmp_path / "p")
    for cut in (4, 100, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:cut])
        error = str(error_of(path, target="y"))
        assert error.startswith(f"{path}: the Parquet data is damaged or cut short")
        assert error.endswith("get the file again")
    done = afterwit(*words)
    assert (done.returncode, done.stdout, done.stderr.decode()) == (1, b"", f"afterwit: {error}\n")
    assert os.listdir(tmp_path) == [path.name]


def test_rows_of_a_table_are_not_skipped(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"x": [np.inf], "y": [1]}), path)
    assert "on_error is `skip`, which goes with text" in str(error_of(path, target="y", on_error="skip"))


@pytest.mark.parametrize("source", ["file", "pipe"])
def test_ctrl_c_in_the_middle(tmp_path: Path, source: str) -> None:
    data = tmp_path / "rows.csv"
    rows = b"0.5,red,1\n" * 200_000
    data.write_bytes(b"a,b,y\n" + rows)
    words = ["learn", "-" if source == "pipe" else data, "--target", "y", "--save", tmp_path / "m"]
    words += ["--predictions", tmp_path / "p"] + ([] if source == "pipe" else ["--passes", 10_000])
    process = started(*words, stdin=subprocess.PIPE)
    assert process.stdin is not None
    fed = threading.Event()

    def feed() -> None:
        with suppress(BrokenPipeError):
            process.stdin.write(data.read_bytes())  # type: ignore[union-attr]
            while not fed.is_set():
                process.stdin.write(rows)  # type: ignore[union-attr]

    feeder = threading.Thread(target=feed)
    if source == "pipe":
        feeder.start()
    try:
        until = time.monotonic() + 60
        while not any(part.stat().st_size for part in tmp_path.glob(".p.partial-*")) and time.monotonic() < until:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        began = time.monotonic()
        process.wait(timeout=30)
        took = time.monotonic() - began
    finally:
        process.kill()
        fed.set()
        if source == "pipe":
            feeder.join()
        with suppress(BrokenPipeError):
            process.stdin.close()
    assert process.stdout is not None
    assert process.stderr is not None
    with process.stdout, process.stderr:
        assert (process.returncode, process.stdout.read()) == (130, b"")
        assert process.stderr.read() == b"afterwit: stopped\n"
    assert took < 10
    assert os.listdir(tmp_path) == [data.name]


def test_compare_and_predict_say_what_they_skipped(tmp_path: Path) -> None:
    path, model = tmp_path / "rows.svm", tmp_path / "m"
    path.write_bytes(b"1 3:1\n1 x:1\n-1 3:2\n")
    bad = f"{path}, line 2, column 3: index `x` is not a whole number"
    aw.save(model_for("binary"), model)
    for words in (["compare", path, "adagrad:rate=1", "perceptron"], ["predict", model, path]):
        done = afterwit(*words)
        assert (done.returncode, done.stderr.decode().count("\n")) == (1, 1)
        assert f"afterwit: {bad}" in done.stderr.decode()
        done = afterwit(*words, "--on-error", "skip")
        assert done.returncode == 0
        assert done.stderr.decode().startswith(f"afterwit: skipped 1 bad line\nafterwit: skipped: {bad}")
