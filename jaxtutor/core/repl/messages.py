"""Defines the messages between the prompt and its worker: requests and replies.

They are encoded by `jaxtutor.core.data.wire`. The prompt's worker serves many requests in turn.
Requests made while keys are typed are numbered, because their answers may arrive too late to
be used.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from msgspec import Struct

from jaxtutor.core.data.facts import Machine, NoDevice
from jaxtutor.core.data.failures import Failure
from jaxtutor.core.data.observations import Observation
from jaxtutor.core.data.wire import read

Line = tuple[tuple[str, str], ...]
"""One line of a page: pieces of text, each with the name of its style."""

Page = tuple[Line, ...]

# ---------------------------------------------------------------- requests


class PageStyle(Struct, frozen=True):
    """The width of a page; `plain` is for screen readers, `ascii` avoids block characters."""

    width: int = 80
    plain: bool = False
    ascii: bool = False


class RunCell(Struct, frozen=True, tag="cell"):
    """Run source that starts at this line of the session.

    With a `command`, the source is its argument: an expression that the command examines.
    """

    line: int
    source: str
    look: PageStyle
    command: str = ""


class File(Struct, frozen=True):
    """A file of the learner's or of a lesson's, and the name of its module."""

    name: str
    path: str
    source: str


class LoadFiles(Struct, frozen=True, tag="load"):
    """Run files as modules, and import their names at the prompt; later files take precedence.

    The first is the lesson's own.
    """

    files: tuple[File, ...]
    look: PageStyle


class Complete(Struct, frozen=True, tag="complete"):
    """List completions at the cursor.

    `kind` is attribute (of `subject`), name, key (of `subject`), module, or member (of the module
    `subject`). With `call`, the parameters of that function are included.
    """

    number: int
    kind: str
    subject: str
    prefix: str
    call: str = ""


class Describe(Struct, frozen=True, tag="describe"):
    """Return the signature of the function that `subject` names."""

    number: int
    subject: str


class Inspect(Struct, frozen=True, tag="inspect"):
    """Describe `subject`; `deeply` includes its source."""

    subject: str
    deeply: bool
    look: PageStyle


ReplRequest = RunCell | LoadFiles | Complete | Describe | Inspect

# ---------------------------------------------------------------- replies


class PageShown(Struct, frozen=True, tag="shown"):
    """A page to show: the value of a cell, or the result of a command."""

    page: Page


class CellRaised(Struct, frozen=True, tag="raised"):
    """The cell raised an exception."""

    failure: Failure


class CellExited(Struct, frozen=True, tag="left"):
    """The cell called exit, with this status."""

    status: str


class CommandRefused(Struct, frozen=True, tag="refused"):
    """The argument of a command is not valid."""

    message: str


class CellObserved(Struct, frozen=True, tag="seen"):
    """What was observed while the cell ran without raising."""

    observations: tuple[Observation, ...]


class PromptAction(Struct, frozen=True, tag="action"):
    """The cell called a helper function that only the prompt can run."""

    command: str
    argument: str = ""


class CellDone(Struct, frozen=True, tag="done"):
    """The cell has ended. `files` are the learner's files that were run so far.

    The text of `changed` ones is not what ran.
    """

    seconds: float
    files: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()


class Completion(Struct, frozen=True):
    """One completion; `kind` is its type: function, class, module, array, parameter, …"""

    text: str
    kind: str = ""


class Matches(Struct, frozen=True, tag="matches"):
    """The completions at the cursor, the most likely first."""

    number: int
    candidates: tuple[Completion, ...] = ()


class Described(Struct, frozen=True, tag="described"):
    """The signature of a function: its parameters as text, and the first line of its docstring."""

    number: int
    name: str = ""
    parameters: tuple[str, ...] = ()
    says: str = ""


ReplReply = (
    Machine
    | NoDevice
    | PageShown
    | CellRaised
    | CellExited
    | CommandRefused
    | CellObserved
    | PromptAction
    | CellDone
    | Matches
    | Described
)

Numbered = Callable[[int], Complete | Describe]
"""Creates a request with the given number."""

_requests: msgspec.msgpack.Decoder[ReplRequest] = msgspec.msgpack.Decoder(ReplRequest)
_replies: msgspec.msgpack.Decoder[ReplReply] = msgspec.msgpack.Decoder(ReplReply)


def read_request(body: bytes) -> ReplRequest:
    """Decode the body of a request. Raises Garbled."""
    return read(_requests, body)


def read_reply(body: bytes) -> ReplReply:
    """Decode the body of a reply. Raises Garbled."""
    return read(_replies, body)


def plain_page(text: str, style: str = "") -> Page:
    """Create a page from a text's lines."""
    return tuple(((line, style),) for line in text.split("\n"))


def page_text(page: Page) -> str:
    """Return the text of a page without styles."""
    return "\n".join("".join(text for text, _ in line).rstrip() for line in page)
