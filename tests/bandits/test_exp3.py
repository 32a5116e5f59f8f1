"""EXP3: the formula, the theorems behind it, and the regret over many seeds."""

from __future__ import annotations

import math
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import afterwit as aw
from afterwit import registry, regret
from afterwit.bandits import Exp3

Array = npt.NDArray[np.float64]
GOLDEN, MASK = 0x9E3779B97F4A7C15, (1 << 64) - 1


def uniform(seed: int, t: int) -> float:
    """SplitMix64 by seed and round, as core/numeric/keyed.hpp has it."""

    def scrambled(key: int) -> int:
        key = ((key ^ (key >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        key = ((key ^ (key >> 27)) * 0x94D049BB133111EB) & MASK
        return key ^ (key >> 31)

    return (scrambled((scrambled((seed + GOLDEN) & MASK) + (t + 1) * GOLDEN) & MASK) >> 11) * 2.0**-53


def formula(losses: Array, seed: int, rate: Any) -> tuple[list[int], Array]:
    """Algorithm 24 with an exponential potential: s_i = the estimates less the own losses; rate(t) or a new epoch."""
    s, arms, weights = np.zeros(losses.shape[1]), [], []
    for t, l in enumerate(losses):
        eta, begins = rate(t)
        s = np.zeros(len(s)) if begins else s
        phi = np.exp(-eta * (s - 1.0 - s.min())) - np.exp(-eta * (s + 1.0 - s.min()))
        p = phi / phi.sum()
        arm = min(int(np.searchsorted(np.cumsum(p), uniform(seed, t), side="right")), len(p) - 1)
        s = s + (np.arange(len(p)) == arm) * l[arm] / p[arm] - l[arm]
        arms.append(arm)
        weights.append(p)
    return arms, np.array(weights)


def best_rate(T: float, N: int) -> float:
    return math.sqrt(2.0 * math.log(N) / (T * (1.0 + N * math.sqrt(math.e))))


@pytest.mark.parametrize("N", [1, 2, 5])
@pytest.mark.parametrize("settings", [{"rate": 0.1}, {"horizon": 200}, {}])
def test_it_is_algorithm_24(N: int, settings: dict[str, Any]) -> None:
    losses = np.random.default_rng(N).random((200, N))

    def rate(t: int) -> tuple[float, bool]:
        if settings:
            return settings.get("rate", best_rate(200, N)) or 1.0, False
        return best_rate(2 ** int(math.log2(t + 2)), N) or 1.0, math.log2(t + 2) % 1.0 == 0.0

    arms, weights = formula(losses, 7, rate)
    history = Exp3(N, seed=7, **settings).run(losses, keep="weights")
    assert history.arms.tolist() == arms
    assert history.weights is not None
    np.testing.assert_allclose(history.weights, weights, rtol=1e-7, atol=1e-14)
    np.testing.assert_array_equal(history.loss, losses[np.arange(200), arms])


@pytest.mark.parametrize("eta", [0.05, 0.5, 2.0])
def test_theorem_20_by_enumeration(eta: float) -> None:
    """E[sum Phi_t(s_t)] <= sum Phi_{t-1}(s_{t-1}), over the arms that may be drawn."""
    rng = np.random.default_rng(0)
    for _ in range(200):
        N = int(rng.integers(2, 6))
        s, l = rng.normal(size=N) * 3.0, rng.random(N).round(int(rng.integers(0, 3)))
        factor = (math.exp(eta) + math.exp(-eta) + N * math.exp(eta) * eta**2) / 2.0
        p = np.exp(-eta * s) / np.exp(-eta * s).sum()
        moved = s - l[:, None] + np.diag(l / p)
        assert p @ np.exp(-eta * moved).sum(axis=1) <= factor * np.exp(-eta * s).sum() * (1.0 + 1e-12)


def played(bandit: Any, losses: Array) -> float:
    history = bandit.run(losses)
    return float(history.loss.sum() - losses.sum(axis=0).min())


def games(T: int) -> list[Array]:
    rng = np.random.default_rng(5)
    good = (rng.random((T, 5)) < np.array([0.2, 0.5, 0.5, 0.5, 0.5])).astype(float)
    late = np.ones((T, 3))
    late[: T // 4, 0], late[T // 4 :, 1] = 0.0, 0.0
    return [good, late, rng.random((T, 2)), np.tile([0.0, 1.0], (T, 1))]


@pytest.mark.parametrize("game", range(4))
@pytest.mark.parametrize("doubling", [False, True])
def test_the_mean_regret_of_many_seeds_is_below_the_bound(game: int, doubling: bool) -> None:
    T, losses = 1000, games(1000)[game]
    N = losses.shape[1]
    found = []
    for seed in range(100):
        bandit = Exp3(N, seed=seed, horizon=None if doubling else T)
        found.append(played(bandit, losses))
        bound = bandit.regret_bound().value
    printed = math.sqrt(2.0 * T * (1.0 + N * math.sqrt(math.e)) * math.log(N))
    assert bound is not None
    assert bound <= printed * (math.sqrt(2.0) / (math.sqrt(2.0) - 1.0) if doubling else 1.0)
    assert np.mean(found) <= bound
    assert np.mean(found) + 4.0 * np.std(found) / 10.0 <= 1.2 * bound


def test_the_bound_bites() -> None:
    """Without the division by the probability, or with a sign turned, the regret is above it."""

    class Broken:
        def __init__(self, sign: float, divided: bool) -> None:
            self.sign, self.divided = sign, divided

        def mean_regret(self, losses: Array) -> float:
            T, N = losses.shape
            eta, found = best_rate(T, N), []
            for seed in range(20):
                L, own = np.zeros(N), 0.0
                for t, l in enumerate(losses):
                    p = np.exp(-eta * (L - L.min()))
                    p /= p.sum()
                    arm = min(int(np.searchsorted(np.cumsum(p), uniform(seed, t), side="right")), N - 1)
                    own += l[arm]
                    L[arm] += self.sign * l[arm] / (p[arm] if self.divided else 1.0)
                found.append(own - losses.sum(axis=0).min())
            return float(np.mean(found))

    losses = np.tile([0.0, 1.0], (1000, 1))
    assert Broken(1.0, True).mean_regret(losses) <= regret.exp3(1000, 2)
    assert Broken(-1.0, True).mean_regret(losses) > regret.exp3(1000, 2)


@pytest.mark.parametrize("T", [1, 2, 3, 10, 10_000])
@pytest.mark.parametrize("N", [1, 2, 3, 10, 1000])
def test_the_exact_bound_is_below_the_printed_one(T: int, N: int) -> None:
    printed = math.sqrt(2.0 * T * (1.0 + N * math.sqrt(math.e)) * math.log(N))
    assert regret.exp3(T, N) <= printed * (1.0 + 1e-12)
    if N > 1:
        assert best_rate(T, N) < 1.0
        direct = math.cosh(0.5) + N / 2.0 * math.exp(0.5) * 0.25
        assert regret.exp3(T, N, 0.5) == pytest.approx((math.log(N) + T * math.log(direct)) / 0.5)
        assert regret.exp3(T, N, 5000.0) < math.inf


def test_run_is_draw_and_update_and_looking_changes_nothing() -> None:
    losses = np.random.default_rng(0).random((300, 4)) * 4.0 - 1.0
    one, other = (Exp3(4, seed=3, loss_range=(-1.0, 3.0)) for _ in range(2))
    for row in losses:
        assert one.draw() == one.draw()
        one.update(one.draw(), row[one.draw()])
    other.run(losses[:100])
    other.run(losses[100:])
    assert one.weights().tobytes() == other.weights().tobytes()
    assert one.state()["losses"].tobytes() == other.state()["losses"].tobytes()
    assert len(one.run(losses[:0])) == 0


@pytest.mark.parametrize("settings", [{"rate": 0.2}, {"horizon": 300}, {}])
def test_it_goes_on_from_a_file_or_a_pickle_to_the_bit(settings: dict[str, Any], tmp_path: Path) -> None:
    losses = np.random.default_rng(0).random((300, 3))
    whole, half = (Exp3(["a", "b", "c"], seed=11, **settings) for _ in range(2))
    whole.run(losses)
    half.run(losses[:150])
    aw.save(half, tmp_path / "m.afterwit")
    for other in (aw.load(tmp_path / "m.afterwit"), pickle.loads(pickle.dumps(half))):
        other.run(losses[150:])
        assert other.draw() == whole.draw()
        assert other.weights() == whole.weights()
        assert repr(other) == repr(whole)
        assert other.regret_bound() == whole.regret_bound()
    assert registry.fresh(half).state()["rounds"] == 0


def test_the_arms_are_numbers_or_names() -> None:
    assert isinstance(Exp3(3).draw(), int)
    assert Exp3(["a"]).weights() == {"a": 1.0}
    assert Exp3(["a"]).draw() == "a"
    assert Exp3(1).regret_bound().value == 0.0


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"arms": 0}, "arms is `0`, expected a whole number"),
        ({"arms": []}, r"arms is `\[\]`, expected one or more"),
        ({"arms": ["a", "a"]}, "different names"),
        ({"arms": 2.5}, "arms is `2.5`, expected how many"),
        ({"arms": "ab"}, "expected how many there are, or their names"),
        ({"rate": 0.0}, "rate is `0.0`"),
        ({"rate": 1.0, "horizon": 3}, "rate and horizon are both given"),
        ({"horizon": 0}, "horizon is `0`"),
        ({"seed": -1}, "seed is `-1`"),
        ({"loss_range": (1, 0)}, "loss_range"),
    ],
)
def test_wrong_settings(given: dict[str, Any], words: str) -> None:
    with pytest.raises((ValueError, TypeError), match=words):
        Exp3(**{"arms": 2, **given})


