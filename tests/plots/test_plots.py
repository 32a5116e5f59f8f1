"""Every picture has its axes named, shows the numbers of the history, and can be written."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from matplotlib import rc_context

from afterwit import plots
from afterwit.experts import AdaNormalHedge, Hedge, Mixture
from afterwit.learning import Report, learn
from afterwit.linear import AdaGrad, OneVsAll
from afterwit.panel import Auto
from afterwit.plots.canvas import literal
from afterwit.streams import read


def mixture(**settings: Any) -> tuple[Mixture, Any]:
    rng = np.random.default_rng(0)
    y = rng.normal(size=120)
    F = y[:, None] + rng.normal(size=(120, 12)) * np.linspace(0.2, 3.0, 12)
    F[rng.random(F.shape) < 0.1] = np.nan
    model = Mixture(**settings)
    return model, model.run([dict(zip("abcdefghijkl", f, strict=True)) for f in F.tolist()], y)


def player() -> tuple[Any, Any]:
    rng = np.random.default_rng(1)
    model = AdaNormalHedge()
    return model, model.run(rng.random((80, 5)) * np.linspace(0.2, 1.0, 5), keep="weights")


def drawn(axes: Any) -> Any:
    assert axes.get_title(loc="left")
    assert axes.get_ylabel() or axes.get_yticklabels()
    axes.figure.savefig(io.BytesIO(), format="png")
    return axes


@pytest.mark.parametrize("make", [mixture, player])
def test_each_is_drawn(make: Any) -> None:
    model, history = make()
    axes = drawn(plots.weights(history, most=3))
    names = [text.get_text() for text in axes.get_legend().get_texts()]
    assert len(names) == 4
    assert names[0] == f"{len(history.total) - 3} others"
    lines = {line.get_label(): line.get_ydata() for line in drawn(plots.cumulative_losses(history)).get_lines()}
    own = lines["mixture" if make is mixture else "player"]
    assert own[-1] == pytest.approx(history.loss.sum())
    best = max(range(len(history.total)), key=lambda i: history.regret[i])
    name = "expert 0" if history.names is None else history.names[best]
    assert lines[name][-1] == pytest.approx(history.loss.sum() - history.regret.max())
    shown = {line.get_label(): line.get_ydata() for line in drawn(plots.regret(history, model)).get_lines()}
    assert shown["regret"][-1] == pytest.approx(history.regret.max())
    if make is player:
        assert shown["its bound"][-1] == pytest.approx(model.regret_bound().value)
        assert (shown["regret"][np.linspace(0, 79, 9).astype(int)] <= max(shown["its bound"])).all()
    else:
        assert "its bound" not in shown
    bars = drawn(plots.average_losses(history, most=3))
    assert len(bars.patches) == 5
    figure = plots.overview(model, history, title="all")
    figure.savefig(io.BytesIO(), format="png")
    assert len(figure.axes) == (5 if make is mixture else 4)


def test_bars_are_the_errors_while_awake() -> None:
    _, history = mixture()
    axes = plots.average_losses(history, most=12)
    sizes = {label.get_text(): bar.get_width() for label, bar in zip(axes.get_yticklabels(), axes.patches, strict=True)}
    missed = history.forecasts[:, 3] - history.y
    assert sizes["d"] == pytest.approx(float(np.sqrt(np.nanmean(missed**2))))
    assert sizes["mixture"] == pytest.approx(float(np.sqrt(np.mean((history.forecast - history.y) ** 2))))


def test_residuals_and_dates() -> None:
    _, history = mixture(loss="quantile:0.3")
    days = [str(np.datetime64("2024-01-01T05") + np.timedelta64(t, "h")) for t in range(120)]
    axes = drawn(plots.residuals(history, index=days))
    lines = {line.get_label(): line for line in axes.get_lines()}
    assert lines["each round"].get_ydata() == pytest.approx(history.y - history.forecast)
    assert lines["each round"].get_xdata()[1] == np.datetime64("2024-01-01T06")
    assert drawn(plots.weights(history, index=["mon"] * 120)).get_xlabel() == "round"
    with pytest.raises(TypeError, match="a portfolio and a player over losses have none"):
        plots.residuals(player()[1])


def test_a_portfolio_is_told_as_wealth() -> None:
    X = np.exp(0.01 * np.random.default_rng(2).normal(size=(60, 3)))
    model = Mixture(loss="gain", forecast_range=(0.5, 2.0))
    history = model.run(X)
    axes = drawn(plots.cumulative_losses(history))
    wealth = {line.get_label(): line.get_ydata() for line in axes.get_lines()}
    assert wealth["portfolio"][-1] == pytest.approx(np.prod(history.forecast))
    assert axes.get_yscale() == "log"
    assert len(plots.overview(model, history).axes) == 4


def test_names_are_no_formulas() -> None:
    model = Mixture()
    history = model.run([{r"$\frac$": 1.0, "a$": 2.0}] * 3, [1.0] * 3)
    figure = plots.overview(model, history, title=literal("$x_{$.csv"))
    picture = io.BytesIO()
    with rc_context({"svg.fonttype": "none"}):
        figure.savefig(picture, format="svg")
    for name in (rb">$\frac$<", b">a$<", b">$x_{$.csv<"):
        assert name in picture.getvalue()


def lesson(kind: str, rows: int = 3000, **settings: Any) -> Report:
    rng = np.random.default_rng(4)
    X = rng.normal(size=(rows, 3))
    y = {"labels": X[:, 0] > 0.5, "numbers": 3.0 * X[:, 0] + 9.0, "classes": np.round(np.abs(X[:, 0])).astype(int)}[
        kind
    ]
    loss = AdaGrad(loss=settings.pop("loss", "squared" if kind == "numbers" else "logistic"), normalized=True)
    return learn(OneVsAll(loss) if kind == "classes" else loss, read(X, y, rng.integers(0, 3, rows)), **settings)


@pytest.mark.parametrize("kind", ["labels", "numbers", "classes"])
def test_a_curve_shows_the_numbers_of_the_report(kind: str) -> None:
    report = lesson(kind)
    assert report.baseline is not None
    axes = drawn(plots.curve(report))
    assert axes.get_ylabel() == ("root mean squared error" if kind == "numbers" else "error rate (%)")
    lines = {line.get_label(): line for line in axes.get_lines()}
    assert list(lines) == ["baseline", "so far", "last 160 rows"]
    ends = {name: line.get_ydata()[-1] for name, line in lines.items()}
    if kind == "numbers":
        assert (ends["so far"], ends["baseline"]) == pytest.approx((report.rmse, report.baseline.rmse))
    else:
        assert ends["so far"] == pytest.approx(100 * report.error_rate)  # type: ignore[operator]
        assert ends["baseline"] == pytest.approx(100 * report.baseline.error_rate)  # type: ignore[operator]
    low, high = axes.get_ylim()
    assert low <= min(ends.values()) <= max(ends.values()) <= high
    words = {text.get_text(): text.xy[1] for text in axes.texts}
    assert sorted(" ".join(word.split()[:2]) for word in words)[1:] == ["last 160", "so far"]
    apart = np.diff(sorted(words.values()))
    assert (apart >= 0.07 * (high - low)).all()


def test_lately_is_over_the_last_rows() -> None:
    report, windowed = lesson("labels"), lesson("labels", window=160)
    (lately,) = (line for line in plots.curve(report).get_lines() if line.get_label() == "last 160 rows")
    found = dict(zip(lately.get_xdata(), lately.get_ydata(), strict=True))
    (expected,) = (line for line in plots.curve(windowed).get_lines() if line.get_label() == "last 160 rows")
    wanted = dict(zip(expected.get_xdata(), expected.get_ydata(), strict=True))
    assert len(found) > 150
    assert list(found.values()) == pytest.approx([wanted[rows] for rows in found])


@pytest.mark.parametrize("rows", [1, 2, 60, 300])
@pytest.mark.parametrize("kind", ["labels", "numbers", "classes"])
def test_few_rows_are_drawn(kind: str, rows: int) -> None:
    drawn(plots.curve(lesson(kind, rows)))


def test_a_curve_of_another_loss_and_of_a_learner_that_is_always_right() -> None:
    assert drawn(plots.curve(lesson("numbers", loss="absolute"))).get_ylabel() == "mean absolute loss"
    right = learn(AdaGrad(), [({"x": 1.0}, 1)] * 500)
    assert right.error_rate == 0.0
    assert drawn(plots.curve(right)).get_ylim()[1] > 0.0
    drawn(plots.curve(learn(AdaGrad(), [])))
    drawn(plots.curve(replace(right, baseline=None, curve=[replace(p, baseline_error_rate=None) for p in right.curve])))


def test_a_report_with_and_without_members() -> None:
    model = Auto()
    report = learn(model, [({"x": k % 3}, int(k % 3 > 0)) for k in range(300)])
    assert len(plots.report(report).axes) == 1
    figure = plots.report(report, model.standing(), literal("$x^{" + "long" * 50))
    figure.savefig(io.BytesIO(), format="svg")
    assert [axes.get_title(loc="left")[:10] for axes in figure.axes] == ["Error rate", "Whom the f", "Whom the l"]
    assert len(figure._suptitle.get_text()) == 84


def test_a_history_without_weights_is_refused() -> None:
    history = Hedge().run(np.zeros((3, 2)))
    for draw in (plots.weights, plots.cumulative_losses, plots.regret, plots.average_losses):
        with pytest.raises(ValueError, match="the history has no weights; play with `run"):
            draw(history)


def test_a_history_without_rounds_is_drawn() -> None:
    model = Mixture(AdaNormalHedge(experts=2))
    plots.overview(model, model.run(np.zeros((0, 2)), [])).savefig(io.BytesIO(), format="png")
