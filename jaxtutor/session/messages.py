"""Defines the messages between the terminal's process and the session's, and their channel."""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator

import msgspec
from msgspec import Struct


class Begin(Struct, frozen=True, tag="begin"):
    """The first message: the options, and what the terminal supports.

    `terminal` is the terminal's path, empty if it has none or nothing on it needs to be restored.
    `welcome` asks for the page that greets a learner before the lesson.
    """

    lesson: str
    encoding: str
    layout: str
    prefix: str
    device: str | None = None
    plain: bool = False
    course: str | None = None
    workspace: str | None = None
    terminal: str = ""
    welcome: bool = False


class Size(Struct, frozen=True, tag="size"):
    """The space available, on the whole screen or in the panel below an editor."""

    columns: int
    rows: int
    screen_rows: int
    panel: bool = False


class KeysPressed(Struct, frozen=True, tag="pressed"):
    """Keys for the session."""

    keys: tuple[str, ...]


class EditorExited(Struct, frozen=True, tag="exited"):
    """The editor ended; `problem` explains why it could not start, `output` is its last output."""

    status: int
    seconds: float
    problem: str = ""
    output: str = ""


class ScreenUpdate(Struct, frozen=True, tag="update"):
    """The contents of the screen: a status line, and lines for the remaining rows.

    The rest is for the panel. `focused` is the status line for the time in which the panel has the
    keys; it is sent beforehand, so that the line changes at once. `keys` are the keys that it uses
    now. `wanted` is the number of rows that would show all lines; 0 if no more are wanted, None if
    that is as before. `check` numbers the verdict. `whole` asks for the whole screen. `seen` counts
    the messages with keys that came before it.
    """

    lines: tuple[str, ...]
    status: str
    focused: str = ""
    keys: tuple[str, ...] = ()
    wanted: int | None = 0
    check: int = 0
    whole: bool = False
    seen: int = 0


class OpenEditor(Struct, frozen=True, tag="edit"):
    """Open a file in a terminal editor, in the upper rows or on the whole screen."""

    name: str
    command: tuple[str, ...]
    file: str
    line: int
    rows: bool


class SessionOver(Struct, frozen=True, tag="over"):
    """The session is over; `message` is printed after it. Either process may send it."""

    message: str


Message = Begin | Size | KeysPressed | EditorExited | ScreenUpdate | OpenEditor | SessionOver

_LENGTH = struct.Struct("!I")
FULL = 1 << 18
"""Bytes. While more are queued, no more input is read."""


class MessageChannel:
    """One end of a pair of pipes, for messages in both directions."""

    def __init__(self, read: int, write: int) -> None:
        self.read = read
        self.write = write
        self.has_received = False
        self._queue = bytearray()
        self._buffer = bytearray()
        self._decoder = msgspec.msgpack.Decoder(Message)

    def send(self, message: Message) -> None:
        """Queue a message, and write as much as the pipe accepts.

        Neither process may block on the other, or both might. What the pipe does not accept stays
        queued for `flush`.
        """
        body = msgspec.msgpack.encode(message)
        self._queue += _LENGTH.pack(len(body)) + body
        self.flush()

    @property
    def has_queue(self) -> bool:
        """Return whether messages are queued."""
        return bool(self._queue)

    @property
    def is_full(self) -> bool:
        """Return whether the queue is too long to accept more."""
        return len(self._queue) > FULL

    def flush(self) -> None:
        """Write queued bytes until the pipe is full."""
        try:
            while self._queue:
                del self._queue[: os.write(self.write, self._queue[: 1 << 16])]
        except BlockingIOError:
            return
        except BrokenPipeError:  # `receive` reports it as EOFError
            self._queue.clear()

    def receive(self) -> list[Message]:
        """Wait for messages and return them. Raise EOFError when the other end is closed."""
        data = os.read(self.read, 1 << 16)
        if not data:
            raise EOFError
        self.has_received = True
        self._buffer += data
        return list(self._messages())

    def _messages(self) -> Iterator[Message]:
        while len(self._buffer) >= _LENGTH.size:
            (length,) = _LENGTH.unpack_from(self._buffer)
            end = _LENGTH.size + length
            if len(self._buffer) < end:
                return
            body = bytes(self._buffer[_LENGTH.size : end])
            del self._buffer[:end]
            yield self._decoder.decode(body)

    def close(self) -> None:
        """Close the pipes."""
        os.close(self.read)
        os.close(self.write)
