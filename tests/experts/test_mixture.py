"""A mixture is its formula, keeps its bound, satisfies the checks, and refuses wrong input before it changes."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import afterwit as aw
from afterwit import checks, losses, registry
from afterwit.experts import (
    AdaNormalHedge,
    AdaptMLProd,
    Boa,
    FixedShare,
    Halving,
    Hedge,
    Mixture,
    MLPol,
    NormalHedge,
    NormalHedgeDT,
    Randomized,
    TwoNorm,
    hindsight,
)
from afterwit.regret import best_linear, best_mixture, shifting_regret
from tests.experts.formulas import Array
from tests.experts.specimen import every

RNG = np.random.default_rng(3)


def table(rounds: int = 300, experts: int = 7, asleep: float = 0.0) -> tuple[Array, Array]:
    """Forecasters of different bias and noise, of outcomes whose scale grows a hundredfold on the way."""
    scale = np.where(np.arange(rounds) < rounds // 3, 0.01, 1.0)
    y = np.cumsum(RNG.normal(size=rounds)) * scale
    F = y[:, None] + (RNG.normal(size=experts) + RNG.normal(size=(rounds, experts))) * scale[:, None]
    F[RNG.random(F.shape) < asleep] = np.nan
    return F, y


def normal_weight(R: Array, C: Array) -> Array:
    a, b = (np.maximum(R + s, 0.0) ** 2 / (3.0 * (C + 1.0)) for s in (1.0, -1.0))
    return np.exp(a) - np.exp(b)


def formula(
    F: Array, y: Array, h: Array, loss: Any, gradient: bool, E: float, d: int = 1
) -> tuple[Array, Array, float]:
    """The mixture by AdaNormalHedge (d = 1) or NormalHedge.DT, with regrets and their sums in units of the loss: they
    are divided by the E of the day when they are used.
    """
    T, N = F.shape
    R, C, m, P = np.zeros(N), np.zeros(N), np.full(T, np.nan), np.zeros((T, N))
    for t in range(T):
        I = (~np.isnan(F[t])).astype(float)
        if not I.any():
            continue
        f = np.where(I > 0.0, F[t], 0.0)
        unit = E or 1.0  # of regrets that are all 0
        w = I * normal_weight(R / unit, C / unit if d else C)
        P[t] = (w if w.any() else I) / (w if w.any() else I).sum()
        m[t] = P[t] @ f
        l = h[t] * (
            loss.derivative(m[t], y[t]) * f if gradient else np.array([loss.value(a, y[t]) for a in f.tolist()])
        )
        awake = l[I > 0.0]
        E = max(E, awake.max() - awake.min()) if h[t] else E
        r = I * (P[t] @ l - l)
        R = R + r
        C = C + (abs(r) if d else I * (h[t] > 0.0))
    return m, P, E


@pytest.mark.parametrize("asleep", [0.0, 0.4])
@pytest.mark.parametrize("gradient", [True, False])
@pytest.mark.parametrize("loss", ["squared", "absolute", "quantile:0.8"])
@pytest.mark.parametrize(("player", "d"), [(AdaNormalHedge(), 1), (NormalHedgeDT(), 0)])
def test_it_is_its_formula(player: Any, d: int, loss: str, gradient: bool, asleep: float) -> None:
    F, y = table(asleep=asleep)
    F[50] = np.nan if asleep else F[50]
    h = RNG.choice([0.0, 0.5, 1.0, 1.0, 3.0], len(y))
    model = Mixture(player, loss, gradient)
    history = model.run(F, y, h)
    m, P, E = formula(F, y, h, losses.get(loss), gradient, 0.0, d)
    np.testing.assert_allclose(history.weights, P, rtol=0.0, atol=1e-8)
    np.testing.assert_allclose(history.forecast, m, rtol=1e-9, atol=1e-9)
    assert model.state()["scale"] == pytest.approx(E)


@pytest.mark.parametrize("player", [MLPol(), Boa(), AdaptMLProd()])
def test_sums_of_regrets_and_of_their_squares_are_told_in_the_scale_of_the_day(player: Any) -> None:
    F, y = table()
    model = Mixture(player)
    history = model.run(F, y)
    l = 2.0 * (history.forecast - y)[:, None] * F
    r = (history.weights * l).sum(axis=1)[:, None] - l
    state = model.state()
    sums = registry.state(state["player"])
    np.testing.assert_allclose(np.array(sums["R"]) * state["scale"], r.sum(axis=0), rtol=1e-9)
    np.testing.assert_allclose(np.array(sums["V"]) * state["scale"] ** 2, (r**2).sum(axis=0), rtol=1e-9)


SUMS = {each.cls.__name__: each for each in every().values() if each.sums}


@pytest.mark.parametrize("name", SUMS)
def test_when_the_scale_grows_the_sums_are_told_in_it(name: str) -> None:
    """The scale grows in many rounds, and each time all sums so far become what they are in the new unit."""
    player, sums = SUMS[name].cls(**SUMS[name].sums.given), SUMS[name].sums
    weigh, a = sums.weights, sums.a
    rng, T, K, E, grown = np.random.default_rng(2), 400, 4, 0.0, 0
    y, scale = np.where(rng.random(T) < 0.5, -1.0, 1.0), np.linspace(1.0, 3.0, T)
    F = (y[:, None] + rng.normal(size=(T, K)) * 0.2 * np.arange(1, K + 1)) * scale[:, None]
    y = y * scale
    s = {key: np.zeros(K) for key in ("L", "R", "V", "M")}

    def rate() -> Array:
        return np.minimum(0.5, np.sqrt(math.log(K) / ((a or 0.0) + np.maximum(s["V"], 1e-300))))

    model = Mixture(player)
    history = model.run(F, y)
    for t in range(len(y)):
        s["eta"] = rate()
        w = weigh(s)
        np.testing.assert_allclose(history.weights[t], w / w.sum(), rtol=1e-7, atol=1e-9)
        p = w / w.sum()
        l = 2.0 * (p @ F[t] - y[t]) * F[t]
        if l.max() - l.min() > E:
            factor, E, grown = E / (l.max() - l.min()), l.max() - l.min(), grown + 1
            for key, power in (("L", 1), ("R", 1), ("M", 1), ("V", 2)):
                s[key] = s[key] * factor**power
        l = (l - l.min()) / E
        r, eta = p @ l - l, rate()
        s["L"], s["R"], s["V"] = s["L"] + l, s["R"] + r, s["V"] + r**2
        s["M"] = s["M"] + (np.log(1.0 + eta * r) / eta if a else r - eta * r**2)
    assert grown > 5
    assert a is None or s["V"].max() > 4.0 * math.log(K)  # rates fall
    assert model.state()["scale"] == pytest.approx(E)


@pytest.mark.parametrize("gradient", [True, False])
def test_with_a_range_the_scale_stands_still(gradient: bool) -> None:
    F, y = table()
    low, high = min(F.min(), y.min()) - 1.0, max(F.max(), y.max()) + 1.0
    model = Mixture(gradient=gradient, forecast_range=(low, high))
    E = (high - low) ** 2 * (2.0 if gradient else 1.0)
    m, _, _ = formula(F, y, np.ones(len(y)), losses.Squared(), gradient, E)
    np.testing.assert_allclose(model.learn_many(F, y), m, rtol=1e-9, atol=1e-9)
    assert model.state()["scale"] == E


def test_gains() -> None:
    X = np.exp(0.05 * RNG.normal(size=(200, 5)))
    model = Mixture(loss="gain")
    history = model.run(X)

    class LogGain:
        def derivative(self, p: float, y: float) -> float:
            return -1.0 / p

    m, P, _ = formula(X, np.zeros(200), np.ones(200), LogGain(), True, 0.0)
    np.testing.assert_allclose(history.forecast, m, rtol=1e-10)
    np.testing.assert_allclose(history.loss, -np.log((P * X).sum(axis=1)), rtol=1e-8)
    assert model.predict_one(X[0]) == pytest.approx(float(model.weights() @ X[0]))
    wrong = X[0].copy()
    wrong[3] = 0.0
    with pytest.raises(ValueError, match=r"forecasts\[0, 3\] is `0`, expected a price relative: a number above 0"):
        model.learn_one(wrong)


def test_portfolios_of_the_literature() -> None:
    """The exponentiated gradient and switching portfolios, at rates of their own."""
    X, eta, share = np.exp(0.05 * RNG.normal(size=(200, 4))), 0.3, 0.02
    low, high = float(X.min()), float(X.max())
    w, v, EG, switching = np.full(4, 0.25), np.full(4, 0.25), np.zeros((200, 4)), np.zeros((200, 4))
    for t, x in enumerate(X):
        EG[t], switching[t] = w, v
        w = w * np.exp(eta * x / (w @ x))
        w = w / w.sum()
        v = (1.0 - share) * v * x / (v @ x) + share / 4.0
    model = Mixture(Hedge(rate=eta * (high - low) / low), "gain", forecast_range=(low, high))
    np.testing.assert_allclose(model.run(X).weights, EG, rtol=1e-9)
    model = Mixture(FixedShare(math.log(high / low), share), "gain", False, (low, high))
    np.testing.assert_allclose(model.run(X).weights, switching, rtol=1e-9)


def adversary(rounds: int, low: float, high: float) -> tuple[Array, Array]:
    """Forecasts at the ends of the range, and an outcome that alternates: every round has gradients of full size."""
    F = np.where(RNG.random((rounds, 6)) < 0.5, low, high)
    F[:, 0], F[:, 1] = low, high
    y = np.where(np.arange(rounds) % 2 == 0, high, low)
    return F, y


@pytest.mark.parametrize("loss", ["squared", "absolute", "quantile:0.1", "gain"])
@pytest.mark.parametrize("player", [AdaNormalHedge(), Hedge(), TwoNorm()], ids=repr)
def test_the_regret_is_below_the_bound(player: Any, loss: str) -> None:
    """To the best expert with the losses, to the best mixture with gradients; at every length."""
    low, high = 0.5, 2.0
    for F, y in (adversary(400, low, high), (RNG.uniform(low, high, (400, 6)), RNG.uniform(low, high, 400))):
        for gradient in (True, False):
            model = Mixture(player, loss, gradient, (low, high))
            for T in (1, 10, 100, 400):
                model = registry.fresh(model)
                history = model.run(F[:T], y[:T])
                assert history.regret.max() <= model.regret_bound().value
                if gradient and isinstance(player, AdaNormalHedge) and loss != "gain":
                    best = best_mixture(F[:T], y[:T], loss)
                    u = best.weights / best.weights.sum()
                    assert history.loss.sum() - best.loss <= model.regret_bound(u).value + 1e-9


def test_without_a_range_there_is_no_bound_and_a_reason() -> None:
    F, y = table()
    model = Mixture()
    model.learn_many(F, y)
    assert model.regret_bound().value is None
    assert "the range of forecasts was not given" in str(model.regret_bound().reason)
    ranged = Mixture(forecast_range=(-1e3, 1e3))
    ranged.learn_many(F, y, np.full(len(y), 0.5))
    assert ranged.regret_bound(2).value > 0.0
    ranged.learn_one([-1e3] * 3 + [1e3] * 4, -1e3, weight=1e6)
    assert "importance above 1" in str(ranged.regret_bound().reason)


@pytest.mark.parametrize(
    ("loss", "gradient", "low", "high"),
    [
        ("quantile:0.3", True, 2.523287623727246, 2.7111477196096754),
        ("gain", False, 73.16939750254816, 76.77209592375958),
    ],
)
def test_rounding_is_no_importance_above_1(loss: str, gradient: bool, low: float, high: float) -> None:
    F = np.array([[low, high], [high, low]] * 20)
    model = Mixture(Hedge(rate=2.0, experts=2), loss, gradient, (low, high))
    model.learn_many(F, np.tile([high, high, low, low], 10))
    assert model._scale > model._most
    assert model.regret_bound().value > 0.0


def test_gradients_that_depend_on_a_draw_have_no_bound() -> None:
    """Whom it draws is made to regret it: near two experts it loses what the better one does not."""
    F, y = np.tile([0.0, 1.0], (10_000, 1)), np.full(10_000, 0.4)
    drawn = Mixture(Randomized(Hedge(rate=0.01, experts=2)), forecast_range=(0.0, 1.0))
    loss = float(((drawn.learn_many(F, y) - y) ** 2).sum())
    assert loss - 0.16 * len(y) > drawn._scale * drawn._playing.regret_bound().value  # type: ignore[attr-defined]
    assert "depend on its draw" in str(drawn.regret_bound().reason)
    assert Mixture(Randomized(Hedge(experts=2)), gradient=False, forecast_range=(0.0, 1.0)).regret_bound().value == 0.0


@pytest.mark.parametrize("player", [Hedge(experts=2), NormalHedgeDT(experts=2)], ids=repr)
def test_forecasts_that_have_never_differed_are_a_round(player: Any) -> None:
    model = Mixture(player)
    assert model.learn_many([[2.0, 2.0]], [5.0]) == [2.0]
    alone = registry.fresh(player)
    alone.update([0.0, 0.0])
    assert registry.plain.same(registry.state(model)["player"]["state"], registry.state(alone))


def test_gradients_find_the_mixture_that_no_expert_is() -> None:
    """Two experts that err to opposite sides: their mean is right."""
    rng = np.random.default_rng(1)  # its own: in one game of ten, chance keeps the two level for long
    y = rng.normal(size=1000)
    noise = rng.normal(size=1000)
    F = np.column_stack([y + 5.0 + noise, y - 5.0 + noise, y + 8.0])
    error = {g: float(((Mixture(gradient=g).learn_many(F, y) - y) ** 2)[200:].mean()) for g in (True, False)}
    assert error[True] < 2.0
    assert error[False] > 10.0


NOT_FORECASTS = {
    checks.check_wrong_rows: "a NaN is an expert asleep",
    checks.check_empty_row: "a zero is a forecast, and without any there is none",
}
APPLY = [check for check in checks.ALL if check not in NOT_FORECASTS]


@pytest.mark.parametrize("check", APPLY, ids=lambda check: check.__name__)
@pytest.mark.parametrize(
    "model",
    [
        Mixture(),
        Mixture(NormalHedgeDT(), "absolute", gradient=False),
        Mixture(loss="quantile:0.3"),
        Mixture(forecast_range=(-6.0, 6.0)),
    ],
    ids=repr,
)
def test_checks(model: Mixture, check: Callable[[Any], str | None]) -> None:
    assert check(model) == ("its constructor takes no learner" if check is checks.check_prototype_is_copied else None)


@pytest.mark.parametrize("player", [AdaNormalHedge(), Hedge(), NormalHedge(), TwoNorm()], ids=repr)
def test_single_steps_have_the_bits_of_many(player: Any) -> None:
    F, y = table()
    many, single = Mixture(player), Mixture(player)
    raw = many.learn_many(F, y)
    alone = []
    for f, label in zip(F, y.tolist(), strict=True):
        alone.append(single.predict_one(f))
        single.learn_one(f, label)
    assert raw.tolist() == alone
    assert many.weights().tolist() == single.weights().tolist()
    assert many.predict_many(F).tolist() == [many.predict_one(f) for f in F]


def test_dicts_and_tables_are_arrays_with_names() -> None:
    F, y = table(asleep=0.2)
    names = [f"é{i}" for i in range(F.shape[1])]
    dicts = [dict(zip(names, f, strict=True)) for f in F.tolist()]
    expected = Mixture().learn_many(F, y)
    for X in (dicts, pd.DataFrame(F, columns=names), pl.DataFrame(F, schema=names)):
        model = Mixture(AdaNormalHedge(experts=names))
        assert model.learn_many(X, y).tolist() == pytest.approx(expected.tolist(), nan_ok=True)
        assert list(model.weights()) == names
    frame = pd.DataFrame(F, columns=names)[names[::-1][:4]]
    assert model.predict_many(frame) == pytest.approx(
        [model.predict_one(x) for x in frame.to_dict("records")], nan_ok=True
    )


def test_experts_may_come_late_and_nobody_may_be_awake() -> None:
    model = Mixture()
    assert math.isnan(model.predict_one({}))
    model.learn_one({}, 1.0)
    model.learn_one({"a": 1.0, "b": 5.0}, 1.0)
    assert math.isnan(model.predict_one({"a": math.nan}))
    assert model.predict_one({"b": 7.0}) == 7.0
    assert 1.0 < model.predict_one({"a": 1.0, "new": 2.0}) < 2.0
    assert set(model.weights()) == {"a", "b"}
    assert model.weights({"b": 1.0, "new": 2.0})["a"] == 0.0
    assert len(Mixture().run([], [])) == 0
    history = model.run([{"a": 1.0, "new": 2.0}, {"b": math.nan}, {"new": 2.0}], [2.0, 2.0, 2.0])
    assert history.names == ("a", "b", "new")
    assert np.isnan(history.forecast).tolist() == [False, True, False]
    assert history.loss[1:].tolist() == [0.0, 0.0]
    assert history.confidence.tolist() == [[1.0, 0.0, 1.0], [0.0, 0.0, 0.0], [0.0, 0.0, 1.0]]


def test_the_player_is_copied() -> None:
    player = AdaNormalHedge(experts=2)
    player.update([0.0, 1.0])
    before = player.state()["R"].tolist()
    model = Mixture(player)
    assert model.weights().tolist() == [0.5, 0.5]
    model.learn_one([1.0, 2.0], 2.0)
    assert player.state()["R"].tolist() == before
    assert aw.fresh(model).weights().tolist() == [0.5, 0.5]


def test_history_is_told_in_units_of_the_loss() -> None:
    F, y = table(asleep=0.1)
    h = RNG.uniform(0.0, 2.0, len(y))
    history = Mixture(loss="absolute").run(F, y, h)
    np.testing.assert_allclose(history.loss, h * abs(history.forecast - y))
    awake = ~np.isnan(F)
    l = np.where(awake, h[:, None] * abs(F - y[:, None]), 0.0)
    np.testing.assert_allclose(history.total, l.sum(axis=0))
    np.testing.assert_allclose(history.regret, (awake * (history.loss[:, None] - l)).sum(axis=0))
    assert history.kind == "absolute"


def test_hindsight_weighs_rounds_by_their_importance() -> None:
    """A row of importance 2 is the row twice; one of importance 0 is none."""
    F, y = table(120)
    h = RNG.choice([0.0, 1.0, 2.0], len(y))
    model = Mixture(loss="absolute")
    history = model.run(F, y, h)
    found = {each.name: each for each in hindsight(model, history, shifts=2)}
    again = np.repeat(np.arange(len(y)), h.astype(int))
    losses, own = abs(F - y[:, None])[again], abs(history.forecast - y)[again]
    expected = {
        "uniform mean": abs(F.mean(axis=1) - y)[again].sum(),
        "best expert": losses.sum(axis=0).min(),
        "best with 2 shifts": shifting_regret(losses, own, 3).losses[-1],
        "best convex combination": best_mixture(F[again], y[again], "absolute").loss,
        "best linear combination": best_linear(F[again], y[again], "absolute").loss,
    }
    assert list(found) == list(expected)
    for name, total in expected.items():
        assert found[name].loss == pytest.approx(total, rel=1e-6), name
        assert found[name].regret == pytest.approx(own.sum() - total, abs=1e-6), name


def test_who_never_woke_is_no_competitor() -> None:
    """Asleep it has the mixture's loss, and would be the best expert where the mixture is better than all."""
    y = np.random.default_rng(0).normal(size=80)
    rows = [{"a": label + 1.0, "b": label - 1.0} for label in y.tolist()]
    model = Mixture()
    model.learn_one({"a": 0.0, "b": 0.0, "c": 0.0}, 1.0)
    history = model.run(rows, y)
    found = hindsight(model, history, later=True)
    assert (history.names, history.awake().names) == (("a", "b", "c"), ("a", "b"))
    assert history.loss.sum() < history.total[:2].min()
    assert (found[1].what, found[1].regret) == (
        "a" if history.regret[0] >= history.regret[1] else "b",
        max(history.regret[:2]),
    )
    assert [each.what for each in found[3:]] == ["of 2 experts"] * 2


