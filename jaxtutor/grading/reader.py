"""Reads submissions through a process that is replaced whenever one of them ends it."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import TypeVar

from jaxtutor.core.grading.file_names import Parts
from jaxtutor.errors import TutorError, UsageError
from jaxtutor.grading import readings
from jaxtutor.grading.gradescope import ExportError, GradescopeSubmission
from jaxtutor.grading.readings import (
    LENGTH,
    LONGEST_MESSAGE,
    Failed,
    Metadata,
    Open,
    Opened,
    Reading,
    ReadMetadata,
    ReadText,
    RefusedListing,
    Request,
    Source,
)
from jaxtutor.grading.sources import IT, LARGEST_ARCHIVE, WHICH

PROGRAM = ("-P", "-m", "jaxtutor.grading.reading_process")

WAITING = 3
"""How many times longer than its CPU time a request may take: the machine may be busy."""

T = TypeVar("T")


class _Ended(Exception):
    """The process ended, or was ended, before it had answered; the message says why."""


class Reader:
    """The submissions in a folder or an archive. Raises UsageError if they cannot be listed."""

    def __init__(self, place: Path) -> None:
        self._place = place
        self._left = LARGEST_ARCHIVE
        self._process: _Process | None = None
        try:
            self.source: Source = self._start()
        except _Ended as error:
            self.close()
            raise UsageError(f"{place} cannot be read: {error}", WHICH) from None
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Reader:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.close()
            self._process = None

    def read(self, parts: Parts, label: str) -> Reading:
        """Return the text of a file, or the problem with it.

        `label` is the name of the file in its syntax error.
        """
        try:
            reading = self._ask_twice(ReadText(parts, label), Reading)
        except _Ended as error:
            return Reading(problem=str(error))
        if self.source.is_archive:
            self._left -= reading.size
        return reading

    def read_metadata(self) -> dict[str, GradescopeSubmission]:
        """Return who handed in each folder of Gradescope's export. Raises ExportError."""
        try:
            metadata = self._ask_twice(ReadMetadata(), Metadata)
        except _Ended as error:
            raise ExportError(str(error)) from None
        if metadata.problem:
            raise ExportError(metadata.problem)
        return metadata.submissions

    def _ask_twice(self, request: Request, expected: type[T]) -> T:
        """Ask again in a new process if the first had read other files: they may be at fault."""
        if self._process is not None and self._process.has_served:
            with suppress(_Ended):
                return self._ask(request, expected)
        return self._ask(request, expected)

    def _ask(self, request: Request, expected: type[T]) -> T:
        try:
            if self._process is None:
                self._start()
            assert self._process is not None
            return self._process.ask(request, expected)
        except UsageError as error:  # the folder or the archive is gone meanwhile
            raise _Ended(error.message) from None
        except _Ended:
            self.close()
            raise

    def _start(self) -> Source:
        """Start a process that has opened the submissions. Raises UsageError, _Ended."""
        self._process = _Process()
        return self._process.ask(Open(str(self._place), self._left), Opened).source


class _Process:
    """One process that reads submissions."""

    def __init__(self) -> None:
        self.has_served = False
        try:
            self._popen = subprocess.Popen(
                [sys.executable, *PROGRAM],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # Ctrl-C is for the tutor, which ends this process
            )
        except OSError as error:
            raise TutorError(
                f"A process that reads submissions could not be started: {error.strerror}.",
                "Close something else that runs here, then try again.",
            ) from error

    def ask(self, request: Request, expected: type[T]) -> T:
        """Return the answer to a request. Raises _Ended, UsageError."""
        seconds = WAITING * readings.seconds_for(request)
        reply = self._exchange(readings.pack(request), seconds)
        if isinstance(reply, RefusedListing):
            raise UsageError(reply.problem, reply.remedy)
        if isinstance(reply, Failed):
            raise _Ended(reply.problem)
        if not isinstance(reply, expected):
            raise _Ended(_unknown("gave another answer"))
        self.has_served = not isinstance(request, Open)
        return reply

    def _exchange(self, message: bytes, seconds: float) -> readings.Reply:
        assert self._popen.stdin is not None
        until = time.monotonic() + seconds
        try:
            os.write(self._popen.stdin.fileno(), message)
            (length,) = LENGTH.unpack(self._receive(LENGTH.size, until))
            if length > LONGEST_MESSAGE:
                raise _Ended(_unknown("gave an answer that is too long"))
            return readings.unpack_reply(self._receive(length, until))
        except TimeoutError:
            raise _Ended(f"{IT} took more than {seconds:g} seconds to read.") from None
        except (OSError, EOFError):
            raise _Ended(self._obituary()) from None
        except ValueError:
            raise _Ended(_unknown("gave an answer that is not valid")) from None

    def _receive(self, size: int, until: float) -> bytes:
        """Return so many bytes of an answer. Raises TimeoutError, EOFError, OSError."""
        assert self._popen.stdout is not None
        pipe = self._popen.stdout.fileno()
        received = bytearray()
        while len(received) < size:
            if not select.select([pipe], [], [], max(until - time.monotonic(), 0))[0]:
                raise TimeoutError
            piece = os.read(pipe, min(size - len(received), 1 << 20))
            if not piece:
                raise EOFError
            received += piece
        return bytes(received)

    def _obituary(self) -> str:
        """Say why the process has ended."""
        with suppress(subprocess.TimeoutExpired):
            self._popen.wait(1)
        self.close()
        status = self._popen.returncode
        if status == -signal.SIGXCPU:
            return f"{IT} takes too long to read."
        how = signal.Signals(-status).name if status < 0 else f"status {status}"
        return _unknown(f"ended with {how}")

    def close(self) -> None:
        """End the process, unless it has ended."""
        assert self._popen.stdin is not None
        assert self._popen.stdout is not None
        self._popen.stdout.close()
        self._popen.stdin.close()
        self._popen.kill()
        self._popen.wait()


def _unknown(what: str) -> str:
    return f"{IT} could not be read: the process that reads submissions {what}."
