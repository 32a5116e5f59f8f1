"""What a run amounted to: every number with its name, and the curve at powers of two."""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass, field
from typing import Any

from afterwit._core import Ledger
from afterwit.errors import printable
from afterwit.learning.hindsight import Hindsight, PastRun, Watch, show_lines


@dataclass(frozen=True)
class Point:
    """The averages after `rows` rows; `recent` is over the rows since the point before."""

    rows: int
    mean_loss: float
    recent_mean_loss: float
    error_rate: float | None
    #: Over the last rows, where a window was asked for.
    window_mean_loss: float | None = None
    window_error_rate: float | None = None


@dataclass(frozen=True)
class Window:
    """The averages over the last rows, at most `size`."""

    size: int
    rows: int
    weight: float
    mean_loss: float | None
    error_rate: float | None


@dataclass(frozen=True)
class Holdout:
    """The averages over the rows that were predicted and never learned."""

    rows: int
    weight: float
    mean_loss: float | None
    error_rate: float | None
    log_loss: float | None
    auc: float | None
    auc_error: float | None
    rmse: float | None
    #: Mean losses in the passes after the first.
    later_passes: list[float] = field(default_factory=list)


@dataclass(frozen=True)
class Report:
    """Averages over all rows, each predicted before it was learned, weighted by importance; None where undefined.

    `error_rate` counts wrong labels (a margin of 0 is +1), `mistakes` the weight of rows with y m <= 0. `auc` is within
    `auc_error` of the exact area. `mean_loss` is of `loss`, without penalties; for several classes, summed over them.
    """

    learner: str
    source: str
    loss: str
    rows: int
    weight: float
    skipped: int
    mean_loss: float | None
    error_rate: float | None
    mistakes: float | None
    log_loss: float | None
    auc: float | None
    auc_error: float | None
    rmse: float | None
    curve: list[Point] = field(repr=False)
    #: Mean losses of the passes after the first, whose rows had been seen.
    later_passes: list[float] = field(default_factory=list)
    #: The last rows alone, and the rows held out, where they were asked for; the latter are in no other number.
    window: Window | None = None
    holdout: Holdout | None = None
    #: Which labels were found, where the learner was not told.
    labels: str | None = None
    #: How the members of a panel stand (`Panel.standing`).
    panel: dict[str, Any] | None = field(default=None, repr=False)

    def hindsight(self, passes: int = 500, watch: Watch | None = None) -> Hindsight:
        """The best fixed linear predictor of the same rows, the regret to it, and the theorem's bound on that.

        Reads the stream again, at most `passes` times, and needs SciPy: pip install 'afterwit[hindsight]'. Memory grows
        with the features, not with the rows. `watch` is told which reading it is and how far it is, from 0 to 1.

        >>> from afterwit.learning import learn
        >>> from afterwit.linear import AdaGrad
        >>> from afterwit.streams import read
        >>> rows = [({"x": x}, 2 * x - 1) for x in (1.0, 2.0, 3.0) * 20]
        >>> found = learn(AdaGrad(loss="squared"), read(rows)).hindsight()
        >>> found.best_loss < 1e-4, round(found.norm, 3), 0 < found.regret <= found.bound.value
        (True, 2.236, True)
        """
        look: PastRun | None = getattr(self, "_look", None)
        if look is None:
            raise ValueError("only a report that `learn` or `compare` returned has a hindsight")
        return look.hindsight(passes, watch)

    def looking(self, back: PastRun) -> Report:
        """This report, which now knows how to look back; what is saved or pickled of it does not."""
        object.__setattr__(self, "_look", back)
        return self

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_look"}

    def to_json(self) -> str:
        """The report as one JSON object."""
        return json.dumps(asdict(self), indent=2, allow_nan=False)

    def lines(self) -> list[tuple[str, str]]:
        """Names and values, as people read them."""
        named: list[tuple[str, Any, str]] = [
            ("learner", self.learner, ""),
            ("data", printable(self.source), ""),
            ("labels", None if self.labels is None else printable(self.labels), ""),
            ("rows", self.rows, ",d"),
            ("weight", None if self.weight == self.rows else self.weight, ",g"),
            ("skipped lines", self.skipped or None, ",d"),
            (f"mean {self.loss} loss", self.mean_loss, ".6f"),
            ("log loss", None if self.log_loss == self.mean_loss else self.log_loss, ".6f"),
            ("error rate", self.error_rate, ".4%"),
            ("mistakes (y m <= 0)", self.mistakes, ",.10g"),
            ("area under ROC", self.auc, ".5f"),
            ("root mean square error", self.rmse, ".6g"),
        ]
        if self.window is not None:
            last = f"last {self.window.rows:,} rows"
            named.append((f"mean loss, {last}", self.window.mean_loss, ".6f"))
            named.append((f"error rate, {last}", self.window.error_rate, ".4%"))
        if self.holdout is not None:
            named.append(("rows held out", self.holdout.rows, ",d"))
            named.append(("mean loss, held out", self.holdout.mean_loss, ".6f"))
            named.append(("error rate, held out", self.holdout.error_rate, ".4%"))
        shown = [(name, format(value, form)) for name, value, form in named if value is not None]
        shown += [(f"pass {i}, seen before", f"{loss:.6f}") for i, loss in enumerate(self.later_passes, 2)]
        return shown + ([] if self.panel is None else _panel_lines(self.panel))

    def __str__(self) -> str:
        return show_lines(self.lines())


