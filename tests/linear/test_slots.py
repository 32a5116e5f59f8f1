"""Features that meet in one slot, zeros, and names: rows are what they amount to."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from afterwit.features import Features
from afterwit.learning import learn
from afterwit.linear import AdaGrad, OneVsAll
from afterwit.registry import fresh
from afterwit.registry.plain import same
from afterwit.streams import read
from tests.linear.rules import bits, random_rows, rules

EXACT = Features(names="exact")
every_rule = pytest.mark.parametrize("name", rules(EXACT))


@every_rule
def test_a_row_in_one_slot_is_its_sum(name) -> None:
    """Added in double in order of appearance, rounded again; even columns are slot 0 of two, odd ones slot 1."""
    model = rules(Features(bits=1))[name]
    rows = random_rows(300, columns=40, most=30, seed=5)
    even = sp.csr_array((rows.X.data, rows.X.indices // 2 * 2, rows.X.indptr), shape=rows.X.shape)
    merged = []
    for a, b in zip(even.indptr[:-1], even.indptr[1:], strict=True):
        total = 0.0
        for value in even.data[a:b].astype(np.float32).tolist():  # each is rounded as it comes
            total += value
        merged.append({"0": total})
    one, other = fresh(model), fresh(model)
    assert same(one.learn_many(even, rows.y), other.learn_many(merged, rows.y))
    assert same({**bits(one), "key_bits": 0}, {**bits(other), "key_bits": 0})


@every_rule
@pytest.mark.parametrize("features", [Features(bits=9), EXACT], ids=["hashed", "exact"])
def test_duplicates_of_csr_and_text_are_added(name, features, tmp_path) -> None:
    model = rules(features)[name]
    X = sp.csr_array((np.array([0.1, 2.0, 0.2, 0.3, 1e-3]), np.array([7, 3, 7, 7, 5]), np.array([0, 5])), shape=(1, 9))
    total = (0.1 + 0.2) + 0.3
    assert np.float32(total) == np.float32(0.6)
    path = tmp_path / "twice.svm"
    path.write_text("1 7:0.1 3:2 7:0.2 7:0.3 5:0.001\n" * 3)
    one, from_text, merged = fresh(model), fresh(model), fresh(model)
    one.learn_many(sp.vstack([X] * 3, format="csr"), [1, 1, 1])
    learn(from_text, read(path))
    merged.learn_many([{"7": total, "3": 2.0, "5": 1e-3}] * 3, [1, 1, 1])
    assert same(bits(one), bits(merged))
    assert same(bits(from_text), bits(merged))
    big = sp.csr_array((np.array([3e38, -3e38, 1.0]), np.array([1, 1, 1]), np.array([0, 3])), shape=(1, 9))
    assert same(one.predict_many(big), merged.predict_many([{1: 1.0}]))


def csr(values: Any, indices: Any, each: int) -> Any:
    """Rows of so many features, with indices of 32 bits, as SciPy's own functions make them."""
    starts = np.arange(0, values.size + 1, each, dtype=np.int32)
    return sp.csr_array((values, indices.astype(np.int32), starts), shape=(len(starts) - 1, 100))


def test_two_that_meet_are_found_wherever_they_stand(tmp_path) -> None:
    """Ascending indices but for one place, at which the index before comes again, or the first."""
    rows = []
    for place in range(1, 40):
        for again in {place - 1, 0}:
            indices = np.arange(1, 41)
            indices[place] = indices[again]
            rows.append(indices)
    values = np.tile(np.arange(1.0, 41.0), len(rows))
    X = csr(values, np.concatenate(rows), 40)
    merged = []
    for row in rows:
        x: dict[str, float] = {}
        for index, value in zip(row.tolist(), values.tolist(), strict=False):
            x[str(index)] = x.get(str(index), 0.0) + value
        merged.append(x)
    path = tmp_path / "rows.svm"
    path.write_text("".join(f"1 {' '.join(f'{i}:{v}' for i, v in zip(row, values, strict=False))}\n" for row in rows))
    of_csr, of_text, expected = (AdaGrad(normalized=True) for _ in range(3))
    of_csr.learn_many(X, np.ones(len(rows)))
    learn(of_text, read(path))
    expected.learn_many(merged, np.ones(len(rows)))
    assert same(bits(of_csr), bits(expected))
    assert same(bits(of_text), bits(expected))


