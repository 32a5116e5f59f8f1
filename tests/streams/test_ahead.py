"""Items made in a thread: the order, the errors, the end, and nothing left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from afterwit.learning import Lesson, compare, evaluate, learn, predict
from afterwit.linear import AdaGrad, OneVsAll
from afterwit.registry import fresh, state
from afterwit.registry.plain import same
from afterwit.streams import read
from afterwit.streams.ahead import ahead, batches_of
from afterwit.streams.text import TextStream
from tests.cli.commands import started, write_svmlight


@pytest.fixture(autouse=True)
def no_thread_left() -> Iterator[None]:
    yield
    assert [thread.name for thread in threading.enumerate() if thread.name == "afterwit-ahead"] == []


class Source:
    """Counts up, fails where it is told to, and knows in which thread it ran and was closed."""

    def __init__(self, items: int, fails_at: int | None = None) -> None:
        self.items, self.fails_at = items, fails_at
        self.made = 0
        self.threads: set[int] = set()
        self.closed_in: int | None = None

    def __iter__(self) -> Iterator[int]:
        try:
            for i in range(self.items):
                self.threads.add(threading.get_ident())
                if i == self.fails_at:
                    raise KeyError(i)
                self.made += 1
                yield i
            if self.fails_at == self.items:
                raise KeyError(self.items)
        finally:
            self.closed_in = threading.get_ident()


@pytest.mark.parametrize("items", [0, 1, 2, 100])
def test_the_same_items_in_the_same_order(items: int) -> None:
    source = Source(items)
    assert list(ahead(iter(source))) == list(range(items))
    assert threading.get_ident() not in source.threads


@pytest.mark.parametrize("place", [0, 5, 9, 10])
def test_an_error_comes_at_its_place(place: int) -> None:
    taken: list[int] = []
    with pytest.raises(KeyError) as caught:
        taken.extend(ahead(iter(Source(10, fails_at=place))))
    assert taken == list(range(place))
    assert caught.value.args == (place,)


def test_a_signal_that_does_not_wake_the_consumer_is_seen() -> None:
    """As where it comes just before the wait: it goes to the other thread, when the consumer waits already."""
    seen, in_time = threading.Event(), []

    def silent() -> Iterator[int]:
        time.sleep(0.1)
        signal.pthread_kill(threading.get_ident(), signal.SIGINT)
        in_time.append(seen.wait(10))
        yield 1

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    items: Any = ahead(silent())
    try:
        with pytest.raises(KeyboardInterrupt):
            next(items)
        seen.set()
    finally:
        signal.signal(signal.SIGINT, before)
    for thread in threading.enumerate():
        if thread.name == "afterwit-ahead":
            thread.join()
    assert in_time == [True]


@pytest.mark.parametrize("taken", [0, 1, 3])
def test_a_consumer_that_leaves_closes_the_source_in_its_thread(taken: int) -> None:
    source = Source(1_000_000)
    items: Any = ahead(iter(source))
    for _ in range(taken):
        next(items)
    items.close()
    assert source.made <= taken + 2
    if taken:
        assert source.closed_in in source.threads
        assert source.closed_in != threading.get_ident()


def test_it_is_two_items_ahead() -> None:
    source = Source(100)
    items = ahead(iter(source))
    next(items)
    time.sleep(0.05)
    assert source.made <= 3
    assert list(items) == list(range(1, 100))


def test_an_iterator_that_is_no_generator() -> None:
    assert list(ahead(iter([1, 2, 3]))) == [1, 2, 3]


def test_a_source_that_never_answers_is_left_behind() -> None:
    read_end, write_end = os.pipe()

    def silent() -> Iterator[bytes]:
        yield b"first"
        yield os.read(read_end, 1)

    items: Any = ahead(silent())
    assert next(items) == b"first"
    began = time.monotonic()
    items.close()
    assert time.monotonic() - began < 10
    os.write(write_end, b"x")  # now the read returns, and with it the thread ends
    for thread in threading.enumerate():
        if thread.name == "afterwit-ahead":
            thread.join(10)
    os.close(read_end)
    os.close(write_end)


def test_only_what_parses_has_a_thread(tmp_path: Path) -> None:
    data = write_svmlight(tmp_path / "data.svm", 50)
    threads = set()

    def rows() -> Iterator[Any]:
        threads.add(threading.get_ident())
        yield {"x": 1.0}, 1

    learn(AdaGrad(), read(rows()))
    assert threads == {threading.get_ident()}
    with batches_of(read(data), AdaGrad().labels) as batches:
        assert any(thread.name == "afterwit-ahead" for thread in threading.enumerate()) or next(batches, None)


@pytest.mark.parametrize("model", [AdaGrad(normalized=True), OneVsAll(AdaGrad(normalized=True))], ids=["two", "many"])
def test_one_thread_and_two_have_the_same_bits(tmp_path: Path, model: Any) -> None:
    several = isinstance(model, OneVsAll)
    data = write_svmlight(tmp_path / "data.svm", 3000, classes=("a", "b", 3) if several else (-1, 1))

    class Locked(TextStream):
        parses = False

    one, two = fresh(model), fresh(model)
    there, here = Locked(data, batch_rows=100), TextStream(data, batch_rows=100)
    assert learn(one, there, passes=2) == learn(two, here, passes=2)
    assert same(state(one), state(two))
    assert same(predict(one, there), predict(two, here))
    assert evaluate(one, there) == evaluate(two, here)
    assert compare({"m": fresh(model)}, there) == compare({"m": fresh(model)}, here)


def test_an_error_of_the_learner_ends_the_thread(tmp_path: Path) -> None:
    data = write_svmlight(tmp_path / "data.svm", 3000)
    lesson = Lesson(AdaGrad(), TextStream(data, batch_rows=10))
    for step, _ in enumerate(lesson.steps()):
        if step == 3:
            break
    broken = Lesson(AdaGrad(), TextStream(data, batch_rows=10))
    broken.current = None  # type: ignore[assignment]
    with pytest.raises(AttributeError):
        list(broken.steps())


def wait_for(folder: Path, process: subprocess.Popen[bytes]) -> None:
    """Waits until predictions are being written."""
    until = time.monotonic() + 60
    while not (found := [*folder.glob(".p.partial-*")]) and process.poll() is None and time.monotonic() < until:
        time.sleep(0.01)
    assert found


def test_ctrl_c_while_learning(tmp_path: Path) -> None:
    data = write_svmlight(tmp_path / "data.svm", 2000)
    data.write_text(data.read_text() * 300)
    words = ["learn", data, "--save", tmp_path / "m", "--predictions", tmp_path / "p", "--passes", 50, "--cache"]
    process = started(*words)
    wait_for(tmp_path, process)
    time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert (process.returncode, out, err) == (130, b"", b"afterwit: stopped\n")
    left = set(os.listdir(tmp_path))
    assert left - {"data.svm.afterwit-cache"} == {"data.svm"}


def test_ctrl_c_while_a_pipe_is_silent(tmp_path: Path) -> None:
    words = ["learn", "-", "--predictions", tmp_path / "p"]
    process = started(*words, stdin=subprocess.PIPE)
    assert process.stdin is not None
    process.stdin.write(b"1 1:1\n" * 1000)
    process.stdin.flush()
    wait_for(tmp_path, process)
    time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    try:
        process.wait(timeout=20)
    finally:
        process.stdin.close()
    assert process.stderr is not None
    assert process.stdout is not None
    with process.stderr, process.stdout:
        assert (process.returncode, process.stderr.read()) == (130, b"afterwit: stopped\n")
    assert os.listdir(tmp_path) == []
