"""Tests that small trials of the file watcher and of long use hold, and that they can fail."""

from __future__ import annotations

import io
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from jaxtutor.app import App
from jaxtutor.checks.lesson_check import Checker
from jaxtutor.commands import verdicts
from jaxtutor.content.lesson import Lesson
from jaxtutor.core import debounce
from jaxtutor.core.data.verdicts import Verdict
from jaxtutor.core.debounce import FileEvent, InitialContent, Missing, Saved
from jaxtutor.errors import TutorError
from jaxtutor.options import Options
from jaxtutor.processes.watched_run import Cancel
from jaxtutor.session.editor_control import find_todo
from jaxtutor.storage.workspace import Submission
from jaxtutor.watch import background, file_watcher
from trials import Share, soak, watched_sessions, watcher
from trials.saving import WAYS
from trials.watcher import Read, Save, Tally, WatchedFile

FOUND = InitialContent(b"as it was found\n")
ONE, TWO, THREE = b"one\n", b"two\n", b"three\n"


# ---------------------------------------------------------------- small trials


@pytest.mark.slow
@pytest.mark.parametrize("scene", watcher.SCENES)
def test_saves_are_reported_whole_once_and_in_order(scene: str) -> None:
    """In every trial, a dozen random saves are reported whole, once and in order."""
    tally = watcher.run_files(1, 12, (scene,))

    assert [] == tally.failures


def test_of_two_writers_the_last_counts() -> None:
    """With two writers, the bytes that remain on disk are reported last."""
    assert (1, []) == watcher.run_writers(1, 20)


def test_what_is_no_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """Anything that replaces the file is reported, and a file that follows is reported too."""
    if os.geteuid() == 0:  # root may read everything
        monkeypatch.delitem(watcher.ODD, "a file that may not be read")

    assert [] == watcher.run_odd()


def test_folders_that_go() -> None:
    """A file is reported again when its folder, its chapter or the whole workspace returns."""
    assert [] == watcher.run_going()


# ---------------------------------------------------------------- the trials can fail


def test_a_watch_that_does_not_wait_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The trial fails for a watcher that treats every empty file as a save."""

    def empty_and_fill(path: Path, data: bytes) -> bytes:
        path.write_bytes(b"")
        time.sleep(0.06)
        return WAYS["in_place"](path, data)

    monkeypatch.setattr(debounce, "SETTLE_EMPTY", 0.0)
    monkeypatch.setattr(watcher, "WAYS", dict.fromkeys(WAYS, empty_and_fill))
    monkeypatch.setattr(watcher, "SUDDEN", set())
    tally = watcher.run_files(1, 6, ("a file",))

    assert any("never saved" in failure for failure in tally.failures)


def test_a_watch_that_trusts_coarse_times_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The trial fails for a watcher that does not read again a file with unchanged coarse times."""
    monkeypatch.setattr(debounce, "COARSE", 0.0)
    monkeypatch.setattr(debounce, "REREAD", 60.0)
    monkeypatch.setattr(watcher, "PATIENCE", 1.0)
    tally = watcher.run_files(1, 6, (watcher.FROZEN,))

    assert f"{watcher.FROZEN}: the last save was not reported last" in tally.failures


def judged(events: list[FileEvent], *saves: tuple[str, bytes], reads: bool = True) -> Tally:
    """Judge saves made a second apart, each visible for half a second and read twice."""
    watched = WatchedFile("forged", Path("lesson.py"))
    for number, (way, data) in enumerate(saves, 1):
        watched.saves.append(Save(way, data, float(number), number + 0.5))
        looks = [number + 0.6, number + 0.7] if reads else []
        watched.reads += [Read(when, when) for when in looks]
    watched.events = [(number + 0.75, event) for number, event in enumerate(events)]
    return watcher.judge(watched)


SAVES = (("in_place", ONE), ("rename_over", TWO), ("in_place", THREE))


@pytest.mark.parametrize(
    ("saved", "says"),
    [
        ([ONE, TWO, THREE], ""),
        ([ONE, THREE], "was not reported"),
        ([ONE, TWO], "the last save was not reported last"),
        ([TWO, ONE, THREE], "reported after save"),
        ([ONE, ONE, TWO, THREE], "twice in a row"),
        ([ONE, b"on", TWO, THREE], "never saved"),
    ],
)
def test_the_judge(saved: list[bytes], says: str) -> None:
    """Any save that is missing, partial, repeated or out of order is a failure."""
    events: list[FileEvent] = [FOUND, *map(Saved, saved)]
    failures = judged(events, *SAVES).failures

    assert bool(says) == bool(failures)
    assert not says or any(says in failure for failure in failures)


