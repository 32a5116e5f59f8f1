"""What a run amounted to: every number with its name, the baseline beside it, and the curve."""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass, field
from typing import Any

from afterwit.learning.account import Account
from afterwit.learning.baseline import Baseline, baseline_of, has_mean_loss, known
from afterwit.learning.confusion import Confusion, confusion_of, of_classes, of_two
from afterwit.learning.hindsight import Hindsight, PastRun, Watch, show_lines
from afterwit.learning.lines import lines_of
from afterwit.protocols import ClassName
from afterwit.shown import pairs, picture, together


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
    recent_error_rate: float | None = None
    #: That of the first `rows` rows.
    weight: float = 0.0
    #: Of the baseline, over the first `rows` rows.
    baseline_mean_loss: float | None = None
    baseline_error_rate: float | None = None


@dataclass(frozen=True)
class Window:
    """The averages over the last rows, at most `size`."""

    size: int
    rows: int
    weight: float
    mean_loss: float | None
    error_rate: float | None
    #: Of the baseline, which has seen all rows before.
    baseline_mean_loss: float | None = None
    baseline_error_rate: float | None = None


@dataclass(frozen=True)
class Holdout:
    """The averages over the rows that were predicted and never learned; the baseline sees these alone."""

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
    mae: float | None = None
    r2: float | None = None
    baseline: Baseline | None = None


