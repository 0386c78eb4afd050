"""Owns the bytes on the pipes between the shell and a worker.

A frame is a token, a length and a msgpack body. The token is drawn anew for each worker, so that
bytes a submission writes to the pipe's descriptor are noticed and never taken for facts.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterator
from typing import Any, TypeVar

import msgspec

from jaxtutor.core.data.model import Event, Outcome, Request

TOKEN_SIZE = 16
_LENGTH = struct.Struct(">I")
_HEADER = TOKEN_SIZE + _LENGTH.size
_SUM_SIZE = 16

Message = TypeVar("Message")


def _describe(value: object) -> str:
    return repr(value)[:80]


_encoder = msgspec.msgpack.Encoder(enc_hook=_describe)
_events: msgspec.msgpack.Decoder[Event] = msgspec.msgpack.Decoder(Event)
_requests: msgspec.msgpack.Decoder[Request] = msgspec.msgpack.Decoder(Request)
_outcomes = msgspec.msgpack.Decoder(Outcome)


class Garbled(Exception):
    """Bytes on the pipe are not frames of ours."""


def encode(token: bytes, message: msgspec.Struct) -> bytes:
    """Make one frame."""
    try:
        body = _encoder.encode(message)
    except UnicodeEncodeError:  # a learner's text can hold what no encoding spells
        body = _encoder.encode(_spelled(_to_builtins(message)))
    return token + _LENGTH.pack(len(body)) + body


def _to_builtins(message: msgspec.Struct) -> object:
    return msgspec.to_builtins(message, builtin_types=(bytes,), enc_hook=_describe)


def spell(text: str) -> str:
    """Write lone surrogates as their escapes; other text stays as it is."""
    return text.encode("utf-8", "backslashreplace").decode()


def _spelled(value: Any) -> Any:
    """Spell all text in plain data."""
    if isinstance(value, str):
        return spell(value)
    if isinstance(value, dict):
        return {_spelled(name): _spelled(held) for name, held in value.items()}
    return [_spelled(held) for held in value] if isinstance(value, list | tuple) else value


def split(token: bytes, buffer: bytearray) -> Iterator[bytes]:
    """Take the whole frames' bodies off the front of `buffer`, one after another.

    Raises Garbled where the buffer does not go on with a frame.
    """
    while len(buffer) >= _HEADER:
        if buffer[:TOKEN_SIZE] != token:
            raise Garbled
        end = _HEADER + int(_LENGTH.unpack_from(buffer, TOKEN_SIZE)[0])
        if len(buffer) < end:
            break
        body = bytes(buffer[_HEADER:end])
        del buffer[:end]
        yield body
    if not token.startswith(bytes(buffer[:TOKEN_SIZE])) and len(buffer) < _HEADER:
        raise Garbled


def read(decoder: msgspec.msgpack.Decoder[Message], body: bytes) -> Message:
    """Decode the body of a frame, nested too deeply or no message at all. Raises Garbled."""
    try:
        return decoder.decode(body)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise Garbled from error


def read_event(body: bytes) -> Event:
    """Decode the body of an event's frame. Raises Garbled."""
    return read(_events, body)


def read_request(body: bytes) -> Request:
    """Decode the body of a request's frame. Raises Garbled."""
    return read(_requests, body)


def pack_outcome(outcome: Outcome) -> bytes:
    """Encode an outcome for keeping, its checksum first: a wrong number is still a number."""
    body = _encoder.encode(outcome)
    return _sum(body) + body


def unpack_outcome(kept: bytes) -> Outcome | None:
    """Decode a kept outcome, or None if it is not one, or not whole."""
    body = kept[_SUM_SIZE:]
    if kept[:_SUM_SIZE] != _sum(body):
        return None
    try:
        return read(_outcomes, body)
    except Garbled:
        return None


def _sum(body: bytes) -> bytes:
    return hashlib.blake2b(body, digest_size=_SUM_SIZE).digest()


def mark(token: bytes, stage: str) -> bytes:
    """Make the mark that separates the prints of one stage from the next's."""
    return b"\0" + token + stage.encode() + b"\0"


def split_prints(token: bytes, output: bytes) -> list[tuple[str, bytes]]:
    """Cut captured output at its marks: (stage, what was printed in it) in order."""
    first, *rest = output.split(b"\0" + token)
    pieces = [("", first)] if first else []
    for piece in rest:
        stage, _, text = piece.partition(b"\0")
        pieces.append((stage.decode("ascii", "replace"), text))
    return pieces