def test_wrong_input_changes_nothing() -> None:
    F, y = table()
    model = Mixture()
    model.learn_many(F[:50], y[:50])
    before = registry.state(model)
    infinite, text = F[50:53].copy(), pd.DataFrame({"a": [1.0, 2.0], "b": [1.0, "two"]})
    infinite[2, 4] = math.inf
    missing = y[50:53].copy()
    missing[1] = math.nan
    for message, X, labels in [
        (r"forecasts\[2, 4\] is `inf`, expected a number", infinite, y[50:53]),
        (r"y\[1\] is `nan`, expected a number", F[50:53], missing),
        (r"y has the shape \(2,\), expected \(3,\)", F[50:53], y[50:52]),
        (r"a row has 6 forecasts, expected 7 \(one per expert\)", F[50:53, :6], y[50:53]),
        (r"forecasts has 1 dimensions, expected 2", F[50], y[50:57]),
        (r"a mapping was given to a player of 7 experts without names", [{"a": 1.0}], [1.0]),
        (r"forecasts is not an array of numbers", [["a"] * 7], [1.0]),
    ]:
        with pytest.raises((TypeError, ValueError), match=message):
            model.learn_many(X, labels)
        assert registry.plain.same(before, registry.state(model))
    with pytest.raises(TypeError, match=r"forecasts\[1, `b`\] is `'two'`, expected a number, or NaN"):
        Mixture().learn_many(text, [1.0, 2.0])
    with pytest.raises(TypeError, match="the forecast of `b` is `'two'`, expected a number"):
        Mixture().learn_one({"a": 1.0, "b": "two"}, 1.0)
    asleep = F[50:53].copy()
    asleep[1, 3] = math.nan
    norm = Mixture(TwoNorm())
    norm.learn_many(F[:50], y[:50])
    before = registry.state(norm)
    with pytest.raises(ValueError, match=r"forecasts\[1, 3\] is missing, and `TwoNorm` has no form"):
        norm.learn_many(asleep * 100.0, y[50:53])  # the scale would have grown
    assert registry.plain.same(before, registry.state(norm))
    with pytest.raises(
        ValueError, match=r"forecasts\[0, 1\] is `9`, expected a number from 0 to 1, the forecast_range"
    ):
        Mixture(forecast_range=(0, 1)).learn_one([0.0, 9.0], 1.0)
    with pytest.raises(ValueError, match=r"y\[0\] is `9`, expected a number from 0 to 1, the forecast_range"):
        Mixture(forecast_range=(0, 1)).learn_one([0.0, 1.0], 9.0)
    with pytest.raises(
        ValueError, match=r"weight\[0\] is `1e\+60`, expected a finite number, 0 or more, at most 1e\+50"
    ):
        Mixture().learn_one([0.0, 1.0], 0.5, 1e60)
    with pytest.raises(TypeError, match="a stream leaves zeros out, and a zero is a forecast"):
        aw.learn(Mixture(), aw.read([({"a": 1.0}, 1.0)]))


def test_wrong_settings() -> None:
    for message, settings in [
        ("loss is `logistic`, expected squared, absolute, quantile:LEVEL or gain", {"loss": "logistic"}),
        ("player is `'hedge'`, expected a player over experts", {"player": "hedge"}),
        ("player is `Halving`, which takes losses 0 and 1 alone", {"player": Halving()}),
        ("player has loss_range", {"player": Hedge(loss_range=(0, 2))}),
        (
            "forecast_range is `\\(2, 1\\)`, expected two finite numbers, the smaller one first",
            {"forecast_range": (2, 1)},
        ),
        ("two finite numbers above 0", {"forecast_range": (0, 1), "loss": "gain"}),
        ("gradient is `1`, expected True or False", {"gradient": 1}),
    ]:
        with pytest.raises((TypeError, ValueError), match=message):
            Mixture(**settings)
