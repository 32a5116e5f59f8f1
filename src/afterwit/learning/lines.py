"""A report as people read it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from afterwit.errors import printable
from afterwit.trees.experts import pruning_lines

if TYPE_CHECKING:
    from afterwit.learning.report import Holdout, Report, Window

#: A name, the value, how it is shown, and the baseline's.
Line = tuple[str, Any, str, Any]


def lines_of(report: Report) -> list[tuple[str, str]]:
    """Names and values."""
    named = [*_head(report), *_numbers(report)]
    named += [] if report.window is None else _window(report.window)
    named += [] if report.holdout is None else _holdout(report.holdout)
    shown = [
        (name, format(value, form) + ("" if base is None else f", baseline {base:{form}}"))
        for name, value, form, base in named
        if value is not None
    ]
    for where, each in (("", report), (", held out", report.holdout)):
        if each is not None and each.baseline is not None and each.baseline.better_in:
            shown.append((f"loses to the baseline{where}", f"in {each.baseline.verdict(report.loss)}"))
    shown += [(f"pass {i}, seen before", f"{loss:.6f}") for i, loss in enumerate(report.later_passes, 2)]
    shown += [] if report.panel is None else _panel(report.panel)
    return shown + ([] if report.pruning is None else pruning_lines(report.pruning))


def _head(report: Report) -> Iterator[Line]:
    yield "learner", report.learner, "", None
    yield "data", printable(report.source), "", None
    yield "labels", None if report.labels is None else printable(report.labels), "", None
    yield "rows", report.rows, ",d", None
    yield "weight", None if report.weight == report.rows else report.weight, ",g", None
    yield "skipped lines", report.skipped or None, ",d", None


def _numbers(report: Report) -> Iterator[Line]:
    base: Any = report.baseline
    scores = (report.precision, report.recall, report.f1)
    macro = "" if report.auc is not None or report.mistakes is not None else "macro "
    yield f"mean {report.loss} loss", report.mean_loss, ".6f", getattr(base, "mean_loss", None)
    log_loss = None if report.log_loss == report.mean_loss else report.log_loss
    yield "log loss", log_loss, ".6f", getattr(base, "log_loss", None)
    yield "error rate", report.error_rate, ".4%", getattr(base, "error_rate", None)
    yield "mistakes (y m <= 0)", report.mistakes, ",.10g", None
    yield "area under ROC", report.auc, ".5f", None
    together = None if None in scores else ", ".join(f"{score:.4f}" for score in scores)
    yield f"{macro}precision, recall, F1", together, "", None
    yield "root mean square error", report.rmse, ".6g", getattr(base, "rmse", None)
    mae = None if report.mae == report.mean_loss else report.mae
    yield "mean absolute error", mae, ".6g", getattr(base, "mae", None)
    yield "R squared", report.r2, ".5f", None


def _window(window: Window) -> Iterator[Line]:
    last = f"last {window.rows:,} rows"
    yield f"mean loss, {last}", window.mean_loss, ".6f", window.baseline_mean_loss
    yield f"error rate, {last}", window.error_rate, ".4%", window.baseline_error_rate


def _holdout(holdout: Holdout) -> Iterator[Line]:
    base: Any = holdout.baseline
    yield "rows held out", holdout.rows, ",d", None
    yield "mean loss, held out", holdout.mean_loss, ".6f", getattr(base, "mean_loss", None)
    yield "error rate, held out", holdout.error_rate, ".4%", getattr(base, "error_rate", None)


def _panel(panel: dict[str, Any]) -> list[tuple[str, str]]:
    """What the players of a panel are held to."""
    if panel["best"] is None:
        return []
    bound = panel["bound"]
    most = f"at most {bound['value']:,.6g} ({bound['theorem']})" if bound["value"] is not None else bound["reason"]
    score = "Brier score" if panel["panel"]["error_rate"] is not None else "squared errors per range squared"
    return [
        ("best member", panel["best"]),
        ("regret to it", f"{panel['regret']:,.6g} in the {score}, {most}"),
    ]
