"""Reads the last exception of a pasted text as a failure, with what it was raised from."""

from __future__ import annotations

import builtins
import re
from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from jaxtutor.core.data.failures import Failure, Step
from jaxtutor.core.data.positions import Frame
from jaxtutor.core.diagnosis.logs.exceptions import (
    LINKS,
    SIMPLIFIED,
    QuotedException,
    exception_at,
    is_class,
    mentioned,
)
from jaxtutor.core.diagnosis.logs.frames import QuotedFrame, frame_at
from jaxtutor.core.diagnosis.logs.plain import plain_lines

MOST_LINES = 20_000
"""Lines that are read: the exception that ended a program stands at the end of its log."""


class LoggedFailure(Struct, frozen=True):
    """A failure that was read from text, and the frames that the text quotes.

    `is_in_library` says that none of the frames is the learner's: the place is in the library that
    was called last.
    """

    failure: Failure
    frames: tuple[QuotedFrame, ...]
    is_in_library: bool = False


class _Raised(Struct, frozen=True):
    """One exception with its frames; `is_linked` says that it was raised from the one before."""

    frames: tuple[QuotedFrame, ...]
    exception: QuotedException | None
    is_linked: bool = False


def read_log(text: str) -> LoggedFailure | None:
    """Return the last exception of a text, None if it shows none.

    Only what the text says is known: no values, no types. A frame's span is exact where Python
    marked it, otherwise the whole line.
    """
    lines = plain_lines(text)[-MOST_LINES:]
    chain = _last_chain(list(_raised(lines)))
    if not chain and (said := mentioned(lines)) is not None:
        chain = [_Raised((), said)]
    if not chain:
        return None
    failure: Failure | None = None
    for raised in chain:
        failure = _failure(raised, failure)
    assert failure is not None
    frames = tuple(frame for raised in chain for frame in raised.frames)
    is_in_library = bool(failure.frames) and all(is_library(it.file) for it in failure.frames)
    return LoggedFailure(failure, frames, is_in_library)


# ---------------------------------------------------------------- blocks

_HEADER = re.compile(r"^(?:(?P<path>[\w.]+)\s{2,})?Traceback \(most recent call last\)")


def _raised(lines: Sequence[str]) -> Iterator[_Raised]:
    """Yield the exceptions of a text in their order, each with its frames."""
    frames: list[QuotedFrame] = []
    header: str | None = None
    before: QuotedException | None = None  # an exception whose frames follow it
    is_linked = False
    index = 0
    while index < len(lines):
        line = lines[index]
        title = _HEADER.match(line)
        if title is not None or line.startswith(LINKS):
            if frames or before:
                yield _Raised(tuple(frames), before or _unfinished(header, frames), is_linked)
                is_linked = False
            frames, before = [], None
            header = title["path"] if title is not None else None
            is_linked = is_linked or title is None
            index += 1
        elif (frame := frame_at(lines, index)) is not None:
            frames.append(frame[0])
            index = frame[1]
        elif found := exception_at(lines, index, is_after_frames=bool(frames)):
            exception, index = found
            if exception.precedes_frames:
                frames, before = [], exception
            else:
                yield _Raised(tuple(frames), exception, is_linked)
                frames, before, header, is_linked = [], None, None, False
        else:
            index += 1
    if frames or before:
        yield _Raised(tuple(frames), before or _unfinished(header, frames), is_linked)


_RAISE = re.compile(r"^\s*raise ([\w.]+)\(")


def _unfinished(header: str | None, frames: Sequence[QuotedFrame]) -> QuotedException | None:
    """Return the exception of a text that was cut off: the header or a `raise` names its class."""
    if header is not None and is_class(header):
        return QuotedException(header)
    last = frames[-1] if frames else None
    said = _RAISE.match(last.excerpt.get(last.line, "")) if last is not None else None
    return QuotedException(said[1]) if said is not None and is_class(said[1]) else None


def _last_chain(found: Sequence[_Raised]) -> list[_Raised]:
    """Return the last exception, after those that it was raised from, each once."""
    chain: list[_Raised] = []
    for raised in found:
        if raised.exception is not None and raised.exception.name == SIMPLIFIED:
            continue
        if raised.exception is None:
            chain = [*chain[:-1], _with_frames(chain[-1], raised.frames)] if chain else []
        elif chain and _is_same(chain[-1], raised):
            chain[-1] = _joined_accounts(chain[-1], raised)
        else:
            chain = [*chain, raised] if raised.is_linked else [raised]
    return chain


def _is_same(before: _Raised, after: _Raised) -> bool:
    """Return whether two accounts are of one exception.

    JAX shows some with and without its frames, and people quote the message before a traceback that
    they cut off.
    """
    first, second = before.exception, after.exception
    if first is None or second is None or first.name != second.name:
        return False
    is_again = first.message.split("\n")[0] == second.message.split("\n")[0]
    return not second.message or (after.is_linked and is_again)


