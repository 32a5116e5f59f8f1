"""The live table on a terminal that is small."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.commands import on_a_terminal, write_svmlight


@pytest.mark.parametrize(("columns", "lines"), [(80, 10), (80, 40)])
def test_the_table_fits_the_terminal(tmp_path: Path, columns: int, lines: int) -> None:
    folder = tmp_path / ("long" * 20)
    folder.mkdir()
    data = write_svmlight(folder / "data.svm", 3000)
    _, drawn = on_a_terminal("learn", data, columns=columns, lines=lines)
    last = drawn[drawn.rindex(b"Auto()") :].decode().splitlines()
    rows = [line.split()[0] for line in last if line.strip()[:1].isdigit()]
    powers = [f"{2**i:,}" for i in range(12)]
    assert rows == [*powers, "3,000"][-(lines - 4) :]
    assert "3,000 rows" in last[2 + len(rows)]  # below what it is, which is one line, the headings and the rows
    assert b"\xe2\x80\xa6" in drawn  # the name of the file was too long for one
