"""The recipe's transcription for several classes: what must be true of it whatever the core does."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy.special import expit, softmax

from tests.dense.formulas import tree_of
from tests.linear.formulas import Array
from tests.panel.class_formulas import Auto, Combiners, SoftmaxNetwork, Stacker, VectorTrees, Votes, run
from tests.panel.formulas import Lin

C = 4


def rows(rounds: int, seed: int = 0, size: int = 5) -> tuple[Array, Array, Array]:
    """Columns of different scales, some of them sparse, the last one late; weights from 0 to 4."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rounds, size)) * 4.0 ** rng.integers(-4, 5, size) + rng.integers(0, 2, size)
    X *= rng.random((rounds, size)) < rng.choice([0.3, 1.0], size)
    X[: rounds // 4, -1] = 0.0
    X = X.astype(np.float32).astype(np.float64)
    values = X / X.std(axis=0) @ rng.normal(size=(size, C)) + 0.5 * rng.normal(size=(rounds, C))
    return X, values.argmax(axis=1), rng.choice([0.0, 0.25, 0.5, 1.0, 1.0, 1.0, 2.0, 4.0], size=rounds)


@cache
def found() -> tuple[Array, Array, Array, dict[str, Any]]:
    X, y, h = rows(400)
    return X, y, h, run(X, y, h, C)


def wrong(p: Array, y: Array) -> float:
    return float(np.mean(p.argmax(axis=1) != y))


def log_loss(p: Array, y: Array) -> float:
    return float(-np.mean(np.log(p[np.arange(len(y)), y])))


def learned(member: Any, X: Array, y: Array, h: Array) -> Any:
    for x, label, weight in zip(X, y, h, strict=True):
        member.predict(x)
        member.learn(int(label), float(weight))
    return member


def test_shapes_and_sums() -> None:
    out = found()[3]
    assert {name: value.shape for name, value in out.items()} == {
        "members": (400, 9, C),
        "combiners": (400, 4, C),
        "final": (400, C),
    }
    for value in out.values():
        np.testing.assert_allclose(value.sum(axis=-1), 1.0, rtol=1e-12)
        assert (value >= 0.0).all()
    np.testing.assert_allclose(np.delete(out["members"][0], 6, axis=0), 1.0 / C)  # the network's outputs are drawn


def test_no_prediction_knows_its_label() -> None:
    X, y, h, out = found()
    for t in (1, 40, 300):
        other = y.copy()
        other[t:] = (y[t:] + 1) % C
        again = run(X[: t + 1], other[: t + 1], h[: t + 1], C)
        assert all(np.array_equal(again[name], out[name][: t + 1]) for name in out)


def test_a_row_of_no_importance_changes_nothing() -> None:
    X, y, h, out = found()
    on = h > 0.0
    again = run(X[on], y[on], h[on], C)
    assert not on.all()
    assert all(np.array_equal(again[name], out[name][on]) for name in out)


def test_dice_stay_dice() -> None:
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(1500, 4)).astype(np.float32).astype(float), rng.integers(0, 3, 1500)
    p = run(X, y, classes=3)["final"]
    assert abs(wrong(p, y) - 2 / 3) < 0.037  # three standard deviations
    assert log_loss(p, y) < np.log(3.0) + 0.03


def test_it_learns_classes_that_are_linear_and_classes_that_are_not() -> None:
    rng = np.random.default_rng(2)
    X = rng.normal(size=(1200, 3)).astype(np.float32).astype(float)
    linear = (X @ rng.normal(size=(3, C))).argmax(axis=1)
    assert wrong(run(X, linear, classes=C)["final"][600:], linear[600:]) < 0.08
    corners = 2 * (X[:, 0] * X[:, 1] > 0.0) + (X[:, 2] ** 2 > 0.5)
    out = run(X, corners, classes=C)
    assert wrong(out["final"][600:], corners[600:]) < 0.25
    assert min(wrong(out["members"][600:, i], corners[600:]) for i in range(6)) > 0.4


def test_a_label_that_never_changes_and_rows_of_nothing() -> None:
    X, _, h, _ = found()
    assert run(X, np.full(400, 2), h, C)["final"][50:, 2].min() > 0.95
    y = np.random.default_rng(3).choice(C, 600, p=[0.6, 0.3, 0.1, 0.0])
    p = run(np.zeros((600, 2)), y, classes=C)["final"]
    np.testing.assert_allclose(p[200:].mean(axis=0), [0.6, 0.3, 0.1, 0.0], atol=0.06)


