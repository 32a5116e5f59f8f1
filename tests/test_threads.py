"""Calls on one object come one after another, whatever thread they come from, and are whole (docs/threads.md)."""

from __future__ import annotations

import inspect
import pickle
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import afterwit as aw
from afterwit import experts, registry
from afterwit.experts import AdaNormalHedge, Delayed, FollowTheLeadingHistory, Hedge, Mixture, MLPol, Randomized
from afterwit.linear import AdaGrad, OneVsAll
from afterwit.registry import register

THREADS = 4


@pytest.fixture
def together() -> Iterator[Callable[[Callable[[int], None]], None]]:
    """Runs a function of the thread's number in several threads that begin at once and are switched all the time."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)

    def run(work: Callable[[int], None]) -> None:
        barrier, errors = threading.Barrier(THREADS), list[BaseException]()

        def one(i: int) -> None:
            barrier.wait()
            try:
                work(i)
            except BaseException as error:
                errors.append(error)

        threads = [threading.Thread(target=one, args=(i,)) for i in range(THREADS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if errors:
            raise errors[0]

    yield run
    sys.setswitchinterval(before)


class Slow:
    """A number that lets other threads go on while it is read."""

    def __init__(self, value: float) -> None:
        self.value = value

    def __float__(self) -> float:
        time.sleep(1e-4)
        return self.value


@register("tests.threads.slope")
class Slope:
    """A learner of any kind, in Python, that lets other threads go on while it learns its own class."""

    def __init__(self) -> None:
        self.w = 0.0

    def predict_one(self, x: Any) -> float:
        return self.w

    def learn_one(self, x: Any, y: float, weight: float = 1.0) -> None:
        self.w += float(Slow(y)) if y > 0.0 else y


def rounds(player: Any) -> int:
    """How many rounds a player or the player of a mixture has seen."""
    state = player.state()
    state = state["player"].state() if isinstance(player, Mixture) else state
    return int(state.get("draws", state.get("rounds")))


LOSSES = {"a": Slow(0.5), "b": Slow(1.0)}
NAMES = ["a", "b"]
RUNS: dict[str, tuple[Callable[[], Any], Callable[[Any], None]]] = {
    "Hedge": (lambda: Hedge(rate=0.1, experts=NAMES), lambda p: p.run([LOSSES])),
    "Randomized": (lambda: Randomized(Hedge(rate=0.1, experts=NAMES)), lambda p: p.run([LOSSES])),
    "history": (lambda: FollowTheLeadingHistory(Hedge(rate=0.1, experts=NAMES)), lambda p: p.run([LOSSES])),
    "Mixture": (lambda: Mixture(Hedge(rate=0.1, experts=NAMES)), lambda m: m.learn_many([LOSSES], [0.5])),
}


@pytest.mark.parametrize("name", RUNS)
def test_no_round_is_lost(name: str, together: Any) -> None:
    make, play = RUNS[name]
    model = make()

    def work(_: int) -> None:
        for _ in range(20):
            play(model)

    together(work)
    assert rounds(model) == THREADS * 20


@pytest.mark.parametrize("name", ["update", "learn_one"])
def test_no_expert_is_lost(name: str, together: Any) -> None:
    model: Any = AdaNormalHedge() if name == "update" else Mixture()

    def work(i: int) -> None:
        for k in range(20):
            row = {f"{i} {k}": Slow(0.5), "all": 1.0}
            model.update(row) if name == "update" else model.learn_one(row, 0.7)

    together(work)
    play = model.play() if name == "update" else model.weights()
    assert set(play) == {"all", *(f"{i} {k}" for i in range(THREADS) for k in range(20))}


def test_what_was_forgotten_is_kept_of_all(together: Any) -> None:
    player = MLPol(experts=[f"{i} {k}" for i in range(THREADS) for k in range(50)] + ["all"])

    def work(i: int) -> None:
        for k in range(50):
            player.forget(f"{i} {k}")

    together(work)
    assert list(player.play()) == ["all"]
    assert player.state()["gone"] == THREADS * 50


@pytest.mark.parametrize("model", [AdaGrad(), Slope()], ids=["kernel", "copies"])
@pytest.mark.parametrize("many", [False, True])
def test_new_classes_from_many_threads(model: Any, many: bool, together: Any, tmp_path: Path) -> None:
    X = np.ones((400 if isinstance(model, AdaGrad) else 4, 2))
    model = OneVsAll(model)

    def work(i: int) -> None:
        for k in range(20):
            if many:
                model.learn_many(X, [f"{i} {k}"] + ["all"] * (len(X) - 1))
            else:
                model.learn_one({"x": Slow(1.0)}, f"{i} {k}")

    together(work)
    expected = {f"{i} {k}" for i in range(THREADS) for k in range(20)} | ({"all"} if many else set())
    assert sorted(model.classes) == sorted(expected)
    aw.save(model, tmp_path / "m")
    again = aw.load(tmp_path / "m")
    np.testing.assert_array_equal(again.predict_one({"x": 1.0}), model.predict_one({"x": 1.0}))


@pytest.mark.parametrize("name", ["OneVsAll", "AdaNormalHedge", "Mixture", "MLPol"])
def test_a_copy_is_of_one_moment(name: str, together: Any) -> None:
    """While three threads teach, the fourth pickles; every pickle is whole, and holds what was there before it."""
    learn: dict[str, tuple[Any, Callable[[Any, str], Any], Callable[[Any], int]]] = {
        "OneVsAll": (OneVsAll(AdaGrad()), lambda m, new: m.learn_one({"x": Slow(1.0)}, new), lambda m: len(m.classes)),
        "AdaNormalHedge": (AdaNormalHedge(), lambda p, new: p.update({new: Slow(0.5)}), lambda p: len(p.play())),
        "Mixture": (Mixture(), lambda m, new: m.learn_one({new: Slow(0.5)}, 1.0), lambda m: len(m.weights())),
        "MLPol": (MLPol(), lambda p, new: p.update({new: Slow(0.5)}), lambda p: len(p.play())),
    }
    model, teach, count = learn[name]
    teach(model, "first")

    def work(i: int) -> None:
        for k in range(20):
            if i:
                teach(model, f"{i} {k}")
            else:
                least = count(model)
                assert least <= count(pickle.loads(pickle.dumps(model))) <= count(model)

    together(work)


def test_a_state_is_not_the_model_itself() -> None:
    mixture = Mixture()
    mixture.learn_one({"a": 1.0}, 1.0)
    before = mixture.state()
    mixture.learn_one({"b": 1.0}, 1.0)
    assert list(before["player"].play()) == ["a"]
    again = Mixture()
    again.set_state(before)
    again.learn_one({"c": 1.0}, 1.0)
    assert list(before["player"].play()) == ["a"]


class Watched:
    """A lock that counts the calls that come from outside."""

    def __init__(self) -> None:
        self.depth = self.calls = 0

    def __enter__(self) -> None:
        self.depth += 1
        self.calls += self.depth == 1

    def __exit__(self, *_: object) -> None:
        self.depth -= 1

    def refuse_nested(self) -> None:
        assert self.depth == 1


ROW, ROWS = np.array([0.0, 1.0]), np.array([[0.0, 1.0]] * 2)
ARGUMENTS: dict[str, tuple[Any, ...]] = {
    "update": (ROW,),
    "run": (ROWS,),
    "vote": ([1, -1],),
    "predict_one": (ROW,),
    "predict_many": (ROWS,),
    "weights": (),
}
OF_MIXTURE = {"learn_one": (ROW, 0.5), "learn_many": (ROWS, [0.5, 0.5]), "run": (ROWS, [0.5, 0.5])}
OF_CLASSES = {"learn_one": (ROW, "b"), "learn_many": (ROWS, ["a", "c"]), "coef": (["0"],)}


def objects() -> list[tuple[Any, dict[str, tuple[Any, ...]]]]:
    """One of every public class, with what its methods are called with."""
    made: dict[str, Any] = {
        "Mixture": (Mixture(Hedge(rate=0.1, experts=2), forecast_range=(0.0, 1.0)), ARGUMENTS | OF_MIXTURE),
        "Randomized": (Randomized(Hedge(rate=0.1, experts=2)), ARGUMENTS),
        "FollowTheLeadingHistory": (FollowTheLeadingHistory(Hedge(rate=0.1, experts=2)), ARGUMENTS),
        "Delayed": (Delayed(Hedge(rate=0.1, experts=2), 1), ARGUMENTS),
    }
    classes = {name: cls for name in experts.__all__ if inspect.isclass(cls := getattr(experts, name))}
    players = {name: cls for name, cls in classes.items() if hasattr(cls, "regret_bound")}
    found = [made.get(name) or (cls(experts=2), ARGUMENTS) for name, cls in players.items()]
    return [*found, (OneVsAll(AdaGrad(), classes=["a", "b", "c"]), ARGUMENTS | OF_CLASSES)]


def _methods() -> list[tuple[type, str]]:
    return [
        (type(obj), name)
        for obj, _ in objects()
        for name, method in inspect.getmembers(type(obj), inspect.isfunction)
        if not name.startswith("_") and name not in ("settings", "for_range", "forget")
    ]


@pytest.mark.parametrize(("cls", "name"), _methods(), ids=lambda each: getattr(each, "__name__", each))
def test_every_call_holds_the_lock_once(cls: type, name: str) -> None:
    obj, arguments = next(each for each in objects() if type(each[0]) is cls)
    first = "update" if hasattr(obj, "update") else "learn_one"
    getattr(obj, first)(*arguments[first])
    given = (obj.state(),) if name == "set_state" else arguments.get(name, ())
    watched = obj._lock = Watched()
    getattr(obj, name)(*given)
    assert (watched.calls, watched.depth) == (1, 0)


def test_forgetting_holds_the_lock_once() -> None:
    for player in (AdaNormalHedge(experts=["a", "b"]), MLPol(experts=["a", "b"])):
        watched = player._lock = Watched()  # type: ignore[assignment]
        player.forget("a")
        assert watched.calls == 1


class Calls:
    """A number that calls something when it is read."""

    def __init__(self, call: Callable[[], Any]) -> None:
        self.call = call

    def __float__(self) -> float:
        self.call()
        return 0.5


def test_a_value_may_look_and_must_not_change() -> None:
    player = AdaNormalHedge(experts=["a", "b"])
    seen: list[Any] = []
    player.update({"a": Calls(lambda: seen.append(player.play())), "b": 1.0})
    assert seen == [{"a": 0.5, "b": 0.5}]
    before = player.state()
    for call in (
        lambda: player.update({"c": 0.1}),
        lambda: player.run([{"c": 0.1}]),
        lambda: player.forget("b"),
    ):
        with pytest.raises(RuntimeError, match="from within another call on it"):
            player.update({"a": Calls(call), "b": 1.0})
        with pytest.raises(RuntimeError, match="from within another call on it"):
            player.run([{"a": 0.5}, {"a": Calls(call), "b": 1.0}])
        assert registry.plain.same(player.state(), before)


def test_rows_that_teach_their_model_are_refused() -> None:
    mixture, classes = Mixture(), OneVsAll(AdaGrad())
    mixture.learn_one({"a": 1.0}, 1.0)
    before, refused = pickle.dumps(mixture), list[str]()
    with pytest.raises(RuntimeError, match="from within another call on it"):
        mixture.learn_one({"a": Calls(lambda: mixture.learn_one({"b": 1.0}, 1.0))}, 1.0)
    with pytest.raises(RuntimeError, match="from within another call on it"):
        mixture.learn_many([{"a": Calls(lambda: mixture.learn_many([{"b": 1.0}], [1.0]))}], [1.0])
    assert pickle.dumps(mixture) == before
    assert mixture.predict_one({"a": Calls(lambda: mixture.predict_one({"a": 1.0}))}) == 0.5

    def teach() -> None:
        for learn, x, y in ((classes.learn_one, {"x": 1.0}, "b"), (classes.learn_many, [{"x": 1.0}], ["b"])):
            with pytest.raises(RuntimeError) as error:
                learn(x, y)  # type: ignore[operator]
            refused.append(str(error.value))

    with pytest.raises(RuntimeError, match="from within another call on it"):
        classes.learn_one({"x": Calls(lambda: classes.learn_one({"x": 1.0}, "b"))}, "a")
    classes.learn_one({"x": Calls(teach)}, "a")
    assert classes.classes == ["a"]
    assert ["from within another call on it" in each for each in refused] == [True, True]


def test_a_linear_learner_reads_its_rows_first() -> None:
    def learned(learn: Callable[[Any, Any], None]) -> Any:
        model = AdaGrad()
        learn(model, Calls(lambda: model.learn_one({"b": 1.0}, 1)))
        return model.state()

    one, other = AdaGrad(), OneVsAll(AdaGrad())
    one.learn_one({"b": 1.0}, 1)
    one.learn_one({"a": 0.5}, 1)
    assert registry.plain.same(learned(lambda m, x: m.learn_one({"a": x}, 1)), one.state())
    assert registry.plain.same(learned(lambda m, x: m.learn_many([{"a": x}], [1])), one.state())
    other.learn_many([{"a": Calls(lambda: other.learn_one({"b": 1.0}, "first"))}], ["second"])
    assert other.classes == ["first", "second"]


# Forks while another thread is in a call of `used` all the time. The child calls both, in its only thread and in a new
# one, to which the system may give the number of the one that is gone.
FORK = """
import os, signal, sys, threading
import numpy as np
from afterwit.experts import Hedge, Mixture
from afterwit.linear import AdaGrad, OneVsAll