def test_odd_values_are_found_wherever_they_stand(tmp_path) -> None:
    """In row i the value at place i, of a feature that no other row has, is as small as 0 for a float, or none."""
    n = 40
    indices, values = np.tile(np.arange(0, 2 * n, 2), (n, 1)), np.tile(np.arange(1.0, n + 1), (n, 1))
    np.fill_diagonal(indices, np.arange(1, 2 * n, 2))
    np.fill_diagonal(values, 1e-40)
    rows = [list(zip(*row, strict=True)) for row in zip(indices.tolist(), values.tolist(), strict=True)]
    path = tmp_path / "rows.svm"
    path.write_text("".join(f"1 {' '.join(f'{i}:{v}' for i, v in row)}\n" for row in rows))
    of_csr, of_text, expected = (AdaGrad(normalized=True) for _ in range(3))
    X = csr(values.ravel(), indices.ravel(), n)
    of_csr.learn_many(X, np.ones(n))
    learn(of_text, read(path))
    expected.learn_many([{str(i): v for i, v in row if v >= 1.0} for row in rows], np.ones(n))

    def check() -> None:
        for model in (of_csr, of_text):
            assert same({**bits(model), "key_bits": 0}, {**bits(expected), "key_bits": 0})

    check()
    for place in range(n):
        for wrong in (np.inf, -np.inf, np.nan, 1e39):
            X.data[place * (n + 1)] = wrong
            with pytest.raises(ValueError, match="expected a finite number that fits a 32-bit float"):
                of_csr.learn_many(X[[place]], [1])
    check()


@every_rule
@pytest.mark.parametrize("features", [Features(bits=9), EXACT], ids=["hashed", "exact"])
def test_zeros_are_as_if_absent(name, features) -> None:
    model = rules(features)[name]
    plain, zeros, tiny = fresh(model), fresh(model), fresh(model)
    rows = random_rows(50, columns=20, most=18, seed=6)
    for x, y in zip(rows.dicts(), rows.y.tolist(), strict=True):
        plain.learn_one(x, y)
        zeros.learn_one({"900000": 0.0, **x, "word": -0.0, "1": x.get("1", 0.0)}, y)
        tiny.learn_one({**x, "z": 1e-45, "y": -1e-300, "x": 1e-38}, y)
        assert zeros.predict_one({"w": 0.0, **x}) == plain.predict_one(x) == tiny.predict_one({**x, "z": 1e-40})
    assert same(bits(zeros), bits(plain))
    if features.exact:
        assert tiny.coef() == plain.coef()
    else:
        assert same({**bits(tiny), "key_bits": 0}, {**bits(plain), "key_bits": 0})
    explicit, dense = fresh(model), fresh(model)
    X = rows.X.toarray()
    full = sp.csr_array((X.ravel(), np.tile(np.arange(20), 50), np.arange(0, 1001, 20)), shape=X.shape)
    assert same(explicit.learn_many(full, rows.y), dense.learn_many(X, rows.y))
    assert same(bits(explicit), bits(dense))


@every_rule
def test_a_model_learned_from_a_file_serves_dicts(name, tmp_path) -> None:
    rows = random_rows(100, columns=30, most=20, seed=7)
    path = tmp_path / "rows.svm"
    path.write_text(rows.text())
    for features in (Features(bits=9), Features(bits=4, seed=3), EXACT):
        model = rules(features)[name]
        learn(model, read(path))
        expected = model.predict_many(rows.X)
        for row, raw in zip(rows.dicts(), expected.tolist(), strict=True):
            assert model.predict_one(row) == model.predict_one({int(key): value for key, value in row.items()}) == raw


