"""Every linear learner equals its formula, and where it is invariant to scale nothing changes."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from afterwit import losses
from afterwit._core import Labels, Model
from tests.linear import formula_checks, formulas
from tests.linear.broken import at_rate, flipped, forgetful
from tests.linear.formula_checks import FEATURES, LOSSES, check_formula
from tests.linear.specimen import Settings, Specimen, every, shown

CASES = formula_checks.cases()
SCALE_FREE = [
    pytest.param(each, {**settings, "loss": loss}, id=f"{name}, {shown(settings)}, {loss}")
    for name, each in every().items()
    for settings in each.scale_free
    for loss in LOSSES
    if not each.losses or loss in each.losses
]


@pytest.mark.parametrize("name", CASES)
def test_the_learner_is_its_formula(name: str) -> None:
    check_formula(CASES[name])


@pytest.mark.parametrize("name", CASES)
def test_the_rule_over_doubles_is_its_formula_to_nine_digits(name: str) -> None:
    """What is left of the difference is rounding: the rule is compiled for cells of 64 bits as well."""
    specimen, settings = CASES[name]
    learner = specimen.make(**settings, features=FEATURES)
    loss = losses.get(learner.loss)
    precise = Model(learner._rule, loss, FEATURES.layout(), Labels[loss.labels], precise=True)
    X, y, h = formulas.sparse_rows(formula_checks.ROUNDS, formula_checks.SIZE, seed=0)
    expected, weights = specimen.formula(X, y, h, **settings)
    rows = sp.csr_array(X)
    raw = precise.learn_csr(rows.indices, rows.data, rows.indptr, y, h)[:, 0]
    np.testing.assert_allclose(raw, expected, rtol=1e-9, atol=1e-9)
    found = precise.weights_of(np.arange(formula_checks.SIZE, dtype=np.uint64))[:-1, 0]
    np.testing.assert_allclose(found, weights, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("how", ["sign", "memory", "rate"])
@pytest.mark.parametrize("name", CASES)
def test_a_formula_check_bites(name: str, how: str) -> None:
    each, _ = CASES[name]
    broken = {"sign": flipped, "memory": forgetful, "rate": lambda make: at_rate(0.5, make, each.pace)}[how]
    with pytest.raises(AssertionError, match="the prediction is off by"):
        check_formula(CASES[name], broken(each.make))


@pytest.mark.parametrize("name", CASES)
def test_a_formula_check_passes_a_subclass_that_breaks_nothing(name: str) -> None:
    each, _ = CASES[name]
    check_formula(CASES[name], at_rate(1.0, each.make, each.pace))


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize(("p", "y"), [(0.3, 1.0), (-2.0, 1.0), (0.999, -1.0), (3.0, 1.0), (0.0, -1.0)])
@pytest.mark.parametrize("step", [1e-4, 0.25, 4.0])
def test_the_invariant_step_is_the_limit_of_small_ones(loss: str, p: float, y: float, step: float) -> None:
    small = formulas.many_small_steps(loss, p, y, step, a=0.5)
    closed = formulas.invariant_step(loss, p, y, step, a=0.5) if formulas.derivative(loss, p, y) else 0.0  # type: ignore[arg-type]
    assert closed == pytest.approx(small, rel=2e-3, abs=1e-12)


@pytest.mark.parametrize(("each", "settings"), SCALE_FREE)
def test_rescaling_by_powers_of_two_changes_no_bit(each: Specimen, settings: Settings) -> None:
    X, y, h = formulas.sparse_rows(2000, 30, seed=2)
    factors = 2.0 ** np.random.default_rng(3).integers(-20, 21, size=30)  # beyond, some products leave single precision
    plain = each.make(**settings, features=FEATURES).learn_many(X, y, h)
    scaled = each.make(**settings, features=FEATURES).learn_many(X * factors, y, h)
    assert np.abs(plain).max() > 0.1
    np.testing.assert_array_equal(scaled, plain)


@pytest.mark.parametrize(("each", "settings"), SCALE_FREE)
def test_rescaling_by_any_factor_changes_nothing_but_rounding(each: Specimen, settings: Settings) -> None:
    X, y, h = formulas.sparse_rows(2000, 30, seed=4)
    factors = 10.0 ** np.random.default_rng(5).uniform(-12.0, 12.0, size=30)
    plain = each.make(**settings, features=FEATURES).learn_many(X, y, h)
    scaled = each.make(**settings, features=FEATURES).learn_many(X * factors, y, h)
    np.testing.assert_allclose(scaled, plain, rtol=2e-5, atol=2e-5)
