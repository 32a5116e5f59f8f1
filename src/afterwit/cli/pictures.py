"""Pictures that a command writes."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

from afterwit.errors import UsageError, printable
from afterwit.files.output import write_output


def picture_format(path: str) -> str:
    """The format that the name of a picture asks for; fails before the work, not after."""
    try:
        from afterwit.plots.canvas import figure

        known = figure().canvas.get_supported_filetypes()
    except ImportError as error:
        raise UsageError(f"--plot: {error}") from error
    ending = Path(path).suffix[1:].lower() or "png"
    if ending not in known or ending == "pgf":  # which asks TeX for every word
        raise UsageError(f"--plot is `{printable(path)}`; expected a name that ends in .png, .svg or .pdf")
    return ending


def write_picture(figure: Any, path: str) -> None:
    """Writes a figure, whole or not at all."""
    picture = io.BytesIO()
    figure.savefig(picture, format=picture_format(path))
    write_output(path, [picture.getvalue()])