def test_the_exact_table_grows_in_mid_stream_and_keeps_names() -> None:
    exact, hashed = AdaGrad(features=EXACT), AdaGrad(features=Features(bits=24))
    rng = np.random.default_rng(8)
    for round_ in range(60):
        x = {f"name{round_}-{i}": float(rng.normal()) for i in range(20)} | {"common": 1.0}
        y = float(rng.choice([-1.0, 1.0]))
        assert exact.predict_one(x) == pytest.approx(hashed.predict_one(x), abs=1e-12)
        exact.learn_one(x, y)
        hashed.learn_one(x, y)
    coef = exact.coef()
    assert len(coef) == 60 * 20 + 2
    assert coef == exact.coef(coef)
    assert list(coef)[:3] == ["(intercept)", "name0-0", "name0-1"]
    some = ["name0-3", "name59-19", "common", "(intercept)"]
    assert exact.coef(some) == pytest.approx(hashed.coef(some))


def test_weights_by_name() -> None:
    x = {"price": 2.0, 17: 0.5, "city": "Rome", "user": {"17": 1.0, "lang": "it"}}
    names = ["price", "17", "city=Rome", "user^17", "user^lang=it", "(intercept)"]
    for features in (EXACT, Features(bits=18), Features(bits=18, seed=5), Features(names="exact", intercept=False)):
        model = AdaGrad(features=features)
        model.learn_one(x, 1)
        coef = model.coef(names)
        assert all(value == 0.5 for value in coef.values() if features.intercept)
        assert list(coef) == names
        assert coef["(intercept)"] == (0.5 if features.intercept else 0.0)
        assert model.coef(["unheard", "user^18"]) == {"unheard": 0.0, "user^18": 0.0}
        assert sum(coef[n] * v for n, v in zip(names, [2, 0.5, 1, 1, 1, 1], strict=True)) == model.predict_one(x)
        if features.exact:
            assert model.coef() == {name: value for name, value in coef.items() if value}
        else:
            with pytest.raises(ValueError, match=r"hashed and not kept; ask for some with coef\(names=\[...\]\)"):
                model.coef()
    unknown = AdaGrad(features=EXACT)
    unknown.learn_one(x, 1)
    assert unknown.predict_one({**x, "unheard": 3e38}) == unknown.predict_one(x)
    assert unknown.predict_one({"unheard": 3.0}) == unknown.predict_one({})


def test_weights_by_index() -> None:
    model = AdaGrad(features=Features(bits=4))
    model.learn_many(np.array([[0.0, 1.0, -1.0]]), [1])
    assert model.coef() == {"1": 0.5, "2": -0.5, "(intercept)": 0.5}
    assert model.coef(["2"]) == {"2": -0.5}
    model.learn_one({"16": 1.0}, 1)  # shares the slot of 0
    alone = AdaGrad(features=Features(bits=4))
    alone.learn_one({"16": 1.0}, 1)
    for of in (model, alone):
        with pytest.raises(ValueError, match="not kept"):
            of.coef()
    several = OneVsAll(AdaGrad(features=EXACT))
    several.learn_one({"x": 1.0}, "cat")
    several.learn_one({"y": 1.0}, "dog")
    assert several.coef(["x"])["x"].keys() == {"cat", "dog"}
    assert several.coef()["x"]["dog"] == 0.0


def test_features_that_add_up_to_too_much_are_refused() -> None:
    for features in (Features(bits=1), EXACT):
        model = AdaGrad(features=features)
        before = bits(model)
        X = sp.csr_array((np.array([1.0, 3e38, 3e38]), np.array([0, 2, 2]), np.array([0, 1, 3])), shape=(2, 4))
        with pytest.raises(ValueError, match="row 2: features that share a slot add up"):
            model.learn_many(X, [1, 1])
        assert same(bits(model), before)
