"""The svmlight format once more, written to be read: what the quick parser is compared with."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

NUMBER = re.compile(rb"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
LARGEST_FLOAT32 = float.fromhex("0x1.fffffep127")


class BadTokenError(Exception):
    def __init__(self, fault: str, start: int, end: int) -> None:
        self.fault, self.start, self.end = fault, start, end


@dataclass
class Slow:
    y: list[float] = field(default_factory=list)
    rows: list[list[tuple[int, float]]] = field(default_factory=list)
    classes: list[int | str | float] = field(default_factory=list)
    #: Fault, line, column, token.
    bad: list[tuple[str, int, int, bytes]] = field(default_factory=list)


def slow_parse(data: bytes, kind: str) -> Slow:
    """All rows of `data`, bad lines left out and listed; classes are open."""
    result = Slow()
    lines = data.split(b"\n")
    for number, line in enumerate(lines, start=1):
        try:
            parse_line(line.removesuffix(b"\r"), kind, result)
        except BadTokenError as bad:
            result.bad.append((bad.fault, number, bad.start + 1, line[bad.start : bad.end]))
    return result


def parse_line(line: bytes, kind: str, result: Slow) -> None:
    content = line.partition(b"#")[0]
    tokens = [(m.group(), m.start()) for m in re.finditer(rb"[^ \t]+", content)]
    if not tokens:
        return
    label, at = tokens[0]
    if b":" in label:
        raise BadTokenError("label_missing", at, at + len(label))
    name = parse_label(label, at, kind)
    features = [parse_feature(token, start) for token, start in tokens[1:]]
    if kind == "classes":
        if name not in result.classes:
            result.classes.append(name)
        result.y.append(float(result.classes.index(name)))
    else:
        result.y.append(float(name))
    result.rows.append(features)


def parse_label(label: bytes, at: int, kind: str) -> int | str | float:
    end = at + len(label)
    is_number = NUMBER.fullmatch(label) is not None
    if kind == "classes":
        if not is_number:
            try:
                return label.decode("utf-8")
            except UnicodeDecodeError:
                raise BadTokenError("label_not_utf8", at, end) from None
        if re.fullmatch(rb"[+-]?[0-9]+", label):
            if not -(2**63) <= int(label) < 2**63:
                raise BadTokenError("label_too_large", at, end)
            return int(label)
        if not float(label).is_integer() or abs(float(label)) > 2**53:
            raise BadTokenError("label_not_integer", at, end)
        return int(float(label))
    if not is_number:
        raise BadTokenError("label_not_number", at, end)
    value = float(label)
    if kind == "real":
        if abs(value) == float("inf"):
            raise BadTokenError("label_infinite", at, end)
        if abs(value) > 3.4028234663852886e38:
            raise BadTokenError("label_too_large", at, end)
        if abs(value) > LARGEST_FLOAT32:
            raise BadTokenError("label_too_large", at, end)
        return value
    if value not in (-1, 0, 1):
        raise BadTokenError("label_not_binary", at, end)
    return 1.0 if value == 1 else -1.0


def parse_feature(token: bytes, at: int) -> tuple[int, float]:
    end = at + len(token)
    index, colon, text = token.partition(b":")
    middle = at + len(index)
    if not colon:
        raise BadTokenError("feature_without_colon", at, end)
    if not index:
        raise BadTokenError("index_missing", at, end)
    if index == b"qid":
        raise BadTokenError("query_id", at, end)
    if not re.fullmatch(rb"-?[0-9]+", index):
        raise BadTokenError("index_not_integer", at, middle)
    if index.startswith(b"-"):
        raise BadTokenError("index_negative", at, middle)
    if int(index) >= 2**32:
        raise BadTokenError("index_too_large", at, middle)
    if not text:
        raise BadTokenError("feature_without_value", at, end)
    if not NUMBER.fullmatch(text):
        raise BadTokenError("value_not_number", middle + 1, end)
    if abs(float(text)) == float("inf"):
        raise BadTokenError("value_infinite", middle + 1, end)
    if abs(float(text)) > LARGEST_FLOAT32:
        raise BadTokenError("value_too_large", middle + 1, end)
    return int(index), float(text)
