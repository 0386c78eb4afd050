"""Grades submissions on other machines, through a Dask scheduler.

Dask gives the tasks of a lost machine to another one. A submission that ends one machine after
another is reported as not graded; the others are graded.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Generator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from jaxtutor import __version__
from jaxtutor.checks.lesson_check import unconfined
from jaxtutor.content.course import Course
from jaxtutor.content.lesson import Lesson
from jaxtutor.core.grading.grades import Grade, SubmittedFile, ungraded
from jaxtutor.errors import TutorError, UsageError

if TYPE_CHECKING:
    from distributed import Client, Future

CONNECT_SECONDS = "10s"
SENT = ("lesson.toml", "checks.py", "solution.py", "starter.py")
"""The files of a lesson that are sent, so that a machine needs no copy of the course."""


class RemoteTask(Struct, frozen=True):
    """A submission with everything that another machine needs to grade it."""

    submission: SubmittedFile
    folder: str
    files: dict[str, str]
    device: str | None
    seed: int
    confined: bool


class ClusterWorker(Struct, frozen=True):
    """What one of the cluster's workers reports about itself."""

    address: str
    version: str
    unconfined_because: str
    process: int = 0


class Cluster:
    """A connection to a scheduler. Raises UsageError or TutorError if it cannot be made."""

    def __init__(self, address: str) -> None:
        try:
            from distributed import Client
        except ImportError as error:
            raise UsageError(
                "Grading on other machines needs Dask, which is not installed.",
                "Install it: pip install 'jaxtutor[dask]'",
            ) from error
        try:
            self.client: Client = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
        except (OSError, ValueError) as error:
            raise TutorError(
                f"No Dask scheduler answers at {address}: {error}",
                "Start one with `dask scheduler`; it prints its address.",
            ) from error

    def machines(self) -> tuple[ClusterWorker, ...]:
        """Return every worker of the cluster. Raises TutorError if one cannot grade.

        All need this version of jaxtutor, since another one may judge differently.
        """
        try:
            answers: dict[str, bytes] = self.client.run(describe)
        except Exception as error:
            raise TutorError(
                f"A worker of the cluster cannot run jaxtutor: {error}",
                f"Install jaxtutor {__version__} where the workers are.",
            ) from error
        if not answers:
            raise TutorError(
                "The cluster has no workers.",
                "Start some: dask worker ADDRESS --nthreads 1 --nworkers -1",
            )
        known = [
            ClusterWorker(address, *msgspec.msgpack.decode(answer, type=tuple[str, str, int]))
            for address, answer in sorted(answers.items())
        ]
        for machine in known:
            if machine.version != __version__:
                raise TutorError(
                    f"{machine.address} has jaxtutor {machine.version}, this is {__version__}.",
                    "Install the same version everywhere.",
                )
        return tuple(known)

    def grade(
        self,
        submissions: Sequence[SubmittedFile],
        course: Course,
        device: str | None,
        seed: int,
        confined: bool,
    ) -> Generator[Grade, None, None]:
        """Grade submissions on the cluster; yield each as it is done."""
        from distributed import as_completed

        lessons = {lesson.slug: lesson for lesson in course.lessons}
        waiting: dict[Future[bytes], SubmittedFile] = {}
        for submission in submissions:
            lesson = lessons[submission.lesson]
            try:
                files = {name: lesson.read(name) for name in SENT}
            except TutorError as error:
                yield ungraded(submission, "not_graded", error.message)
                continue
            parcel = RemoteTask(submission, _place(lesson), files, device, seed, confined)
            packed = msgspec.msgpack.encode(parcel)
            waiting[self.client.submit(grade_parcel, packed, pure=False)] = submission
        for future in as_completed(list(waiting), loop=self.client.loop, raise_errors=False):
            yield _unpack(future, waiting[future])

    def lost(self, before: Sequence[ClusterWorker]) -> tuple[str, ...]:
        """Return the addresses of workers that ended since; a new one may have the address."""
        try:
            running: dict[str, int] = self.client.run(os.getpid, on_error="ignore")
        except Exception:  # noqa: BLE001 - the scheduler was lost, which the grades say
            return ()
        return tuple(it.address for it in before if running.get(it.address) != it.process)

    def close(self) -> None:
        """Disconnect; the cluster cancels what is not done."""
        self.client.close()


def _place(lesson: Lesson) -> str:
    return f"{lesson.chapter_folder}/{lesson.folder.name}"


def _unpack(future: Future[bytes], submission: SubmittedFile) -> Grade:
    if future.status == "finished":
        return msgspec.msgpack.decode(future.result(), type=Grade)
    error: Any = future.exception() if future.status == "error" else None
    if type(error).__name__ == "KilledWorker":
        reason = "Every machine that tried it was lost."
    else:
        reason = f"{type(error).__name__}: {error}" if error else "The cluster was lost."
    return ungraded(submission, "not_graded", reason)


# ---------------------------------------------------------------- on the other machine


def describe() -> bytes:
    """Return what `ClusterWorker` has apart from the address; see `machines`."""
    from jaxtutor.processes.sandbox import find_problem

    return msgspec.msgpack.encode((__version__, find_problem(), os.getpid()))


def grade_parcel(packed: bytes) -> bytes:
    """Grade one submission on this machine, which keeps the solution's answers for the next."""
    from jaxtutor.checks.lesson_check import Checker
    from jaxtutor.content.cause_pages import Library
    from jaxtutor.grading.meter import Meter
    from jaxtutor.grading.run import grade
    from jaxtutor.processes import sandbox
    from jaxtutor.processes.runner import Runner
    from jaxtutor.processes.watched_run import Cancel
    from jaxtutor.storage import workspace

    parcel = msgspec.msgpack.decode(packed, type=RemoteTask)
    here = workspace.locate(None, os.environ)
    runner = Runner()
    cancel = Cancel()
    private = (here.root, here.data)
    wrap = partial(sandbox.wrap, private=private) if parcel.confined else unconfined
    checker = Checker(runner, Library(), here.references, parcel.device, wrap, export=True)
    try:
        with tempfile.TemporaryDirectory(prefix="jaxtutor-") as folder:
            lesson = _make(Path(folder), parcel)
            return msgspec.msgpack.encode(
                grade(
                    checker, lesson, parcel.submission, parcel.seed, cancel, Meter(checker, cancel)
                )
            )
    finally:
        cancel.close()
        runner.close()


def _make(folder: Path, parcel: RemoteTask) -> Lesson:
    """Write a lesson's files as they are in its course."""
    place = folder / parcel.folder
    place.mkdir(parents=True)
    for name, text in parcel.files.items():
        (place / name).write_text(text, encoding="utf-8")
    return Lesson(place, "", parcel.submission.lesson)
