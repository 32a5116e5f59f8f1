"""The recipe's transcription itself: what must be true of it whatever the core does."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy.special import expit

from tests.dense.formulas import Labels, Neighbours, Newton
from tests.linear.formulas import Array, many_small_steps
from tests.linear.specimens import test_adagrad, test_arow, test_coin_betting, test_diagonal_newton
from tests.linear.specimens import test_passive_aggressive as test_pa
from tests.panel.formulas import (
    Adag,
    AdaNormalHedge,
    Arow,
    Auto,
    Combiners,
    DiagonalNewton,
    FullNewton,
    Lin,
    Linear,
    Pa,
    Told,
    Totals,
    rise,
    run,
)

TASKS = ("binary", "numbers")
both = pytest.mark.parametrize("task", TASKS)


def places(kind: type[Linear], task: str = "binary") -> list[int]:
    """Those of the members of this kind."""
    return [i for i, member in enumerate(Lin(0, task == "numbers").members) if type(member) is kind]


def rows(task: str, rounds: int, seed: int = 0, size: int = 6) -> tuple[Array, Array, Array]:
    """Columns of different scales, some of them sparse, the last one late; weights from 0 to 4."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rounds, size)) * 4.0 ** rng.integers(-4, 5, size) + rng.integers(0, 2, size)
    X *= rng.random((rounds, size)) < rng.choice([0.3, 1.0], size)
    X[: rounds // 4, -1] = 0.0
    X = X.astype(np.float32).astype(np.float64)
    Z = X / X.std(axis=0)
    value = Z @ rng.normal(size=size) + 3.0 * (Z[:, 0] > 0) * (Z[:, 1] > 0) + rng.normal(size=rounds)
    y = 1000.0 + 10.0 * value if task == "numbers" else np.where(value > np.median(value), 1.0, -1.0)
    return X, y, np.append(0.5, rng.choice([0.0, 0.25, 0.5, 1.0, 1.0, 1.0, 2.0, 4.0], size=rounds - 1))


@cache
def found(task: str) -> tuple[Array, Array, Array, dict[str, Any]]:
    X, y, h = rows(task, 500)
    return X, y, h, run(X, y, h, task)


def wrong(p: Array, y: Array) -> float:
    return float(np.mean(np.where(p == 0.5, 0.5, (p > 0.5) != (y > 0.0))))


@both
def test_shapes(task: str) -> None:
    _, y, _, out = found(task)
    shapes = {
        "members": (15 if task == "binary" else 14,),
        "lin_combiners": (4,),
        "lin": (),
        "dense": (4,),
        "combiners": (7,),
        "final": (),
    }
    assert {name: value.shape for name, value in out.items()} == {name: (500, *each) for name, each in shapes.items()}
    assert all(np.isfinite(value).all() for value in out.values())
    if task == "numbers":
        assert all((value[0] == 0.0).all() and np.allclose(value[1], y[0], rtol=1e-14) for value in out.values())
        low, high = np.minimum.accumulate(y)[:-1], np.maximum.accumulate(y)[:-1]
        assert ((out["final"][1:] >= low - 1e-9) & (out["final"][1:] <= high + 1e-9)).all()
    else:
        assert out["lin"][0] == 0.5
        assert (np.abs(out["members"]) <= 50.0).all()
        assert ((out["final"] > 0.0) & (out["final"] < 1.0)).all()


@both
def test_no_prediction_knows_its_label(task: str) -> None:
    X, y, h, out = found(task)
    for t in (1, 40, 300):
        other = y.copy()
        other[t:] = y[t:][::-1] if task == "numbers" else -y[t:]
        again = run(X[: t + 1], other[: t + 1], h[: t + 1], task)
        assert all(np.array_equal(again[name], out[name][: t + 1]) for name in out)


@both
def test_a_row_of_no_importance_changes_nothing(task: str) -> None:
    X, y, h, out = found(task)
    learned = h > 0.0
    again = run(X[learned], y[learned], h[learned], task)
    assert not learned.all()
    assert all(np.array_equal(again[name], out[name][learned]) for name in out)


def test_coins_stay_coins() -> None:
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(2000, 4)), rng.choice([-1.0, 1.0], 2000)
    out = run(X.astype(np.float32).astype(float), y)
    for name in ("lin", "final"):
        assert abs(wrong(out[name], y) - 0.5) < 0.035  # three standard deviations
        assert np.mean(np.logaddexp(0.0, -y * np.log(out[name] / (1.0 - out[name])))) < np.log(2.0) + 0.02