def test_scales_of_features_do_not_matter() -> None:
    X, y, h, out = found()
    again = run(X * 2.0 ** np.array([-20, 10, 0, 5, 3]), y, h, C)
    for name, value in out.items():
        np.testing.assert_allclose(again[name], value, rtol=1e-9, atol=1e-9, err_msg=name)


def test_names_of_classes_do_not_matter_to_those_who_do_not_draw() -> None:
    X, y, h, out = found()
    order = np.array([2, 0, 3, 1])
    again = run(X, order[y], h, C)
    for i in (0, 1, 2, 3, 4, 5, 7):
        np.testing.assert_allclose(again["members"][:, i][:, order], out["members"][:, i], rtol=1e-9, atol=1e-9)
    for i in (6, 8):
        assert np.abs(again["members"][:, i][:, order] - out["members"][:, i]).max() > 1e-3


def test_one_against_all_is_adagrad_of_each_class() -> None:
    X, y, h, out = found()
    margins = np.zeros((400, C, 3))
    for c in range(C):
        model = Lin(5)
        for t in range(400):
            margins[t, c] = model.predict(X[t])["members"][:3]
            if h[t] > 0.0:
                model.learn(1.0 if y[t] == c else -1.0, h[t])
    q = expit(margins) + 1e-9
    np.testing.assert_allclose(out["members"][:, :3], np.moveaxis(q / q.sum(axis=1, keepdims=True), 2, 1), rtol=1e-9)


def test_newton_by_hand() -> None:
    """z = (1, 1), y = 2, h = 3: p = 1/4, c = 3/8, w_c = -3 (p_c - y_c) P z/(1 + 3 c z P z)."""
    model = learned(Auto(1, C), np.array([[5.0]]), np.array([2]), np.array([3.0]))
    slope = np.full(C, 0.25) - np.eye(C)[2]
    for i, penalty in ((4, 1.0), (5, 0.1)):
        m = -3.0 * slope * 2.0 / (penalty + 3.0 * 0.375 * 2.0)
        np.testing.assert_allclose(model.predict(np.array([5.0]))["members"][i], softmax(m), rtol=1e-9)
    np.testing.assert_allclose(np.diag(model.linear[5].newton.P), 10.0 - 3 * 0.375 * 100 / (1 + 3 * 0.375 * 20) + 1e-3)


def test_the_network_goes_down_the_slope_of_its_loss() -> None:
    """By differences: the first step of Adam is its rate against the sign of the slope."""
    model = learned(SoftmaxNetwork(3, C), *rows(30, size=3)[:2], np.ones(30))
    x = np.array([1.0, -0.5, 0.25])
    u, w = model.u.w.copy(), model.W.w.copy()

    def loss() -> float:
        return float(-np.log(model.predict(x)[1]))

    model.u.M, model.u.V, model.W.M, model.W.V = (np.zeros_like(each) for each in (u, u, w, w))
    slopes = []
    for weights, place in ((model.u, (2, 7)), (model.u, (1, 0)), (model.W, (3, 1)), (model.W, (9, 0))):
        sides = []
        for step in (1e-5, -1e-5):
            weights.w[place] += step
            sides.append(loss())
            weights.w[place] -= step
        slopes.append((sides[0] - sides[1]) / 2e-5)
    model.predict(x)
    model.learn(1, 1.0)
    moments = [model.u.M[2, 7], model.u.M[1, 0], model.W.M[3, 1], model.W.M[9, 0]]
    np.testing.assert_allclose(moments, 0.1 * np.array(slopes), rtol=1e-5, atol=1e-9)


def test_votes_by_hand() -> None:
    model = learned(Votes(1, 3), np.array([[1.0], [2.0], [3.0]]), np.array([0, 1, 1]), np.array([1.0, 1.0, 2.0]))
    w = np.exp(-2.0 * np.array([0.0, 1.0, 4.0]) / 4.0) * [1.0, 1.0, 2.0]
    expected = (np.array([w[0], w[1] + w[2], 0.0]) + 0.1 / 3) / (w.sum() + 0.1)
    np.testing.assert_allclose(model.predict(np.array([1.0])), expected, rtol=1e-12)


