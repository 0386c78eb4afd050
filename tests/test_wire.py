"""Tests the bytes on the pipes: message frames, stored outcomes, and marks in the output."""

from __future__ import annotations

import msgspec
import pytest

from builders import MACHINE, outcome, passed_stages, tree
from jaxtutor.core.data import wire
from jaxtutor.core.data.facts import (
    BrokenLibrary,
    CaseFacts,
    Done,
    Event,
    NoDevice,
    ObservationFacts,
    PredictFacts,
    PropertyFacts,
    Started,
)
from jaxtutor.core.data.failures import Leak
from jaxtutor.core.data.observations import GrowingShape, KeyForAll, LeakedTracer
from jaxtutor.core.data.positions import Frame, Span
from jaxtutor.core.data.requests import (
    CheckRequest,
    DevicesRequest,
    PredictRequest,
    ProseRequest,
    Request,
)
from jaxtutor.core.vocabulary import Custom, Traces

TOKEN = bytes(range(16))
EVENTS: tuple[Event, ...] = (
    MACHINE,
    Started("import"),
    CaseFacts("x=1.0", True, tree([1.0, 2.0]), stated=tree([1.0, 2.0])),
    PropertyFacts(Traces([], times=2, probes=("f",)), 0.5, counts={"traces": 1, "calls": 2}),
    PropertyFacts(Custom("odd", "It is odd.", calls=[]), 0.5, problem="it is even"),
    NoDevice("tpu", ("cpu:0",)),
    BrokenLibrary("import optax", "ImportError", "no jax"),
    PredictFacts("(3,)", "float32[3]"),
    ObservationFacts(GrowingShape("step", 5, 1, "x", (1,), (5,), step=1, check="traces-once")),
    ObservationFacts(KeyForAll(("row",), frame=Frame("f.py", "draw", Span(3, 4, 3, 20)))),
    ObservationFacts(LeakedTracer(Leak("float32[]", None, "list", "kept", "f", "jit"))),
    Done(1.5),
)
REQUESTS: tuple[Request, ...] = (
    CheckRequest("/course/lesson", "f", "/home/f.py", "def f(): ...\n", 3),
    DevicesRequest(),
    ProseRequest("lesson.md", ()),
    PredictRequest("shape", "x = jnp.ones(3)", "x"),
)


def frames(*events: Event) -> bytearray:
    """Return the encoded frames of these events."""
    return bytearray().join(wire.encode(TOKEN, event) for event in events)


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_an_event_comes_back_as_it_was(event: Event) -> None:
    """A decoded event equals the encoded one."""
    (body,) = wire.split(TOKEN, frames(event))

    assert event == wire.read_event(body)


def test_what_no_encoding_spells_arrives_as_escapes() -> None:
    """Lone surrogates in a learner's text arrive escaped, at any depth."""
    case = CaseFacts("x='\\ud800'", True, tree([1.0, 2.0]))
    printed = PredictFacts("\udfff", "half of a character: \ud83d")
    odd, whole = wire.split(TOKEN, frames(printed, case))
    inside = CaseFacts("\ud800", True, tree([1.0, 2.0]))
    (body,) = wire.split(TOKEN, frames(inside))

    assert PredictFacts("\\udfff", "half of a character: \\ud83d") == wire.read_event(odd)
    assert case == wire.read_event(whole)
    assert CaseFacts("\\ud800", True, tree([1.0, 2.0])) == wire.read_event(body)


@pytest.mark.parametrize("request_", REQUESTS, ids=lambda request: type(request).__name__)
def test_a_request_comes_back_as_it_was(request_: Request) -> None:
    """A decoded request equals the encoded one."""
    (body,) = wire.split(TOKEN, bytearray(wire.encode(TOKEN, request_)))

    assert request_ == wire.read_request(body)


def test_frames_that_arrive_byte_by_byte_are_whole() -> None:
    """Frames decode to the same events however their bytes are split."""
    buffer = bytearray()
    events: list[Event] = []
    for byte in frames(*EVENTS):
        buffer.append(byte)
        events += map(wire.read_event, wire.split(TOKEN, buffer))

    assert list(EVENTS) == events
    assert bytearray() == buffer