def test_a_part_that_stood_still_is_no_failure() -> None:
    """A text that was visible in part for long enough counts as two saves."""
    tally = judged([FOUND, Saved(b"on"), Saved(ONE)], ("in_place", ONE))

    assert ([], 1) == (tally.failures, tally.torn)


def test_what_returns_may_be_reported_again() -> None:
    """After a file was gone, its bytes may be reported again."""
    assert [] == judged([FOUND, Saved(ONE), Missing(), Saved(ONE)], ("in_place", ONE)).failures


def test_what_nobody_looked_at_is_the_machines() -> None:
    """A save that the watcher had no time to see is counted, but not as reported."""
    events: list[FileEvent] = [FOUND, Saved(ONE), Saved(THREE)]
    tally = judged(events, *SAVES, reads=False)

    assert ([], 1) == (tally.failures, tally.starved)
    promise = f"a save that is unchanged for {watcher.STILL:g} s is reported"
    assert [False] == [it.holds for it in watcher.figures_of(tally) if it.promise == promise]


# ---------------------------------------------------------------- sessions


@pytest.mark.slow
def test_a_first_save_under_check_watch() -> None:
    """`check --watch` records what was saved, but neither a touch nor the starter."""
    with watched_sessions.place() as here, watched_sessions.check_watch(here):
        assert [] == watched_sessions._save_unchanged(here, "check --watch")


@pytest.mark.slow
def test_saves_under_check_watch() -> None:
    """With `check --watch`, random saves are checked in order, or kept if overtaken."""
    assert () == watched_sessions.try_check_watch(12).failures


@pytest.mark.slow
def test_saves_beside_start() -> None:
    """With `start`, random saves are checked in order, or kept if a later one came first."""
    assert () == watched_sessions.try_start(12).failures


@pytest.mark.slow
def test_saves_while_stopped() -> None:
    """Text saved while jaxtutor is stopped is checked when it continues."""
    assert () == watched_sessions.try_stopping().failures


def test_a_lesson_whose_file_is_a_pipe(tmp_path: Path) -> None:
    """Searching for the TODO does not wait for the writer of a pipe."""
    os.mkfifo(tmp_path / "lesson.py")
    looking = "from jaxtutor.session.editor_control import find_todo as f; print(f(!))"
    line = f"import pathlib; {looking}".replace(
        "!", f"pathlib.Path({str(tmp_path / 'lesson.py')!r})"
    )
    ran = subprocess.run(
        [sys.executable, "-c", line], capture_output=True, text=True, timeout=60, check=True
    )

    assert "1\n" == ran.stdout


def test_the_line_of_the_todo(tmp_path: Path) -> None:
    """The first TODO is found in Python text, and the first line in anything else."""
    file = tmp_path / "lesson.py"
    file.write_bytes(b"import jax\n# TODO\n")
    found = find_todo(file)
    file.write_bytes(b"\0\n# TODO\n")

    assert (2, 1) == (found, find_todo(file))


class Course:
    """A learner under `check --watch`, whose checks end as the test says."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self.app = App(Options(), io.StringIO(), io.StringIO(), {"JAXTUTOR_HOME": str(folder)})
        self.file = self.app.file(self.app.lesson("safe-clip-positive"))
        self.checked: list[str] = []
        patch.setattr(background, "attempt", self._attempt)
        patch.setattr(Checker, "prepare", lambda *_: None)
        patch.setattr(verdicts, "show_verdict", lambda *_: self._show())
        patch.setattr(App, "warn", lambda _, message, remedy="": self.save("after the error\n"))

    def save(self, text: str) -> None:
        self.file.write_text(text)

    def _attempt(
        self,
        app: App,
        lesson: Lesson,
        saved: Submission,
        cancel: Cancel,
        is_saved: bool,
        *_: object,
    ) -> Verdict:
        self.checked.append(saved.text)
        if "no process" in saved.text:
            raise TutorError("A process for the check could not be started.")
        return Verdict("passed", lesson.slug, "passed", (), 0.1, "cpu:0", "0.12")

    def _show(self) -> None:
        if len(self.checked) > 1:
            raise KeyboardInterrupt
        self.save("no process\n")


def test_check_watch_outlives_a_check_that_could_not_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If a later check cannot run, that is reported and the next save is checked."""
    course = Course(tmp_path, monkeypatch)
    with pytest.raises(KeyboardInterrupt):
        verdicts.watch(course.app, "safe-clip-positive", None)

    assert ["no process\n", "after the error\n"] == course.checked[1:]


