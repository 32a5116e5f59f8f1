"""Vowpal Wabbit's text once more, written to be read, with the hash of names beside it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from tests.text.slow_svmlight import LARGEST_FLOAT32, NUMBER, BadTokenError, parse_label

MASK = 2**64 - 1


def fold(a: int, b: int) -> int:
    return (a * b & MASK) ^ (a * b >> 64)


def scramble(h: int) -> int:
    return fold(fold(h ^ 0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93) ^ 0xA0B428DB5A3C9E17, 0xCA5A826395121157)


def hash_bytes(name: bytes, start: int) -> int:
    h = scramble(start ^ len(name))
    whole = len(name) // 8 * 8
    for at in range(0, whole, 8):
        word = int.from_bytes(name[at : at + 8], "little")
        h = (fold(h ^ word, 0xE7037ED1A0B428DB) + word) & MASK
    return scramble(h ^ int.from_bytes(name[whole:], "little"))


def group_of(space: bytes) -> int:
    return hash_bytes(space, 1) | 1 if space else 0


def key_of(name: bytes, space: bytes) -> int:
    if re.fullmatch(rb"0|[1-9][0-9]{0,9}", name) and int(name) < 2**32:
        return (group_of(space) + int(name)) & MASK
    return hash_bytes(name, group_of(space)) | 1 << 63


@dataclass
class Feature:
    name: bytes
    space: bytes
    value: float

    @property
    def key(self) -> int:
        return key_of(self.name, self.space)

    @property
    def shown(self) -> str:
        return (self.space + b"^" + self.name if self.space else self.name).decode("utf-8", "surrogateescape")


@dataclass
class Slow:
    y: list[float] = field(default_factory=list)
    weight: list[float] = field(default_factory=list)
    rows: list[list[Feature]] = field(default_factory=list)
    classes: list[int | str | float] = field(default_factory=list)
    #: Fault, line, column, token.
    bad: list[tuple[str, int, int, bytes]] = field(default_factory=list)


def slow_parse(data: bytes, kind: str) -> Slow:
    """All rows of `data`, bad lines left out and listed; classes are open."""
    result = Slow()
    for number, line in enumerate(data.split(b"\n"), start=1):
        try:
            parse_line(line.removesuffix(b"\r"), kind, result)
        except BadTokenError as bad:
            result.bad.append((bad.fault, number, bad.start + 1, line[bad.start : bad.end]))
    return result


def words(text: bytes, start: int, end: int) -> list[tuple[bytes, int, int]]:
    return [(m.group(), m.start(), m.end()) for m in re.compile(rb"[^ \t|]+").finditer(text, start, end)]


def parse_line(line: bytes, kind: str, result: Slow) -> None:
    if not line.strip(b" \t"):
        return
    bar = line.find(b"|")
    if bar < 0:
        _, start, end = words(line, 0, len(line))[0]
        raise BadTokenError("bar_missing", start, end)
    label, weight = parse_header(line, bar, kind)
    row = []
    for part in re.compile(rb"\|[^|]*").finditer(line, bar):
        row += parse_namespace(line, part.start() + 1, part.end())
    if kind == "classes":
        if label not in result.classes:
            result.classes.append(label)
        label = result.classes.index(label)
    result.y.append(float(label))
    result.weight.append(weight)
    result.rows.append(row)


def parse_header(line: bytes, bar: int, kind: str) -> tuple[int | str | float, float]:
    found = words(line, 0, bar)
    if found and (found[-1][2] == bar or found[-1][0].startswith(b"'")):
        found.pop()
    label: int | str | float = 0.0
    weight = 1.0
    if not found and kind != "none":
        raise BadTokenError("label_missing", bar, bar + 1)
    for place, (word, start, end) in enumerate(found):
        if place == 0:
            if b":" in word:
                raise BadTokenError("label_of_several", start, end)
            if word == b"shared":
                raise BadTokenError("label_shared", start, end)
            label = 0.0 if kind == "none" else parse_label(word, start, kind)
        elif place == 1:
            weight = number(word, start, end, "weight_not_number")
            if weight < 0:
                raise BadTokenError("weight_negative", start, end)
            if weight > LARGEST_FLOAT32:
                raise BadTokenError("weight_too_large", start, end)
        elif place == 2:
            if number(word, start, end, "base_not_zero") != 0:
                raise BadTokenError("base_not_zero", start, end)
        else:
            raise BadTokenError("word_before_bar", start, end)
    return label, weight


def number(text: bytes, start: int, end: int, fault: str) -> float:
    if not NUMBER.fullmatch(text):
        raise BadTokenError(fault, start, end)
    return float(text)


def parse_namespace(line: bytes, start: int, end: int) -> list[Feature]:
    head = re.compile(rb"[^ \t]*").match(line, start, end)
    assert head is not None
    space, colon, text = head.group().partition(b":")
    scale = 1.0
    if colon:
        if not text:
            raise BadTokenError("scale_not_number", start, head.end())
        scale = number(text, start + len(space) + 1, head.end(), "scale_not_number")
        if abs(scale) > LARGEST_FLOAT32:
            raise BadTokenError("scale_too_large", start + len(space) + 1, head.end())
    return [parse_feature(*word, space, scale) for word in words(line, head.end(), end)]


def parse_feature(token: bytes, start: int, end: int, space: bytes, scale: float) -> Feature:
    name, colon, text = token.partition(b":")
    if not name:
        raise BadTokenError("name_missing", start, end)
    if not colon:
        return Feature(name, space, scale)
    if not text:
        raise BadTokenError("feature_without_value", start, end)
    at = start + len(name) + 1
    value = number(text, at, end, "value_not_number")
    if abs(value) == float("inf"):
        raise BadTokenError("value_infinite", at, end)
    if abs(value) > LARGEST_FLOAT32:
        raise BadTokenError("value_too_large", at, end)
    if abs(value * scale) > LARGEST_FLOAT32:
        raise BadTokenError("scaled_value_too_large", at, end)
    return Feature(name, space, value * scale)
