"""Serves the trials: one process that checks submissions as a session does.

    python -m trials.tutor COURSE

It reads a file's path from each line of standard input and answers with one JSON object: what a
learner would read, how long that took, and what the process holds afterwards.
"""

from __future__ import annotations

import json
import os
import sys
import time
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import msgspec
import psutil

WIDTH = 100
PATIENCE = 10.0
FIRST_LINES = 16
"""The lines of a verdict that are visible without scrolling."""


@dataclass(frozen=True)
class Answer:
    """What a learner would read about a submission, and the resources of the process afterwards."""

    status: str
    shown: str
    seconds: float
    rss: float
    descriptors: int
    threads: int


def first_lines(shown: str) -> str:
    """Return the first lines of a text, joined without line breaks."""
    lines = [line for line in shown.splitlines() if line.strip()]
    return " ".join(" ".join(lines[:FIRST_LINES]).split())


def main() -> None:
    """Serve requests until standard input ends."""
    from jaxtutor.app import App
    from jaxtutor.options import Options
    from jaxtutor.watch.background import Background, CheckFinished

    screen = StringIO()
    options = Options(device="cpu", plain=True, course=Path(sys.argv[1]))
    app = App(options, stdout=screen, environ={**os.environ, "COLUMNS": str(WIDTH)})
    lesson = app.course.lessons[0]
    answers: SimpleQueue[CheckFinished] = SimpleQueue()
    background = Background(app, answers.put)
    try:
        for line in sys.stdin:
            answer = _check(app, lesson, Path(line.rstrip("\n")), background, answers, screen)
            sys.stdout.write(json.dumps(answer) + "\n")
            sys.stdout.flush()
    finally:
        background.close()
        app.close()


def _check(
    app: Any, lesson: Any, path: Path, background: Any, answers: SimpleQueue[Any], screen: StringIO
) -> dict[str, Any]:
    from jaxtutor.commands.verdicts import show_verdict
    from jaxtutor.errors import TutorError
    from jaxtutor.storage import workspace

    screen.seek(0)
    screen.truncate()
    began = time.monotonic()
    try:
        background.submit(lesson, workspace.read(path))
        checked = answers.get()
        if checked.error is not None:
            raise checked.error
        show_verdict(app, lesson, path, checked.verdict, checked.submission.text)
        status, shown = checked.verdict.status, screen.getvalue()
    except TutorError as error:
        status, shown = "refused", f"{error.message} {error.remedy}"
    seconds = time.monotonic() - began
    _settle(app.checker.runner)
    me = psutil.Process()
    rss = me.memory_info().rss / 2**20
    return msgspec.to_builtins(  # type: ignore[no-any-return]
        Answer(status, first_lines(shown), seconds, rss, me.num_fds(), me.num_threads())
    )


def _settle(runner: Any) -> None:
    """Wait for the work after a verdict: the last worker's end and the next one's start."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if runner._spares and not any(it.is_alive() for it in runner._reapers):
            return
        time.sleep(0.01)


if __name__ == "__main__":
    main()
