"""Trees and graphs of experts: they are their formula, the theorem holds, and only what rows came to is kept."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import scipy.sparse

import afterwit as aw
from afterwit import registry
from afterwit.linear import AdaGrad
from afterwit.registry.plain import same
from afterwit.trees import GraphExperts, TreeExperts, complete
from afterwit.trees.templates import template_of
from tests.linear.formulas import Array
from tests.trees.formulas import Formula, Grown, given_way
from tests.trees.specimen import GRAPH, LOSSES, NESTED, models, random_template

COLUMNS = 4


def rows(loss: str, rounds: int = 600, seed: int = 0) -> tuple[Array, Array, Array]:
    """Columns with zeros and ties; labels that depend on them; weights from 0 to 4."""
    rng = np.random.default_rng(seed)
    X = np.round(rng.normal(size=(rounds, COLUMNS)), 1) * (rng.random((rounds, COLUMNS)) < 0.8)
    X = X.astype(np.float32).astype(np.float64)
    value = 2.0 * (X[:, 0] > 0.1) - (X[:, 1] > 0.5) * (X[:, 2] > 0.0) + 0.5 * rng.normal(size=rounds)
    y = value if loss in ("squared", "absolute") else np.where(value > 0.5, 1.0, -1.0)
    return X, y, rng.choice([0.0, 0.5, 1.0, 1.0, 1.0, 4.0], size=rounds)


def compared(model: Any, formula: Formula, ways: Any, X: Array, y: Array, h: Array) -> None:
    raw = model.learn_many(X, y, h)
    for t in range(len(X)):
        expected = formula.learn(ways(X[t], True), y[t], h[t]) if h[t] else formula.predict(ways(X[t], False))
        assert raw[t] == pytest.approx(expected, rel=1e-7, abs=1e-7), f"row {t}"
    told = aw._core.tree_view(model)[0]
    assert told["unit"] == pytest.approx(formula.unit)
    assert told["first_unit"] == pytest.approx(formula.first)
    assert told["unlearned"] == pytest.approx(formula.unlearned)
    assert told["loss"] == pytest.approx(formula.total)
    assert told["mixed"] == pytest.approx(formula.mixed)
    for name in ("R", "C", "L"):
        found, expected_parts = told[name], getattr(formula, name)
        np.testing.assert_allclose(np.sort(found), np.sort(list(expected_parts.values())), rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("shares", [False, True], ids=["tree", "graph"])
def test_a_given_template_is_its_formula(shares: bool, loss: str) -> None:
    for seed in range(3):
        rng = np.random.default_rng(seed)
        template = random_template(rng, [1, 8, 30][seed], COLUMNS, shares=shares)
        make = GraphExperts if shares else TreeExperts
        way = given_way(template)
        compared(make(template, loss=loss), Formula(loss), lambda x, met, way=way: way(x), *rows(loss, 400, seed))


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("depth", [0, 1, 3, 7, 40])
def test_a_tree_that_makes_itself_is_its_formula(depth: int, loss: str) -> None:
    grown = Grown(depth, seed=3)
    model = TreeExperts(depth=depth, loss=loss, seed=3, features=aw.Features(intercept=depth % 2 == 0))
    compared(model, Formula(loss), lambda x, met: grown.way(x, met=met), *rows(loss, 250, depth))


@pytest.mark.parametrize("settings", [{}, {"normalized": True}])
def test_learners_as_nodes(settings: Any) -> None:
    """Each node is the learner alone on the rows that came to it, a new one says what the one before it does."""
    X, y, h = rows("squared", 300)
    template = random_template(np.random.default_rng(4), 6, COLUMNS)
    way, formula = given_way(template), Formula("squared")
    nodes: dict[int, AdaGrad] = {}
    model = TreeExperts(template, node=AdaGrad(loss="squared", **settings), loss="squared")
    for t in range(len(X)):
        steps = way(X[t])
        formula.say = lambda node, x=X[t]: nodes[node].predict_one(x) if node in nodes else None  # type: ignore[misc]
        expected = formula.predict(steps)
        assert model.predict_one(X[t]) == pytest.approx(expected, rel=1e-5, abs=1e-5), f"row {t}"
        model.learn_one(X[t], y[t], h[t])
        if h[t]:
            formula.learn(steps, y[t], h[t])
            for _, node in steps:
                nodes.setdefault(node, AdaGrad(loss="squared", **settings)).learn_one(X[t], y[t], h[t])


@pytest.mark.parametrize("which", range(len(models())))
def test_the_same_bits_from_every_form_of_rows(which: int) -> None:
    X, y, h = rows(models()[which].loss, 200)
    found = []
    for names in ("dense", "csr", "dicts", "rows", "batches"):
        model = models()[which]
        if names == "rows":
            raw = []
            for x, label, weight in zip(X, y, h, strict=True):
                raw.append(model.predict_one(x))
                model.learn_one(x, label, weight)
        elif names == "batches":
            raw = [*model.learn_many(X[:77], y[:77], h[:77]), *model.learn_many(X[77:], y[77:], h[77:])]
        else:
            dicts = [{str(j): v for j, v in enumerate(x) if v} for x in X.tolist()]
            given = {"dense": X, "csr": scipy.sparse.csr_matrix(X), "dicts": dicts}[names]
            raw = model.learn_many(given, y, h)
        found.append((np.array(raw), registry.state(model)))
    for raw, state in found[1:]:
        np.testing.assert_array_equal(raw, found[0][0])
        assert same(state, found[0][1])


@pytest.mark.parametrize("which", range(len(models())))
def test_a_refused_row_changes_nothing(which: int) -> None:
    model = models()[which]
    X, y, h = rows(model.loss, 40)
    model.learn_many(X, y, h)
    before = registry.state(model)
    for wrong, label, weight in [
        ({"0": math.nan}, 1.0, 1.0),
        ({"0": math.inf}, 1.0, 1.0),
        ({"0": 1.0}, math.nan, 1.0),
        ({"0": 1.0}, 1.0, -1.0),
        ({"0": 1.0}, 1.0, math.nan),
    ]:
        with pytest.raises(ValueError, match="expected"):
            model.learn_one(wrong, label, weight)
    with pytest.raises(ValueError, match="expected"):
        model.learn_many(np.where(X > 0.5, math.nan, X), y)
    assert same(registry.state(model), before)
    model.predict_many(X)
    model.learn_one({"0": 9.0, "never": 1.0}, 1.0, 0.0)
    assert same(registry.state(model), before)


# The theorem.


def adversary(kind: str, rounds: int, template: Any, seed: int) -> tuple[Array, Array]:
    """Labels that turn against the nodes, that switch, that are chance, or that some pruning knows."""
    rng = np.random.default_rng(seed)
    X = np.round(rng.normal(size=(rounds, COLUMNS)), 1)
    if kind == "chance":
        return X, rng.choice([0.0, 1.0], rounds)
    if kind == "switches":
        return X, (np.arange(rounds) // 50 % 2).astype(float)
    if kind == "known":
        return X, (X[:, 0] > 0.1).astype(float)
    model, y = GraphExperts(template, loss="squared"), np.zeros(rounds)
    for t in range(rounds):
        y[t] = float(model.predict_one(X[t]) <= 0.5)
        model.learn_one(X[t], y[t])
    return X, y


@pytest.mark.parametrize("kind", ["chance", "switches", "known", "against"])
@pytest.mark.parametrize("loss", ["squared", "absolute", "logistic"])
def test_the_theorem(kind: str, loss: str) -> None:
    for seed in range(6):
        shares = seed % 2 == 1
        template = random_template(np.random.default_rng(seed), 15, COLUMNS, shares=shares)
        X, y = adversary(kind, 700, template, seed)
        model = (GraphExperts if shares else TreeExperts)(template, loss=loss)
        model.learn_many(X, y, np.where(np.arange(len(y)) % 7, 1.0, 2.5))
        stands = model.pruning()
        assert stands.bound.value is not None
        assert stands.regret <= stands.bound.value
        told = aw._core.tree_view(model)[0]
        assert told["loss"] <= told["mixed"] * (1.0 + 1e-12)
        assert told["mixed"] - stands.best_loss <= stands.bound.value


def game(kind: str, **broken: Any) -> float:
    """The largest part of the bound that the regret is, of a tree of three whose nodes always say the same.

    "turns": a leaf is right two times of three, each time that it was wrong just before. "sleeps": it is wrong whenever
    it is awake, and meanwhile all lose that are awake.
    """
    template = {"top": ("0", 0.5, "no", "yes"), "no": None, "yes": None}
    way, worst = given_way(template_of(template)), 0.0
    formula = Formula("absolute", **broken)
    formula.say = {0: 0.0, 1: 0.0, 2: 1.0}.get  # type: ignore[method-assign]
    for t in range(3000):
        x, y = (1.0, float(t % 3 < 2)) if kind == "turns" else (float(t % 3 == 0), 0.0 if t % 3 == 0 else float(t % 2))
        formula.learn(way(np.array([x])), y, 1.0)
    edges = list(formula.L)
    C = [formula.C[e] for e in edges]
    for leaves in ([0], list(range(1, len(edges)))):
        bound = aw.regret.tree_experts(C, tuple(leaves), formula.unit, formula.first, formula.unlearned)
        regret = formula.mixed - sum(formula.L[edges[i]] for i in leaves)
        worst = max(worst, regret / bound) if bound else worst
    return worst


@pytest.mark.parametrize("kind", ["turns", "sleeps"])
def test_the_theorem_in_games(kind: str) -> None:
    assert 0.0 < game(kind) < 1.0


@pytest.mark.parametrize(
    ("broken", "kind"), [({"forgets": True}, "turns"), ({"counts_sleepers": True}, "sleeps"), ({"sign": -1.0}, "turns")]
)
def test_the_theorem_bites(broken: Any, kind: str) -> None:
    """Who forgets the past, lets sleepers gain, or takes the sign for the other is above the bound."""
    assert game(kind, **broken) > 1.0


@pytest.mark.slow
def test_a_million_rounds() -> None:
    rng = np.random.default_rng(0)
    X = rng.random((1_000_000, 3))
    y = np.where((X[:, 0] > 0.3) & (X[:, 1] > 0.6) | (rng.random(len(X)) < 0.1), 1.0, -1.0)
    model = TreeExperts(depth=6)
    raw = model.learn_many(X, y)
    assert np.isfinite(raw).all()
    stands = model.pruning()
    assert stands.rows == 1_000_000
    assert stands.regret <= stands.bound.value  # type: ignore[operator]


# What is kept.


def test_memory_is_for_the_nodes_that_rows_came_to() -> None:
    X = np.zeros((500, 3))
    X[:, 0] = np.linspace(0.001, 0.999, 500)
    deep = TreeExperts(complete({0: (0.0, 1.0), 1: (0.0, 1.0)}, 14), loss="squared")
    deep.learn_many(X[:1].repeat(500, axis=0), np.ones(500))
    assert deep.holds()["nodes"] == 15  # of 32,767
    assert deep.holds()["bytes"] < 4000
    deep.learn_many(X, np.ones(500))
    assert deep.holds()["nodes"] <= 2 * 128 + 128 * 8
    assert deep.holds()["bytes"] < 160 * deep.holds()["nodes"] + 4000
    grown = TreeExperts(depth=1000)
    grown.learn_many(X, np.ones(500))
    assert grown.holds()["nodes"] <= 1 + 500 * 1000
    before = grown.holds()
    grown.predict_many(X * 7.0)
    assert grown.holds() == before


def test_a_way_of_a_thousand_nodes() -> None:
    """A chain: node k tests x <= k, and goes on where it is more."""
    chain: Any = None
    for k in range(999, -1, -1):
        chain = (0, k + 0.5, None, chain)
    model = TreeExperts(chain, loss="squared")
    rng = np.random.default_rng(0)
    X = rng.integers(0, 1001, (200, 1)).astype(float)
    raw = model.learn_many(X, X[:, 0] / 1000.0)
    assert np.isfinite(raw).all()
    inner, met = int(min(X.max(), 999)) + 1, len({*X[:, 0]} - {1000.0}) + (1000.0 in X)
    assert model.holds()["nodes"] == inner + met
    stands = model.pruning()
    assert stands.regret <= (stands.bound.value or 0.0)
    copy = registry.build(registry.name_of(model), registry.settings(model), registry.state(model))
    assert copy.predict_one(X[0]) == model.predict_one(X[0])


def test_one_node_is_its_mean() -> None:
    model = TreeExperts({"alone": None}, loss="squared")
    assert model.predict_one({"a": 1.0}) == 0.0
    model.learn_many([{"a": 1.0}, {}, {"b": 2.0}], [1.0, 2.0, 6.0], [1.0, 0.0, 3.0])
    assert model.predict_one({}) == pytest.approx(19.0 / 4.0)
    stands = model.pruning()
    assert (stands.leaves, stands.nodes, stands.regret, stands.bound.value) == (1, 1, 0.0, 0.0)


def test_a_fresh_tree_says_nothing() -> None:
    for model in models():
        assert model.predict_one({"0": 1.0}) == 0.0
        stands = model.pruning()
        assert (stands.rows, stands.loss, stands.best_loss, stands.regret, stands.leaves) == (0, 0.0, 0.0, 0.0, 0)
        assert "best pruning" in str(stands)
        assert "best pruning" in model._repr_html_()


def test_a_feature_that_is_not_there_is_0() -> None:
    model = TreeExperts(("a", -0.5, None, None), loss="squared")
    for _ in range(20):
        model.learn_many([{"a": -1.0}, {"b": 1.0}], [0.0, 1.0])
    assert model.predict_one({}) == model.predict_one({"a": 0.0}) == model.predict_one({"a": 9.0})
    assert model.predict_one({"a": -0.5}) == model.predict_one({"a": -7.0}) < model.predict_one({})


@pytest.mark.parametrize("names", ["hashed", "exact"])
def test_a_name_is_tested_before_it_was_met(names: str) -> None:
    """The first row with a feature goes the way that its value says, in the prediction as in the lesson."""
    features = aw.Features(names=names)
    model = TreeExperts(("late", 0.5, None, ("user^17", 0.5, None, None)), loss="squared", features=features)
    for k in range(10):
        model.learn_one({"other": 1.0}, 1.0 + k % 2)
    x = {"new": 2.0, "late": 1.0, "user": {"17": 1}}
    assert model.predict_one(x) == model.learn_many([x], [7.0])[0]
    assert model.holds()["nodes"] == 4
    again = registry.build("tree", registry.settings(model), registry.state(model))
    assert again.predict_one(x) == model.predict_one(x)
    if names == "exact":
        state = registry.state(model)
        state["names"] = ["other", *state["names"][1:]]
        with pytest.raises(ValueError, match="`names`"):
            registry.build("tree", registry.settings(model), state)


def test_huge_and_tiny() -> None:
    rng = np.random.default_rng(4)
    X = rng.choice([0.0, 1.0, -1.0, 3e38, -3e38, 1e-38], (400, COLUMNS))
    for model in models():
        real = model.loss not in ("logistic", "hinge")
        for scale in (1e-9, 1.0, 1e9, 3e38) if real else (1.0,):
            y = rng.choice([-1.0, 1.0], 400) * scale
            raw = model.learn_many(X, y, rng.choice([1e-30, 1.0, 1e30], 400))
            assert np.isfinite(raw).all()
        state = registry.state(model)["totals"]
        assert all(np.isfinite(part).all() for part in state.values())
        registry.build(registry.name_of(model), registry.settings(model), registry.state(model))


def test_a_state_beyond_what_exponentials_hold() -> None:
    """No game leads to R = C = 100,000 U, but a file may have it: by logarithms."""
    model = TreeExperts((0, 0.5, None, None), loss="squared")
    X = np.array([[0.0], [1.0], [0.0], [1.0]])
    model.learn_many(X, X[:, 0] + 1.0)
    settings, state = registry.settings(model), registry.state(model)
    totals = {**state["totals"], "rows": 1e6}
    for name in ("R", "C"):
        totals[name] = np.array([0.0, 1e5, 1e5]) * totals["unit"]
    model = registry.build("tree", settings, {**state, "totals": totals})
    np.testing.assert_allclose(model.predict_many(X[:2]), [1.0, 2.0])


@pytest.mark.parametrize("which", range(len(models())))
def test_forged_states_are_refused(which: int) -> None:
    model = models()[which]
    X, y, h = rows(model.loss, 80)
    model.learn_many(X, y, h)
    settings, good = registry.settings(model), registry.state(model)

    def refused(name: str, value: Any) -> None:
        state = {**good, "totals": {**good["totals"], name: value}}
        with pytest.raises((ValueError, aw.AfterwitError)):
            registry.build(registry.name_of(model), settings, state)

    totals = good["totals"]
    for name in ("unit", "first_unit", "unlearned", "loss", "mixed", "rows"):
        refused(name, math.nan)
        refused(name, -1.0)
    for name in ("nodes", "edges"):
        for wrong in (totals[name] + 1.0, 1e300, 0.5, -1.0, math.nan):
            refused(name, wrong)
    for name in ("at", "tail", "head", "R", "C", "L", "a", "feature", "slots", "low"):
        if name not in totals or not len(totals[name]):
            continue
        for wrong in (math.nan, 1e18, 1e6, -7.0):
            if math.isfinite(wrong) and (name in ("L", "a", "low") or (name == "R" and wrong < 0.0)):
                continue  # which some labels and weights may lead to
            for place in (0, len(totals[name]) - 1):
                changed = totals[name].copy()
                changed[place] = wrong
                refused(name, changed)
        refused(name, totals[name][:-1])
        refused(name, None)


def test_a_tree_sits_on_a_panel_and_one_against_all() -> None:
    X, y, _ = rows("logistic", 300)
    for names in ("hashed", "exact"):
        features = aw.Features(names=names)
        panel = aw.Panel([TreeExperts(NESTED), AdaGrad()], features=features)
        dicts = [{str(j): v for j, v in enumerate(x)} for x in X.tolist()]
        panel.learn_many(dicts, y)
        alone = np.logaddexp(0.0, -y * TreeExperts(NESTED, features=features).learn_many(dicts, y)).mean()
        (stands,) = (each for each in panel.standing().members if each.name == "TreeExperts")
        assert stands.asleep is None
        assert stands.mean_loss == pytest.approx(alone)
        several = aw.OneVsAll(TreeExperts(NESTED, features=features))
        several.learn_many(dicts, np.digitize(X[:, 0], [-0.5, 0.5]))
        again = registry.build("one-vs-all", registry.settings(several), registry.state(several))
        np.testing.assert_array_equal(again.predict_many(dicts), several.predict_many(dicts))


def test_the_nodes_learner_is_copied_without_what_it_knows() -> None:
    taught = AdaGrad(loss="squared")
    taught.learn_one({"a": 1.0}, 5.0)
    model = TreeExperts(NESTED, node=taught, loss="squared")
    model.learn_one({"a": 1.0}, 1.0)
    fresh = TreeExperts(NESTED, node=AdaGrad(loss="squared"), loss="squared")
    fresh.learn_one({"a": 1.0}, 1.0)
    assert model.predict_one({"a": 2.0}) == fresh.predict_one({"a": 2.0})
    assert taught.predict_one({"a": 1.0}) != AdaGrad(loss="squared").predict_one({"a": 1.0})


def test_wrong_settings() -> None:
    with pytest.raises(TypeError, match="expected None"):
        TreeExperts(node=aw.dense.Network())
    with pytest.raises(ValueError, match="has the loss"):
        TreeExperts(node=AdaGrad(), loss="squared")
    with pytest.raises(ValueError, match="depth"):
        TreeExperts(depth=1001)
    with pytest.raises(TypeError):
        GraphExperts()  # type: ignore[call-arg]
    assert repr(TreeExperts(NESTED, loss="squared")) == "TreeExperts(template=<11 nodes>, loss='squared')"
    assert repr(GraphExperts(GRAPH)) == "GraphExperts(template=<7 nodes>)"
