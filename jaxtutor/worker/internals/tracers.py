"""What a tracer is: its type, its trace, and the key or the constant that it stands for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from types import FrameType
from typing import Any

import jax
import numpy as np

from jaxtutor.worker.internals.places import IsOwn

_DUNDERS = re.compile(
    r"Tracer\.(__\w+__|item|tolist|tobytes|aval_property|_?\w*(bool|int|float|index|array)\w*)$"
)

_TRACER_LOCALS = ("tracer", "arg", "val", "self", "x", "i", "idx", "index", "shape")


def is_tracer(value: object) -> bool:
    """Return True if `value` is a tracer, without running code of its class."""
    return issubclass(type(value), jax.core.Tracer)


def aval_text(value: Any) -> str:
    """Return the type of a tracer or an array as JAX writes it."""
    try:
        return str(jax.typeof(value))
    except Exception:  # an aval that cannot be written must not hide the failure itself
        return ""


def tracers_in(value: object, depth: int = 2) -> Iterator[Any]:
    """Yield the tracers in a value or in a small container of values."""
    if is_tracer(value):
        yield value
    elif depth and type(value) in (tuple, list):
        for item in list(value)[:64]:  # type: ignore[call-overload]
            yield from tracers_in(item, depth - 1)
    elif depth and type(value) is slice:
        for item in (value.start, value.stop, value.step):
            yield from tracers_in(item, depth - 1)


def has_escaped(tracer: Any, frames: Sequence[FrameType]) -> bool:
    """Return True if a tracer's trace had ended: no frame of the traceback was running it."""
    trace = getattr(tracer, "_trace", None)
    library = [f for f in frames if str(f.f_globals.get("__name__", "")).startswith("jax.")]
    held = (value for frame in library for value in frame.f_locals.values())
    return trace is not None and not any(value is trace for value in held)


_WRITTEN = re.compile(r"(?:Tracer\(|traced array with shape )~?(\w+(?:<\w+>)?\[[^\]]*\])")


def find_tracer(frames: Sequence[FrameType], is_own: IsOwn, message: str) -> Any | None:
    """Find the tracer at fault in the live frames of a traceback.

    `frames` are ordered outermost first. The library's innermost frames are searched first, and the
    learner's frames not at all. A tracer whose type appears in the message takes precedence.
    """
    library: list[FrameType] = []
    for frame in reversed(frames):
        if is_own(frame.f_code.co_filename):
            break
        library.append(frame)
    found = [t for frame in library for t in _tracer_candidates(frame)]
    written = set(_WRITTEN.findall(message))
    found = [t for t in found if aval_text(t).lstrip("~") in written] or found
    ours = [t for t in found if _is_traced_from(t, is_own)]
    return (ours or found or [None])[0]


def _tracer_candidates(frame: FrameType) -> Iterator[Any]:
    names = frame.f_locals
    if _DUNDERS.search(frame.f_code.co_qualname) and is_tracer(names.get("self")):
        yield names["self"]
        return
    for name in _TRACER_LOCALS:
        if name in names:
            yield from tracers_in(names[name])
    for name, value in names.items():
        if name not in _TRACER_LOCALS:
            yield from tracers_in(value)


def _is_traced_from(tracer: Any, is_own: IsOwn) -> bool:
    """Return True if the function being traced belongs to the learner, not to a library."""
    place = traced_place(tracer)
    return place is None or is_own(place[1])


def traced_place(tracer: Any) -> tuple[str, str, int] | None:
    """Return name, file and line of the function whose trace a tracer belongs to."""
    dbg = debug_info(tracer)
    return parse_place(getattr(dbg, "func_src_info", None))


def parse_place(text: object) -> tuple[str, str, int] | None:
    """Parse JAX's `name at file:line`."""
    match = re.fullmatch(r"(\S+) at (.*):(\d+)", text) if isinstance(text, str) else None
    return (match[1], match[2], int(match[3])) if match else None


def debug_info(tracer: Any) -> Any | None:
    """Return JAX's record of the function that a tracer, possibly nested, belongs to."""
    for _ in range(8):
        dbg = getattr(tracer, "_debug_info", None)
        if dbg is not None:
            return dbg
        inner = getattr(tracer, "primal", None)
        tracer = inner if is_tracer(inner) else getattr(tracer, "val", None)
        if not is_tracer(tracer):
            return None
    return None


def is_constant_zero(value: Any) -> bool:
    """Return True if a tracer stands for zeros that do not depend on any argument."""
    for _ in range(4):
        literal: Any = getattr(value, "val", None)
        if type(literal).__name__ == "Literal":
            return not np.any(np.asarray(literal.val))
        parent = getattr(value, "parent", None)
        name = getattr(getattr(parent, "primitive", None), "name", "")
        if parent is None or name not in ("broadcast_in_dim", "convert_element_type"):
            return False
        value = parent.in_tracers[0]
    return False


