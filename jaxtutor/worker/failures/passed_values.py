"""Reads what a call passed to a library's function, also where an argument is not a plain name."""

from __future__ import annotations

import ast
import dis
from collections.abc import Iterator, Mapping, Sequence
from types import FrameType

from jaxtutor.core.diagnosis.engine.source import Module, path_of

MOST_FRAMES = 12
"""Frames of the library that are searched for the arguments: wrappers pass them on first."""

_VARARGS, _VARKEYWORDS = 0x04, 0x08
Value = object


def passed_values(
    call: ast.Call, module: Module, known: Mapping[str, Value], frames: Sequence[FrameType]
) -> dict[str, Value]:
    """Map the text of each argument of a call to its value, as the library's frames hold it.

    `known` are the values of the arguments that are names. A frame counts only if it holds these
    very objects, or, where no argument is a name, if it is the first. Where only keywords are
    names, a method's `self` decides which parameter takes the first argument.
    """
    if any(isinstance(a, ast.Starred) for a in call.args):
        return {}
    positional = {module.text(a) for a in call.args}
    for number, frame in enumerate(frames[:MOST_FRAMES]):
        for skipped in (0, 1):
            found = dict(_bound(call, module, frame, skipped))
            shared = [text for text in found if text in known]
            fits = _fits(frame, skipped, len(call.args))
            if positional.isdisjoint(shared) and positional and not fits:
                continue
            if shared and all(found[text] is known[text] for text in shared):
                return found
            if found and not shared and not known and number == 0 and fits:
                return found
    return {}


def _fits(frame: FrameType, skipped: int, count: int) -> bool:
    """Return whether as many parameters are left out as a method has before its arguments.

    A wrapper that takes `*args` alone got the object of the method first, if it got one more.
    """
    if not frame.f_code.co_argcount:
        rest = _rest(frame)
        return skipped == len(rest) - count if rest else not skipped
    return skipped == (frame.f_code.co_varnames[0] in ("self", "cls"))


def _rest(frame: FrameType) -> tuple[Value, ...]:
    """Return what the `*args` of a function holds."""
    code = frame.f_code
    if not code.co_flags & _VARARGS:
        return ()
    rest = frame.f_locals.get(code.co_varnames[code.co_argcount + code.co_kwonlyargcount])
    return rest if type(rest) is tuple else ()


def _bound(
    call: ast.Call, module: Module, frame: FrameType, skipped: int
) -> Iterator[tuple[str, Value]]:
    """Yield the texts of the arguments with the values of the parameters that took them."""
    code, local = frame.f_code, frame.f_locals
    stored = _stored(frame)
    names = list(code.co_varnames[: code.co_argcount])[skipped:]
    rest_at = code.co_argcount + code.co_kwonlyargcount
    rest = _rest(frame)[max(0, skipped - code.co_argcount) :]
    for position, node in enumerate(call.args):
        if position < len(names):
            if names[position] in local and names[position] not in stored:
                yield module.text(node), local[names[position]]
        elif position - len(names) < len(rest):
            yield module.text(node), rest[position - len(names)]
    more = _keywords(frame)
    for keyword in call.keywords:
        if keyword.arg is None or keyword.arg in stored:
            continue
        if keyword.arg in code.co_varnames[:rest_at] and keyword.arg in local:
            yield module.text(keyword.value), local[keyword.arg]
        elif keyword.arg in more:
            yield module.text(keyword.value), more[keyword.arg]


def _keywords(frame: FrameType) -> dict[str, Value]:
    code = frame.f_code
    if not code.co_flags & _VARKEYWORDS:
        return {}
    at = code.co_argcount + code.co_kwonlyargcount + bool(code.co_flags & _VARARGS)
    found = frame.f_locals.get(code.co_varnames[at])
    return found if type(found) is dict else {}


def _stored(frame: FrameType) -> set[str]:
    """Return the names that a function assigns: a parameter among them is no longer what came."""
    stores = ("STORE_FAST", "STORE_DEREF", "DELETE_FAST")
    found = [i.argval for i in dis.get_instructions(frame.f_code) if i.opname.startswith(stores)]
    return {name for value in found for name in (value if type(value) is tuple else (value,))}


def arguments_of(call: ast.Call) -> list[ast.expr]:
    """List the expressions that a call passes."""
    return [*call.args, *(k.value for k in call.keywords if k.arg is not None)]


def is_composite(text: str) -> bool:
    """Return whether an argument is computed in the call: neither a name nor written out."""
    node = ast.parse(f"({text})", mode="eval").body
    return path_of(node) is None and not isinstance(node, ast.Constant | ast.Lambda | ast.JoinedStr)
