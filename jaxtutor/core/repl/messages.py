"""Owns what the prompt and its worker say to each other: requests one way, replies the other.

Messages are framed as in `jaxtutor.core.data.wire`. A worker at the prompt serves many requests,
one after another. A request made while keys are pressed carries a number, since its answer may
come too late.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from msgspec import Struct

from jaxtutor.core.data.model import Failure, Machine, NoDevice, Observation
from jaxtutor.core.data.wire import read

Line = tuple[tuple[str, str], ...]
"""One line of a page: pieces of text, each with the name of its style."""

Page = tuple[Line, ...]

# ---------------------------------------------------------------- to the worker


class PageStyle(Struct, frozen=True):
    """How wide a page may be; `plain` is to be read aloud, `ascii` is without block characters."""

    width: int = 80
    plain: bool = False
    ascii: bool = False


class RunCell(Struct, frozen=True, tag="cell"):
    """Run source that begins at this line of the session.

    With a `command` the source is its argument: an expression that the command looks at.
    """

    line: int
    source: str
    look: PageStyle
    command: str = ""


class File(Struct, frozen=True):
    """A file of the learner's or of a lesson's, and the name of the module that it becomes."""

    name: str
    path: str
    source: str


class LoadFiles(Struct, frozen=True, tag="load"):
    """Run files as modules, and put their names at the prompt, those of later ones first."""

    files: tuple[File, ...]
    look: PageStyle


class Complete(Struct, frozen=True, tag="complete"):
    """List what may stand at the cursor.

    `kind` is attribute (of `subject`), name, key (of `subject`), module, or member (of the module
    `subject`). With `call`, the parameters of that function are among the names.
    """

    number: int
    kind: str
    subject: str
    prefix: str
    call: str = ""


class Describe(Struct, frozen=True, tag="describe"):
    """Say how the function that `subject` names is called."""

    number: int
    subject: str


class Inspect(Struct, frozen=True, tag="inspect"):
    """Say what `subject` is; `deeply` with its source."""

    subject: str
    deeply: bool
    look: PageStyle


ReplRequest = RunCell | LoadFiles | Complete | Describe | Inspect

# ---------------------------------------------------------------- and back


class PageShown(Struct, frozen=True, tag="shown"):
    """A page to show: the value of a cell, or what a command found."""

    page: Page


class CellRaised(Struct, frozen=True, tag="raised"):
    """The cell let an exception out."""

    failure: Failure


class CellExited(Struct, frozen=True, tag="left"):
    """The cell asked Python to exit, with this for a status."""

    status: str


class CommandRefused(Struct, frozen=True, tag="refused"):
    """A command was not given what it needs."""

    message: str


class CellObserved(Struct, frozen=True, tag="seen"):
    """What was seen while the cell ran, which raised nothing."""

    observations: tuple[Observation, ...]


class PromptAction(Struct, frozen=True, tag="wish"):
    """The cell called a function of the tutor's that only the prompt can carry out."""

    command: str
    argument: str = ""


class CellDone(Struct, frozen=True, tag="done"):
    """The cell is over. `files` are the learner's files that were run so far."""

    seconds: float
    files: tuple[str, ...] = ()


class Completion(Struct, frozen=True):
    """One way to go on; `kind` says what it is: function, class, module, array, parameter, …"""

    text: str
    kind: str = ""


class Matches(Struct, frozen=True, tag="matches"):
    """What may stand at the cursor, the likely first."""

    number: int
    candidates: tuple[Completion, ...] = ()


class Described(Struct, frozen=True, tag="described"):
    """How a function is called: its parameters as written, and the first line of its docstring."""

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
"""Makes a request that carries the number it is given."""

_requests: msgspec.msgpack.Decoder[ReplRequest] = msgspec.msgpack.Decoder(ReplRequest)
_replies: msgspec.msgpack.Decoder[ReplReply] = msgspec.msgpack.Decoder(ReplReply)


def read_request(body: bytes) -> ReplRequest:
    """Decode the body of a request's frame. Raises Garbled."""
    return read(_requests, body)


def read_reply(body: bytes) -> ReplReply:
    """Decode the body of a reply's frame. Raises Garbled."""
    return read(_replies, body)


def plain_page(text: str, style: str = "") -> Page:
    """Make a page of a text's lines."""
    return tuple(((line, style),) for line in text.split("\n"))


def page_text(page: Page) -> str:
    """Write a page without its styles."""
    return "\n".join("".join(text for text, _ in line).rstrip() for line in page)