def _joined_accounts(before: _Raised, after: _Raised) -> _Raised:
    """Join two accounts of one exception: its message, and the frames that show more."""
    assert before.exception is not None
    assert after.exception is not None
    has_own = any(not is_library(frame.file) for frame in after.frames)
    return _Raised(
        after.frames if has_own else (*before.frames, *after.frames),
        after.exception if after.exception.message else before.exception,
        before.is_linked,
    )


def _with_frames(raised: _Raised, frames: tuple[QuotedFrame, ...]) -> _Raised:
    """Give frames without an exception to the one before them, unless its own show the learner's.

    People quote the end of a traceback, and below it the line of theirs that led there.
    """
    if any(not is_library(frame.file) for frame in raised.frames):
        return raised
    return replace(raised, frames=(*frames, *raised.frames))


# ---------------------------------------------------------------- the failure

_LIBRARY = re.compile(
    r"[/\\](?:site|dist)-packages[/\\]|[/\\]lib(?:64)?[/\\]python\d|\.pyx$"
    r"|[/\\][Ll]ib[/\\](?:runpy|contextlib|threading|functools|unittest|asyncio|concurrent)\b"
    r"|(?:^|[/\\])jax(?:lib)?[/\\](?:_src|interpreters|lax|numpy|scipy|nn|experimental)[/\\]"
    r"|(?:^|[/\\])flax[/\\](?:linen|nnx|core)[/\\]|(?:^|[/\\])haiku[/\\]_src[/\\]"
    r"|(?:^|[/\\])jax[/\\](?:core|api|api_util|linear_util|random|tree_util|util|config)\.py$"
    r"|^<(?!stdin|ipython-input|timed |cell |pasted)"
)
_JAX = re.compile(r"(?:^|[/\\])jax(?:lib)?[/\\]")


def is_library(file: str) -> bool:
    """Return whether a file belongs to Python or to a library, as far as its path tells."""
    return _LIBRARY.search(file) is not None


def _failure(raised: _Raised, linked: Failure | None) -> Failure:
    exception = raised.exception
    assert exception is not None
    last = _innermost(raised.frames)
    shown = raised.frames[: last + 1]
    own = tuple(frame for frame in shown if not is_library(frame.file)) or shown[-1:]
    name = exception.name
    made = Failure(
        error_class=name,
        bases=_bases(name),
        message=exception.message,
        frames=tuple(Frame(it.file, it.function, it.span) for it in own),
        module=exception.path.rpartition(".")[0] or "builtins",
        jax_frames=tuple(filter(None, map(_dotted, raised.frames[last + 1 :]))),
        linked=linked,
    )
    return _with_facts(made)


def _innermost(frames: Sequence[QuotedFrame]) -> int:
    """Return the index of the learner's last frame, or of the last outside JAX; -1 without any."""
    own = [n for n, frame in enumerate(frames) if not is_library(frame.file)]
    others = [n for n, frame in enumerate(frames) if not _JAX.search(frame.file)]
    return (own or others or [-1])[-1]


_TRACED = re.compile(r"tracing the function (\S+) at (.*?):(\d+) for (\w+)")
_DEPENDS = re.compile(r"depends on the values? of the arguments? '?([\w.\[\]]+)")
_AVAL = re.compile(
    r"traced array with shape (~?\w+\[[^\]]*\])|Traced<(?:ShapedArray\()?(~?\w+\[[^\]]*\])"
)


def _with_facts(failure: Failure) -> Failure:
    """Add what JAX's message says of the function that was traced and of the value."""
    text = failure.message
    traced, depends, aval = (p.search(text) for p in (_TRACED, _DEPENDS, _AVAL))
    return replace(
        failure,
        transformation=traced[4] if traced else None,
        traced_function=traced[1] if traced else None,
        tracer=(aval[1] or aval[2]) if aval else None,
        origin=(Step(depends[1].rstrip("."), ""),) if depends else (),
    )


_CORE = re.compile(r"(?:^|[/\\])jax[/\\](?:_src[/\\])?core\.py$")


def _dotted(frame: QuotedFrame) -> str:
    """Return the dotted name of a library's function; empty for the one that words the exception.

    Python calls the methods of a tracer itself, and IPython may hide all frames but the last.
    """
    if not _CORE.search(frame.file):
        return f"{_module(frame.file)}.{frame.function}"
    if frame.function == "error":
        return ""
    owner = "Tracer." if frame.function.startswith("__") else ""
    return f"jax._src.core.{owner}{frame.function}"


def _module(file: str) -> str:
    """Return the dotted name of a library's module, from its path."""
    _, found, path = file.replace("\\", "/").rpartition("-packages/")
    return path.removesuffix(".py").replace("/", ".") if found else ""


def _bases(name: str) -> tuple[str, ...]:
    kind = getattr(builtins, name, None)
    if isinstance(kind, type):
        return tuple(base.__name__ for base in kind.__mro__)
    known = {"ConcretizationTypeError": "TypeError", "TracerBoolConversionError": "TypeError"}
    return (name, known.get(name, "Exception"), "Exception")
