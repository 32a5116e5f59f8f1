"""`learn --checkpoint` and `--resume`: which command, which files, and what is on the disk when."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import stat
from pathlib import Path
from typing import Any

import pytest

import afterwit as aw
from afterwit.cli import checkpoints
from afterwit.learning import Lesson
from afterwit.learning.checkpoint import write_checkpoint
from tests.cli.commands import digest, inside, write_svmlight

ROWS = 60
WORDS = ["learn", "d.svm", "--save", "m", "--predictions", "p"]
KEPT = [*WORDS, "--checkpoint", "10"]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write_svmlight(tmp_path / "d.svm", ROWS, features=15)
    return tmp_path


def left_in_the_middle(*words: str, row: int = 30) -> None:
    """Fails at a bad line, which is mended afterwards."""
    lines = Path("d.svm").read_text().splitlines(keepends=True)
    Path("d.svm").write_text("".join([*lines[:row], "1 1:oops\n", *lines[row:]]))
    assert inside(*words) == 1
    Path("d.svm").write_text("".join(lines))
    assert Path("m.checkpoint").exists()


def everything() -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in Path().iterdir()}


def test_the_same_bits(capfd: Any) -> None:
    assert inside(*WORDS) == 0
    report = capfd.readouterr().out
    straight = digest(Path("m")), digest(Path("p"))
    os.unlink("m")
    left_in_the_middle(*KEPT)
    capfd.readouterr()
    assert inside(*KEPT, "--resume") == 0
    assert capfd.readouterr() == (report, "")
    assert (digest(Path("m")), digest(Path("p"))) == straight
    assert sorted(os.listdir()) == ["d.svm", "m", "p"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--learner", "perceptron"], "--learner is `perceptron`, and was `auto`"),
        (["--loss", "squared"], "--loss is `squared`, and was not given"),
        (["--task", "binary"], "--task is `binary`, and was not given"),
        (["--classes", "-1,1"], "--classes is `-1,1`, and was not given"),
        (["--passes", "2"], "--passes is `2`, and was `1`"),
        (["--limit", "50"], "--limit is `50`, and was not given"),
        (["--holdout", "7"], "--holdout is `7`, and was not given"),
        (["--window", "7"], "--window is `7`, and was not given"),
        (["--format", "vw"], "--format is `vw`, and was `auto`"),
        (["--on-error", "skip"], "--on-error is `skip`, and was `raise`"),
        (["--bits", "10"], "--bits is `10`, and was `18`"),
        (["--no-intercept"], "--no-intercept is given, and was not given"),
        (["--interactions", "a*b", "c*d"], "--interactions is `a*b c*d`, and was not given"),
        (["--predictions", "other"], "--predictions is `other`, and was `p`"),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_another_command_is_refused(words: list[str], sentence: str, capfd: Any) -> None:
    left_in_the_middle(*KEPT)
    before = everything()
    capfd.readouterr()
    assert inside(*KEPT, *words, "--resume") == 1
    expected = (
        f"cannot resume from `m.checkpoint`: {sentence}; use the same command as before, or start again without it"
    )
    assert capfd.readouterr() == ("", f"afterwit: {expected}\n")
    assert everything() == before


def test_other_columns_are_refused(capfd: Any) -> None:
    Path("d.svm").write_text("a,b,c\n" + "1,0,1\n0,1,1\n" * 30)
    words = ["learn", "d.svm", "--format", "csv", "--target", "a", "--save", "m", "--checkpoint", "10"]
    left_in_the_middle(*words)
    capfd.readouterr()
    for more, sentence in (
        (["--target", "b"], "--target is `b`, and was `a`"),
        (["--weight", "c"], "--weight is `c`, and was not given"),
        (["--predictions", "p"], "--predictions is `p`, and was not given"),
    ):
        assert inside(*words, *more, "--resume") == 1
        assert sentence in capfd.readouterr().err
    assert not Path("p.part").exists()


def test_what_does_not_matter_may_change(capfd: Any) -> None:
    assert inside(*WORDS, "--json") == 0
    report = json.loads(capfd.readouterr().out)
    straight = digest(Path("m")), digest(Path("p"))
    os.unlink("m")
    left_in_the_middle(*KEPT)
    os.rename("d.svm", "moved.svm")
    Path("folder").mkdir()
    words = ["learn", "moved.svm", "--save", "folder/../m", "--predictions", "folder/../p", "--checkpoint", "7"]
    capfd.readouterr()
    assert inside(*words, "--json", "--cache", "--hindsight", "--resume") == 0
    shown = json.loads(capfd.readouterr().out)
    del shown["hindsight"], shown["source"], report["source"]
    assert shown == report
    assert (digest(Path("m")), digest(Path("p"))) == straight


def test_changed_files_are_refused_and_stay(capfd: Any) -> None:
    left_in_the_middle(*KEPT)
    kept = Path("p.part").read_bytes()
    lines = Path("d.svm").read_text()

    def refused(sentence: str) -> None:
        before = everything()
        capfd.readouterr()
        assert inside(*KEPT, "--resume") == 1
        assert sentence in capfd.readouterr().err
        assert everything() == before

    Path("p.part").write_bytes(b"9" + kept[1:])
    refused("p.part` is not what the checkpoint left; start again without --resume")
    Path("p.part").write_bytes(kept[:-1])
    refused("p.part` is not what the checkpoint left")
    os.unlink("p.part")
    refused("p.part` is not what the checkpoint left")
    Path("p").write_text("mine\n")  # is not taken for the part that became it
    refused("p.part` is not what the checkpoint left")
    os.unlink("p")
    Path("p.part").write_bytes(kept)
    Path("d.svm").write_text(lines.replace("1", "2", 1))
    capfd.readouterr()
    assert inside(*KEPT, "--resume") == 1
    assert "the input changed since the checkpoint was written" in capfd.readouterr().err
    Path("d.svm").write_text(lines)
    assert inside(*KEPT, "--resume") == 0


def test_rows_that_changed_behind_the_place_of_a_later_pass(capfd: Any) -> None:
    """The first pass has learned them, and the second would not."""
    words = [*KEPT, "--passes", "2", "--on-error", "skip"]

    def stop(path: str, lesson: Lesson, extra: dict[str, Any]) -> None:
        write_checkpoint(path, lesson, extra)
        if lesson.done == 1:
            raise KeyboardInterrupt

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(checkpoints, "write_checkpoint", stop)
        assert inside(*words) == 130
    lines = Path("d.svm").read_text()
    checkpoint = Path("m.checkpoint").read_bytes()
    for changed in (lines + "1 1:1\n", lines[:-2] + "9\n"):
        Path("d.svm").write_text(changed)
        Path("m.checkpoint").write_bytes(checkpoint)
        capfd.readouterr()
        assert inside(*words, "--resume") == 1
        assert "this pass did not end where the first did; start again" in capfd.readouterr().err
    Path("d.svm").write_text(lines)
    Path("m.checkpoint").write_bytes(checkpoint)
    assert inside(*words, "--resume") == 0


def test_a_run_that_has_ended_is_left_alone(capfd: Any) -> None:
    assert inside(*KEPT, "--resume") == 0  # where there is nothing, from the beginning
    before = everything()
    capfd.readouterr()
    for words in ([], ["--passes", "2"]):
        assert inside(*KEPT, *words, "--resume") == 0
        sentence = "`m` is there and `m.checkpoint` is not: its run has ended; to learn again, omit --resume"
        assert capfd.readouterr() == ("", f"afterwit: {sentence}\n")
        assert everything() == before
    assert inside(*KEPT) == 0
    assert everything() == before


def test_only_a_file_is_what_a_run_has_left(capfd: Any) -> None:
    Path("folder").mkdir()
    assert inside("learn", "d.svm", "--save", "folder", "--resume") == 2
    assert "--save: cannot write `folder`: is a directory" in capfd.readouterr().err
    assert inside("learn", "d.svm", "--save", "/dev/null", "--resume") == 0
    assert "rows" in capfd.readouterr().out  # has learned


@pytest.mark.parametrize("resumed", [["--resume"], []], ids=["resumed", "afresh"])
def test_a_part_that_another_run_writes_is_left_alone(resumed: list[str], capfd: Any) -> None:
    """Both would write their lines into it, and the first to end would leave holes."""
    left_in_the_middle(*KEPT)
    before = everything()
    capfd.readouterr()
    with open("p.part", "rb") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        assert inside(*KEPT, *resumed) == 1
    sentence = f"another run writes `{Path('p.part').resolve()}`; wait for its end, or give --predictions another name"
    assert capfd.readouterr() == ("", f"afterwit: {sentence}\n")
    assert everything() == before
    assert inside(*KEPT, *resumed) == 0


def test_a_part_that_became_the_file_before_it_was_locked(monkeypatch: pytest.MonkeyPatch, capfd: Any) -> None:
    left_in_the_middle(*KEPT)
    kept, flock = Path("p.part").read_bytes() + b"more\n", fcntl.flock
    Path("p.part").write_bytes(kept)

    def late(descriptor: int, how: int) -> None:
        if os.readlink(f"/proc/self/fd/{descriptor}").endswith("/p.part"):
            os.rename("p.part", "p")
        flock(descriptor, how)

    monkeypatch.setattr("afterwit.cli.prediction_part.fcntl.flock", late)
    assert inside(*WORDS, "--resume") == 1
    assert "another run writes" in capfd.readouterr().err
    assert Path("p").read_bytes() == kept


def test_a_checkpoint_that_another_run_has_removed(monkeypatch: pytest.MonkeyPatch, capfd: Any) -> None:
    save = aw.storage.save

    def saved(*words: Any) -> None:
        save(*words)
        os.unlink("m.checkpoint")

    monkeypatch.setattr("afterwit.cli.learn.storage.save", saved)
    assert inside(*KEPT) == 0
    assert capfd.readouterr().err == ""


def test_a_checkpoint_without_its_command_is_refused(capfd: Any) -> None:
    lesson = Lesson(aw.linear.AdaGrad(normalized=True), aw.read("d.svm", batch_rows=10))
    next(lesson.steps())
    write_checkpoint("m.checkpoint", lesson, {"predictions": None})
    before = everything()
    assert inside("learn", "d.svm", "--save", "m", "--resume") == 1
    assert "it does not say of which command it is; use the same command" in capfd.readouterr().err
    assert everything() == before
    assert inside("learn", "d.svm", "--save", "m", "--checkpoint", "10") == 0  # but it may be begun again


def test_what_others_wrote_stays(capfd: Any) -> None:
    foreign = Path("m.checkpoint")
    foreign.write_text("mine")
    assert inside(*WORDS) == 0
    assert foreign.read_text() == "mine"
    capfd.readouterr()
    assert inside(*KEPT) == 1
    assert (
        "--checkpoint would overwrite what is not one, move it away: `m.checkpoint` is not a file that"
        in capfd.readouterr().err
    )
    assert inside(*KEPT, "--resume") == 1
    assert foreign.read_text() == "mine"
    shutil.copy("m", foreign)  # a model is no checkpoint
    assert inside(*KEPT) == 1
    assert digest(foreign) == digest(Path("m"))
    foreign.unlink()
    Path("p.part").write_text("mine")
    capfd.readouterr()
    assert inside(*KEPT) == 1
    assert "p.part`, which is there already; move it away" in capfd.readouterr().err
    assert Path("p.part").read_text() == "mine"
    assert not foreign.exists()
    assert inside(*WORDS) == 0  # needs no part


def test_one_that_was_left_may_be_begun_again(capfd: Any) -> None:
    left_in_the_middle(*KEPT)
    assert inside(*KEPT, "--limit", "20") == 0
    assert sorted(os.listdir()) == ["d.svm", "m", "p"]
    assert len(Path("p").read_text().splitlines()) == 20
    left_in_the_middle(*KEPT)
    checkpoint = digest(Path("m.checkpoint"))
    assert inside("learn", "d.svm", "--save", "m") == 0
    assert digest(Path("m.checkpoint")) == checkpoint  # another run's


def test_resumed_without_checkpoint_and_left_again(capfd: Any) -> None:
    left_in_the_middle(*KEPT)
    left_in_the_middle(*WORDS, "--resume", row=45)
    assert inside(*WORDS, "--resume") == 0
    resumed = digest(Path("m")), digest(Path("p"))
    assert inside(*WORDS) == 0
    assert (digest(Path("m")), digest(Path("p"))) == resumed


def test_streams_have_no_checkpoints(here: Path, capfd: Any) -> None:
    os.mkfifo("pipe")
    before = os.listdir()
    for words in (["--save", "m", "--predictions", "pipe"], ["--save", "m", "--predictions", "-"], ["--save", "-"]):
        assert inside("learn", "d.svm", *words, "--checkpoint", 5) == 2
        out, err = capfd.readouterr()
        assert out == ""
        assert "a pipe or a device; no run can go on from it, leave checkpoints out" in err
    assert os.listdir() == before


def test_predictions_that_grow_keep_link_and_mode() -> None:
    Path("folder").mkdir()
    target = Path("folder/target")
    target.write_text("old")
    target.chmod(0o660)  # more than the usual mask lets a new file have
    Path("p").symlink_to(target)
    left_in_the_middle(*KEPT)
    assert target.read_text() == "old"
    assert stat.S_IMODE(os.stat("folder/target.part").st_mode) == 0o660
    assert inside(*KEPT, "--resume") == 0
    assert Path("p").is_symlink()
    assert len(target.read_text().splitlines()) == ROWS
    assert stat.S_IMODE(target.stat().st_mode) == 0o660
    assert os.listdir("folder") == ["target"]


def test_predictions_grow_beside_a_file_for_reading_alone() -> None:
    """The part of a run that was killed must be opened again, by who may not be root."""
    Path("p").write_text("old")
    Path("p").chmod(0o440)
    left_in_the_middle(*KEPT)
    assert stat.S_IMODE(os.stat("p.part").st_mode) == 0o640
    assert inside(*KEPT, "--resume") == 0
    assert stat.S_IMODE(os.stat("p").st_mode) == 0o440


def test_predictions_are_of_the_first_pass() -> None:
    assert inside("learn", "d.svm", "--predictions", "one") == 0
    for words in ([], ["--save", "m", "--checkpoint", "10"]):
        assert inside("learn", "d.svm", "--passes", "2", "--predictions", "two", *words) == 0
        assert Path("two").read_bytes() == Path("one").read_bytes()


def test_a_checkpoint_every_so_many_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """A batch has 4,096 rows at most; the count begins anew with each checkpoint."""
    Path("d.svm").write_text("1 1:1\n" * 20_000)
    rows = []

    def noted(path: str, lesson: Lesson, extra: dict[str, Any]) -> None:
        rows.append(lesson.rows)
        write_checkpoint(path, lesson, extra)

    monkeypatch.setattr(checkpoints, "write_checkpoint", noted)
    assert inside("learn", "d.svm", "--save", "m", "--checkpoint", "5000") == 0
    assert rows == [0, 8192, 16384]


def test_predictions_are_on_the_disk_before_a_checkpoint_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    events: list[tuple[str, str, int]] = []
    fsync, replace = os.fsync, os.replace

    def noted_fsync(descriptor: int) -> None:
        fsync(descriptor)
        name = os.path.basename(os.readlink(f"/proc/self/fd/{descriptor}"))
        if name == "p.part":
            events.append(("fsync", name, os.fstat(descriptor).st_size))

    def noted_replace(old: str, new: str) -> None:
        replace(old, new)
        if new.endswith(".checkpoint"):
            state = checkpoints.read_container(new, "checkpoint")["extra"]["predictions"]
            events.append(("replace", os.path.basename(new), state["size"]))
        elif os.path.basename(old) == "p.part":
            events.append(("replace", "p", os.stat(new).st_size))

    monkeypatch.setattr(os, "fsync", noted_fsync)
    monkeypatch.setattr(os, "replace", noted_replace)
    assert inside(*KEPT) == 0
    assert events[0] == ("replace", "m.checkpoint", 0)
    pairs = [(events[i], events[i + 1]) for i in range(1, len(events), 2)]
    assert len(pairs) == ROWS // 10 + 1
    for synced, said in pairs:
        assert synced == ("fsync", "p.part", said[2])
        assert said[0] == "replace"
    sizes = [said[2] for _, said in pairs]
    assert sizes[:-1] == sorted(set(sizes))
    assert [said[1] for _, said in pairs] == ["m.checkpoint"] * (ROWS // 10) + ["p"]


def test_checkpoints_do_not_change_what_the_labels_are(capfd: Any) -> None:
    """All first rows decide, however many of them are a batch."""
    labels = [*[i % 2 for i in range(50)], *[i % 5 for i in range(50)]]
    Path("late.csv").write_text("y,x\n" + "".join(f"{label},{i}\n" for i, label in enumerate(labels)))
    words = ["learn", "late.csv", "--target", "y", "--save", "m"]
    for more in ([], ["--checkpoint", "20"]):
        assert inside(*words, *more) == 0
        assert "labels                  numbers" in capfd.readouterr().out
