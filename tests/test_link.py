"""Owns the tests of the pipes between terminal and session."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from jaxtutor.session.messages import (
    KeysPressed,
    Message,
    MessageChannel,
    ScreenUpdate,
    SessionOver,
)


@pytest.fixture
def ends() -> Iterator[tuple[MessageChannel, int]]:
    """Make a link and the descriptor that writes to it."""
    read, write = os.pipe()
    ours, theirs = os.pipe()
    link = MessageChannel(read, theirs)
    yield link, write
    link.close()
    os.close(ours)


def test_messages_arrive_whole_and_in_order(ends: tuple[MessageChannel, int]) -> None:
    """However the bytes are cut, the messages come out as they were sent."""
    link, write = ends
    sender = MessageChannel(os.dup(link.read), write)
    sent: list[Message] = [
        KeysPressed(("a", "c-c")),
        ScreenUpdate(("é ✓",), "status"),
        SessionOver("words"),
    ]
    for message in sent:
        sender.send(message)
    data = os.read(link.read, 1 << 16)
    received: list[Message] = []
    for byte in data:
        os.write(write, bytes([byte]))
        received += link.receive()
    sender.close()

    assert sent == received


def test_an_end_that_does_not_wait(ends: tuple[MessageChannel, int]) -> None:
    """More than a pipe holds is kept until it is taken, so that neither end waits for the other."""
    link, write = ends
    os.set_blocking(write, False)
    sender = MessageChannel(os.dup(link.read), write)
    sent: list[Message] = [KeysPressed(("down",) * 1000)] * 100
    for message in sent:
        sender.send(message)
    waited, was_full = sender.has_queue, sender.is_full
    received: list[Message] = []
    while len(received) < len(sent):
        received += link.receive()
        sender.flush()
    has_queue = sender.has_queue
    sender.close()

    assert (True, True, False) == (waited, was_full, has_queue)
    assert sent == received


def test_the_end_is_told(ends: tuple[MessageChannel, int]) -> None:
    """When nobody can write any more, that is told."""
    link, write = ends
    os.close(write)

    with pytest.raises(EOFError):
        link.receive()
