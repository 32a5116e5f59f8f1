"""`make accuracy` counts, keeps and prints what it should; how well anybody predicts is not a test."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse, stats

from benchmarks.accuracy import __main__ as program
from benchmarks.accuracy import forests, ours, retrained, store, vowpal_wabbit
from benchmarks.accuracy.comparison import Comparison, compared, ratio_of
from benchmarks.accuracy.peers import PEERS, Floor, Peer
from benchmarks.accuracy.predictions import losses_of, of_probability, of_scores, within
from benchmarks.accuracy.sets import Rows, read, sets_of
from benchmarks.accuracy.significance import mcnemar, p_value, paired
from benchmarks.accuracy.summary import change, geometric_mean, short_change, totals

ROOT = Path(__file__).parents[1]
LEARNER = "adagrad:normalized=true"
README = """# Data

- **Sorted by class** (shuffle with a fixed seed before an online run): nothing-else, blocks.t.
  Autocorrelated labels (keep the order): two.

| file | task | examples | origin |
| --- | --- | ---: | --- |
| two.svm.gz | binary | 120 | made |
| blocks.t.svm.gz | binary | 120 | made |
| three.svm.gz | multiclass | 120 | made |
| number.svm.gz | regression | 120 | made; time order |
| series.csv.gz | expert panel | 7 | made; time order |
"""


def labels(task: str, z: np.ndarray) -> np.ndarray:
    if task == "regression":
        return 20.0 + z
    return np.digitize(z, [-0.5, 0.5]) * 2.0 + 3.0 if task == "multiclass" else np.where(z > 0.0, 1.0, -1.0)


@pytest.fixture
def data(tmp_path, monkeypatch):
    """A folder of four small sets, which AFTERWIT_DATA names."""
    rng = np.random.default_rng(3)
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "README.md").write_text(README)
    for name, task in (("two", "binary"), ("blocks.t", "binary"), ("three", "multiclass"), ("number", "regression")):
        X = rng.normal(size=(120, 3))
        y = labels(task, X @ [1.0, -1.0, 0.5] + 0.3 * rng.normal(size=120))
        if name == "blocks.t":
            y = np.sort(y)
        lines = [
            f"{label:g} {' '.join(f'{i}:{v:.4f}' for i, v in enumerate(x, 1))}\n" for x, label in zip(X, y, strict=True)
        ]
        (folder / f"{name}.svm.gz").write_bytes(gzip.compress("".join(lines).encode()))
    monkeypatch.setenv("AFTERWIT_DATA", str(folder))
    return folder


def made(task: str, rows: int = 150) -> Rows:
    rng = np.random.default_rng(4)
    X = rng.normal(size=(rows, 4)).round(3)
    X[:, 0] = 0.0  # as in a file whose indices begin with 1
    z = X @ [0.0, 1.0, -1.0, 0.5] + 0.3 * rng.normal(size=rows)
    y = {"regression": z, "multiclass": np.digitize(z, [-0.5, 0.5]).astype(float), "binary": np.where(z > 0, 1.0, -1.0)}
    return Rows(task, sparse.csr_matrix(X), y[task], (1, 2, 3) if task == "multiclass" else ())


# The sets.


def test_the_readme_says_which_sets_there_are_and_which_are_shuffled(data):
    sets = {one.name: one for one in sets_of(data)}
    assert [one.task for one in sets.values()] == ["binary", "binary", "multiclass", "regression"]
    assert [one.name for one in sets.values() if one.by_class] == ["blocks.t"]
    assert [one.name for one in sets.values() if one.in_time] == ["two", "number"]
    two, blocks, three = (read(sets[name]) for name in ("two", "blocks.t", "three"))
    assert np.abs(np.diff(blocks.y)).sum() > 20
    assert np.array_equal(blocks.y, read(sets["blocks.t"]).y)
    assert two.X.shape == (120, 4)
    assert set(two.y) == {-1.0, 1.0}
    assert three.classes == (3, 5, 7)
    assert set(three.y) == {0.0, 1.0, 2.0}
    assert len(two.first(50)) == 50
    assert two.first(500) is two


def test_a_changed_file_is_another_version(data):
    one = sets_of(data)[0]
    before = one.version()
    assert one.version() == before
    one.path.write_bytes(one.path.read_bytes() + b"\0")
    assert one.version() != before


# The losses.


def test_losses_are_those_of_the_definitions():
    binary = Rows("binary", None, np.array([1.0, -1.0, 1.0]))
    found = losses_of(binary, of_probability(np.array([0.5, 0.9, 0.0])))
    assert found["error"].tolist() == [0.0, 1.0, 1.0]  # a half is +1, as in the library
    assert found["log loss"] == pytest.approx([np.log(2.0), -np.log(0.1), -np.log(1e-6)], rel=1e-6)
    several = Rows("multiclass", None, np.array([1.0, 0.0]), (1, 2))
    found = losses_of(several, np.array([[0.0, 0.25], [0.0, 0.0]], dtype=np.float32))
    assert found["error"].tolist() == [1.0, 0.0]
    assert found["log loss"] == pytest.approx([np.log(4.0), -np.log(1e-6)])
    numbers = Rows("regression", None, np.array([100.0, 3.0, 4.0]))
    assert losses_of(numbers, np.array([0.0, 1.0, 4.0], dtype=np.float32))["squared error"].tolist() == [4.0, 0.0]


def test_shares_of_classes_are_sigmoids_over_their_sum():
    scores = np.array([[0.0, 0.0], [-800.0, -801.0], [-np.inf, 2.0], [-np.inf, -np.inf]])
    found = of_scores(scores, np.array([1.0, 0.0, 0.0, 1.0]))
    expected = [[0, 0.5], [0, 1 / (1 + np.exp(-1.0))], [1, 0.0], [0, 0.5]]
    assert found == pytest.approx(np.array(expected), abs=1e-6)


# Chance.


@pytest.mark.parametrize(("ours_only", "theirs_only"), [(0, 0), (3, 1), (0, 6), (5, 5), (40, 90), (600, 400)])
def test_mcnemar_is_the_binomial_test_where_it_is_exact(ours_only, theirs_only):
    rows = ours_only + theirs_only
    expected = stats.binomtest(ours_only, rows).pvalue if rows else 1.0
    assert mcnemar(ours_only, theirs_only) == pytest.approx(expected)


def test_mcnemar_of_many_rows_is_near_the_binomial_test():
    for uneven in (0, 10, 60, 150):
        expected = stats.binomtest(2000 + uneven, 4000).pvalue
        assert mcnemar(2000 + uneven, 2000 - uneven) == pytest.approx(expected, rel=0.05)
        assert mcnemar(2000 - uneven, 2000 + uneven) == mcnemar(2000 + uneven, 2000 - uneven)


def test_the_paired_test_is_that_of_the_mean_difference():
    rng = np.random.default_rng(5)
    a, b = rng.exponential(size=5000), rng.exponential(size=5000) * 1.05
    assert paired(a, b) == pytest.approx(stats.ttest_rel(a, b).pvalue, rel=0.02)
    assert paired(a, a) == 1.0
    assert paired(a[:1], b[:1]) == 1.0


def test_errors_are_tested_by_the_rows_on_which_one_is_wrong():
    a, b = np.zeros(100), np.zeros(100)
    a[:9], b[8:10] = 1.0, 1.0
    assert p_value("error", a, b) == mcnemar(8, 1)
    assert p_value("log loss", a, b) == paired(a, b)


# Totals.


def test_ratios_are_defined_where_nobody_errs():
    zero, one = np.zeros(4), np.array([0.0, 1.0, 0.0, 0.0])
    assert ratio_of("error", zero, one) == pytest.approx(1 / 3)
    assert ratio_of("error", one, zero) == pytest.approx(3.0)
    assert ratio_of("error", zero, zero) == 1.0
    assert ratio_of("squared error", zero, zero) == 1.0
    assert 0.0 < ratio_of("squared error", zero, one) < 1e-8
    assert ratio_of("squared error", 3.0 * one, one) == pytest.approx(3.0)


def test_the_geometric_mean_is_that_of_ratios():
    assert geometric_mean([0.5, 2.0]) == pytest.approx(1.0)
    assert geometric_mean([0.25, 0.5, 1.0]) == pytest.approx(0.5)
    assert [change(0.55), change(1.694), change(1.0)] == ["-45 %", "+69 %", "+0 %"]
    assert [short_change(ratio) for ratio in (0.55, 9.99, 10.0, 9999.0, 1e9)] == [
        "-45",
        "+899",
        "x10",
        "x9999",
        ">x9999",
    ]


def comparison(data: str, mine: float, theirs: float, p: float = 1.0, measure: str = "error") -> Comparison:
    return Comparison(data, "VW default", "-l 0.5", measure, 10, mine, theirs, mine / theirs, p)


def test_wins_are_counted_without_ties():
    peer = PEERS[0]
    one, *rest = totals(
        [peer],
        [
            *(comparison(f"won {i}", 0.1, 0.2) for i in range(19)),
            comparison("lost", 0.3, 0.2, p=0.001),
            comparison("tied", 0.2, 0.2),
            comparison("tied but for the last digit", 0.2000001, 0.2, p=0.001),
        ],
    )
    assert not rest
    assert (one.won, one.lost, one.tied, one.lost_significantly) == (19, 1, 2, 1)
    assert one.share == 0.95
    assert one.floor == Floor(0.95, 0.55)
    assert one.mean == pytest.approx((0.5**19 * 1.5) ** (1 / 22))
    assert one.median == 0.5
    assert one.met is False  # by its mean, 0.56
    assert "19-1" in one.cells()


def test_floors_are_met_or_not_or_not_there():
    won, lost = comparison("a", 0.1, 0.2), comparison("b", 0.3, 0.2)
    assert totals(PEERS[:1], [won])[0].met is True
    assert totals(PEERS[:1], [won, lost])[0].met is False
    assert totals(PEERS[:1], [comparison("c", 0.2, 0.2)])[0].met is None
    free = next(peer for peer in PEERS if peer.floors is None)
    assert totals([free], [Comparison("d", free.name, "", "error", 9, 0.1, 0.2, 0.5, 1.0)])[0].met is None


def test_a_loss_is_significant_only_if_it_is_a_loss():
    rng = np.random.default_rng(6)
    good, bad = (rng.random(2000) < rate for rate in (0.1, 0.3))
    one = compared("set", "peer", "", "error", bad.astype(float), good.astype(float))
    other = compared("set", "peer", "", "error", good.astype(float), bad.astype(float))
    assert one.p == other.p < 0.05
    assert one.lost_significantly
    assert not other.lost_significantly


# What is kept.


def test_predictions_are_kept_by_rows(tmp_path):
    path = store.place(tmp_path, "set-1234", "vowpalwabbit 9 --sgd -l 0.5")
    assert store.kept(path, 1) is None
    store.keep(path, np.arange(5, dtype=np.float32))
    assert store.kept(path, 5).tolist() == [0, 1, 2, 3, 4]
    assert store.kept(path, 3).tolist() == [0, 1, 2]
    assert store.kept(path, 6) is None


def test_settings_and_sets_have_places_of_their_own(tmp_path):
    places = {store.place(tmp_path, data, words) for data in ("a-1", "a-2", "b-1") for words in vowpal_wabbit.SETTINGS}
    assert len(vowpal_wabbit.SETTINGS) == 44
    assert vowpal_wabbit.DEFAULT in vowpal_wabbit.SETTINGS
    assert len(places) == 3 * 44


def test_half_a_file_is_never_read(tmp_path, monkeypatch):
    path = store.place(tmp_path, "set", "learner")
    store.keep(path, np.arange(1000, dtype=np.float32))
    whole = path.read_bytes()
    for part in (b"", whole[:10], whole[: len(whole) // 2], whole[:-1]):
        path.write_bytes(part)
        assert store.kept(path, 10) is None
    path.unlink()

    def stop(file, **arrays):
        file.write(whole[: len(whole) // 2])
        raise KeyboardInterrupt

    monkeypatch.setattr(np, "savez_compressed", stop)
    with pytest.raises(KeyboardInterrupt):
        store.keep(path, np.arange(1000, dtype=np.float32))
    assert list(path.parent.iterdir()) == []


def test_a_peer_that_was_stopped_goes_on_and_one_that_ended_does_not_run_again(tmp_path):
    rows, ran = made("binary"), []

    def run(rows, settings):
        for words in settings:
            if len(ran) == 2:
                ran.append("stopped")
                raise KeyboardInterrupt
            ran.append(words)
            yield np.full(len(rows), float(words), dtype=np.float32)

    peer = Peer("peer", "p", "p", "numpy", run, ("1", "2", "3"), None)
    with pytest.raises(KeyboardInterrupt):
        list(peer.outcomes(rows, tmp_path, "set"))
    assert ran == ["1", "2", "stopped"]
    first = dict(peer.outcomes(rows, tmp_path, "set"))
    assert ran == ["1", "2", "stopped", "3"]
    again = dict(peer.outcomes(rows, tmp_path, "set"))
    assert len(ran) == 4
    assert again.keys() == first.keys() == {"1", "2", "3"}
    assert all(np.array_equal(again[w]["log loss"], first[w]["log loss"]) for w in again)
    assert len(dict(peer.outcomes(rows.first(50), tmp_path, "set"))["1"]["error"]) == 50
    assert len(ran) == 4
    smallest = min(again, key=lambda words: again[words]["log loss"].mean())
    assert program.best_of(peer, rows, tmp_path, "set")["log loss"][0] == smallest


def test_a_peer_leaves_out_what_is_too_wide():
    wide = Rows("binary", sparse.csr_matrix((2, 1002)), np.array([1.0, -1.0]))
    assert [peer.takes(wide) for peer in PEERS] == [peer.family != "river" for peer in PEERS]


# The learners.


@pytest.mark.parametrize("task", ["binary", "multiclass", "regression"])
@pytest.mark.parametrize(
    ("package", "predictions", "settings"),
    [
        ("vowpalwabbit", vowpal_wabbit.predictions, ["-l 0.5", "--coin --ftrl_alpha 4"]),
        ("lightgbm", retrained.predictions, ["defaults"]),
        ("river", forests.predictions, ["AMF", "ARF scaled"]),
        ("afterwit", ours.predictions, [LEARNER]),
    ],
)
def test_no_learner_sees_a_row_before_it_predicts_it(task, package, predictions, settings):
    pytest.importorskip(package)
    rows = made(task)
    whole = list(predictions(rows, settings))
    # The last label is another one, and there are fewer rows: what was predicted before is the same.
    y = rows.y.copy()
    y[99] = 1000.0 if task == "regression" else y[:99][y[:99] != y[99]][0]
    changed = Rows(task, rows.X[:100], y[:100], rows.classes)
    for one, other in zip(whole, predictions(changed, settings), strict=True):
        assert one.dtype == np.float32
        assert len(one) == 150
        before, at_last = (one[:99], other[:99]), (one[99], other[99])
        assert np.array_equal(*before)
        if task != "multiclass":
            assert np.array_equal(*at_last)
        else:
            assert at_last[0][0] == at_last[1][0]


def test_every_learner_of_the_command_line_can_be_ours():
    """In a process of its own: here, other tests have imported all of them."""
    words = "from benchmarks.accuracy import ours; print(ours.learner('online-newton', 'regression'))"
    done = subprocess.run([sys.executable, "-c", words], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout == "OnlineNewton(loss='squared')\n", done.stderr


def test_before_the_first_training_frequencies_and_means_are_predicted():
    numbers = retrained._before(Rows("regression", None, np.array([2.0, 4.0, 9.0])))
    assert numbers[:, 0].tolist() == [0.0, 2.0, 3.0]
    margins = retrained._before(Rows("binary", None, np.array([1.0, 1.0, -1.0])))
    assert margins[:, 0] == pytest.approx([0.0, np.log(3.0), np.log(5.0)])
    shares = retrained._before(Rows("multiclass", None, np.array([2.0, 0.0]), (1, 2, 3)))
    assert shares == pytest.approx(np.array([[1 / 3] * 3, [0.2, 0.2, 0.6]]))


def test_numbers_are_cut_to_the_labels_before_them():
    numbers, y = np.array([5.0, 50.0, -50.0, 3.0]), np.array([2.0, 4.0, 1.0, 9.0])
    assert within(numbers, y).tolist() == [5.0, 2.0, 2.0, 3.0]
    assert within(numbers, y, zero=True).tolist() == [0.0, 2.0, 0.0, 3.0]


def test_vowpal_wabbit_does_not_gain_from_labels_that_only_grow():
    # Cut to labels that it has read and not yet predicted, what diverges would be right from the second row on.
    y = np.arange(1.0, 41.0)
    rows = Rows("regression", sparse.csr_matrix(np.ones((40, 1))), y)
    (found,) = vowpal_wabbit.predictions(rows, ["--sgd --power_t 0 -l 10"])
    assert (found[1:] <= y[:-1]).all()


# The program.


def run(*arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
    env = {key: value for key, value in os.environ.items() if key != "AFTERWIT_DATA"} | environment
    command = [sys.executable, "-m", "benchmarks.accuracy", *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True)


def test_the_program_says_what_it_lacks(tmp_path, data):
    done = run()
    assert done.returncode == 2
    assert done.stderr == "AFTERWIT_DATA is not set: it names the folder with the data sets and their README.md.\n"
    done = run(AFTERWIT_DATA=str(tmp_path))
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    done = run("--only", "four", AFTERWIT_DATA=str(data))
    assert done.returncode == 2
    assert "`four` is not a set" in done.stderr
    for option in ("--learner", "--peers"):
        done = run(option, "nobody", AFTERWIT_DATA=str(data))
        assert done.returncode == 2
        assert f"{option}: `nobody` is not a learner" in done.stderr


def test_a_line_per_set_and_then_the_totals(tmp_path, data, monkeypatch, capsys):
    monkeypatch.setattr(program, "PEERS", PEERS[:1])
    out = tmp_path / "numbers.json"
    words = ["--learner", LEARNER, "--peers", "vw", "--rows", "100", "--folder", tmp_path / "kept", "--json", out]
    monkeypatch.setattr(sys, "argv", ["accuracy", *map(str, words)])
    program.main()
    said = capsys.readouterr().out.splitlines()
    begins = [line.split()[0] for line in said if line]
    first = begins.index("set")
    assert begins[first + 1 : first + 5] == ["two", "blocks.t", "three", "number"]
    numbers = json.loads(out.read_text())
    assert numbers["machine"]["learner"] == LEARNER
    assert {one["rows"] for one in numbers["sets"]} == {99, 100}  # the first label of a regression is only noted
    # The same algorithm: what differs are the last digits that it prints.
    assert all(one["ours"] == pytest.approx(one["theirs"], rel=1e-4) for one in numbers["sets"])
    assert [(one["measure"], one["won"] + one["lost"] + one["tied"]) for one in numbers["totals"]] == [
        ("error", 3),
        ("log loss", 3),
        ("squared error", 1),
    ]
    assert said[-1] == "No set is lost significantly."


def test_a_learner_of_ours_can_be_the_peer_and_nothing_of_it_is_kept(tmp_path, data, monkeypatch, capsys):
    out = tmp_path / "numbers.json"
    words = ["--learner", "auto:nonlinear=false", "--peers", LEARNER, "--ordered", "--json", out]
    monkeypatch.setattr(sys, "argv", ["accuracy", *map(str, words), "--folder", str(tmp_path / "kept")])
    program.main()
    said = capsys.readouterr().out
    numbers = json.loads(out.read_text())
    assert [(one["data"], one["peer"], one["measure"]) for one in numbers["sets"]] == [
        ("two", LEARNER, "error"),
        ("two", LEARNER, "log loss"),
        ("number", LEARNER, "squared error"),
    ]
    one = numbers["sets"][1]
    line = next(line for line in said.splitlines() if line.startswith("two"))
    assert [f"{one['ours']:.4g}", f"{one['theirs']:.4g}"] == line.split()[-3:-1]
    assert list(numbers["regrets"]) == ["two", "number"]
    assert all(of["regret"] <= of["bound"] for of in numbers["regrets"].values())
    assert said.splitlines()[-1] == "regret within its bound on 2 of 2 sets"
    assert not (tmp_path / "kept").exists()


def test_a_regret_above_its_bound_is_said():
    line = program.regrets_line({"good": (1.0, 2.0), "bad": (3.0, 2.0), "below": (-1.0, 0.5)})
    assert line == "regret within its bound on 2 of 3 sets, above it on bad"
    assert ours.regret(ours.learner(LEARNER, "binary")) is None


@pytest.mark.slow
def test_the_program_runs_and_goes_on(tmp_path, data):
    words = ["--learner", LEARNER, "--peers", "vw", "--folder", tmp_path / "kept"]
    first = run(*words, "--only", "two", AFTERWIT_DATA=str(data))
    assert first.returncode == 0, first.stderr
    kept = {path: path.stat().st_mtime_ns for path in (tmp_path / "kept").rglob("*.npz")}
    assert len(kept) == 44
    again = run(*words, AFTERWIT_DATA=str(data))
    assert again.returncode == 0, again.stderr
    later = {path: path.stat().st_mtime_ns for path in (tmp_path / "kept").rglob("*.npz")}
    assert len(later) == 4 * 44
    assert kept.items() <= later.items()
    assert "VW best of 44" in again.stdout
    line = next(line for line in first.stdout.splitlines() if line.startswith("two"))
    assert line in again.stdout.splitlines()
