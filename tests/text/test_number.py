"""Decimal literals: the value is Python's, bit for bit, and nothing else is a number."""

from __future__ import annotations

import math
import random
import re
import struct
from collections.abc import Iterator
from fractions import Fraction

import pytest

from afterwit._core import parse_number

BITS_OF_INFINITY = 0x7FF0000000000000
GRAMMAR = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")


def assert_as_float(literal: str) -> None:
    expected = float(literal)
    if math.isinf(expected):
        with pytest.raises(OverflowError):
            parse_number(literal.encode())
    else:
        assert parse_number(literal.encode()).hex() == expected.hex(), literal


def double(bits: int) -> float:
    return float(struct.unpack("<d", struct.pack("<Q", bits))[0])


def digits(rng: random.Random, most: int) -> str:
    return "".join(rng.choices("0123456789", k=rng.randint(0, most)))


def any_literals(count: int) -> Iterator[str]:
    rng = random.Random(1)
    while count > 0:
        most = rng.choice([3, 8, 12, 25])
        whole, fraction = digits(rng, most), digits(rng, most)
        if not whole + fraction:
            continue
        point = "." if fraction or rng.random() < 0.2 else ""
        exponent = f"{rng.choice('eE')}{rng.choice(['', '+', '-'])}{rng.randint(0, 400)}" if rng.random() < 0.6 else ""
        yield rng.choice(["", "", "-", "+"]) + whole + point + fraction + exponent
        count -= 1


def any_doubles(count: int) -> Iterator[str]:
    rng = random.Random(2)
    for _ in range(count):
        value = double(rng.randrange(BITS_OF_INFINITY))
        yield rng.choice([repr(value), f"{value:.16e}", f"{value:.20e}", f"{value:.6g}"])


def subnormals(count: int) -> Iterator[str]:
    rng = random.Random(3)
    for _ in range(count):
        value = double(rng.randrange(1 << rng.randint(1, 53)))
        yield rng.choice([repr(value), f"{value:.25e}", f"{value:.10e}"])


def exact_decimal(value: Fraction) -> str:
    """A fraction whose denominator is a power of two, written in full."""
    places = value.denominator.bit_length() - 1
    text = str(value.numerator * 5**places).rjust(places + 1, "0")
    return f"{text[: len(text) - places]}.{text[len(text) - places :]}"


def ties(count: int) -> Iterator[str]:
    """Halfway between two neighbours, and a hair above and below."""
    rng = random.Random(4)
    for _ in range(count):
        bits = rng.choice([rng.randrange(BITS_OF_INFINITY - 1), rng.randrange(1 << 53), rng.randrange(1 << 62)])
        middle = exact_decimal((Fraction(double(bits)) + Fraction(double(bits + 1))) / 2)
        yield middle
        yield middle + "0" * rng.randint(0, 30) + "1"
        yield middle.rstrip("0").rstrip(".")[:-1] + "0"


def around_powers_of_two() -> Iterator[str]:
    for power in (24, 52, 53, 54, 62, 63, 64, 65):
        for offset in range(-40, 41):
            whole = str(2**power + offset)
            yield from (whole, f"{whole}.0", f"-{whole}e0", f"{whole[:-5]}.{whole[-5:]}", f"{whole}e22", f"{whole}e-22")


def test_it_gives_the_bits_of_python_float() -> None:
    counted = 0
    for source in (any_literals(130_000), any_doubles(45_000), subnormals(20_000), ties(1_000), around_powers_of_two()):
        for literal in source:
            assert_as_float(literal)
            counted += 1
    assert counted > 200_000


@pytest.mark.parametrize(
    "literal",
    [
        *("0", "-0", "+0", "0.0", "-.0", "0e999999999999999999999999", "-0e-999999999999999999999999"),
        *(".5", "5.", "5.e3", "+.5E+3", "-5.e-3", "00000000000000000000000000001.50", "0" * 1000 + "7"),
        *("9007199254740993", "9007199254740992.5", "9007199254740993.0000000000000000000000000000001"),
        *("1e22", "1e23", "8.5e22", "123456789012345678e-22", "0.1e-21", "1e-22", "1e-23"),
        *("18446744073709551615", "18446744073709551616", "9999999999999999999", "99999999999999999999"),
        *("4.9406564584124654e-324", "2.4703282292062327e-324", "2.4703282292062328e-324", "2.2250738585072011e-308"),
        *("1.7976931348623157e308", "1.7976931348623158e308", "1.7976931348623159e308", "1e308", "1e309", "-1e309"),
        *("1e400", "1e-400", "-1e-400", "1e99999999999999999999", "1e-99999999999999999999"),
        *("0." + "0" * 400 + "1e401", "0." + "0" * 1000 + "1e2000", "1" + "0" * 1000 + "e-1000", "1" + "0" * 400),
        *("9" * 800 + "e-800", "0." + "9" * 800, "1" + "0" * 767 + "1e-768"),
    ],
)
def test_nasty_literals(literal: str) -> None:
    assert_as_float(literal)
    assert_as_float(f"-{literal.lstrip('+-')}")


@pytest.mark.parametrize(
    "text",
    [
        *("", "+", "-", ".", "+.", "-.", "e5", ".e5", "1e", "1e+", "1e-", "1E", "1e5.0", "1e5e5", "1ee5"),
        *("nan", "NaN", "-nan", "inf", "-inf", "+Infinity", "infinity", "nan(1)"),
        *("0x10", "0x1p3", "1p3", "1_000", "1,5", "1.2.3", "..5", "--1", "+-1", "-+1", "1-", "1+1", "5f", "1d5"),
        *(" 1", "1 ", "\t1", "1\n", "1\x00", "\x001", "1\r", "\u0661", "\uff11", "½", "1'000"),
    ],
)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not a decimal literal"):
        parse_number(text.encode())


def read(literal: str) -> float:
    """What is above the largest double is infinite, as Python has it."""
    try:
        return parse_number(literal.encode())
    except OverflowError:
        return -math.inf if literal[0] == "-" else math.inf


@pytest.mark.slow
def test_ten_million_literals_have_the_bits_of_python_float() -> None:
    counted = 0
    for source in (any_literals(6_500_000), any_doubles(2_500_000), subnormals(900_000), ties(60_000)):
        for literal in source:
            assert read(literal).hex() == float(literal).hex(), literal
            counted += 1
    assert counted >= 10**7


def damaged(count: int) -> Iterator[str]:
    """Literals with a character too many, too few or changed: many are literals still."""
    rng = random.Random(5)
    strangers = "0123456789+-..eEexpfnNaiI_, \t\n\0'\u0661\uff11"
    for literal in any_literals(count):
        at = rng.randrange(len(literal) + 1)
        stranger = rng.choice(strangers) if rng.random() < 0.8 else ""
        yield literal[:at] + stranger + literal[at + rng.randrange(2) :]


@pytest.mark.slow
def test_damaged_literals_are_refused_unless_the_grammar_has_them() -> None:
    good = bad = 0
    for text in damaged(1_000_000):
        if GRAMMAR.fullmatch(text):
            assert read(text).hex() == float(text).hex(), text
            good += 1
        else:
            try:
                parse_number(text.encode())
            except ValueError:
                bad += 1
            else:
                pytest.fail(f"{text!r} is no literal")
    assert good > 200_000
    assert bad > 200_000
