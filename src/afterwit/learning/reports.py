"""The reports of several learners, side by side."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from afterwit.errors import printable
from afterwit.learning.report import Report
from afterwit.shown import aligned, picture, table, together

COLUMNS = [
    ("mean loss", "mean_loss", ".6f"),
    ("error rate", "error_rate", ".4%"),
    ("log loss", "log_loss", ".6f"),
    ("AUC", "auc", ".5f"),
    ("RMSE", "rmse", ".6g"),
    ("MAE", "mae", ".6g"),
    ("R²", "r2", ".5f"),
]


class Reports(dict[str, Report]):
    """Reports by the names of the learners. As text they are a table, the baseline its last line."""

    def rows(self) -> list[list[str]]:
        """The headings, a line per learner and that of the baseline, with the columns that any report has."""
        shown = [column for column in COLUMNS if any(getattr(each, column[1]) is not None for each in self.values())]
        lines = [["learner", "loss", *(heading for heading, _, _ in shown)]]
        for name, report in self.items():
            lines.append([printable(str(name)), report.loss, *_cells(shown, report)])
        if any(report.baseline is not None for report in self.values()):
            lines.append(["baseline", "", *(_cell(self._of_baseline(name), form) for _, name, form in shown)])
        return lines

    def _of_baseline(self, name: str) -> Any:
        """What any report has of it: the labels are those of all; the mean loss only where all have one loss."""
        if name == "mean_loss" and len({report.loss for report in self.values()}) > 1:
            return None
        known = (getattr(report.baseline, name, None) for report in self.values())
        return next((value for value in known if value is not None), None)

    def __str__(self) -> str:
        return "\n".join(line.rstrip() for line in aligned(self.rows(), left=2))

    def _repr_html_(self) -> str:
        drawn = any(report.curve for report in self.values())
        return together(table(self.rows()), picture("comparison", self) if drawn else "")


def _cells(shown: list[tuple[str, str, str]], report: Report) -> Iterator[str]:
    return (_cell(getattr(report, name), form) for _, name, form in shown)


def _cell(value: Any, form: str) -> str:
    return "" if value is None else format(value, form)