X = np.random.default_rng(0).random((20_000, 4))
y, several = np.sign(X[:, 0] - 0.5), np.arange(len(X)) % 3
KINDS = {
    "Hedge": (lambda: Hedge(rate=0.1, experts=4), lambda m: m.run(X), lambda m: m.play()),
    "Mixture": (lambda: Mixture(Hedge(rate=0.1, experts=4)), lambda m: m.run(X, y), lambda m: m.predict_one(X[0])),
    "AdaGrad": (AdaGrad, lambda m: m.learn_many(X, y), lambda m: m.predict_one(X[0])),
    "OneVsAll": (lambda: OneVsAll(AdaGrad()), lambda m: m.learn_many(X, several), lambda m: m.predict_one(X[0])),
}

def outcome(call, model):
    try:
        call(model)
    except RuntimeError as error:
        return "half" if "another thread was using it when this process was forked" in str(error) else str(error)
    return "fine"

def child(call, used, other):
    signal.alarm(10)
    found = [outcome(call, used), outcome(call, other)]
    thread = threading.Thread(target=lambda: found.append(outcome(call, used)))
    thread.start()
    thread.join()
    os._exit({("fine", "fine", "fine"): 0, ("half", "fine", "half"): 3}.get(tuple(found), 1))

def status(make, work, call):
    used, other, stop = make(), make(), threading.Event()
    call(other) if isinstance(other, Hedge) else work(other)
    def use():
        while not stop.is_set():
            work(used)
    thread = threading.Thread(target=use)
    thread.start()
    found = 0
    while found == 0:  # until the fork comes in the middle of a call, where the thread is nearly all the time
        stop.wait(0.01)
        pid = os.fork()
        if pid == 0:
            child(call, used, other)
        found = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    stop.set()
    thread.join()
    return found

