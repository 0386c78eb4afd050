"""Defines the messages between `grade` and the process that reads submissions.

A message is a length and a JSON text in ASCII: the name of a file may hold lone surrogates, which
UTF-8 cannot encode.
"""

from __future__ import annotations

import json
import struct
from datetime import datetime

import msgspec
from msgspec import Struct

from jaxtutor.core.data.failures import Failure
from jaxtutor.core.grading.file_names import Parts
from jaxtutor.core.grading.fingerprint import Fingerprint
from jaxtutor.grading.gradescope import GradescopeSubmission

LENGTH = struct.Struct(">I")
LONGEST_MESSAGE = 64 << 20
"""Bytes. The names of 100,000 files have a tenth of it."""

SECONDS = 10
"""CPU time for one file. A program of 256 KiB that is one list takes three."""

SECONDS_FOR_ALL = 60
"""CPU time for what concerns all submissions: the list of files, and Gradescope's metadata."""

MEMORY = 1 << 30
"""Bytes of address space of the process."""


class Found(Struct, frozen=True):
    """A submitted file: its path in parts, and when it was last changed.

    Instead of a file, it may be a folder that cannot be read: `problem` says why, and the last part
    is empty.
    """

    parts: Parts
    modified: datetime | None = None
    problem: str = ""


class Source(Struct, frozen=True):
    """The submitted files, and the folders down to the third level, which may be empty.

    `metadata` is the path of what Gradescope wrote about its export.
    """

    files: tuple[Found, ...]
    folders: frozenset[Parts] = frozenset()
    is_archive: bool = False
    metadata: Parts | None = None

    def without_files(self, level: int) -> list[str]:
        """Return the folders of a level in which there is not one file."""
        full = {it.parts[level] for it in self.files if len(it.parts) > level}
        return sorted({it[level] for it in self.folders if len(it) > level} - full)


class Reading(Struct, frozen=True, tag=True):
    """A submission's text, or the problem with it; `size` is the number of bytes that were read.

    `cells` are the lines at which the cells of a notebook begin, and `left_out` is the number of
    its lines that are not Python. `broken` is the failure to compile the text.
    """

    source: str = ""
    cells: tuple[int, ...] = ()
    left_out: int = 0
    fingerprint: Fingerprint | None = None
    broken: Failure | None = None
    size: int = 0
    problem: str = ""


# ---------------------------------------------------------------- requests, and other replies


class Open(Struct, frozen=True, tag=True):
    """Asks for a list of the submissions; `left` is the number of bytes that may be unpacked."""

    place: str
    left: int


class ReadText(Struct, frozen=True, tag=True):
    """Asks for the text of one file; `label` is the name that its syntax error has."""

    parts: Parts
    label: str


class ReadMetadata(Struct, frozen=True, tag=True):
    """Asks who handed in each folder of Gradescope's export."""


class Opened(Struct, frozen=True, tag=True):
    """Answers `Open`."""

    source: Source


class Metadata(Struct, frozen=True, tag=True):
    """Answers `ReadMetadata`; `problem` says why the file cannot be used."""

    submissions: dict[str, GradescopeSubmission] = {}
    problem: str = ""


class RefusedListing(Struct, frozen=True, tag=True):
    """Says that the submissions cannot be listed."""

    problem: str
    remedy: str


class Failed(Struct, frozen=True, tag=True):
    """Says that a request failed in a way that is not foreseen. The process ends after it."""

    problem: str


Request = Open | ReadText | ReadMetadata
Reply = Opened | Reading | Metadata | RefusedListing | Failed


def seconds_for(request: Request) -> int:
    """Return the CPU time that a request may take."""
    return SECONDS if isinstance(request, ReadText) else SECONDS_FOR_ALL


def pack(message: Struct) -> bytes:
    """Encode a message with its length. Raises ValueError if it is too long."""
    body = json.dumps(msgspec.to_builtins(message)).encode("ascii")
    if len(body) > LONGEST_MESSAGE:
        raise ValueError(f"more than {LONGEST_MESSAGE >> 10:,} KiB of names")
    return LENGTH.pack(len(body)) + body


def unpack_request(body: bytes) -> Request:
    """Decode a request."""
    request: Request = msgspec.convert(json.loads(body), type=Request)
    return request


def unpack_reply(body: bytes) -> Reply:
    """Decode a reply. Raises ValueError."""
    reply: Reply = msgspec.convert(json.loads(body), type=Reply)
    return reply
