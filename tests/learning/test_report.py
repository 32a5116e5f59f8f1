"""The numbers of a report against NumPy and scikit-learn, on random data with and without weights."""

from __future__ import annotations

import json
import pickle
from dataclasses import asdict
from typing import Any

import numpy as np
import pytest
from sklearn import metrics

from afterwit import losses
from afterwit._core import Ledger
from afterwit.learning import evaluate, learn, predict
from afterwit.learning.report import Report, report_of
from afterwit.linear import AdaGrad, GradientDescent, OneVsAll
from afterwit.streams import read

ROWS = 3000


def report(loss: str, raw: Any, y: Any, weight: Any = None, kind: str = "binary", pieces: int = 1) -> Report:
    ledger = Ledger(losses.get(loss), kind == "classes")
    wide = np.asarray(raw, dtype=np.float64).reshape(len(y), -1)
    for part in np.array_split(np.arange(len(y)), pieces):
        ledger.add(wide[part], np.asarray(y, dtype=np.float64)[part], None if weight is None else weight[part])
    return report_of(ledger, learner="l", source="s", loss=loss, kind=kind, skipped=0, later_passes=[])


@pytest.fixture(params=["all one", "weighted", "some zero"])
def weight(request: pytest.FixtureRequest) -> Any:
    rng = np.random.default_rng(5)
    if request.param == "all one":
        return None
    return rng.exponential(size=ROWS) * (rng.random(ROWS) < 0.7 if request.param == "some zero" else 1)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("loss", ["logistic", "hinge"])
def test_two_labels(loss: str, seed: int, weight: Any) -> None:
    rng = np.random.default_rng(seed)
    y = rng.choice([-1.0, 1.0], ROWS)
    raw = np.round(rng.normal(size=ROWS) + 0.5 * y, 6 if seed else 1) * 10.0 ** rng.integers(-6, 7)
    found = report(loss, raw, y, weight)
    w = np.ones(ROWS) if weight is None else weight
    values = np.logaddexp(0, -y * raw) if loss == "logistic" else np.maximum(0, 1 - y * raw)
    assert (found.rows, found.weight) == (ROWS, pytest.approx(w.sum()))
    assert found.mean_loss == pytest.approx(np.average(values, weights=w))
    assert found.error_rate == pytest.approx(1 - metrics.accuracy_score(y, np.where(raw >= 0, 1, -1), sample_weight=w))
    assert found.mistakes == pytest.approx(w[y * raw <= 0].sum())
    assert found.log_loss == (found.mean_loss if loss == "logistic" else None)
    assert found.rmse is None
    auc = metrics.roc_auc_score(y, raw, sample_weight=w)
    assert found.auc is not None
    assert found.auc_error is not None
    assert abs(found.auc - auc) <= found.auc_error + 1e-12
    assert found.auc_error < 0.02


@pytest.mark.parametrize("loss", ["squared", "absolute", "quantile:0.3"])
def test_numbers(loss: str, weight: Any) -> None:
    rng = np.random.default_rng(1)
    y, raw = rng.normal(size=ROWS), rng.normal(size=ROWS)
    found = report(loss, raw, y, weight, "real")
    w = np.ones(ROWS) if weight is None else weight
    expected = {
        "squared": metrics.mean_squared_error(y, raw, sample_weight=w),
        "absolute": metrics.mean_absolute_error(y, raw, sample_weight=w),
        "quantile:0.3": metrics.mean_pinball_loss(y, raw, alpha=0.3, sample_weight=w),
    }
    assert found.mean_loss == pytest.approx(expected[loss])
    assert found.rmse == pytest.approx(np.sqrt(expected["squared"]))
    assert (found.error_rate, found.mistakes, found.log_loss, found.auc, found.auc_error) == (None,) * 5


def test_numbers_that_are_all_signs_have_an_error_rate() -> None:
    y, raw = np.array([1.0, -1.0, 1.0]), np.array([0.5, 0.2, -0.1])
    found = report("squared", raw, y, kind="real")
    assert found.error_rate == pytest.approx(2 / 3)
    assert found.auc == pytest.approx(0.5)
    assert report("squared", [*raw, 0.0], [*y, 0.5], kind="real").error_rate is None
    weight = np.array([1.0, 1.0, 1.0, 0.0])
    assert report("squared", [*raw, 0.0], [*y, 0.5], weight, "real").error_rate is None