for name, kind in KINDS.items():
    print(name, status(*kind))
"""


def test_a_child_is_never_blocked() -> None:
    done = subprocess.run([sys.executable, "-c", FORK], capture_output=True, text=True, timeout=250)
    assert done.stdout.splitlines() == ["Hedge 3", "Mixture 3", "AdaGrad 3", "OneVsAll 3"], (done.stdout, done.stderr)


# The forking thread is in a call itself: parent and child both go on.
FORK_WITHIN = """
import os
from afterwit.experts import Hedge
player, pids = Hedge(rate=0.1, experts=2), []

def rows():
    yield [0.0, 1.0]
    pids.append(os.fork())
    player.play()
    yield [0.0, 1.0]

player.run(rows())
player.update([0.0, 1.0])
ok = player.state()["rounds"] == 3
if pids[0] == 0:
    os._exit(0 if ok else 1)
print(ok and os.waitpid(pids[0], 0)[1] == 0)
"""


def test_a_fork_from_within_a_call() -> None:
    done = subprocess.run([sys.executable, "-c", FORK_WITHIN], capture_output=True, text=True, timeout=60)
    assert done.stdout == "True\n", (done.stdout, done.stderr)


# Threads that nobody waits for are in calls when the process ends.
END = """
import threading
import numpy as np
from afterwit.experts import Hedge
from afterwit.linear import AdaGrad

X = np.random.default_rng(0).random((5_000, 4))
model, player, began = AdaGrad(), Hedge(rate=0.1, experts=4), threading.Barrier(5)

def use(call):
    call()
    began.wait()
    while True:
        call()

for call in 2 * [lambda: model.learn_many(X, np.ones(len(X))), lambda: player.run(X)]:
    threading.Thread(target=use, args=(call,), daemon=True).start()
began.wait()
print("ends")
"""


def test_a_process_ends_while_threads_learn() -> None:
    for _ in range(3):
        done = subprocess.run([sys.executable, "-c", END], capture_output=True, text=True, timeout=60)
        assert (done.returncode, done.stdout, done.stderr) == (0, "ends\n", "")
