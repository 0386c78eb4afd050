"""Encodes and decodes the messages on the pipes between the shell and a worker.

A message is a token, a length and a msgpack body. The token is random and new for each worker, so
that bytes which a submission writes to the pipe are detected and not mistaken for messages.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, TypeVar, get_args

import msgspec

from jaxtutor.core.data.facts import Event, Outcome, RunSummary
from jaxtutor.core.data.requests import Request

TOKEN_SIZE = 16
_LENGTH = struct.Struct(">I")
_HEADER = TOKEN_SIZE + _LENGTH.size
_SUM_SIZE = 16

Message = TypeVar("Message")


def _describe(value: object) -> str:
    return repr(value)[:80]


class _Tagged(msgspec.Struct):
    """A message of which only the kind is read."""

    type: str


class _StoredOutcome(RunSummary, frozen=True):
    """An outcome whose events are not decoded yet."""

    events: tuple[msgspec.Raw, ...] = ()


_encoder = msgspec.msgpack.Encoder(enc_hook=_describe)
_EVENTS = {str(kind.__struct_config__.tag): kind for kind in get_args(Event)}
_REQUESTS = {str(kind.__struct_config__.tag): kind for kind in get_args(Request)}


@cache
def _decoder(kind: Any) -> msgspec.msgpack.Decoder[Any]:
    """Return the decoder of a type, created on first use.

    One for all events would read the annotations of every kind of observation; most runs send a
    few kinds.
    """
    return msgspec.msgpack.Decoder(kind)


class Garbled(Exception):
    """The bytes on the pipe are not messages of ours."""


def encode(token: bytes, message: msgspec.Struct) -> bytes:
    """Encode one message."""
    try:
        body = _encoder.encode(message)
    except UnicodeEncodeError:  # a learner's text may contain lone surrogates
        body = _encoder.encode(_spelled(_to_builtins(message)))
    return token + _LENGTH.pack(len(body)) + body


def _to_builtins(message: msgspec.Struct) -> object:
    return msgspec.to_builtins(message, builtin_types=(bytes,), enc_hook=_describe)


def spell(text: str) -> str:
    """Replace lone surrogates by their escapes."""
    return text.encode("utf-8", "backslashreplace").decode()


def _spelled(value: Any) -> Any:
    """Replace lone surrogates in all strings of plain data."""
    if isinstance(value, str):
        return spell(value)
    if isinstance(value, dict):
        return {_spelled(name): _spelled(held) for name, held in value.items()}
    return [_spelled(held) for held in value] if isinstance(value, list | tuple) else value


def split(token: bytes, buffer: bytearray) -> Iterator[bytes]:
    """Remove the complete messages from the front of `buffer`, and yield their bodies.

    Raises Garbled if the next bytes do not start a message.
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


def read(decoder: msgspec.msgpack.Decoder[Message], body: bytes | msgspec.Raw) -> Message:
    """Decode a message's body. Raises Garbled if it is too deeply nested, or not a message."""
    try:
        return decoder.decode(body)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise Garbled from error


def read_event(body: bytes | msgspec.Raw) -> Event:
    """Decode the body of an event. Raises Garbled."""
    event: Event = _read_tagged(_EVENTS, body)
    return event


def read_request(body: bytes) -> Request:
    """Decode the body of a request. Raises Garbled."""
    request: Request = _read_tagged(_REQUESTS, body)
    return request


def _read_tagged(kinds: Mapping[str, Any], body: bytes | msgspec.Raw) -> Any:
    kind = kinds.get(read(_decoder(_Tagged), body).type)
    if kind is None:
        raise Garbled
    return read(_decoder(kind), body)


def pack_outcome(outcome: Outcome) -> bytes:
    """Encode an outcome for the cache, with a checksum: damaged numbers would still decode."""
    body = _encoder.encode(outcome)
    return _sum(body) + body


def unpack_outcome(kept: bytes) -> Outcome | None:
    """Decode a cached outcome; None if it is damaged or not an outcome."""
    body = kept[_SUM_SIZE:]
    if kept[:_SUM_SIZE] != _sum(body):
        return None
    try:
        stored = read(_decoder(_StoredOutcome), body)
        events = tuple(map(read_event, stored.events))
    except Garbled:
        return None
    return Outcome(**{**msgspec.structs.asdict(stored), "events": events})


def _sum(body: bytes) -> bytes:
    return hashlib.blake2b(body, digest_size=_SUM_SIZE).digest()


def mark(token: bytes, stage: str) -> bytes:
    """Return the separator between the output of one stage and the next."""
    return b"\0" + token + stage.encode() + b"\0"


def split_prints(token: bytes, output: bytes) -> list[tuple[str, bytes]]:
    """Split captured output at its separators into pairs of stage and output, in order."""
    first, *rest = output.split(b"\0" + token)
    pieces = [("", first)] if first else []
    for piece in rest:
        stage, _, text = piece.partition(b"\0")
        pieces.append((stage.decode("ascii", "replace"), text))
    return pieces