def test_several_classes(weight: Any) -> None:
    rng = np.random.default_rng(2)
    raw, y = rng.normal(size=(ROWS, 4)) * 3, rng.integers(0, 4, ROWS)
    w = np.ones(ROWS) if weight is None else weight
    signs = np.where(y[:, None] == np.arange(4), 1.0, -1.0)
    found = report("logistic", raw, y, weight, "classes")
    sigmoid = 1 / (1 + np.exp(-raw))
    shares = sigmoid / sigmoid.sum(axis=1, keepdims=True)
    assert found.mean_loss == pytest.approx(np.average(np.logaddexp(0, -signs * raw).sum(axis=1), weights=w))
    assert found.error_rate == pytest.approx(1 - metrics.accuracy_score(y, raw.argmax(axis=1), sample_weight=w))
    assert found.log_loss == pytest.approx(metrics.log_loss(y, shares, sample_weight=w, labels=range(4)))
    assert (found.auc, found.mistakes, found.rmse) == (None, None, None)
    assert report("hinge", raw, y, weight, "classes").log_loss is None


def test_a_class_that_has_not_appeared_costs_an_error_and_no_loss() -> None:
    raw = np.array([[-np.inf, -np.inf], [0.0, -np.inf], [0.0, 0.0]])
    found = report("logistic", raw, [0, 1, 0], kind="classes")
    assert found.error_rate == pytest.approx(2 / 3)
    assert found.mean_loss == pytest.approx(3 * np.log(2) / 3)
    assert found.log_loss == pytest.approx((2 * -np.log(1e-15) + np.log(2)) / 3)


@pytest.mark.parametrize(
    ("raw", "y", "auc"),
    [
        ([1.0, 2.0], [-1, 1], 1.0),
        ([2.0, 1.0], [-1, 1], 0.0),
        ([1.0, 1.0], [-1, 1], 0.5),
        ([0.0, -0.0], [-1, 1], 0.5),
        ([-1e300, 1e300], [-1, 1], 1.0),
        ([-1e-300, 1e-300], [-1, 1], 1.0),
        ([1.0, 2.0], [1, 1], None),
    ],
)
def test_areas(raw: list[float], y: list[float], auc: float | None) -> None:
    assert report("logistic", raw, y).auc == auc


def test_the_area_may_be_off_by_half_of_what_shares_a_bin() -> None:
    found = report("logistic", [1.0, 1.0, 2.0], [-1, 1, 1])
    assert (found.auc, found.auc_error) == (0.75, 0.25)


def kept_points(rows: int) -> list[int]:
    """Powers of two, multiples of the least power of two that makes at most 200 of them, and now."""
    stride = next(2**k for k in range(60) if rows <= 200 * 2**k)
    return sorted({*range(stride, rows + 1, stride), *(2**k for k in range(60) if 2**k <= rows), rows})


@pytest.mark.parametrize("rows", [1, 2, 3, 199, 200, 201, 202, 400, 401, 1600, 1601, 2999])
def test_the_curve_is_evenly_spread_and_at_powers_of_two(rows: int) -> None:
    y = np.resize([1.0, -1.0, -1.0], rows)
    for pieces in (1, 13):
        found = [point.rows for point in report("hinge", 0.5 * y, y, pieces=pieces).curve]
        assert found == kept_points(rows)
        assert min(rows, 100) <= len(found) <= 215