def test_the_window_of_votes() -> None:
    """Of 1000 rows, whatever the number of features."""
    model = Votes(40, 2)
    learned(model, np.append(np.ones((1, 40)), np.full((999, 40), 2.0), axis=0), np.arange(1000) < 1, np.ones(1000))
    votes = np.array([6.0 * np.exp(-2.0), 1.0])
    np.testing.assert_allclose(model.predict(np.ones(40)), (votes + 0.05) / (votes.sum() + 0.1), rtol=1e-9)
    model.predict(np.full(40, 2.0))
    model.learn(0, 1.0)
    assert model.predict(np.ones(40))[1] < 0.06


def test_the_first_tree_by_hand() -> None:
    """Sixteen rows, classes by x > 2: b stays; g = -+1/2 and p (1 - p) = 1/4 of both classes, if signs differ."""
    model = VectorTrees(1, 2)
    X, y = 1.0 + np.arange(16.0)[:, None] % 4, (np.arange(16) % 4 >= 2).astype(int)
    for t in range(16):
        np.testing.assert_array_equal(model.predict(X[t]), 0.5)
        model.learn(int(y[t]), 1.0)
    assert len(model.forest) == 1
    value = 0.1 * 4.0 / (2.0 + 20.0 / 4.0) if np.isfinite(model.forest[0][1][0]) else 0.0
    for x, sign in ((1.0, 1.0), (2.0, 1.0), (2.5, -1.0), (4.0, -1.0)):
        model.look(np.array([x]))
        np.testing.assert_allclose(model.m, [sign * value, -sign * value], rtol=1e-6)


def test_the_first_intercepts_by_hand() -> None:
    """Twelve rows of class 0, four of class 1, no features: half a step, then a leaf for all; four rows later .3."""
    model, value = VectorTrees(0, 2), np.zeros(2)
    p = np.full(2, 0.5)
    for rows, share in ((16, 0.5), (20, 0.3)):
        while model.t < rows:
            model.predict(np.zeros(0))
            model.learn(int(model.t % 4 == 3), 3.0)
        for step in (share, 0.1):
            G, H = 3.0 * rows * (p - [0.75, 0.25]), 3.0 * rows * p * (1.0 - p)
            value = value - step * G / (H + 20.0 / 4.0)
            p = softmax(value)
        np.testing.assert_allclose(model.predict(np.zeros(0)), p, rtol=1e-7)
        assert model.builds == (1 if rows == 16 else 2)


def test_the_structure_of_a_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    """That of the classes' slopes with signs, and a curvature that is the variance of the signs."""
    X, y, h, _ = found()
    told: list[Any] = []

    def spy(*given: Any) -> Any:
        told.append((softmax(model.F, axis=1), given[3], given[4]))
        return tree_of(*given)

    monkeypatch.setattr("tests.panel.class_formulas.tree_of", spy)
    model = VectorTrees(5, C)
    learned(model, X[:64], y[:64], h[:64] + 0.5)
    signs = set()
    for p, g, curvature in told:
        n = len(g)
        raw = p - np.eye(C)[y[:n]]
        r = np.linalg.lstsq(raw, g / (h[:n] + 0.5), rcond=None)[0]  # but for a constant: slopes sum to 0
        np.testing.assert_allclose(g, (h[:n] + 0.5) * (raw @ r), atol=1e-9)
        np.testing.assert_allclose(np.abs(r - r.max() + 1.0), 1.0, atol=1e-9)
        variance = (p @ r**2) - (p @ r) ** 2
        np.testing.assert_allclose(curvature, (h[:n] + 0.5) * np.maximum(variance, 1e-6), rtol=1e-6, atol=1e-9)
        signs.add(tuple(r > r.mean()))
    assert len(signs) > 3


def test_trees_descend_the_loss_of_their_rows() -> None:
    """The margins kept for rows are those that the trees give, when old ones have gone too."""
    X, y, h, _ = found()
    model = VectorTrees(5, C)
    model.trees = 7
    learned(model, X, y, h + 0.5)
    assert model.builds > 20
    margins = model.F.copy()
    for t in range(400):
        model.look(X[t])
        np.testing.assert_allclose(margins[t], model.m, rtol=1e-9, atol=1e-9)
    assert log_loss(softmax(margins, axis=1), y) < 0.9 * np.log(C)


def test_few_rows_are_no_side() -> None:
    """Five of another class can be split off, four cannot."""
    for few, splits in ((4, False), (5, True)):
        model = VectorTrees(1, 2)
        model.next = 40
        y = np.append(np.zeros(40 - few, int), np.ones(few, int))
        learned(model, 1.0 + y[:, None], y, np.full(40, 9.0))
        while model.builds < 8:
            model.build()
        assert any(np.isfinite(threshold).any() for _, threshold, _ in model.forest) == splits