def test_noise_is_predicted_by_its_mean() -> None:
    rng = np.random.default_rng(4)
    X, y = rng.normal(size=(1000, 4)).astype(np.float32).astype(float), 5.0 + rng.normal(size=1000)
    out = run(X, y, task="numbers")
    for name in ("lin", "final"):
        assert 0.97 < np.mean((out[name] - y)[100:] ** 2) / y.var() < 1.04


def test_what_is_linear_is_learned() -> None:
    rng = np.random.default_rng(5)
    X = rng.normal(size=(600, 4)).astype(np.float32).astype(float)
    value = X @ [1.0, -2.0, 0.5, 0.0] + 0.3
    out = run(X, np.where(value > 0.0, 1.0, -1.0))
    assert wrong(out["lin"][300:], value[300:]) < 0.04
    assert wrong(out["final"][300:], value[300:]) < 0.04
    out = run(X, value, task="numbers")
    assert np.mean((out["lin"] - value)[300:] ** 2) < 2e-3 * value.var()
    assert np.mean((out["final"] - value)[300:] ** 2) < 2e-3 * value.var()


def test_what_is_not_linear_is_learned_on_the_second_level() -> None:
    rng = np.random.default_rng(6)
    X = rng.normal(size=(1500, 3)).astype(np.float32).astype(float)
    value = X[:, 0] * X[:, 1]
    out = run(X, np.where(value > 0.0, 1.0, -1.0))
    assert wrong(out["lin"][500:], value[500:]) > 0.4
    assert wrong(out["final"][500:], value[500:]) < 0.12
    out = run(X, value, task="numbers")
    assert np.mean((out["lin"] - value)[500:] ** 2) > 0.9 * value[500:].var()
    assert np.mean((out["final"] - value)[500:] ** 2) < 0.3 * value[500:].var()


def test_labels_that_never_change() -> None:
    X, _, h = rows("binary", 300)
    out = run(X, np.ones(300), h)
    assert out["final"][50:].min() > 0.95
    out = run(X, np.full(300, 7.0), h, "numbers")
    assert all(np.allclose(value[1:], 7.0, rtol=1e-14) for value in out.values())


@both
def test_rows_of_nothing(task: str) -> None:
    """Only the constant is there: the share of the label, or its mean."""
    rng = np.random.default_rng(7)
    y = np.where(rng.random(800) < 0.8, 1.0, -1.0)
    out = run(np.zeros((800, 3)), y, task=task)
    assert all(np.isfinite(value).all() for value in out.values())
    goal, near = (0.6, 0.1) if task == "numbers" else (0.8, 0.05)
    assert np.abs(out["final"][200:].mean() - goal) < near
    model = Auto(3, task == "numbers")
    for x, label in zip(*found(task)[:2], strict=True):
        model.predict(x[:3])
        model.learn(label, 1.0)
        assert np.isfinite(model.predict(np.zeros(3))["final"])


