"""Computes what several programs answer to the calls of a lesson, in one process.

Only the answers count: nothing is traced or measured, and the calls run without `jit`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from jaxtutor.core.data.facts import Event, LessonFault, ProgramAnswers, Started
from jaxtutor.core.data.requests import AnswersRequest
from jaxtutor.core.data.values import Tree
from jaxtutor.worker import lesson, submission, values
from jaxtutor.worker.subject import TestedFunction

Send = Callable[[Event], None]


def run(request: AnswersRequest, send: Send) -> None:
    """Report the answers of each program as soon as they are known."""
    try:
        spec = lesson.load(request.lesson_dir, request.function, request.seed)
    except BaseException as error:
        send(LessonFault(f"checks.py: {type(error).__name__}: {error}"[:500]))
        return
    for number, source in enumerate(request.sources):
        send(Started(f"program {number}"))
        send(ProgramAnswers(number, tuple(_answers(spec, source, request.file))))


def _answers(spec: lesson.Spec, source: str, file: str) -> Iterator[Tree | None]:
    """Yield the answer to each call; nothing if the program has no function to call."""
    try:
        tested = TestedFunction(spec.subject(submission.load(source, file)), spec.static, False)
    except BaseException:  # the program runs in here
        return
    for call in (*spec.examples, *spec.hidden):
        try:
            yield values.to_tree(tested.call(call))
        except BaseException:  # and here
            yield None
