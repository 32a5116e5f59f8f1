"""The best linear predictor in hindsight: against closed forms, linear programs and scikit-learn, on real data."""

from __future__ import annotations

import pickle
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.optimize import brentq, check_grad, linprog, minimize
from scipy.sparse import csr_matrix
from scipy.special import expit
from sklearn.datasets import dump_svmlight_file, load_breast_cancer, load_diabetes, load_iris
from sklearn.linear_model import LogisticRegression

from afterwit import Features, losses, registry, regret
from afterwit._core import Hindsight as CoreHindsight
from afterwit.errors import DataError
from afterwit.learning import Hindsight, Lesson, compare, evaluate, learn
from afterwit.linear import AdaGrad, GradientDescent, OneVsAll, Pegasos, Perceptron
from afterwit.regret.linear import PENALTY
from afterwit.streams import read
from afterwit.streams.arrays import rows_of
from tests.linear.formulas import value
from tests.linear.specimen import every

Array = np.ndarray[Any, np.dtype[np.float64]]
LOSSES = ["squared", "absolute", "quantile:0.8", "logistic", "hinge"]


def data(loss: str) -> tuple[Array, Array, Array]:
    """Real rows that a float holds exactly, their labels for a loss, and importance weights of which some are 0."""
    binary = losses.get(loss).labels == "binary"
    X, y = (load_breast_cancer if binary else load_diabetes)(return_X_y=True)
    X = ((X - X.mean(axis=0)) / X.std(axis=0)).astype(np.float32).astype(np.float64)[:, :6]
    weight = np.random.default_rng(0).integers(0, 3, len(X)).astype(np.float64)
    return X, (2.0 * y - 1.0 if binary else y / 100.0), weight


