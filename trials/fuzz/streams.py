"""Fuzzes the bytes that an editor writes, a person types, and a worker reports."""

from __future__ import annotations

import contextlib
from itertools import pairwise

import msgspec
from hypothesis import strategies as st

from jaxtutor.core.data import wire
from jaxtutor.core.data.facts import Done, Outcome, ScriptFacts, Started
from jaxtutor.core.data.failures import Failure
from jaxtutor.core.repl import messages
from jaxtutor.core.terminal.keys import InputFilter, Keyboard, decode, is_unfinished, parse_prefix
from jaxtutor.core.terminal.output_filter import Filter
from trials.fuzz.target import Target

_PIECES = (
    *(bytes([code]) for code in (0, 7, 9, 10, 13, 24, 26, 27, 32, 63, 91, 93, 127, 155)),
    *(bytes([code]) for code in (0x80, 0xBF, 0xC2, 0xE2, 0xF0, 0xF4, 0xF5, 0xFF)),
    *b"\x1b[ \x1b] \x1bP \x1bO \x1bX \x1b_ \x1b\\ \x1b7 \x1b8 \x1bc \x1b#8 \x1b= \x1b(".split(),
    *b"0 9 ; : ? >".split(),
    *b"\x1b[H \x1b[2J \x1b[J \x1b[?1049h \x1b[?1049l \x1b[?2048h \x1b[?2026h \x1b[?69h".split(),
    *b"\x1b[1;99r \x1b[r \x1b[999;999H \x1b[18t \x1b[!p \x1b[s \x1b[u \x1b[>1u \x1b[<u".split(),
    *b"\x1b[24~ \x1b[24;1:3~ \x1b[93;5u \x1b[97;5u \x1b[55296u \x1b[200~ \x1b[201~".split(),
    *b"\x1b[<64;3;9M \x1b[<0;3;99M \x1b[<0;3;9m \x1b[MaaA \x1b[M abc".split(),
    *("é日😀\u202e".encode(), b"\xc2\x80\x80", b"9" * 30, b"9" * 5000, b"text"),
    *(b"\x1b[%bH" % (b"9" * 5000), b"\x1b[?%bh" % (b"7" * 4500), b"\x1b[<0;0;%bM" % (b"8" * 4400)),
)
_pieces = st.one_of(st.sampled_from(_PIECES), st.binary(max_size=4))
_data = st.lists(_pieces, max_size=20).map(b"".join)


@st.composite
def _cut(draw: st.DrawFn) -> tuple[bytes, list[bytes]]:
    """Generate bytes, and the same bytes in pieces."""
    data = draw(_data)
    cuts = sorted(draw(st.sets(st.integers(0, len(data)), max_size=12)))
    if draw(st.booleans()) and len(data) < 200:
        cuts = list(range(len(data)))
    return data, [data[a:b] for a, b in pairwise([0, *cuts, len(data)])]


def filter_alike(given: tuple[bytes, list[bytes]]) -> None:
    """Terminal and editor get the same bytes however an editor's output is split."""
    data, pieces = given
    whole, parts = Filter(10, 80), Filter(10, 80)
    once = whole.feed(data)
    several = [parts.feed(piece) for piece in pieces]
    assert once.output == b"".join(passed.output for passed in several)
    assert once.reply == b"".join(passed.reply for passed in several)
    assert once.erased == any(passed.erased for passed in several)
    assert whole.is_quiet == parts.is_quiet
    assert whole.modes() == parts.modes()
    whole.resize(4, 20)


def keys_named(data: bytes) -> None:
    """Every key has a printable name or none."""
    for name in decode(data):
        assert name.isprintable() or name == " ", name
    keyboard = Keyboard()
    assert data == b"".join(key.raw for key in (*keyboard.feed(data), *keyboard.settle()))
    is_unfinished(data)


def keys_alike(given: tuple[bytes, list[bytes]]) -> None:
    """Keys do not depend on how the input is split, and no byte is lost."""
    data, pieces = given
    whole, parts = Keyboard(), Keyboard()
    once = [*whole.feed(data), *whole.settle()]
    several = [key for piece in pieces for key in parts.feed(piece)]
    several += parts.settle()
    assert b"".join(key.raw for key in once) == data
    assert b"".join(key.raw for key in several) == data
    assert [key.name for key in once if key.name] == [key.name for key in several if key.name]