@dataclass(frozen=True)
class Report:
    """Averages over all rows, each predicted before it was learned, weighted by importance; None where undefined.

    `error_rate` counts wrong labels (a margin of 0 is +1), `mistakes` the weight of rows with y m <= 0. `auc` is within
    `auc_error` of the exact area. `mean_loss` is of `loss`, without penalties; for several classes, summed over them.

    `mae` is the mean absolute error, `r2` 1 less the squared errors over those of the mean of all labels, which only
    hindsight knows. `precision`, `recall` and `f1` are of the positive one of two labels, or plain means over several
    classes. The curve has 100 to 200 points that are evenly spread over the rows, or one for each row where they are
    fewer, and those at powers of two.
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
    #: How a tree or graph of experts stands beside its best pruning (`TreeExperts.pruning`).
    pruning: dict[str, Any] | None = field(default=None, repr=False)
    mae: float | None = None
    r2: float | None = None
    precision: float | None = None
    recall: float | None = None
    f1: float | None = None
    #: What predicting from the labels alone would have lost; None where nothing was counted.
    baseline: Baseline | None = None
    #: Of two labels always, of several classes where it was asked for.
    confusion: Confusion | None = field(default=None, repr=False)

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
        return lines_of(self)

    def __str__(self) -> str:
        return show_lines(self.lines())

    def _repr_html_(self) -> str:
        return together(pairs(self.lines()), picture("curve", self) if self.curve else "")


def report_of(
    ledger: Account,
    *,
    learner: str,
    source: str,
    loss: str,
    kind: str,
    skipped: int,
    later_passes: list[float],
    classes: tuple[ClassName, ...] | None = None,
    window: int | None = None,
    confusion: bool = False,
    held: Account | None = None,
    later_held: list[float] | None = None,
    labels: str | None = None,
    panel: dict[str, Any] | None = None,
    pruning: dict[str, Any] | None = None,
) -> Report:
    """The report of a ledger over labels of some kind, and of the rows held out; before any row, "auto" is "real".

    `classes` are the names of two labels; a table of several classes is made where `confusion` is true.
    """
    kind = "real" if kind == "auto" else kind
    numbers, signs = averages(ledger, loss, kind)
    totals = ledger.totals()
    counted = signs and known(totals["baseline_errors"]) is not None
    scores: dict[str, Any] = (of_classes(ledger) if kind == "classes" else of_two(ledger)) if counted else {}
    named = None if kind == "classes" else classes or (-1, 1)
    apart = None if held is None else Holdout(**averages(held, loss, kind)[0], later_passes=later_held or [])
    return Report(
        learner=learner,
        source=source,
        loss=loss,
        skipped=skipped,
        mistakes=totals["mistakes"] if signs and kind != "classes" else None,
        **numbers,
        **scores,
        confusion=confusion_of(ledger, named) if counted and (confusion or kind != "classes") else None,
        curve=points(ledger, loss, kind, window),
        later_passes=later_passes,
        window=None if window is None else _window(ledger, loss, kind, window),
        holdout=apart,
        labels=labels,
        panel=panel,
        pruning=pruning,
    )


def averages(ledger: Account, loss: str, kind: str) -> tuple[dict[str, Any], bool]:
    """The numbers that all rows of a ledger share by name, and whether their labels were signs."""
    totals = ledger.totals()
    rows, weight = int(totals["rows"]), totals["weight"]
    signs = _are_signs(totals, kind)
    auc, auc_error = ledger.auc() if signs and kind != "classes" else (math.nan, math.nan)
    spread = ledger.spread()

    def mean(name: str, defined: bool = True) -> float | None:
        return totals[name] / weight if defined and weight > 0 else None

    squared, absolute = mean("squared", kind == "real"), mean("absolute", kind == "real")
    numbers: dict[str, Any] = {
        "rows": rows,
        "weight": weight,
        "mean_loss": mean("loss"),
        "error_rate": mean("errors", signs),
        "log_loss": mean("log_loss", loss == "logistic" and signs),
        "auc": None if math.isnan(auc) else auc,
        "auc_error": None if math.isnan(auc) else auc_error,
        "rmse": None if squared is None else math.sqrt(squared),
        "mae": None if absolute is None else known(absolute),
        "r2": known(1.0 - totals["squared"] / spread) if squared is not None and spread > 0.0 else None,
    }
    return {**numbers, "baseline": baseline_of(totals, loss, kind, signs, numbers)}, signs


def _are_signs(totals: dict[str, float], kind: str) -> bool:
    return kind != "real" or (totals["signs"] == 1.0 and totals["rows"] > 0.0)


def points(ledger: Account, loss: str, kind: str, window: int | None = None, powers: bool = False) -> list[Point]:
    """The curve so far, or its points at powers of two; its last point is now."""
    snapshots = ledger.curve()
    windows = ledger.window_curve() if window is not None else [None] * len(snapshots)
    now = ledger.totals()
    if snapshots and snapshots[-1]["rows"] != now["rows"]:
        snapshots = [*snapshots, now]
        windows = [*windows, None if window is None else ledger.window()]
    curve: list[Point] = []
    before = {"weight": 0.0, "loss": 0.0, "errors": 0.0}
    for point, last in zip(snapshots, windows, strict=True):
        rows = int(point["rows"])
        if point["weight"] > before["weight"] and (not powers or rows & (rows - 1) == 0 or rows == now["rows"]):
            curve.append(_point(point, before, last, _are_signs(now, kind), has_mean_loss(loss, kind)))
            before = point
    return curve


def _point(
    point: dict[str, float], before: dict[str, float], last: dict[str, float] | None, signs: bool, comparable: bool
) -> Point:
    weight, recent = point["weight"], point["weight"] - before["weight"]
    return Point(
        rows=int(point["rows"]),
        mean_loss=point["loss"] / weight,
        recent_mean_loss=(point["loss"] - before["loss"]) / recent,
        error_rate=point["errors"] / weight if signs else None,
        window_mean_loss=_share(last, "loss"),
        window_error_rate=_share(last, "errors") if signs else None,
        weight=weight,
        recent_error_rate=(point["errors"] - before["errors"]) / recent if signs else None,
        baseline_mean_loss=_share(point, "baseline_loss") if comparable else None,
        baseline_error_rate=_share(point, "baseline_errors") if signs else None,
    )


def _window(ledger: Account, loss: str, kind: str, size: int) -> Window:
    last, totals = ledger.window(), ledger.totals()
    signs, counted = _are_signs(totals, kind), known(totals["baseline_errors"]) is not None
    return Window(
        size=size,
        rows=min(size, int(totals["rows"])),
        weight=last["weight"],
        mean_loss=_share(last, "loss"),
        error_rate=_share(last, "errors") if signs else None,
        baseline_mean_loss=_share(last, "baseline_loss") if counted and has_mean_loss(loss, kind) else None,
        baseline_error_rate=_share(last, "baseline_errors") if counted and signs else None,
    )


def _share(last: dict[str, float] | None, name: str) -> float | None:
    return known(last[name] / last["weight"]) if last is not None and last["weight"] > 0 else None