@both
@pytest.mark.parametrize("scale", [1024.0, 2.0 ** np.array([-20, 10, 0, 5, 3, -1])], ids=["one", "each"])
def test_scales_of_features_do_not_matter(task: str, scale: Array) -> None:
    """Only plain AdaGrad knows them, which is none of numbers, and through LIN the trees upon it."""
    X, y, h, out = found(task)
    scaled = run(X * scale, y, h, task)
    for name, others in (("members", places(Adag, task)), ("dense", [1] if places(Adag, task) else [])):
        free = [i for i in range(out[name].shape[1]) if i not in others]
        np.testing.assert_allclose(scaled[name][:, free], out[name][:, free], rtol=1e-9, atol=1e-9)
        assert not others or np.abs(scaled[name][:, others] - out[name][:, others]).max() > 1e-3


def test_scales_and_places_of_numbers_do_not_matter() -> None:
    X, y, h, out = found("numbers")
    again = run(X, 8.0 * y - 4096.0, h, "numbers")
    for name, value in again.items():
        np.testing.assert_allclose((value[1:] + 4096.0) / 8.0, out[name][1:], rtol=1e-6, atol=1e-6, err_msg=name)


def test_members_are_those_of_the_room_linear_where_features_have_size_1() -> None:
    """There no scale changes, and when it is told does not matter."""
    rng = np.random.default_rng(8)
    X, h = rng.choice([-1.0, 1.0, 0.0], (400, 5)), rng.choice([0.25, 1.0, 4.0], 400)
    y = np.where(X @ [1.0, -1.0, 0.5, 0.0, 0.25] + rng.normal(size=400) > 0.0, 1.0, -1.0)
    mine, Z = run(X, y, h)["members"], np.hstack([np.ones((400, 1)), X])
    for i, rate in enumerate((0.5, 2.0, 25.0)):
        theirs = test_adagrad.formula(Z, y, h, loss="logistic", rate=rate, normalized=True)[0]
        np.testing.assert_allclose(mine[:, i], theirs, rtol=1e-9, atol=1e-9)
    for i, a in ((4, 16.0), (5, 64.0)):
        theirs = test_coin_betting.formula(Z, y, h, endowment=a, normalized=True)[0]
        np.testing.assert_allclose(mine[:, i], theirs, rtol=1e-9, atol=1e-9)
    theirs = test_pa.formula(Z, y, h, aggressiveness=0.1, normalized=True)[0]
    np.testing.assert_allclose(mine[:, places(Pa)[0]], theirs, rtol=1e-9, atol=1e-9)
    theirs = test_arow.formula(Z, y, h, normalized=True)[0]
    np.testing.assert_allclose(mine[:, places(Arow)[0]], theirs, rtol=1e-9, atol=1e-9)
    theirs = test_diagonal_newton.formula(Z, y, h, normalized=True)[0]
    np.testing.assert_allclose(mine[:, places(DiagonalNewton)[0]], theirs, rtol=1e-9, atol=1e-9)


def test_a_scale_that_grows_shrinks_the_weight() -> None:
    """To a row that is four times as large as any before, w is w/4, or w/16 with the constant step."""
    model = Lin(1)
    for label in (1.0, 1.0, -1.0, 1.0):
        model.predict(np.array([2.0]))
        model.learn(label, 1.0)
    w = {i: model.members[i].w[1] for i in range(4)}
    model.predict(np.array([-8.0]))
    for i, share in ((0, 4.0), (1, 4.0), (2, 4.0), (3, 16.0)):
        assert model.out[i] == pytest.approx(model.members[i].w[0] - 8.0 * w[i] / share, rel=1e-12)
    model.learn(1.0, 1e-12)
    for i, share in ((0, 4.0), (1, 4.0), (2, 4.0), (3, 16.0)):
        assert model.members[i].w[1] == pytest.approx(w[i] / share, rel=1e-6)