def test_stackers_by_hand() -> None:
    """Two members, two classes: p is sigma of the mean of their margins m, and p (1 - p) m m' is added to S."""
    p = np.array([[0.8, 0.2], [0.4, 0.6]])
    for memory in (1.0, 0.999):
        stacker = Stacker(2, memory)
        stacker.S = np.array([[3.0, 1.0], [1.0, 2.0]])
        margins = np.log(p[:, 0] / p[:, 1])
        q = expit(margins.mean())
        np.testing.assert_allclose(stacker.predict(p, np.ones(2, bool)), [q, 1.0 - q])
        stacker.learn(1, 2.0)
        S = memory * np.array([[3.0, 1.0], [1.0, 2.0]]) + 2.0 * q * (1.0 - q) * np.outer(margins, margins)
        np.testing.assert_allclose(stacker.S, S)
        np.testing.assert_allclose(stacker.w, 0.5 - np.linalg.solve(S + 10.0 * np.eye(2), 2.0 * q * margins))


def test_combiners_by_hand() -> None:
    p = np.array([[0.7, 0.2, 0.1], [0.2, 0.3, 0.5]])
    combiners = Combiners(2)
    four, final = combiners.predict(p, np.ones(2, bool))
    np.testing.assert_allclose(four[:2], [p.mean(axis=0)] * 2)
    np.testing.assert_allclose(final, four.mean(axis=0))
    combiners.learn(0, 2.0, 1)
    losses = np.array([0.09 + 0.04 + 0.01, 0.64 + 0.09 + 0.25]) / 2.0
    np.testing.assert_allclose(combiners.A.R, losses.mean() - losses)
    v = np.array([0.49, 0.04])
    np.testing.assert_allclose(combiners.v, 0.5 * v / v.sum() + 0.25)
    np.testing.assert_array_equal(combiners.C.S, combiners.D.S)
    combiners.predict(p, np.ones(2, bool))
    combiners.C.S, combiners.D.S = np.eye(2), np.eye(2)
    combiners.D.z = combiners.C.z = 0.0 * combiners.C.z
    combiners.learn(0, 2.0, 2)
    np.testing.assert_allclose(combiners.D.S, 0.999 * combiners.C.S)
    combiners.C.predict(np.array([[1.0, 0.0, 0.0], [0.0, 0.5, 0.5]]), np.array([True, False]))
    np.testing.assert_allclose(combiners.C.z, np.log(1e-6) * np.array([[-2.0, 1.0, 1.0], [0.0, 0.0, 0.0]]) / 3.0)


@pytest.mark.parametrize("width", [70, 330])
def test_beyond_their_limits_members_sleep(width: int) -> None:
    rng = np.random.default_rng(4)
    n = width + 12
    X = np.zeros((n, width))
    for t in range(n):
        X[t, min(t, width - 1)] = 1.0
        X[t, 0] = rng.normal()
    X = X.astype(np.float32).astype(float)
    out = run(X, (X[:, 0] > 0.0).astype(int), classes=2)
    np.testing.assert_allclose(out["final"].sum(axis=1), 1.0)
    assert (out["members"][:65].sum(axis=2) > 0.5).all()
    assert (out["members"][65:, 4:6] == 0.0).all()
    assert (out["members"][65:321, 6:].sum(axis=2) > 0.5).all()
    assert (out["members"][321:, 6:] == 0.0).all()
    assert (out["members"][321:, :4].sum(axis=2) > 0.5).all()


def test_regret_to_the_best_member_is_bounded() -> None:
    """sqrt(3 C ln(K B)), B = 1 + 3/2 mean(1 + ln(1 + C)), of half the squared distance."""
    X, y, _, _ = found()
    y = np.where(np.arange(400) < 200, y, C - 1 - y)
    model, out = Auto(5, C), []
    for t in range(400):
        out.append(model.predict(X[t]))
        model.learn(int(y[t]), 1.0)
    hedge, e = model.combiners.A, np.eye(C)[y][:, None]
    members, four = (
        ((np.array([each[name] for each in out]) - e) ** 2).sum(axis=(0, 2)) / 2.0 for name in ("members", "combiners")
    )
    bound = np.sqrt(3.0 * hedge.C * np.log(9.0 * (1.0 + 1.5 * np.mean(1.0 + np.log1p(hedge.C)))))
    assert (four[0] - members <= bound).all()
    assert (four[0] - members <= hedge.R + 1e-9).all()
