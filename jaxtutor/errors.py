"""Defines the expected errors: each has a message, a remedy and an exit status."""

from __future__ import annotations

from typing import ClassVar

LONGEST = 1500
"""Characters. A message may quote input or file contents of any length."""


class TutorError(Exception):
    """An expected error: `message` says what is wrong, `remedy` what to do about it."""

    status: ClassVar[int] = 3

    def __init__(self, message: str, remedy: str = "") -> None:
        super().__init__(message)
        self.message = _shorten(message)
        self.remedy = remedy


def _shorten(message: str) -> str:
    """Cut the middle of a long message; the reason is usually at its end."""
    if len(message) <= LONGEST:
        return message
    return f"{message[: LONGEST // 2]} ... {message[-LONGEST // 2 :]}"


class UsageError(TutorError):
    """The command line is not valid."""

    status = 2


class SubmissionError(TutorError):
    """The learner's file is not a usable program; a watcher waits for the next save."""

    status = 1


class StoreError(TutorError):
    """The progress file cannot be used now; the lesson continues without it."""


class EditorError(TutorError):
    """The editor cannot be started; the file can still be edited elsewhere and is watched."""


class CourseError(TutorError):
    """A course or a lesson is broken; the learner is not at fault."""


class ConfigError(TutorError):
    """The settings file is broken; `jaxtutor config` still works."""


class OutputError(TutorError):
    """Standard output cannot be written to: the disk is full, or the stream was closed."""


class UnknownLesson(UsageError):
    """The name matches no lesson, or more than one."""


def fault(error: Exception) -> TutorError:
    """Wrap an unexpected exception, and say that the fault is in jaxtutor."""
    return TutorError(
        f"Internal error in jaxtutor: {type(error).__name__}: {error}",
        "Your files and progress are safe. Set JAXTUTOR_DEBUG=1 for a traceback.",
    )