def test_first_steps_by_hand() -> None:
    """x = (1, 2), y = 1, h = 3, where m = 0 and g = -1/2."""
    model = Lin(1)
    model.predict(np.array([2.0]))
    model.learn(1.0, 3.0)
    model.predict(np.array([2.0]))
    k = np.sqrt(3.0 / 6.0)  # t/N
    v = k * 2.0 / np.sqrt(3.0 / 4.0)  # of each feature x^2/(s sqrt(h g^2 x^2))
    expected = [rise(eta * 3.0 * v, 1.0) for eta in (0.5, 2.0, 25.0)]
    expected += [rise(0.1 * 3.0 * k**2 * 2.0, 1.0)]
    g = 3.0 / 2.0  # h g is above 1, and M
    # (t/N) sum of a/(M s (M s + A)) Z x with Z = A = g x
    expected += [k**2 * sum(a / (g * s * 2.0 * g * s) * g * s * s for s in (1.0, 2.0)) for a in (16.0, 64.0)]
    expected += [0.2 * (1.0 + 2.0)]
    expected += [0.3 * 2.0, 2.0 / (2.0 + 1.0 / 3.0), 3.0 * 0.5 * 2.0 / (1.0 + 3.0 * 0.25 * 2.0)]
    expected += [3.0 * 0.5 * 2.0 / (penalty + 3.0 * 0.25 * 2.0) for penalty in (0.1, 10.0, 1.0, 1.0)]
    expected += [3.0 * 0.5 * 2.0 / (0.5 + 3.0 * 0.25 * 2.0)]
    np.testing.assert_allclose(model.m, expected, rtol=1e-7)


def test_first_steps_of_numbers_by_hand() -> None:
    """Labels 10 and 14, the second with x = (1, 2) and h = 3: c = 10, s = 4, g = -1 in units of s."""
    model = Lin(1, real=True)
    for x, label, weight in ((9.0, 10.0, 1.0), (2.0, 14.0, 3.0)):
        model.predict(np.array([x]))
        model.learn(label, weight)
    model.predict(np.array([2.0]))
    k = np.sqrt(3.0 / 6.0)
    v = k * 2.0 / np.sqrt(3.0 * 4.0)
    expected = [-4.0 * np.expm1(-2.0 * eta * 3.0 * v) for eta in (0.5, 2.0, 25.0)]
    expected += [-4.0 * np.expm1(-2.0 * 0.1 * 3.0 * k**2 * 2.0)]
    expected += [4.0 * k**2 * sum(a / (3.0 * s * 6.0 * s) * 3.0 * s * s for s in (1.0, 2.0)) for a in (16.0, 64.0)]
    expected += [0.1 * 4.0 * 3.0 * 2.0, 4.0 * 2.0 / (2.0 + 1.0 / 3.0), 3.0 * 4.0 * 2.0 / (1.0 + 3.0 * 2.0)]
    expected += [3.0 * 4.0 * 2.0 / (penalty + 3.0 * 2.0) for penalty in (0.1, 10.0, 1.0, 1.0, 0.5)]
    np.testing.assert_allclose(model.out, expected, rtol=1e-7)
    np.testing.assert_allclose(model.m, np.minimum(13.0 + model.out, 14.0))


def test_unclipped_numbers_teach_whom_they_should() -> None:
    """c + w.x = 3 is clipped to the label 1: nothing to learn by its slope, an error of -2 to pa, arow and Newton."""
    model = Lin(0, real=True)
    told = Told(True, 1.0, 1.0, 2.0, Totals(1, 1.0, 1.0, 1.0), p=1.0, at=3.0)
    row = model.scales.look(np.zeros(0))
    for member in model.members:
        member.learn(row, told)
    first = places(Pa, "numbers")[0]
    assert all(member.w[0] == 0.0 for member in model.members[:first] if hasattr(member, "w"))
    moved = [float(each.newton.w[0] if hasattr(each, "newton") else each.w[0]) for each in model.members[first:]]
    np.testing.assert_allclose(moved[:3], [-0.2, -1.0, -1.0])
    np.testing.assert_allclose(moved[3:], [-2.0 / (penalty + 1.0) for penalty in (0.1, 10.0, 1.0, 1.0, 0.5)])


