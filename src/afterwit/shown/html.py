"""Tables and pictures as HTML. What anybody has named is escaped; nothing of IPython is needed."""

from __future__ import annotations

import base64
import importlib
import io
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

from afterwit.errors import printable

LEFT, RIGHT = "text-align:left", "text-align:right"


def table(rows: Sequence[Sequence[str]]) -> str:
    """Rows of words and numbers, the first of them the headings; the first column to the left.

    >>> table([["", "loss"], ["<b>", "0.5"]])
    '<table><tr><th style="text-align:left"></th><th style="text-align:right">loss</th></tr>...&lt;b&gt;...</table>'
    """
    lines = ("".join(_cells(row, "th" if i == 0 else "td")) for i, row in enumerate(rows))
    return f"<table>{''.join(f'<tr>{line}</tr>' for line in lines)}</table>"


def pairs(lines: Iterable[tuple[str, str]]) -> str:
    """Names and values.

    >>> pairs([("rows", "3")])
    '<table><tr><th style="text-align:left">rows</th><td style="text-align:left">3</td></tr></table>'
    """
    found = (f"<tr>{_cell(name, 'th', LEFT)}{_cell(value, 'td', LEFT)}</tr>" for name, value in lines)
    return f"<table>{''.join(found)}</table>"


def text(words: str, kind: str = "p") -> str:
    """Words in a paragraph, or in another element."""
    return f"<{kind}>{escape(printable(words))}</{kind}>"


def picture(name: str, *what: Any) -> str:
    """What a function of `afterwit.plots` draws; nothing where matplotlib is not there.

    The function is asked for by its name: pictures are of a higher room, and are loaded when somebody looks.
    """
    try:
        importlib.import_module("matplotlib")
    except ImportError:
        return ""
    drawn = getattr(importlib.import_module("afterwit.plots"), name)(*what)
    image = io.BytesIO()
    drawn.figure.savefig(image, format="png")
    return f'<img alt="{escape(name)}" src="data:image/png;base64,{base64.b64encode(image.getvalue()).decode()}">'


def together(*parts: str) -> str:
    """Parts below one another."""
    return f"<div>{''.join(parts)}</div>"


def _cells(row: Sequence[str], kind: str) -> Iterable[str]:
    return (_cell(word, kind, LEFT if i == 0 else RIGHT) for i, word in enumerate(row))


def _cell(word: str, kind: str, style: str) -> str:
    return f'<{kind} style="{style}">{escape(printable(word))}</{kind}>'
