"""Owns the failures that the shell expects: what is wrong, what to do, the exit status."""

from __future__ import annotations

from typing import ClassVar

LONGEST = 1500
"""Characters of a message: it may repeat what was typed, or what a file says."""


class TutorError(Exception):
    """An expected failure: `message` is the fact, `remedy` what to do about it."""

    status: ClassVar[int] = 3

    def __init__(self, message: str, remedy: str = "") -> None:
        super().__init__(message)
        self.message = _shorten(message)
        self.remedy = remedy


def _shorten(message: str) -> str:
    """Leave out the middle of a message that would fill screens: at the end stands the reason."""
    if len(message) <= LONGEST:
        return message
    return f"{message[: LONGEST // 2]} ... {message[-LONGEST // 2 :]}"


class UsageError(TutorError):
    """The command line asks for something that cannot be."""

    status = 2


class SubmissionError(TutorError):
    """The learner's file cannot be taken as a program; a watcher waits for the next save."""

    status = 1


class StoreError(TutorError):
    """The progress file cannot be used now; the lesson itself goes on."""


class EditorError(TutorError):
    """The editor that was asked for cannot be run; the file can still be edited and watched."""


class CourseError(TutorError):
    """A course or a lesson is not as it must be; the learner is not at fault."""


class OutputError(TutorError):
    """Standard output takes nothing: the disk is full, or the stream was closed."""


class UnknownLesson(UsageError):
    """No lesson, or more than one, has the name that was typed."""


def fault(error: Exception) -> TutorError:
    """Say of an exception that nobody expected that it is ours, and not the learner's."""
    return TutorError(
        f"This is a fault of jaxtutor's own: {type(error).__name__}: {error}",
        "Nothing of yours is lost. Set JAXTUTOR_DEBUG=1 to see more.",
    )