def test_combiners_by_hand() -> None:
    """Margins 1 and -1, and y = 1."""
    combiners, m = Combiners(2, False), np.array([1.0, -1.0])
    four, p = combiners.predict(m, np.ones(2, bool), Labels())
    np.testing.assert_allclose([*four, p], 0.5)
    combiners.learn(1.0, 2.0, 1, Labels(), 1.0)
    q = expit(m)
    np.testing.assert_allclose(combiners.v, 0.5 * q**2 / (q**2).sum() + 0.25)
    r = np.mean((q - 1.0) ** 2) - (q - 1.0) ** 2
    np.testing.assert_allclose([combiners.A.R, combiners.A.C], [r, np.abs(r)])  # in units of the importance
    w = [np.exp((R + 1.0) ** 2 / (3.0 * (abs(R) + 1.0))) - 1.0 for R in r]
    np.testing.assert_allclose(combiners.A.weights(np.ones(2, bool)), np.array(w) / sum(w))
    step = 2.0 * 0.5 * 0.1 / (1.0 + 2.0 * 0.25 * 0.1 * 3.0)
    np.testing.assert_allclose(combiners.C.newton.w, [0.5 + step, 0.5 - step, step])
    np.testing.assert_allclose(combiners.D.newton.P, combiners.C.newton.P + 1e-5 * np.eye(3), rtol=1e-12)


def test_combiners_of_numbers_by_hand() -> None:
    """The labels 0 and 4, predictions 1 and 3, then y = 8: s is 4 before and 8 with it."""
    labels = Labels().after(0.0, 1.0).after(4.0, 1.0)
    combiners, m = Combiners(2, True), np.array([1.0, 3.0])
    four, p = combiners.predict(m, np.ones(2, bool), labels)
    np.testing.assert_allclose([*four, p], 2.0)
    combiners.learn(8.0, 2.0, 3, labels, 8.0)
    losses = np.array([49.0, 25.0]) / 64.0
    np.testing.assert_allclose(combiners.A.R, 36.0 / 64.0 - losses)
    v = np.exp(-2.0 * 0.2 * np.array([49.0, 25.0]) / 36.0)
    np.testing.assert_allclose(combiners.v, 0.75 * v / v.sum() + 0.125)
    z = np.array([1.0, 3.0, 8.0]) / 8.0
    for stacker, P in ((combiners.C, 1.0), (combiners.D, 10.0)):
        w = [0.5, 0.5, 0.0] - 2.0 * (0.25 - 1.0) * P * z / (1.0 + 2.0 * P * (z @ z))
        np.testing.assert_allclose(stacker.newton.w, w)
    np.testing.assert_allclose(
        np.diag(combiners.D.newton.P), np.diag(np.linalg.inv(np.eye(3) / 10 + 2 * np.outer(z, z))) + 1e-3
    )


def test_ends_of_ranges(monkeypatch: pytest.MonkeyPatch) -> None:
    one, awake = Combiners(1, False), np.ones(1, bool)
    assert one.predict(np.array([50.0]), awake, Labels())[0][2:] == pytest.approx(expit([8.0, 8.0]), rel=1e-12)
    one.C.newton.w[0] = one.D.newton.w[0] = -10.0
    assert one.predict(np.array([50.0]), awake, Labels())[0][2:] == pytest.approx(expit([-30.0, -30.0]), rel=1e-12)
    one.learn(1.0, 1.0, 1, Labels(), 1.0)
    assert one.C.newton.w[0] == pytest.approx(-10.0 + 0.8 / (1.0 + 0.001 * 6.5))

    labels, near, far = Labels().after(0.0, 1.0).after(9.0, 1.0), [4.0, 6.0, 5.0], [3.0, 6.0, 6.0]
    for m, V, exponents in (
        (near, 0.0, [20.0, 20.0, 0.0]),
        (near, 1.0, [0.2, 0.2, 0.0]),
        (far, 0.2 / 19.0, [20.0, 19.0, 19.0]),
    ):
        three = Combiners(3, True)
        three.errors, three.importance = 5.0 * V, 4.0
        assert three.predict(np.array(m), np.ones(3, bool), labels)[0][1] == pytest.approx(5.0, rel=1e-15)
        three.said[1] = 5.0
        three.learn(5.0, 1.0, 9, labels, 9.0)
        v = np.exp(-np.array(exponents))
        np.testing.assert_allclose(three.v, 0.9 * v / v.sum() + 0.1 / 3.0)

    auto = Auto(1)
    monkeypatch.setattr(auto.lin.combiners, "predict", lambda *_: (np.ones(4), 1.0))
    auto.predict(np.ones(1))
    linear = auto.combiners.m[len(auto.lin.members)]
    assert linear == pytest.approx(np.log(1e6 - 1.0))
    assert auto.boosted.m == linear