def test_a_point_says_what_was_lost_since_the_one_before(weight: Any) -> None:
    rng = np.random.default_rng(3)
    y, raw = rng.choice([-1.0, 1.0], ROWS), rng.normal(size=ROWS)
    w = np.ones(ROWS) if weight is None else weight
    for pieces in (1, 7):
        curve = report("hinge", raw, y, weight, pieces=pieces).curve
        values, wrong = w * np.maximum(0, 1 - y * raw), w * ((raw >= 0) != (y > 0))
        before = 0
        points = kept_points(ROWS)
        kept = [n for last, n in zip([0, *points], points, strict=False) if w[last:n].any()]
        assert [point.rows for point in curve] == kept
        for point in curve:
            n = point.rows
            assert point.mean_loss == pytest.approx(values[:n].sum() / w[:n].sum())
            assert point.recent_mean_loss == pytest.approx(values[before:n].sum() / w[before:n].sum())
            assert point.error_rate == pytest.approx(wrong[:n].sum() / w[:n].sum())
            assert point.recent_error_rate == pytest.approx(wrong[before:n].sum() / w[before:n].sum())
            before = n


def test_pieces_have_the_same_bits() -> None:
    rng = np.random.default_rng(4)
    y, raw, w = rng.choice([-1.0, 1.0], ROWS), rng.normal(size=ROWS), rng.random(ROWS)
    assert report("logistic", raw, y, w) == report("logistic", raw, y, w, pieces=100)


def test_json_is_valid_and_comes_back() -> None:
    rng = np.random.default_rng(6)
    X, y = rng.normal(size=(100, 3)), rng.choice([-1.0, 1.0], 100)
    reports = [
        learn(AdaGrad(), read(X, y), passes=3),
        learn(GradientDescent(loss="squared"), read(X, y * 0.3, rng.random(100))),
        learn(OneVsAll(AdaGrad()), read(X, rng.integers(0, 3, 100))),
        learn(AdaGrad(), read([])),
        learn(AdaGrad(), read([({}, 1, 0.0)])),
    ]
    for each in reports:
        text = each.to_json()
        assert "NaN" not in text
        assert json.loads(text) == asdict(each)
        assert str(each).startswith("learner")
        assert all(name and value for name, value in each.lines())
    assert len(reports[0].later_passes) == 2
    assert (reports[3].mean_loss, reports[3].curve, reports[3].rows) == (None, [], 0)
    assert (reports[4].mean_loss, reports[4].rows, reports[4].weight) == (None, 1, 0.0)


def test_what_people_read() -> None:
    rows = [({"x": 1.0}, 1, 0.5), ({"y": 1.0}, -1, 2.0)] * 4
    lines = learn(AdaGrad(), read(rows), passes=3).lines()
    assert [name for name, _ in lines] == [
        *("learner", "data", "rows", "weight", "mean logistic loss", "error rate", "mistakes (y m <= 0)"),
        *("area under ROC", "precision, recall, F1", "pass 2, seen before", "pass 3, seen before"),
    ]
    assert dict(lines)["weight"] == "10"
    several = dict(learn(OneVsAll(AdaGrad()), read([(x, y) for x, y, _ in rows])).lines())
    assert several.keys() >= {"mean logistic loss", "log loss"}
    assert "weight" not in several


def test_a_report_without_rows_knows_nothing() -> None:
    found = learn(GradientDescent(loss="squared"), read([]))
    assert (found.mean_loss, found.error_rate, found.mistakes, found.auc, found.rmse) == (None,) * 5


def test_a_report_is_pickled_without_its_stream() -> None:
    found = learn(AdaGrad(), read(iter([({"x": 1.0}, 1)])))
    back = pickle.loads(pickle.dumps(found))
    assert back == found
    with pytest.raises(ValueError, match="only a report that `learn` or `compare` returned has a hindsight"):
        back.hindsight()


def test_the_report_is_of_the_predictions_before_each_row() -> None:
    rng = np.random.default_rng(7)
    X, y = rng.normal(size=(5000, 4)), rng.choice([0, 1], 5000)
    raw = AdaGrad().learn_many(X, y)
    model = AdaGrad()
    found = learn(model, read(X, y))
    assert found.mean_loss == report("logistic", raw, 2.0 * y - 1).mean_loss
    after = evaluate(model, read(X, y))
    assert after.mean_loss == report("logistic", predict(model, read(X, y)), 2.0 * y - 1).mean_loss
    assert after.mean_loss < found.mean_loss