def test_a_frame_that_is_not_whole_waits() -> None:
    """An incomplete frame stays in the buffer until the rest arrives."""
    whole = frames(Started("jit"), Done(1.0))
    buffer = whole[:-1]

    assert [Started("jit")] == [wire.read_event(body) for body in wire.split(TOKEN, buffer)]
    assert whole.endswith(buffer + whole[-1:])


@pytest.mark.parametrize("intruder", [b"x", b"hello, world, this is a print of a submission\n"])
def test_foreign_bytes_are_noticed(intruder: bytes) -> None:
    """Bytes that do not start with the token are rejected."""
    with pytest.raises(wire.Garbled):
        list(wire.split(TOKEN, bytearray(intruder)))


def test_foreign_bytes_between_frames_are_noticed() -> None:
    """Bytes that a submission writes after a valid frame are rejected."""
    buffer = frames(Started("jit")) + b"x" + frames(Done(1.0))

    with pytest.raises(wire.Garbled):
        list(wire.split(TOKEN, buffer))


def test_the_frame_of_another_worker_is_foreign() -> None:
    """A frame with another worker's token is rejected."""
    with pytest.raises(wire.Garbled):
        list(wire.split(bytes(16), frames(Done(1.0))))


def test_frames_before_other_bytes_are_taken() -> None:
    """Frames that came before foreign bytes are still decoded."""
    bodies = wire.split(TOKEN, frames(Started("jit")) + b"garbage, and more of it, and more")

    assert Started("jit") == wire.read_event(next(bodies))
    with pytest.raises(wire.Garbled):
        next(bodies)


@pytest.mark.parametrize("body", [b"", b"\xc1", b"\x01", msgspec.msgpack.encode({"type": "soap"})])
def test_a_body_that_is_no_event_is_noticed(body: bytes) -> None:
    """Bytes with a valid token and invalid content are rejected."""
    with pytest.raises(wire.Garbled):
        wire.read_event(body)


# ---------------------------------------------------------------- stored outcomes


def test_an_outcome_is_kept_whole() -> None:
    """A stored outcome is read back unchanged."""
    kept = outcome([*passed_stages(), *EVENTS[2:4]], printed=(("import", "hello\n"),))

    assert kept == wire.unpack_outcome(wire.pack_outcome(kept))


@pytest.mark.parametrize("place", [0, 40, -1])
def test_one_wrong_byte_is_noticed(place: int) -> None:
    """A wrong byte in a stored outcome, also in its numbers, invalidates it."""
    packed = bytearray(wire.pack_outcome(outcome([CaseFacts("x", True, tree([1.0, 2.0]))])))
    packed[place] ^= 1

    assert wire.unpack_outcome(bytes(packed)) is None


def test_every_flipped_byte_is_noticed() -> None:
    """Every flipped byte in a stored outcome is detected."""
    packed = wire.pack_outcome(outcome([CaseFacts("x", True, tree([1.0]))]))
    flipped = [packed[:i] + bytes([packed[i] ^ 255]) + packed[i + 1 :] for i in range(len(packed))]

    assert [None] * len(packed) == [wire.unpack_outcome(body) for body in flipped]


@pytest.mark.parametrize("body", [b"", b"not an outcome", msgspec.msgpack.encode([1, 2])])
def test_what_was_never_an_outcome_is_none(body: bytes) -> None:
    """An empty or foreign file in the cache is not an outcome."""
    assert wire.unpack_outcome(body) is None


def test_a_cut_file_is_none() -> None:
    """A truncated stored outcome is invalid."""
    assert wire.unpack_outcome(wire.pack_outcome(outcome(EVENTS))[:-1]) is None


# ---------------------------------------------------------------- output


def test_prints_are_cut_at_their_stages() -> None:
    """Output belongs to the stage whose mark precedes it."""
    output = b"early\n" + wire.mark(TOKEN, "import") + b"one\n" + wire.mark(TOKEN, "jit") + b"two"

    pieces = wire.split_prints(TOKEN, output)

    assert [("", b"early\n"), ("import", b"one\n"), ("jit", b"two")] == pieces


def test_zero_bytes_in_prints_are_prints() -> None:
    """Null bytes in the output are not marks, because a submission does not know the token."""
    output = wire.mark(TOKEN, "import") + b"a\0b\0c"

    assert [("import", b"a\0b\0c")] == wire.split_prints(TOKEN, output)


def test_no_prints_are_no_pieces() -> None:
    """Empty output has no parts."""
    assert wire.split_prints(TOKEN, b"") == []