@pytest.mark.parametrize(("width", "window"), [(16, 1000), (17, 963), (32, 512), (300, 64)])
def test_the_window_of_neighbours(width: int, window: int) -> None:
    """A row like the one asked for is the only one of its class, and just within the window; then beyond it."""
    each = Neighbours(width, False)
    each.predict(np.ones(width))
    each.learn(1.0, 1.0)
    for k in range(1, window + 1):
        if k == window:
            assert expit(each.predict(np.ones(width))) == pytest.approx(1.1 / (1.2 + 6.0 * np.exp(-2.0)), rel=1e-9)
        each.predict(np.full(width, 2.0))
        each.learn(-1.0, 1.0)
    assert expit(each.predict(np.ones(width))) == pytest.approx(0.1 / (0.2 + 7.0 * np.exp(-2.0)), rel=1e-9)


def test_neighbours_by_hand() -> None:
    """The values 1 to 9, of which 3 to 9 are nearest to 7, 3 at a distance of 4."""
    each, real = Neighbours(1, False), Neighbours(1, True)
    real.predict(np.zeros(1))
    real.learn(2.5, 1.0)
    assert each.predict(np.ones(1)) == 0.0
    for k in range(1, 10):
        for learner in (each, real):
            learner.predict(np.array([float(k)]))
            learner.learn(1.0 if k > 5 else -1.0, 2.0 if k == 8 else 1.0)
    w = {k: np.exp(-2.0 * ((k - 7.0) / 4.0) ** 2) * (2.0 if k == 8 else 1.0) for k in range(3, 10)}
    up, down = sum(w[k] for k in (6, 7, 8, 9)), sum(w[k] for k in (3, 4, 5))
    assert expit(each.predict(np.array([7.0]))) == pytest.approx((up + 0.1) / (up + down + 0.2), rel=1e-12)
    assert real.predict(np.array([7.0])) == pytest.approx((up - down) / (up + down), rel=1e-12)


def test_of_equal_neighbours_the_earlier_slots_count_and_new_columns_do_not() -> None:
    each = Neighbours(2, False)
    for k in range(1003):  # the first three are overwritten
        each.predict(np.array([1.0 + k % 2, 0.0]))
        each.learn(1.0 if k >= 1000 or k == 8 else -1.0, 1.0)
    p = (3.0 + 0.1) / (7.0 + 0.2)  # slots 0 and 2, which hold rows 1000 and 1002, then 4, 6, 8, 10, 12
    assert expit(each.predict(np.array([1.0, 5.0]))) == pytest.approx(p, rel=1e-12)
    assert expit(each.predict(np.array([1.0, 0.0]))) == pytest.approx(p, rel=1e-12)