def test_wrong_losses_change_nothing() -> None:
    bandit = Exp3(3, seed=1)
    bandit.run(np.full((5, 3), 0.5))
    before = bandit.state()
    drawn = bandit.draw()
    for call, words in (
        (lambda: bandit.update(drawn, 1.5), "a loss is `1.5`, expected a number from 0 to 1"),
        (lambda: bandit.update(drawn, math.nan), "a loss is `nan`"),
        (lambda: bandit.update((int(drawn) + 1) % 3, 0.5), "was drawn; `draw` says whose loss"),
        (lambda: bandit.update("a", 0.5), "arm is `a`"),
        (lambda: bandit.run(np.zeros((4, 2))), "losses has the shape"),
        (lambda: bandit.run(np.full((4, 3), 2.0)), "a loss is `2`"),
        (lambda: bandit.run(np.zeros((4, 3)), keep="all"), "keep is `'all'`"),
        (lambda: bandit.set_state({"losses": [1.0], "rounds": 0}), "the state's losses"),
        (lambda: bandit.set_state({"losses": [1.0, -1.0, 0.0], "rounds": 0}), "the state's losses"),
        (lambda: bandit.set_state({"losses": [1.0, 1.0, 0.0], "rounds": -1}), "rounds is `-1`"),
    ):
        with pytest.raises(ValueError, match=words):
            call()
    after = bandit.state()
    assert after["rounds"] == before["rounds"]
    np.testing.assert_array_equal(after["losses"], before["losses"])


def test_a_million_rounds_of_losses_that_make_an_arm_all_but_impossible() -> None:
    bandit = Exp3(2, rate=1.0)
    history = bandit.run(np.tile([0.0, 1.0], (1_000_000, 1)))
    assert np.isfinite(bandit.state()["losses"]).all()
    assert history.loss.sum() < 100