def test_check_watch_ends_where_no_check_can_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the first check cannot run, `check --watch` ends with that error."""
    course = Course(tmp_path, monkeypatch)
    course.file.parent.mkdir(parents=True)
    course.save("no process\n")
    with pytest.raises(TutorError, match="could not be started"):
        verdicts.watch(course.app, "safe-clip-positive", None)


# ---------------------------------------------------------------- the soak


def samples(change: Callable[[float], float]) -> list[soak.Sample]:
    """Return four hours of measurements in which the session's memory changes as given."""
    chance = random.Random(1)
    return [
        soak.Sample(n / 50, 22, change(n / 50) + chance.random(), 60, 23, 5, 4, 0, 1, 4)
        for n in range(200)
    ]


@pytest.mark.parametrize(
    ("change", "holds"),
    [
        (lambda hours: 50, True),
        (lambda hours: 50 + min(hours, 0.8) * 30, True),  # growth while warming up only
        (lambda hours: 50 + hours * 5, False),
        (lambda hours: 50 - hours, True),
    ],
    ids=["flat", "warming up", "leaking", "shrinking"],
)
def test_growth_is_found(change: Callable[[float], float], holds: bool) -> None:
    """Memory that grows by a tenth between the second and the last quarter is a leak."""
    figures = {it.promise.partition(" ")[0]: it for it in soak.judge(samples(change))}

    assert holds == figures["session"].holds
    assert figures["terminal"].holds


@pytest.mark.slow
def test_a_short_soak() -> None:
    """Half a minute of use loses no save and leaves no process or file behind."""
    figures = {it.promise: it for it in soak.run(Share(0.002))}

    assert figures["every save is in the store"].holds
    assert figures["nothing remains"].holds


# ---------------------------------------------------------------- details


def test_a_verdict_overtaken_on_its_way_is_not_shown() -> None:
    """A verdict that arrives just after a newer save is not shown for the newer save."""
    from jaxtutor.session.learner_file import LearnerFile
    from jaxtutor.watch.background import CheckFinished

    file = LearnerFile.__new__(LearnerFile)
    state: Any = SimpleNamespace(checking_since=1.0, checked=None)
    file._state, file._submitted = state, cast(Any, "newer")
    file.show_verdict(CheckFinished(cast(Any, "lesson"), cast(Any, "older"), None))

    assert (1.0, None) == (state.checking_since, state.checked)


def test_a_verdict_that_comes_again_leaves_the_screen_where_it_is() -> None:
    """The mistake behind a wrong answer is added without scrolling back to the first line."""
    from jaxtutor.session.learner_file import LearnerFile
    from jaxtutor.watch.background import CheckFinished

    file, text = LearnerFile.__new__(LearnerFile), cast(Any, "text")
    state: Any = SimpleNamespace(checked=None, checks=0, view="verdict", offset=4)
    file._state, file._submitted, file.try_fix = state, text, lambda: None  # type: ignore[method-assign]
    seen = []
    for _ in range(2):
        file.show_verdict(CheckFinished(cast(Any, "lesson"), text, None))
        seen.append((state.offset, state.checks))
        state.offset = 7

    assert [(None, 1), (7, 1)] == seen


def test_a_watch_that_waits_looks_seldom(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """While nothing changes, the file is polled at most some tens of times a second."""
    (tmp_path / "lesson.py").write_bytes(ONE)
    looks: list[float] = []
    real = file_watcher.look

    def look(*asked: Any) -> debounce.FileState:
        looks.append(time.monotonic())
        return real(*asked)

    monkeypatch.setattr(file_watcher, "look", look)
    with file_watcher.FileWatcher(tmp_path / "lesson.py", lambda *_: None):
        time.sleep(2.0)

    assert 3 < len(looks) < 150