def test_newton_is_least_squares() -> None:
    """Numbers, features of size 1, no walk: w minimises sum h (w . z - y + c)^2 + penalty |w|^2 behind row 1."""
    rng = np.random.default_rng(9)
    X, h = rng.choice([-1.0, 1.0], (200, 4)), rng.choice([0.5, 1.0, 3.0], 200)
    y = X @ [1.0, -2.0, 0.5, 0.0] + rng.normal(size=200)
    model = Lin(4, real=True)
    for x, label, weight in zip(X, y, h, strict=True):
        model.predict(x)
        model.learn(label, weight)
    means = np.array([np.average(y[:t], weights=h[:t]) for t in range(1, 200)])
    Z = np.hstack([np.ones((199, 1)), X[1:]])
    for i, penalty in zip(places(FullNewton, "numbers")[:2], (0.1, 10.0), strict=True):
        best = np.linalg.solve((Z * h[1:, None]).T @ Z + penalty * np.eye(5), (Z * h[1:, None]).T @ (y[1:] - means))
        newton: Newton = model.members[i].newton  # type: ignore[attr-defined]
        np.testing.assert_allclose(newton.w, best, rtol=1e-9)


@pytest.mark.parametrize("y", [-1.0, 1.0])
def test_the_invariant_step_is_the_limit_of_small_ones(y: float) -> None:
    for m in (-3.0, 0.0, 0.7, 4.0):
        for eta, v in ((0.5, 1.0), (2.0, 3.0), (0.01, 0.2)):
            u = Told(False, y, 2.0, 1.0, Totals(), p=m).invariant(eta, v)
            assert u == pytest.approx(many_small_steps("logistic", m, y, 2.0 * eta, v, 20_000), rel=2e-3)
    squared = Told(True, 3.0, 2.0, 1.0, Totals(), p=1.0).invariant(0.5, 0.4)
    assert squared == pytest.approx(2.0 * (1.0 - np.exp(-2.0 * 0.5 * 2.0 * 0.4)) / 0.4)


def test_the_invariant_step_solves_its_equation() -> None:
    for step in 10.0 ** np.arange(-6.0, 31.0, 3.0):
        for m in (-50.0, -10.0, -1.0, 0.0, 1.0, 10.0, 50.0):
            a = float(np.exp(m))
            d = rise(step, a)
            assert 0.0 < d <= step
            assert abs(d + a * np.expm1(d) - step) <= 1e-13 * step
    below, above = (Told(False, 1.0, 1.0, 1.0, Totals(), p=0.3).invariant(x, 1.0) for x in (0.9999999e-6, 1.0000001e-6))
    assert above / below == pytest.approx(1.0000001 / 0.9999999, abs=1e-6)


@pytest.mark.parametrize("importances", [False, True])
def test_regret_to_the_best_member_is_bounded(importances: bool) -> None:
    """sqrt(3 C ln(K B)), B = 1 + 3/2 mean(1 + ln(1 + C)), of the Brier loss: A to every member, the mixture to A."""
    rng = np.random.default_rng(10)
    X = rng.normal(size=(400, 3)).astype(np.float32).astype(float)
    h = rng.choice([0.5, 1.0, 4.0], 400) if importances else np.ones(400)
    value = X @ [1.0, 1.0, 0.0] * np.where(np.arange(400) < 150, 1.0, -1.0)
    y = np.where(value > 0.0, 1.0, -1.0)
    model, out = Lin(3), []
    for x, label, weight in zip(X, y, h, strict=True):
        out.append(model.predict(x))
        model.learn(label, weight)
    brier = {name: (np.array([each[name] for each in out]).T - (y > 0.0)) ** 2 @ h for name in ("lin_combiners", "lin")}
    members = (expit(np.array([each["members"] for each in out])).T - (y > 0.0)) ** 2 @ h

    def bound(hedge: AdaNormalHedge) -> Array:
        B = 1.0 + 1.5 * np.mean(1.0 + np.log1p(hedge.C))
        return np.asarray(hedge.H * np.sqrt(3.0 * hedge.C * np.log(len(hedge.C) * B)))

    assert (brier["lin_combiners"][0] - members <= bound(model.combiners.A)).all()
    assert (brier["lin"] - brier["lin_combiners"] <= bound(model.combiners.final)).all()
    # The regrets are those in the books, but for the gain of mixing, and for units: they were rescaled as H grew.
    if not importances:
        assert (brier["lin_combiners"][0] - members <= model.combiners.A.R + 1e-9).all()


