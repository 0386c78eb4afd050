"""Reads submissions for `grade`, in a process whose memory and time are limited.

    python -m jaxtutor.grading.reading_process

Requests come on standard input, replies go to standard output; see `readings`.
"""

from __future__ import annotations

import math
import sys
import time
import warnings
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import BinaryIO

from msgspec.structs import replace

from jaxtutor.core.data.notebooks import NotebookError, read_notebook
from jaxtutor.core.grading.file_names import NOTEBOOK
from jaxtutor.core.grading.fingerprint import fingerprint
from jaxtutor.core.judging.syntax import find_syntax_error
from jaxtutor.errors import SubmissionError, UsageError
from jaxtutor.grading import gradescope, readings
from jaxtutor.grading.readings import (
    LENGTH,
    MEMORY,
    Failed,
    Metadata,
    Open,
    Opened,
    Reading,
    ReadText,
    RefusedListing,
    Reply,
    Request,
)
from jaxtutor.grading.sources import IT, LARGEST_NOTEBOOK, OpenSource, open_source
from jaxtutor.storage import workspace


def serve(requests: BinaryIO, replies: BinaryIO) -> None:
    """Answer requests until there are no more, or until one fails in an unforeseen way."""
    with ExitStack() as opened:
        session = _Session(opened)
        while head := requests.read(LENGTH.size):
            request = readings.unpack_request(requests.read(*LENGTH.unpack(head)))
            limit_seconds(readings.seconds_for(request))
            reply = _answer(session, request)
            replies.write(_pack(reply))
            replies.flush()
            if isinstance(reply, Failed):
                return


def _answer(session: _Session, request: Request) -> Reply:
    try:
        return session.answer(request)
    except UsageError as error:
        return RefusedListing(error.message, error.remedy)
    except MemoryError:
        return Failed(f"{IT} needs more than {MEMORY >> 20:,} MiB of memory to be read.")
    except Exception as error:  # noqa: BLE001 - a file can hold anything; others are read
        return Failed(f"{IT} could not be read ({type(error).__name__}: {str(error)[:200]}).")


def _pack(reply: Reply) -> bytes:
    try:
        return readings.pack(reply)
    except (ValueError, MemoryError) as error:
        return readings.pack(Failed(f"{IT} could not be read ({error or 'out of memory'})."))


class _Session:
    """The submissions that were opened."""

    def __init__(self, opened: ExitStack) -> None:
        self._opened = opened
        self._source: OpenSource | None = None

    def answer(self, request: Request) -> Reply:
        if isinstance(request, Open):
            place = Path(request.place)
            self._source = self._opened.enter_context(open_source(place, request.left))
            return Opened(self._source.source)
        assert self._source is not None, "a source is opened first"
        if isinstance(request, ReadText):
            return _read(self._source, request)
        return _read_metadata(self._source)


def _read(source: OpenSource, request: ReadText) -> Reading:
    is_notebook = request.parts[-1].endswith(NOTEBOOK)
    most = LARGEST_NOTEBOOK if is_notebook else workspace.LARGEST
    data = b""
    try:
        data = source.read(request.parts, most)
        reading = _from_notebook(data) if is_notebook else _from_program(data)
    except (SubmissionError, NotebookError) as error:
        return Reading(size=len(data), problem=str(error))
    text = reading.source
    return replace(
        reading,
        fingerprint=fingerprint(text),
        broken=find_syntax_error(text, request.label),
        size=len(data),
    )


def _from_program(data: bytes) -> Reading:
    return Reading(workspace.decode(Path(IT), data).text)


def _from_notebook(data: bytes) -> Reading:
    if len(data) > LARGEST_NOTEBOOK:
        raise SubmissionError(f"{IT} is larger than {LARGEST_NOTEBOOK >> 20} MiB.")
    notebook = read_notebook(data, workspace.LARGEST_SUBMISSION)
    return Reading(notebook.source, notebook.starts, len(notebook.skipped))


def _read_metadata(source: OpenSource) -> Metadata:
    assert source.source.metadata is not None, "only an export has metadata"
    try:
        data = source.read(source.source.metadata, gradescope.LARGEST)
        return Metadata(gradescope.read_export(data))
    except (gradescope.ExportError, SubmissionError) as error:
        return Metadata(problem=str(error))


# ---------------------------------------------------------------- limits


def limit_memory() -> None:
    """Limit the memory of this process, and what it may write: nothing."""
    with suppress(ImportError):
        import resource

        _limit(resource.RLIMIT_AS, MEMORY)
        _limit(resource.RLIMIT_CORE, 0)
        _limit(resource.RLIMIT_FSIZE, 0)


def limit_seconds(seconds: int) -> None:
    """Have the system end this process after so much more CPU time."""
    with suppress(ImportError):
        import resource

        _limit(resource.RLIMIT_CPU, math.ceil(time.process_time()) + seconds)


def _limit(kind: int, most: int) -> None:
    """Set a soft limit, so that it can be raised again, unless there is a lower hard one."""
    import resource

    with suppress(OSError, ValueError):
        hard = resource.getrlimit(kind)[1]
        soft = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (soft, hard))


if __name__ == "__main__":
    warnings.simplefilter("ignore")  # warnings about a submission concern its author only
    limit_memory()
    serve(sys.stdin.buffer, sys.stdout.buffer)