def program_place(jaxpr: Any) -> tuple[str, str, int] | None:
    """Return name, file and line of the function that a program was traced from."""
    return parse_place(getattr(getattr(jaxpr, "debug_info", None), "func_src_info", None))


def argument_name(jaxpr: Any, position: int) -> str:
    """Return what an input of a program is called, such as `params['w']`; empty if not known."""
    names = getattr(getattr(jaxpr, "debug_info", None), "arg_names", None) or ()
    named = names[position] if len(names) == len(jaxpr.invars) else None
    return named if isinstance(named, str) else ""


_RANDOM_FILES = re.compile(r"[/\\]jax[/\\]_src[/\\](random|prng)\b")


def draws_numbers(jaxpr: Any) -> bool:
    """Return whether a program is one of those with which JAX draws random numbers."""
    where = program_place(jaxpr)
    return where is not None and _RANDOM_FILES.search(where[1]) is not None


def identity_of_key(key: Any) -> tuple[object | None, object]:
    """Return a value that identifies a key, and an object to keep alive while it is used.

    A traced key is identified by its variable, any other key by its bits. The identity is None if
    the value is not a single key.
    """
    try:
        if is_tracer(key):
            variable = getattr(key, "val", None)
            return (
                (None, None)
                if variable is None or is_tracer(variable)
                else (id(variable), variable)
            )
        data = getattr(key, "_base_array", key)  # reading it through JAX would count as a use
        return (np.asarray(data).tobytes(), None) if np.ndim(data) == 1 else (None, None)
    except Exception:  # not a key at all, or internals moved
        return None, None


def rows_of_keys(keys: Any) -> Any:
    """Return the bits of one or several keys as an array with a row for each; empty for others."""
    bits = getattr(keys, "_base_array", keys)
    if is_tracer(bits) or getattr(bits, "dtype", None) != np.uint32 or not np.ndim(bits):
        return np.zeros((0, 2), np.uint32)
    array = np.asarray(bits)
    return array.reshape(-1, array.shape[-1])


MOST_ROWS = 64


def identities_of_keys(keys: Any) -> list[object]:
    """Return the bits of each key in a small array of keys; empty for other values."""
    try:
        rows = np.asarray(getattr(keys, "_base_array", keys))
    except Exception:  # not keys at all, or internals moved
        return []
    is_small = rows.ndim > 1 and rows.dtype == np.uint32 and rows.size <= MOST_ROWS * rows.shape[-1]
    return [row.tobytes() for row in rows.reshape(-1, rows.shape[-1])] if is_small else []


def mapped_value(tracer: Any) -> Any | None:
    """Return the array whose elements a tracer of `vmap` stands for; None if it is traced too."""
    value = getattr(tracer, "val", None)
    return None if is_tracer(value) or is_literal(tracer) or not hasattr(value, "dtype") else value


def variable_of(value: Any) -> object | None:
    """Return the variable of a traced program that a tracer stands for, below any wrappers."""
    if not is_tracer(value):
        return None
    *_, inner = unwrapped(value)
    variable = getattr(inner, "val", None)
    return None if is_tracer(variable) or is_literal(inner) else variable


def equal_keys_in(tracer: Any) -> int:
    """Return how many keys the array behind a mapped key holds, if all of them are the same."""
    keys = getattr(tracer, "val", None)
    if is_tracer(keys):
        return 0
    try:
        rows = np.asarray(getattr(keys, "_base_array", keys))
    except Exception:  # not a key at all, or internals moved
        return 0
    is_same = rows.ndim == 2 and rows.dtype == np.uint32 and bool((rows == rows[:1]).all())
    return len(rows) if is_same and len(rows) > 1 else 0


def is_literal(tracer: Any) -> bool:
    """Return whether a tracer stands for a constant of the program."""
    return type(getattr(tracer, "val", None)).__name__ == "Literal"


def unwrapped(tracer: Any) -> Iterator[Any]:
    """Yield a tracer, the one that it wraps, and so on inwards."""
    for _ in range(8):
        yield tracer
        inner = next(iter(wrapped(tracer)), None)
        if inner is None:
            return
        tracer = inner


def wrapped(tracer: Any) -> Iterator[Any]:
    """Yield the tracer that another transformation's tracer wraps, if there is one."""
    for name in ("primal", "val", "tangent"):
        inner = getattr(tracer, name, None)
        if is_tracer(inner):
            yield inner
            return
