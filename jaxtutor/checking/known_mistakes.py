"""Learns what a lesson's known mistakes answer, and recognises a submission that answers alike.

Running a dozen mistakes takes some seconds, so it is done once per lesson, seed, jax and device, in
a process of its own that gives way to others, and kept beside the solution's answers. Nobody waits
for it: the first check that does not pass starts it, and the next one can be recognised.

    python -P -m jaxtutor.checking.known_mistakes TASK     TASK is JSON, see `Task`
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import msgspec
from msgspec import Struct

from jaxtutor.checking.lesson_check import Checker
from jaxtutor.content.lesson import Lesson
from jaxtutor.core.data.verdicts import Verdict
from jaxtutor.core.judging.recognition import KnownMistake, read_answers, recognise
from jaxtutor.core.judging.steps import failed_step
from jaxtutor.errors import TutorError
from jaxtutor.processes.runner import Runner
from jaxtutor.processes.templates import Templates
from jaxtutor.storage import workspace
from jaxtutor.system.packages import installed_version

FORMAT = "2"
"""Part of the key under which answers are kept; raise it when `KnownMistake` changes."""

LARGEST = 1 << 26
"""Bytes of kept answers that are read again."""

STALE_SECONDS = 900.0
"""After this long without an end, another process may begin: the one that began it has died."""

OFF = "JAXTUTOR_NO_KEEP"
"""Where this is set, no process is left behind, and nothing is learned in the background."""


class Task(Struct, frozen=True):
    """What the background process is given: a lesson, and how its checks are run."""

    folder: str
    number: str
    slug: str
    seed: int
    references: str
    device: str | None = None
    programs: str | None = None


def name_misconception(checker: Checker, lesson: Lesson, seed: int, verdict: Verdict) -> str:
    """Return the sentence of the known mistake that answers like a submission, or nothing.

    Where the mistakes were not run yet, have that done in the background. That begins behind a
    submission that raised, too: the next one may return a wrong answer.
    """
    if verdict.status not in ("failed", "raised") or failed_step(verdict):
        return ""
    place = _place(checker, lesson, seed)
    known = _read(place)
    if known is None:
        if OFF not in os.environ:
            _begin(checker, lesson, seed, place)
        return ""
    answers = read_answers(verdict)
    return recognise(answers, known, lesson.info.tolerance) if answers is not None else ""


def learn(lesson: Lesson, check: Callable[[Path], Verdict]) -> Iterator[KnownMistake]:
    """Check the mistakes of a lesson that have a sentence, and yield what they answer."""
    for path, expectation in lesson.mistakes():
        answers = read_answers(check(path)) if expectation.says else None
        if answers is not None and answers.check == expectation.check:
            yield KnownMistake(path.stem, expectation.says, answers)


# ---------------------------------------------------------------- what is kept


def _place(checker: Checker, lesson: Lesson, seed: int) -> Path:
    parts = [FORMAT, checker.digest(lesson, seed), installed_version("jax")]
    for path, _ in lesson.mistakes():
        parts += [path.name, lesson.read(f"mistakes/{path.name}")]
    digest = hashlib.sha256("\0".join(parts).encode()).hexdigest()[:24]
    return checker.references / f"{lesson.slug}-{digest}-mistakes.bin"


def _read(place: Path) -> list[KnownMistake] | None:
    """Read kept answers; None where there are none, or they are damaged."""
    with suppress(OSError, msgspec.MsgspecError):
        return msgspec.msgpack.decode(workspace.look(place, LARGEST)[1], type=list[KnownMistake])
    return None


def _begin(checker: Checker, lesson: Lesson, seed: int, place: Path) -> None:
    """Start the background process, unless one is at it."""
    lock = place.with_suffix(".lock")
    with suppress(OSError):  # a folder that cannot be written to only costs the sentence
        if lock.exists() and time.time() - lock.stat().st_mtime < STALE_SECONDS:
            return
        lock.touch()
        task = Task(
            str(lesson.folder),
            lesson.number,
            lesson.slug,
            seed,
            str(checker.references),
            checker.device,
            str(checker.programs) if checker.programs else None,
        )
        command = [sys.executable, "-P", "-m", __name__, msgspec.json.encode(task).decode()]
        quiet = subprocess.DEVNULL
        # A session of its own: closing the terminal must not end it, nor Ctrl-C in a check.
        subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True)


def main(argument: str) -> None:
    """Run the mistakes of one lesson, and keep what they answer."""
    task = msgspec.json.decode(argument, type=Task)
    lesson = Lesson(Path(task.folder), task.number, task.slug)
    runner = Runner(templates=Templates())
    programs = Path(task.programs) if task.programs else None
    checker = Checker(
        runner, {}, Path(task.references), task.device, programs=programs, behind=True
    )
    place = _place(checker, lesson, task.seed)

    def check(path: Path) -> Verdict:
        verdict = checker.check(lesson, lesson.read(f"mistakes/{path.name}"), path, seed=task.seed)
        assert verdict is not None, "nothing cancels this check"
        return verdict

    try:
        with suppress(TutorError):
            known = list(learn(lesson, check))
            workspace.write_atomically(place, msgspec.msgpack.encode(known))
    finally:
        runner.close()
        place.with_suffix(".lock").unlink(missing_ok=True)


if __name__ == "__main__":
    main(sys.argv[1])
