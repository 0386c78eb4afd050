"""Learns what a lesson's known mistakes answer, and recognises a submission that answers alike.

Running a dozen mistakes takes some seconds, so it is done once per lesson, seed, jax and device, in
a process of its own that gives way to others, and kept beside the solution's answers. The first
check that does not pass starts it, with the mistakes that fail the same check. A command that ends
after its check waits for these; in a session the next save is recognised.

    python -P -m jaxtutor.checks.known_mistakes TASK     TASK is JSON, see `Task`
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import msgspec
from msgspec import Struct

from jaxtutor.checks.lesson_check import Checker
from jaxtutor.content.lesson import Lesson
from jaxtutor.core.data.lessons import Expectation
from jaxtutor.core.data.verdicts import Verdict
from jaxtutor.core.judging.mutants import NUMBER, mutants
from jaxtutor.core.judging.recognition import Answers, KnownMistake, read_answers, recognise
from jaxtutor.core.judging.steps import failed_step
from jaxtutor.errors import TutorError
from jaxtutor.processes.runner import Runner
from jaxtutor.processes.templates import Templates
from jaxtutor.storage import workspace
from jaxtutor.system.packages import installed_version

FORMAT = "5"
"""Part of the key under which answers are kept; raise it when `Kept` changes."""

LARGEST = 1 << 26
"""Bytes of kept answers that are read again."""

STALE_SECONDS = 900.0
"""After this long without an end, another process may begin: the one that began it has died."""

JOBS = 3
"""Processes that run at a time: two with mistakes, and one with changes to the solution."""

MOST_SLIPS = 120
"""Changes to a solution that are run."""

VALUES = "values"
"""The check that compares answers, which the changes to a solution fail."""

STEP = 0.05
"""Seconds between two looks at what is kept, while a command waits for it."""

OFF = "JAXTUTOR_NO_KEEP"
"""Where this is set, no process is left behind, and nothing is learned in the background."""


class Task(Struct, frozen=True):
    """What the background process is given: a lesson, and how its checks are run.

    The mistakes that fail the check `first` are run before the others. The solution is changed in
    one place at a time, but for what it has from the starter, `given`.
    """

    folder: str
    number: str
    slug: str
    seed: int
    first: str
    references: str
    given: str = ""
    device: str | None = None
    programs: str | None = None


class Kept(Struct, frozen=True):
    """What is kept: the mistakes that fail one check, or those of the whole lesson.

    `slips` are small changes to the solution; None while they are being run.
    """

    known: list[KnownMistake]
    check: str | None = None
    slips: list[KnownMistake] | None = None


def name_misconception(
    checker: Checker, lesson: Lesson, seed: int, verdict: Verdict, patience: float = 0.0
) -> str:
    """Return the sentence of the known mistake that answers like a submission, or nothing.

    Where the mistakes were not run yet, have that done in the background, and wait for up to
    `patience` seconds. It begins behind a submission that raised, too: the next one may return a
    wrong answer.
    """
    if verdict.status not in ("failed", "raised") or failed_step(verdict):
        return ""
    place = _place(checker, lesson, seed)
    answers = read_answers(verdict)
    failed = answers.check if answers is not None else ""
    kept = _read(place, failed)
    if not _is_complete(kept) and OFF not in os.environ:
        _begin(checker, lesson, seed, failed, place)
    until = time.monotonic() + patience
    while answers is not None:
        says = _recognise(answers, kept, lesson)
        if says or _is_complete(kept) or time.monotonic() >= until:
            return says
        time.sleep(STEP)
        is_learning = _lock(place).exists()
        kept = _read(place, failed)
        if not is_learning:
            return _recognise(answers, kept, lesson)
    return ""


def _recognise(answers: Answers, kept: Kept | None, lesson: Lesson) -> str:
    if kept is None:
        return ""
    return recognise(answers, kept.known, lesson.info.tolerance, kept.slips or ())


def _is_complete(kept: Kept | None) -> bool:
    """Return whether nothing more will be known about a check."""
    return kept is not None and kept.slips is not None


def is_learning(checker: Checker, lesson: Lesson, seed: int) -> bool:
    """Return whether the mistakes of a lesson are being run now."""
    return _lock(_place(checker, lesson, seed)).exists()


def learn(
    mistakes: Iterable[tuple[Path, Expectation]],
    check: Callable[[Path], Verdict],
    apply: Callable[..., Iterator[Verdict]] = map,
) -> Iterator[KnownMistake]:
    """Check the known mistakes that have a sentence, and yield what they answer."""
    known = [(path, expectation) for path, expectation in mistakes if expectation.says]
    verdicts = apply(check, [path for path, _ in known])
    for (path, expectation), verdict in zip(known, verdicts, strict=True):
        answers = read_answers(verdict)
        if answers is not None and answers.check == expectation.check:
            yield KnownMistake(path.stem, expectation.says, answers)


def learn_slips(checker: Checker, lesson: Lesson, seed: int, given: str) -> list[KnownMistake]:
    """Run the solution with each small change, all in one process, and list what they answer.

    A change of a plain number comes last: another change with these answers says more.
    """
    changed = list(mutants(lesson.solution, given))
    changed = sorted(changed, key=lambda it: it.slip.startswith(NUMBER))[:MOST_SLIPS]
    answers = checker.answers(lesson, tuple(it.source for it in changed), seed)
    return [
        KnownMistake(f"slip {number}", mutant.slip, Answers(VALUES, values, (), ""))
        for number, (mutant, values) in enumerate(zip(changed, answers, strict=False))
    ]


# ---------------------------------------------------------------- what is kept


def _place(checker: Checker, lesson: Lesson, seed: int) -> Path:
    parts = [FORMAT, checker.digest(lesson, seed), installed_version("jax")]
    for path, _ in lesson.mistakes():
        parts += [path.name, lesson.read(f"mistakes/{path.name}")]
    digest = hashlib.sha256("\0".join(parts).encode()).hexdigest()[:24]
    return checker.references / f"{lesson.slug}-{digest}-mistakes.bin"


def _read(place: Path, check: str) -> Kept | None:
    """Read the kept mistakes that fail a check; None where there are none, or they are damaged."""
    with suppress(OSError, msgspec.MsgspecError):
        kept = msgspec.msgpack.decode(workspace.look(place, LARGEST)[1], type=Kept)
        return kept if kept.check in (None, check) else None
    return None


def _lock(place: Path) -> Path:
    return place.with_suffix(".lock")


def _begin(checker: Checker, lesson: Lesson, seed: int, first: str, place: Path) -> None:
    """Start the background process, unless one is at it."""
    lock = _lock(place)
    with suppress(OSError):  # a folder that cannot be written to only costs the sentence
        if lock.exists() and time.time() - lock.stat().st_mtime < STALE_SECONDS:
            return
        lock.touch()
        task = Task(
            str(lesson.folder),
            lesson.number,
            lesson.slug,
            seed,
            first,
            str(checker.references),
            lesson.starter,
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
        runner,
        {},
        Path(task.references),
        task.device,
        programs=programs,
        behind=True,
        stops_early=True,
    )
    place = _place(checker, lesson, task.seed)

    def check(path: Path) -> Verdict:
        verdict = checker.check(lesson, lesson.read(f"mistakes/{path.name}"), path, seed=task.seed)
        assert verdict is not None, "nothing cancels this check"
        return verdict

    def keep(known: list[KnownMistake], of: str | None) -> None:
        kept = Kept(known, of, slips.result() if slips.done() else None)
        workspace.write_atomically(place, msgspec.msgpack.encode(kept))

    mistakes = list(lesson.mistakes())
    try:
        with suppress(TutorError), ThreadPoolExecutor(JOBS) as pool:
            slips = pool.submit(learn_slips, checker, lesson, task.seed, task.given)
            same_check = [m for m in mistakes if m[1].check == task.first]
            known = list(learn(same_check, check, pool.map))
            if task.first:
                keep(known, task.first)
                slips.result()
                keep(known, task.first)
            known += learn((m for m in mistakes if m not in same_check), check, pool.map)
            slips.result()
            keep(known, None)
    finally:
        runner.close()
        _lock(place).unlink(missing_ok=True)


if __name__ == "__main__":
    main(sys.argv[1])