@both
@pytest.mark.parametrize("dense", [False, True], ids=["sparse", "dense"])
def test_beyond_their_limits_members_sleep(task: str, dense: bool) -> None:
    """One more column every row: Newton's members are silent behind 64, others over columns behind 320.

    Trees take more if rows have values in an eighth of them.
    """
    rng = np.random.default_rng(11)
    n = 330
    X = np.where(np.tri(n) > 0.0, rng.normal(size=(n, n)) if dense else np.eye(n), 0.0)
    X[:, 0] = rng.normal(size=n)
    X, y = X.astype(np.float32).astype(float), np.where(X[:, 0] > 0.0, 1.0, -1.0)
    out = run(X, y, task=task)
    narrow = places(FullNewton, task)
    assert (out["members"][10:65, narrow] != 0.0).all()
    assert (out["members"][65:, narrow] == 0.0).all()
    assert (np.delete(out["members"], narrow, axis=1)[65:] != 0.0).all()
    assert all(np.isfinite(value).all() for value in out.values())
    assert (out["dense"][20:321] != 0.0).all()
    assert (out["dense"][321:, 2:] == 0.0).all()
    assert (out["dense"][321:, :2] != 0.0).all() if dense else (out["dense"][321:, :2] == 0.0).all()
    assert (out["final"] != out["lin"])[20:].all()


def test_one_who_sleeps_leaves_the_others_undisturbed() -> None:
    model, other = Lin(6), Lin(6)
    X, y, h, _ = found("binary")
    for x, label, weight in zip(X[:200], y, h + 0.5, strict=False):
        for each in (model, other):
            each.predict(x)
            each.learn(label, weight)
    model.predict(X[200])
    i = int(np.argmax(model.combiners.pi))
    other.awake[i] = False
    assert other.predict(X[200])["members"][i] == 0.0
    for a, b in ((model.combiners.pi, other.combiners.pi), (model.combiners.shown, other.combiners.shown)):
        assert b[i] == 0.0 < a[i]
        np.testing.assert_allclose(np.delete(b, i), np.delete(a, i) / (1.0 - a[i]), rtol=1e-12)
    R = other.combiners.A.R[i]
    other.learn(y[200], 1.0)
    assert other.combiners.A.R[i] == R
    assert 0.0 < other.combiners.v[i] < 1.0
    assert other.combiners.v.sum() == pytest.approx(1.0)


@both
def test_an_importance_of_2_is_2_to_all_who_count(task: str) -> None:
    """Equal importances are a unit to the hedges; to the invariant steps they are rows that came twice."""
    X, y = (part[:200] for part in found(task)[:2])
    twice = run(X, y, np.full(200, 2.0), task)
    once = run(X, y, np.ones(200), task)
    for name in ("members", "lin", "final"):
        gap = np.abs(twice[name] - once[name]).max()
        assert 1e-3 < gap < np.inf
    hedges = AdaNormalHedge(3), AdaNormalHedge(3)
    for r in np.random.default_rng(12).uniform(-1.0, 1.0, (50, 3)):
        for hedge, h in zip(hedges, (1.0, 2.0), strict=True):
            hedge.learn(r, h)
    np.testing.assert_allclose(hedges[0].R, hedges[1].R, rtol=1e-12)
    mixed = AdaNormalHedge(1)
    mixed.learn(np.array([0.5]), 1.0)
    mixed.learn(np.array([-0.25]), 4.0)
    np.testing.assert_allclose([mixed.R[0], mixed.C[0], mixed.H], [0.5 / 4.0 - 0.25, 0.5 / 4.0 + 0.25, 4.0])
