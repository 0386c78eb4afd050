"""Owns what the terminal's process and the session's say to each other, and the pipes for it."""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator

import msgspec
from msgspec import Struct

STAYING = frozenset("up down pageup pagedown home end space b + - = q r".split())
"""Keys after the prefix that do not end the panel's turn: there may be more of them."""


class Begin(Struct, frozen=True, tag="begin"):
    """The first message: what was asked for, and what the terminal can show."""

    lesson: str
    encoding: str
    layout: str
    prefix: str
    device: str | None = None
    plain: bool = False
    course: str | None = None
    workspace: str | None = None


class Size(Struct, frozen=True, tag="size"):
    """How much room there is, of the whole screen or of the panel below an editor."""

    columns: int
    rows: int
    screen_rows: int
    panel: bool = False


class KeysPressed(Struct, frozen=True, tag="pressed"):
    """Keys that are meant for the session."""

    keys: tuple[str, ...]


class EditorExited(Struct, frozen=True, tag="left"):
    """The editor ended; `problem` says why it could not be run, `words` what it said in dying."""

    status: int
    seconds: float
    problem: str = ""
    words: str = ""


class ScreenUpdate(Struct, frozen=True, tag="frame"):
    """What is to be seen: a line of status, and lines that fill the rest of the room."""

    lines: tuple[str, ...]
    status: str


class OpenEditor(Struct, frozen=True, tag="edit"):
    """Open a file in a terminal editor, in the upper rows or on the whole screen."""

    name: str
    command: tuple[str, ...]
    file: str
    line: int
    rows: bool


class SessionOver(Struct, frozen=True, tag="over"):
    """The session is over; these are its last words."""

    words: str


Message = Begin | Size | KeysPressed | EditorExited | ScreenUpdate | OpenEditor | SessionOver

_LENGTH = struct.Struct("!I")
FULL = 1 << 18
"""How many bytes may wait for the other end."""


class MessageChannel:
    """One end of a pair of pipes."""

    def __init__(self, read: int, write: int) -> None:
        self.read = read
        self.write = write
        self._queue = bytearray()
        self._buffer = bytearray()
        self._decoder = msgspec.msgpack.Decoder(Message)

    def send(self, message: Message) -> None:
        """Send a message; nobody may be there any more to take it.

        One end must not wait for the other, or both might: there what is not taken at once waits
        for `flush`.
        """
        body = msgspec.msgpack.encode(message)
        self._queue += _LENGTH.pack(len(body)) + body
        self.flush()

    @property
    def has_queue(self) -> bool:
        """Tell whether something waits to be taken."""
        return bool(self._queue)

    @property
    def is_full(self) -> bool:
        """Tell whether so much waits that no more should be said."""
        return len(self._queue) > FULL

    def flush(self) -> None:
        """Write what waits, as much as is taken now."""
        try:
            while self._queue:
                del self._queue[: os.write(self.write, self._queue[: 1 << 16])]
        except BlockingIOError:
            return
        except BrokenPipeError:  # the next `receive` says so
            self._queue.clear()

    def receive(self) -> list[Message]:
        """Take what has come, waiting for something. Raise EOFError when the other end is gone."""
        data = os.read(self.read, 1 << 16)
        if not data:
            raise EOFError
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
        """Give the pipes back."""
        os.close(self.read)
        os.close(self.write)