@pytest.fixture(params=["newton", "l-bfgs"])
def solver(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Newton's method is for few features: without it, these are many."""
    if request.param == "l-bfgs":
        monkeypatch.setattr("afterwit.regret.linear.FEW", 0)
    return str(request.param)


def with_intercept(X: Array) -> Array:
    return np.column_stack([X, np.ones(len(X))])


def penalized(loss: str, u: Array, X: Array, y: Array, h: Array) -> float:
    A = with_intercept(X)
    return float(h @ value(loss, A @ u, y)) + PENALTY / 2 * float(h @ A**2 @ u**2)


def program(loss: str, X: Array, y: Array, h: Array) -> float:
    """The least loss with a kink, exactly."""
    if loss != "hinge":
        return regret.best_linear(with_intercept(X), y, loss, h).loss
    A, T = with_intercept(X) * y[:, None], len(X)
    cost = np.concatenate([np.zeros(A.shape[1]), h])
    bounds = [(None, None)] * A.shape[1] + [(0.0, None)] * T
    return float(linprog(cost, A_ub=-np.hstack([A, np.eye(T)]), b_ub=-np.ones(T), bounds=bounds).fun)


@pytest.mark.usefixtures("solver")
@pytest.mark.parametrize("weighted", [False, True])
def test_squared_loss_is_least_squares(weighted: bool) -> None:
    X, y, h = data("squared")
    h = h if weighted else np.ones(len(h))
    found = learn(AdaGrad(loss="squared"), read(X, y, h)).hindsight()
    A = with_intercept(X)
    u = np.linalg.lstsq(np.sqrt(h)[:, None] * A, np.sqrt(h) * y, rcond=None)[0]
    assert found.exact
    assert found.best_loss == pytest.approx(float(h @ (A @ u - y) ** 2), rel=1e-9)
    assert found.norm == pytest.approx(float(np.linalg.norm(u)), rel=1e-5)


@pytest.mark.usefixtures("solver")
@pytest.mark.parametrize("columns", [3, 6])
def test_logistic_loss_is_that_of_scikit_learn(columns: int) -> None:
    X, y, h = data("logistic")
    X = X[:, :columns]
    report = learn(AdaGrad(), read(X, y, h))
    found = report.hindsight()
    A = with_intercept(X)
    peer = LogisticRegression(C=np.inf, fit_intercept=False, tol=1e-10, max_iter=100_000)
    u = peer.fit(A, y, h).coef_[0]
    assert found.exact
    assert found.best_loss == pytest.approx(float(h @ np.logaddexp(0.0, -y * (A @ u))), rel=1e-7)
    assert found.norm == pytest.approx(float(np.linalg.norm(u)), rel=1e-3)
    assert found.loss == pytest.approx(report.mean_loss * report.weight, rel=1e-12)  # type: ignore[operator]
    assert found.regret == found.loss - found.best_loss
    assert found.mean_loss == pytest.approx(report.mean_loss)


@pytest.mark.usefixtures("solver")
@pytest.mark.parametrize("loss", ["hinge", "absolute", "quantile:0.8", "quantile:0.05"])
@pytest.mark.parametrize("weighted", [False, True])
def test_a_loss_with_a_kink_is_near_the_linear_program_and_never_below(loss: str, weighted: bool) -> None:
    X, y, h = data(loss)
    h = h if weighted else np.ones(len(h))
    found = learn(AdaGrad(loss=loss), read(X, y, h)).hindsight()
    least = program(loss, X, y, h)
    assert not found.exact
    assert least * (1 - 1e-9) <= found.best_loss <= least * 1.002


def test_a_loss_of_none_is_the_least_with_a_kink_too() -> None:
    X, _, _ = data("hinge")
    found = learn(AdaGrad(loss="hinge"), read(X, np.where(X @ np.arange(1.0, X.shape[1] + 1) > 0.0, 1, -1))).hindsight()
    assert (found.best_loss, found.exact) == (0.0, True)


@pytest.mark.usefixtures("solver")
@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("unit", [2.0**-10, 2.0**10])
def test_importance_in_any_unit(loss: str, unit: float) -> None:
    X, y, h = data(loss)
    best = learn(AdaGrad(loss=loss), read(X, y, h)).hindsight()
    found = learn(AdaGrad(loss=loss), read(X, y, unit * h)).hindsight()
    assert found.best_loss / unit == pytest.approx(best.best_loss, rel=1e-6)


@pytest.mark.usefixtures("solver")
@pytest.mark.parametrize("loss", LOSSES)
def test_features_on_any_scale(loss: str) -> None:
    """Billionths and billions: the same best loss as on one scale."""
    X, y, _ = data(loss)
    best = learn(AdaGrad(loss=loss), read(X, y)).hindsight()
    found = learn(AdaGrad(loss=loss), read(X * 2.0 ** np.linspace(-30, 30, 6), y)).hindsight()
    assert found.best_loss == pytest.approx(best.best_loss, rel=2e-3 if losses.get(loss).smoothness is None else 1e-9)


@pytest.mark.usefixtures("solver")
@pytest.mark.parametrize("loss", ["logistic", "squared"])
def test_features_far_from_zero_need_no_more_passes(loss: str) -> None:
    X, y, _ = data(loss)
    X = np.round(X[:, :4] * 64.0) / 64.0
    near = learn(AdaGrad(loss=loss), read(X, y)).hindsight()
    far = learn(AdaGrad(loss=loss), read(X + 8.0, y)).hindsight()
    assert far.exact
    assert far.passes <= 2 * near.passes
    assert far.best_loss == pytest.approx(near.best_loss, rel=1e-3)


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("width", [0.0, 0.5])
def test_the_gradient_of_the_native_objective(loss: str, width: float) -> None:
    X, y, h = data(loss)
    X, y, h = X[:40], y[:40], h[:40]
    rows, model = rows_of(X), AdaGrad(loss=loss)
    notes = CoreHindsight(losses.get(loss))
    notes.trace(model, rows.keys, rows.values, rows.starts, y, h, None, None)
    assert notes.slots.tolist() == [*range(6), model.intercept_slot]

    def objective(u: Array) -> tuple[float, float, Array]:
        gradient = np.zeros(7)
        a, r = notes.add_loss(model, rows.keys, rows.values, rows.starts, y, h, None, width, u, gradient)
        return a, r, gradient

    for u in np.random.default_rng(1).normal(size=(5, 7)):
        true, rounded, _ = objective(u)
        assert true == pytest.approx(float(h @ value(loss, with_intercept(X) @ u, y)), rel=1e-12)
        kinked = losses.get(loss).smoothness is None
        assert 0.0 <= rounded - true <= (h.sum() * width * np.log(2.0) if kinked else 0.0)
        assert check_grad(lambda v: objective(v)[1], lambda v: objective(v)[2], u) < 1e-4


@pytest.mark.parametrize("loss", LOSSES)
def test_the_hessian_of_the_native_objective(loss: str) -> None:
    X, y, h = data(loss)
    X, y, h = X[:40], y[:40], h[:40]
    rows, model = rows_of(X), AdaGrad(loss=loss)
    notes = CoreHindsight(losses.get(loss))
    notes.trace(model, rows.keys, rows.values, rows.starts, y, h, None, None)

    def gradient(u: Array, hessian: Array | None = None) -> Array:
        g = np.zeros(7)
        notes.add_loss(model, rows.keys, rows.values, rows.starts, y, h, None, 0.5, u, g, hessian)
        return g

    u, hessian = np.random.default_rng(3).normal(size=7), np.zeros((7, 7))
    gradient(u, hessian)
    differences = [(gradient(u + 1e-5 * e) - gradient(u - 1e-5 * e)) / 2e-5 for e in np.eye(7)]
    np.testing.assert_allclose(hessian, differences, rtol=1e-6, atol=1e-6)
    with pytest.raises(ValueError, match="the Hessian must have one row and one column per feature"):
        gradient(u, hessian[:6].copy())


def test_the_notes_of_the_first_pass() -> None:
    X, y, h = data("logistic")
    rows, model, other = rows_of(X), AdaGrad(rate=0.3), AdaGrad(rate=0.3)
    notes = CoreHindsight(losses.get("logistic"))
    raw = notes.trace(model, rows.keys, rows.values, rows.starts, y, h, None, None)
    W = [np.append(np.zeros(6), 0.0)]
    for x, label, weight in zip(X, y, h, strict=True):
        other.learn_one(x, label, weight)
        names = [str(k) for k in range(6)] + ["(intercept)"]
        W.append(np.array(list(other.coef(names).values())))
    assert registry.state(model)["runs"].tolist() == registry.state(other)["runs"].tolist()
    A, slopes = with_intercept(X), -y / (1.0 + np.exp(y * raw))
    g = (h * slopes)[:, None] * A
    np.testing.assert_allclose(notes.gradient_squares, (g**2).sum(axis=0), rtol=1e-12)
    np.testing.assert_allclose(notes.squares, h @ A**2, rtol=1e-12)
    np.testing.assert_allclose(notes.sums, h @ A, rtol=1e-9)
    np.testing.assert_array_equal(notes.low, np.min(W, axis=0))
    np.testing.assert_array_equal(notes.high, np.max(W, axis=0))
    assert notes.gradient == pytest.approx(np.linalg.norm(g, axis=1).max(), rel=1e-12)
    assert notes.reach == pytest.approx(np.linalg.norm(A[h > 0], axis=1).max(), rel=1e-12)
    assert (notes.rounds, notes.all_one) == (np.count_nonzero(h), False)


@pytest.mark.usefixtures("solver")
@pytest.mark.parametrize("radius", [0.3, 100.0])
@pytest.mark.parametrize("loss", ["logistic", "squared"])
def test_the_best_of_a_ball(loss: str, radius: float) -> None:
    X, y, h = data(loss)
    found = learn(GradientDescent(radius=radius, loss=loss), read(X, y, h)).hindsight()
    inside = {"type": "ineq", "fun": lambda u: 1.0 - u @ u / radius**2, "jac": lambda u: -2.0 * u / radius**2}
    start = np.full(7, 0.1 * radius / np.sqrt(7))
    options = {"maxiter": 1000, "ftol": 1e-14}
    peer = minimize(lambda u: penalized(loss, u, X, y, h) / h.sum(), start, constraints=[inside], options=options)
    assert found.exact
    assert found.norm <= radius * (1 + 1e-12)
    assert found.norm == pytest.approx(radius, rel=1e-9) or radius > 1.0
    assert found.best_loss == pytest.approx(penalized(loss, peer.x, X, y, h), rel=1e-5)


@pytest.mark.parametrize("radius", [1.0, 10.0, 100.0])
def test_raw_features_in_a_ball(radius: float) -> None:
    """Thirty columns from thousandths to thousands, of which some nearly repeat others, as they come."""
    X, codes = load_breast_cancer(return_X_y=True)
    X, y = X.astype(np.float32).astype(np.float64), 2.0 * codes - 1.0
    found = learn(GradientDescent(radius=radius, loss="logistic"), read(X, y)).hindsight()
    A, spreads = with_intercept(X), np.append(X.std(axis=0), 1.0)

    def objective(v: Array, multiplier: float) -> tuple[float, Array]:
        u = v / spreads
        z = -y * (A @ u)
        gradient = -A.T @ (y * expit(z)) + multiplier * u
        return float(np.logaddexp(0.0, z).sum()) + multiplier / 2 * float(u @ u), gradient / spreads

    def hessian(v: Array, multiplier: float) -> Array:
        s = expit(-y * (A @ (v / spreads)))
        inner = (A.T * (s * (1.0 - s))) @ A + multiplier * np.eye(len(v))
        return np.asarray(inner / np.outer(spreads, spreads))

    def best(multiplier: float) -> Array:
        options = {"gtol": 1e-9, "maxiter": 2000}
        v = minimize(objective, np.zeros(31), (multiplier,), "trust-exact", jac=True, hess=hessian, options=options).x
        return np.asarray(v / spreads)

    exponent = brentq(lambda k: np.linalg.norm(best(10.0**k)) - radius, -5.0, 4.0, xtol=1e-9)
    u = best(10.0**exponent)
    assert found.exact
    assert found.passes < 40
    assert found.norm == pytest.approx(radius, rel=1e-9)
    assert found.best_loss == pytest.approx(float(np.logaddexp(0.0, -y * (A @ u)).sum()), rel=1e-6)


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("name", [name for name, each in every().items() if each.bounded is not None])
def test_what_is_measured_is_below_the_bound(name: str, loss: str) -> None:
    each, (X, y, h) = every()[name], data(loss)
    if each.losses is not None and loss not in (each.losses or ["hinge"]):
        return
    model = each.make(**each.bounded, **({} if each.losses == () else {"loss": loss}))
    h = h if each.bounds == "regret" else np.ones(len(h))  # mistakes are counted, not weighed
    bound = learn(model, read(X, y, h)).hindsight().bound
    assert bound.value is not None
    assert bound.measured is not None
    assert bound.measured <= bound.value
    assert bound.of == each.bounds


def test_the_bounds_are_those_of_the_theorems() -> None:
    X, y, _ = data("hinge")
    reach = float(np.linalg.norm(with_intercept(X), axis=1).max())
    descent = learn(GradientDescent(rate=0.1, radius=2.0, loss="hinge"), read(X, y)).hindsight()
    assert descent.bound.value is not None
    assert descent.bound.value <= regret.projected_gradient_descent(2.0, reach, len(X), 0.1)
    report = learn(Perceptron(), read(X, y))
    found = report.hindsight()
    assert found.bound.value == pytest.approx(regret.perceptron(found.best_loss, found.norm, reach), rel=1e-6)
    assert found.bound.measured == report.mistakes


@pytest.mark.parametrize(
    ("model", "reason"),
    [
        (AdaGrad(normalized=True), "the normalised update has no theorem"),
        (GradientDescent(), "without a radius gradient descent has no theorem"),
    ],
)
def test_where_there_is_no_theorem_the_reason_is_given(model: Any, reason: str) -> None:
    X, y, h = data("logistic")
    found = learn(model, read(X, y)).hindsight(passes=3)
    assert found.bound.value is None
    assert reason in found.bound.source
    assert reason in str(found)
    weighted = learn(Perceptron(), read(X, y, h)).hindsight(passes=3)
    assert "another weight than 1" in weighted.bound.source


def test_a_learner_that_had_learned_before_has_a_regret_and_no_bound() -> None:
    X, y, _ = data("logistic")
    model = AdaGrad()
    first, second = learn(model, read(X, y)), learn(model, read(X, y))
    assert first.hindsight().bound.value is not None
    found = second.hindsight()
    assert "had learned before" in found.bound.source
    assert found.regret == second.hindsight().regret != first.hindsight().regret
    assert found.best_loss == first.hindsight().best_loss


def test_limit_and_holdout_look_at_the_rows_that_were_learned() -> None:
    X, y, h = data("logistic")
    for limit, holdout in ((300, None), (None, 3), (301, 4)):
        counted = np.arange(len(X)) < (limit or len(X))
        if holdout:
            counted &= np.arange(1, len(X) + 1) % holdout != 0
        stream = read(X, y, h, batch_rows=64)
        found = learn(AdaGrad(), stream, limit=limit, holdout=holdout, passes=2).hindsight()
        alone = learn(AdaGrad(), read(X[counted], y[counted], h[counted])).hindsight()
        assert found.rows == alone.rows == counted.sum()
        assert (found.loss, found.weight) == (alone.loss, alone.weight)
        assert found.best_loss == pytest.approx(alone.best_loss, rel=1e-9)
        assert found.bound.value == pytest.approx(alone.bound.value, rel=1e-4)


def test_every_face_of_a_stream_has_the_same_hindsight(tmp_path: Path) -> None:
    X, y, _ = data("logistic")
    path = tmp_path / "rows.svm"
    dump_svmlight_file(csr_matrix(X), y, str(path))
    features = [Features(), Features(names="exact"), Features(bits=20, seed=7)]
    found = [learn(AdaGrad(features=f), read(str(path))).hindsight() for f in features]
    found.append(learn(AdaGrad(), read(X, y, batch_rows=17)).hindsight())
    dicts = [{f"v{k}": v for k, v in enumerate(x)} for x in X.tolist()]
    found.append(learn(AdaGrad(), read(list(zip(dicts, y.tolist(), strict=True)))).hindsight())
    for each in found[1:]:
        assert each.best_loss == pytest.approx(found[0].best_loss, rel=1e-9)
        assert each.loss == pytest.approx(found[0].loss, rel=1e-6)
        assert each.bound.value == pytest.approx(found[0].bound.value, rel=1e-4)


def test_interactions_and_names_not_met_are_as_the_learner_sees_them() -> None:
    rng = np.random.default_rng(4)
    rows = [({"a": float(p), "b": float(q)}, float(p * q)) for p, q in rng.integers(-3, 4, (200, 2))]
    for names in ("hashed", "exact"):
        features = Features(names=names, interactions=["a*b"])
        found = learn(AdaGrad(loss="squared", features=features), read(rows)).hindsight()
        assert found.best_loss < 1e-6
        assert found.norm == pytest.approx(1.0, rel=1e-5)


@pytest.mark.usefixtures("solver")
@pytest.mark.parametrize("given", [False, True])
def test_several_classes_are_one_problem_each(given: bool) -> None:
    X, codes = load_iris(return_X_y=True)
    order = np.random.default_rng(2).permutation(len(X))
    X, codes = X.astype(np.float32).astype(np.float64)[order][:, :2], codes[order]
    report = learn(OneVsAll(Pegasos(strength=0.1, loss="logistic"), [0, 1, 2] if given else None), read(X, codes))
    found = report.hindsight()
    A, least = with_intercept(X), 0.0
    for k in range(3):
        counts = np.arange(len(X)) > (-1 if given else int(np.argmax(codes == k)))
        y = np.where(codes == k, 1.0, -1.0)
        peer = LogisticRegression(C=np.inf, fit_intercept=False, tol=1e-10, max_iter=100_000)
        u = peer.fit(A[counts], y[counts]).coef_[0]
        least += float(np.logaddexp(0.0, -y * (A @ u))[counts].sum())
    assert found.best_loss == pytest.approx(least, rel=1e-4)
    assert "one per class" in found.bound.source
    assert found.loss == pytest.approx(report.mean_loss * report.weight)  # type: ignore[operator]


def test_several_classes_met_before_are_refused() -> None:
    X, codes = load_iris(return_X_y=True)
    model = OneVsAll(AdaGrad())
    learn(model, read(X, codes))
    with pytest.raises(ValueError, match="needs a learner that had learned nothing before this stream"):
        learn(model, read(X, codes)).hindsight()


def test_compare_has_one_too() -> None:
    X, y, _ = data("logistic")
    reports = compare({"a": AdaGrad(), "g": GradientDescent(radius=5.0)}, read(X, y))
    for name, model in (("a", AdaGrad()), ("g", GradientDescent(radius=5.0))):
        assert reports[name].hindsight() == learn(model, read(X, y)).hindsight()


def test_few_passes_are_not_exact_and_counted() -> None:
    X, y, _ = data("logistic")
    report = learn(AdaGrad(), read(X, y))
    few, many = report.hindsight(passes=5), report.hindsight()
    assert (few.passes, few.exact, many.exact) == (5, False, True)
    assert few.best_loss > many.best_loss
    assert many.passes < 200
    with pytest.raises(ValueError, match="passes is 1, expected 2 or more"):
        report.hindsight(passes=1)


def test_nothing_to_look_back_at() -> None:
    found = learn(AdaGrad(), read([])).hindsight()
    assert (found.rows, found.loss, found.best_loss, found.regret, found.norm) == (0, 0.0, 0.0, 0.0, 0.0)
    assert (found.mean_loss, found.best_mean_loss) == (0.0, 0.0)
    zeros = learn(AdaGrad(loss="squared"), read([({"x": 1.0}, 0.0)] * 3)).hindsight()
    assert (zeros.best_loss, zeros.norm, zeros.exact) == (0.0, 0.0, True)


def test_a_report_of_the_middle_looks_at_the_rows_so_far() -> None:
    X, y, _ = data("logistic")
    lesson = Lesson(AdaGrad(), read(X, y, batch_rows=100))
    steps = lesson.steps()
    next(steps), next(steps)
    middle = lesson.report().hindsight()
    steps.close()
    assert middle.rows == 200
    assert middle.best_loss == pytest.approx(learn(AdaGrad(), read(X[:200], y[:200])).hindsight().best_loss, rel=1e-9)


def test_what_cannot_be_looked_back_at_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    X, y, _ = data("logistic")
    rows = list(zip([dict(enumerate(x)) for x in X.tolist()], y.tolist(), strict=True))

    class Own:
        loss = "logistic"

        def predict_one(self, x: Any) -> float:
            return 0.0

        def learn_one(self, x: Any, y: Any, weight: float = 1.0) -> None:
            pass

    with pytest.raises(TypeError, match="of `Own` it knows none"):
        learn(Own(), read([({"a": 1.0}, 1.0)])).hindsight()
    with pytest.raises(DataError, match="can be read only once"):
        learn(AdaGrad(), read(iter([({"a": 1.0}, 1.0)]))).hindsight()
    with pytest.raises(ValueError, match="only a report that `learn` or `compare` returned has a hindsight"):
        evaluate(AdaGrad(), read(X, y)).hindsight()
    report = learn(AdaGrad(), read(rows))
    with pytest.raises(ValueError, match="only a report"):
        pickle.loads(pickle.dumps(report)).hindsight()
    assert pickle.loads(pickle.dumps(report)) == report == replace(report)
    del rows[200:]
    with pytest.raises(DataError, match="had 569 rows when it was learned and has 200 now"):
        report.hindsight()
    monkeypatch.setitem(sys.modules, "scipy", None)
    monkeypatch.setitem(sys.modules, "scipy.optimize", None)
    with pytest.raises(ImportError, match="afterwit\\[hindsight\\]"):
        report.hindsight()


def test_it_is_shown_and_is_json() -> None:
    X, y, _ = data("logistic")
    found = learn(AdaGrad(), read(X, y)).hindsight()
    assert isinstance(found, Hindsight)
    for word in ("loss in total", "best in hindsight", "regret", "norm of the best |u|", "bound on the regret"):
        assert word in str(found)
    assert '"best_mean_loss"' in found.to_json()