_prefixes = st.sampled_from(["f12", "f1", "c-]", "c-a", "ctrl-\\", "^_"])


def gate_loses_nothing(given: tuple[str, list[bytes]]) -> None:
    """All input reaches the editor, except the prefix and the mouse in the panel's rows."""
    prefix = parse_prefix(given[0])
    assert prefix is not None
    gate = InputFilter(prefix, 10)
    for piece in given[1]:
        split = gate.split(piece)
        if split.after is None and b"\x1b[<" not in piece and b"\x1b[M" not in piece:
            found = prefix.compile().search(piece)
            assert split.editor == piece or found is not None, (piece, split)


def frames_read(given: tuple[bytes, bytes]) -> None:
    """Bytes that are not our frames are rejected."""
    token, data = given
    with contextlib.suppress(wire.Garbled):
        for body in wire.split(token, bytearray(data)):
            _read_body(body)
    _read_body(data)
    wire.split_prints(token, data)


def _read_body(body: bytes) -> None:
    for read in (wire.read_event, wire.read_request, messages.read_request, messages.read_reply):
        with contextlib.suppress(wire.Garbled):
            read(body)
    wire.unpack_outcome(body)
    wire.unpack_outcome(wire._sum(body) + body)


def frames_cut(given: tuple[list[str], list[int]]) -> None:
    """Frames are complete however the pipe splits them."""
    stages, cuts = given
    token = b"t" * wire.TOKEN_SIZE
    sent = [*map(Started, stages), Done(1.0)]
    data = b"".join(wire.encode(token, event) for event in sent)
    buffer, got = bytearray(), []
    places = sorted(min(cut, len(data)) for cut in cuts)
    for a, b in pairwise([0, *places, len(data)]):
        buffer += data[a:b]
        got += [wire.read_event(body) for body in wire.split(token, buffer)]
    assert got == sent
    assert not buffer


_token = st.just(b"0123456789abcdef")
_DEEP = b"\x91" * 3000 + b"\xc0"


def _nest(depth: int) -> bytes:
    """Encode a chain of linked failures that is longer than any real one."""
    script = msgspec.msgpack.encode(ScriptFacts(1, (), (), Failure("E", (), "")))
    one = msgspec.msgpack.encode(Failure("E", (), ""))
    before, after = one.split(b"\xa6linked\xc0")
    nested = (before + b"\xa6linked") * depth + one + after * depth
    return script.replace(one, nested)


_kept = wire._encoder.encode(Outcome("done", "", ()))  # type: ignore[arg-type]
_bodies = st.one_of(
    st.binary(max_size=60),
    st.sampled_from(
        [_DEEP, _nest(3), _nest(20_000), _kept, wire._encoder.encode(Started("script"))]
    ),
)
_mutated = st.tuples(_bodies, st.integers(0, 60), st.binary(max_size=3)).map(
    lambda given: given[0][: given[1]] + given[2] + given[0][given[1] + 1 :]
)

TARGETS = (
    Target("the terminal's bytes are the same however they were cut", _cut(), filter_alike, 8_000),
    Target("what is pressed has a name or none", _data, keys_named, 5_000),
    Target("keys are the same however they were cut", _cut(), keys_alike, 5_000),
    Target(
        "what is pressed reaches the editor",
        st.tuples(_prefixes, st.lists(_data, max_size=4)),
        gate_loses_nothing,
        5_000,
    ),
    Target(
        "bytes that do not form a frame are refused",
        st.tuples(_token, st.one_of(_bodies, _mutated)).map(lambda given: (given[0], given[1])),
        frames_read,
        5_000,
    ),
    Target(
        "frames come whole however they were cut",
        st.tuples(
            st.lists(st.text(max_size=20), max_size=5), st.lists(st.integers(0, 300), max_size=9)
        ),
        frames_cut,
        1_500,
    ),
)
