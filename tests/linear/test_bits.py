"""The same bits whichever way the rows come in, and however many learners share the table."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from afterwit.features import Features
from afterwit.learning import Lesson
from afterwit.linear import OneVsAll
from afterwit.registry import fresh
from afterwit.registry.plain import same
from afterwit.streams import read
from tests.linear.rules import Rows, bits, random_rows, rules, shuffled

HASHED = rules(Features(bits=9))
EXACT = rules(Features(names="exact", intercept=False))
BOTH = [*((f"{name}-hashed", model) for name, model in HASHED.items()), ("exact", EXACT["normalized"])]
every_rule = pytest.mark.parametrize("model", [model for _, model in BOTH], ids=[name for name, _ in BOTH])


@pytest.fixture(scope="module")
def rows() -> Rows:
    return random_rows(10_000)


@pytest.fixture(scope="module")
def dicts(rows: Rows) -> list[dict[str, float]]:
    return rows.dicts()


@pytest.fixture(scope="module")
def path(rows: Rows, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("bits") / "rows.svm"
    path.write_text(rows.text())
    return path


@every_rule
def test_csr_dense_dict_text_and_single_steps(model, rows, dicts, path) -> None:
    one = fresh(model)
    raw = one.learn_many(rows.X, rows.y)
    assert np.isfinite(raw).all()
    assert len(set(raw.tolist())) > 5000

    single = fresh(model)
    for x, y, before in zip(dicts, rows.y.tolist(), raw.tolist(), strict=True):
        assert single.predict_one(x) == before
        single.learn_one(x, y)
    assert same(bits(single), bits(one))

    for X in (rows.X.toarray(), dicts):
        other = fresh(model)
        assert same(other.learn_many(X, rows.y), raw)
        assert same(bits(other), bits(one))
        assert same(other.predict_many(X), one.predict_many(rows.X))

    lesson = Lesson(fresh(model), read(path))
    from_text = [step.raw[:, 0] for step in lesson.steps()]
    assert len(from_text) > 2
    assert same(np.concatenate(from_text), raw)
    assert same(bits(lesson.model), bits(one))


@every_rule
def test_dense_vectors_one_by_one(model, rows) -> None:
    one, single = fresh(model), fresh(model)
    raw = one.learn_many(rows.X[:500], rows.y[:500])
    for x, y, before in zip(rows.X[:500].toarray(), rows.y.tolist(), raw.tolist(), strict=False):
        assert single.predict_one(x) == before
        single.learn_one(x, y)
    assert same(bits(single), bits(one))


@every_rule
def test_any_split(model, rows) -> None:
    one = fresh(model)
    raw = one.learn_many(rows.X, rows.y)
    cuts = np.sort(np.random.default_rng(3).integers(0, 10_001, 30)).tolist()
    split, weighted = fresh(model), fresh(model)
    parts = [split.learn_many(rows.X[a:b], rows.y[a:b]) for a, b in pairwise([0, *cuts, 10_000])]
    assert same(np.concatenate(parts), raw)
    assert same(bits(split), bits(one))
    assert same(weighted.learn_many(rows.X, rows.y, np.ones(10_000)), raw)


@every_rule
def test_another_order_of_features_shows(model, rows) -> None:
    """Or the tests above would prove nothing; beyond the bits it makes little difference."""
    one, other = fresh(model), fresh(model)
    raw = one.learn_many(rows.X[:300], rows.y[:300])
    assert not same(other.learn_many(shuffled(rows.X[:300]), rows.y[:300]), raw)
    straight, crossed = one.predict_many(rows.X), one.predict_many(shuffled(rows.X))
    assert (straight != crossed).any()
    np.testing.assert_allclose(straight, crossed, rtol=1e-6, atol=1e-6 * np.abs(straight).max())


@every_rule
def test_one_among_three_is_one_alone(model, rows) -> None:
    classes = np.random.default_rng(4).integers(0, 3, 10_000)
    together = OneVsAll(model, classes=[0, 1, 2])
    raw = together.learn_many(rows.X, classes)
    state = bits(together)["learners"]
    runs = state["runs"].reshape(len(state["slots"]), -1, 3)
    after = together.predict_many(rows.X)
    for k in range(3):
        alone = fresh(model)
        assert same(alone.learn_many(rows.X, np.where(classes == k, 1.0, -1.0)), raw[:, k].copy())
        assert same(alone.predict_many(rows.X), after[:, k].copy())
        own = bits(alone)
        touched = (runs[:, :, k] != 0).any(axis=1)
        assert same(own["slots"], state["slots"][touched])
        assert same(own["runs"], runs[touched][:, :, k].copy())
        assert all(same(own["totals"][name], total[[k]]) for name, total in state["totals"].items())


@every_rule
def test_classes_as_they_come_learn_from_their_first_row_on(model, rows) -> None:
    classes = np.concatenate([np.zeros(100), np.tile([0, 1], 100), np.tile([2, 0, 1], 100)]).astype(int)
    X = rows.X[: len(classes)]
    together = OneVsAll(model)
    raw = together.learn_many(X, classes)
    assert together.classes == [0, 1, 2]
    for k in range(3):
        first = int(np.argmax(classes == k))
        alone = fresh(model)
        expected = alone.learn_many(X[first:], np.where(classes[first:] == k, 1.0, -1.0))
        assert (raw[: first + 1, k] == -np.inf).all() if first or k == 0 else True
        assert same(raw[first + 1 :, k].copy(), expected[1:].copy())
        if not model.features.exact:
            assert same(together.predict_many(X)[:, k].copy(), alone.predict_many(X))


@every_rule
def test_thirty_classes_as_they_come_are_thirty_alone(model, rows) -> None:
    """More than fit into one run, so that it is widened while they learn."""
    classes = np.array([i // 10 if i % 10 == 0 else (7 * i) % (i // 10 + 1) for i in range(300)])
    X = rows.X[:300]
    together = OneVsAll(model)
    raw = together.learn_many(X, classes)
    assert together.classes == list(range(30))
    for k in (0, 7, 8, 15, 16, 29):
        first, alone = 10 * k, fresh(model)
        expected = alone.learn_many(X[first:], np.where(classes[first:] == k, 1.0, -1.0))
        assert same(raw[first + 1 :, k].copy(), expected[1:].copy())