def _panel_lines(panel: dict[str, Any]) -> list[tuple[str, str]]:
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


def report_of(
    ledger: Ledger,
    *,
    learner: str,
    source: str,
    loss: str,
    kind: str,
    skipped: int,
    later_passes: list[float],
    window: int | None = None,
    held: Ledger | None = None,
    later_held: list[float] | None = None,
    labels: str | None = None,
    panel: dict[str, Any] | None = None,
) -> Report:
    """The report of a ledger over labels of some kind, and of the rows held out; before any row, "auto" is "real"."""
    kind = "real" if kind == "auto" else kind
    numbers, signs = averages(ledger, loss, kind)
    mistakes = ledger.totals()["mistakes"]
    apart = None if held is None else Holdout(**averages(held, loss, kind)[0], later_passes=later_held or [])
    return Report(
        learner=learner,
        source=source,
        loss=loss,
        skipped=skipped,
        mistakes=mistakes if signs and kind != "classes" else None,
        **numbers,
        curve=points(ledger, signs, window),
        later_passes=later_passes,
        window=None if window is None else _window(ledger, signs, window),
        holdout=apart,
        labels=labels,
        panel=panel,
    )


def averages(ledger: Ledger, loss: str, kind: str) -> tuple[dict[str, Any], bool]:
    """The numbers that all rows of a ledger share by name, and whether their labels were signs."""
    totals = ledger.totals()
    rows, weight = int(totals["rows"]), totals["weight"]
    signs = kind != "real" or (totals["signs"] == 1.0 and rows > 0)
    auc, auc_error = ledger.auc() if signs and kind != "classes" else (math.nan, math.nan)

    def mean(name: str, defined: bool = True) -> float | None:
        return totals[name] / weight if defined and weight > 0 else None

    squared = mean("squared", kind == "real")
    numbers = {
        "rows": rows,
        "weight": weight,
        "mean_loss": mean("loss"),
        "error_rate": mean("errors", signs),
        "log_loss": mean("log_loss", loss == "logistic" and signs),
        "auc": None if math.isnan(auc) else auc,
        "auc_error": None if math.isnan(auc) else auc_error,
        "rmse": None if squared is None else math.sqrt(squared),
    }
    return numbers, signs


def points(ledger: Ledger, signs: bool, window: int | None = None) -> list[Point]:
    """The curve so far; its last point is now."""
    snapshots = ledger.curve()
    windows = ledger.window_curve() if window is not None else [None] * len(snapshots)
    now = ledger.totals()
    if snapshots and snapshots[-1]["rows"] != now["rows"]:
        snapshots = [*snapshots, now]
        windows = [*windows, None if window is None else ledger.window()]
    curve = []
    weight = loss = 0.0
    for point, last in zip(snapshots, windows, strict=True):
        if point["weight"] > weight:
            curve.append(
                Point(
                    rows=int(point["rows"]),
                    mean_loss=point["loss"] / point["weight"],
                    recent_mean_loss=(point["loss"] - loss) / (point["weight"] - weight),
                    error_rate=point["errors"] / point["weight"] if signs else None,
                    window_mean_loss=_share(last, "loss"),
                    window_error_rate=_share(last, "errors") if signs else None,
                )
            )
            weight, loss = point["weight"], point["loss"]
    return curve


def _window(ledger: Ledger, signs: bool, size: int) -> Window:
    last = ledger.window()
    return Window(
        size=size,
        rows=min(size, int(ledger.totals()["rows"])),
        weight=last["weight"],
        mean_loss=_share(last, "loss"),
        error_rate=_share(last, "errors") if signs else None,
    )


def _share(last: dict[str, float] | None, name: str) -> float | None:
    return last[name] / last["weight"] if last is not None and last["weight"] > 0 else None
