"""Tests the message pipe between the terminal's process and the session's."""

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
    """Create a link and the descriptor that writes to it."""
    read, write = os.pipe()
    ours, theirs = os.pipe()
    link = MessageChannel(read, theirs)
    yield link, write
    link.close()
    os.close(ours)


def test_messages_arrive_whole_and_in_order(ends: tuple[MessageChannel, int]) -> None:
    """Messages arrive complete and in order, however their bytes are split."""
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
    """Messages that do not fit the pipe are queued, so that neither process blocks the other."""
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


def test_the_end_is_reported(ends: tuple[MessageChannel, int]) -> None:
    """A closed pipe raises EOFError."""
    link, write = ends
    os.close(write)

    with pytest.raises(EOFError):
        link.receive()
