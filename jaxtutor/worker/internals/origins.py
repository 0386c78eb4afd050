"""How a tracer came about: the chain of the learner's expressions from an argument to it."""

from __future__ import annotations

import ast
import inspect
import linecache
import re
from collections import deque
from collections.abc import Iterator, Sequence
from types import FrameType
from typing import Any

import jax

from jaxtutor.core.data.failures import Step
from jaxtutor.core.data.positions import Frame, Span
from jaxtutor.worker.internals.moved import unknown
from jaxtutor.worker.internals.places import IsOwn, own_frame
from jaxtutor.worker.internals.tracers import (
    aval_text,
    is_literal,
    is_tracer,
    traced_place,
    unwrapped,
    wrapped,
)
from jaxtutor.worker.positions import module_of

MOST_STEPS = 12
"""Steps of a chain that are shown; of a longer one, the first and the last."""

MOST_VISITED = 20_000
"""Tracers that are visited in search of an argument."""


def origin(
    tracer: Any,
    is_own: IsOwn,
    frames: Sequence[FrameType] = (),
    calls: Sequence[FrameType] = (),
) -> tuple[Step, ...]:
    """Follow a tracer back to an argument, with one step for each of the learner's expressions.

    The argument comes first. The result is empty if JAX does not record the origin. `frames` are
    the learner's; `calls` are all, and lead out of the functions that a library jits.
    """
    try:
        return _elide(_merge(list(_steps(_outermost(tracer, is_own, calls), is_own, frames))))
    except Exception:  # internals moved
        return unknown(())


def created_at(tracer: Any, is_own: IsOwn) -> Frame | None:
    """Return the learner's frame in which a tracer was made."""
    try:
        return own_frame(_source_of(tracer), is_own)
    except Exception:  # internals moved
        return unknown(None)


def _outermost(tracer: Any, is_own: IsOwn, calls: Sequence[FrameType]) -> Any:
    """Return what a library passed to its own jit for a tracer, as long as this is another tracer.

    JAX does not record it. It is known if the tracer stands for an argument of the library's
    function, and one tracer only among the values it was called with has the same type.
    """
    for _ in range(MOST_STEPS):
        root = _path(tracer, is_own, ())[0]
        place = traced_place(root)
        if place is None or is_own(place[1]) or _recorded_argument(root) is None:
            return tracer
        passed = _passed_to(place, calls)
        same = {id(t): t for t in passed if aval_text(t) == aval_text(root) and t is not root}
        if len(same) != 1:
            return tracer
        tracer = next(iter(same.values()))
    return tracer


def _passed_to(place: tuple[str, str, int], calls: Sequence[FrameType]) -> list[Any]:
    """Return the tracers among the arguments with which a function was called that jit traces."""
    for frame in reversed(calls):
        names = frame.f_locals
        if frame.f_code.co_name != "_infer_params" or "args" not in names:
            continue
        function = names.get("fun")
        inner = inspect.unwrap(function) if callable(function) else None
        code = getattr(inner, "__code__", None)
        if code is not None and (code.co_filename, code.co_firstlineno) == place[1:]:
            leaves = jax.tree.leaves((names["args"], names.get("kwargs")))
            return [leaf for leaf in leaves if is_tracer(leaf)]
    return []


def _steps(tracer: Any, is_own: IsOwn, frames: Sequence[FrameType]) -> Iterator[Step]:
    for node in _path(tracer, is_own, frames):
        argument = _argument(node, is_own, frames)
        if argument is not None:
            yield argument
            continue
        place = own_frame(_source_of(node), is_own)
        if place is not None:
            yield Step(_text(place), aval_text(node), place.file, place.span)


def _path(tracer: Any, is_own: IsOwn, frames: Sequence[FrameType]) -> list[Any]:
    """Return the shortest chain of tracers from an argument, or another root, to `tracer`."""
    came_from: dict[int, Any] = {id(tracer): None}
    queue = deque([tracer])
    roots: list[Any] = []
    while queue and len(came_from) < MOST_VISITED:
        node = queue.popleft()
        inputs = list(_inputs(node)) or list(_named_inputs(node, is_own, frames))
        if not inputs:
            roots.append(node)
        for item in inputs:
            if id(item) not in came_from:
                came_from[id(item)] = node
                queue.append(item)
    arguments = [r for r in roots if _argument(r, is_own, frames) is not None]
    root = (arguments or roots or [tracer])[0]
    chain = [root]
    while came_from[id(chain[-1])] is not None:
        chain.append(came_from[id(chain[-1])])
    return chain


def _inputs(tracer: Any) -> Iterator[Any]:
    """Yield the tracers that a tracer was computed from, or the one that it wraps."""
    parent = getattr(tracer, "parent", None)
    if parent is not None:
        for item in parent.in_tracers:
            if is_tracer(item) and not is_literal(item):
                yield item
        return
    yield from wrapped(tracer)


def _named_inputs(tracer: Any, is_own: IsOwn, frames: Sequence[FrameType]) -> Iterator[Any]:
    """Yield the tracers named in the expression that made a tracer, by their current values.

    `vmap` needs this because it records no equations. A name bound on a later line is not an input.
    """
    place = (
        own_frame(_source_of(tracer), is_own) if type(tracer).__name__ == "BatchTracer" else None
    )
    module = module_of(place.file) if place is not None else None
    node = module.node_at(place.span) if module is not None and place is not None else None
    if place is None or node is None:
        return
    names = [n.id for n in ast.walk(node) if isinstance(n, ast.Name)]
    for frame in frames:
        code = frame.f_code
        if (code.co_filename, code.co_name) != (place.file, place.function):
            continue
        for value in (frame.f_locals.get(name) for name in names):
            if is_tracer(value) and value is not tracer and _is_before(value, place, is_own):
                yield value


def _is_before(tracer: Any, place: Frame, is_own: IsOwn) -> bool:
    made = own_frame(_source_of(tracer), is_own)
    return made is None or made.function != place.function or made.span.line < place.span.line


def _source_of(tracer: Any) -> Any | None:
    for inner in unwrapped(tracer):
        for name in ("parent", "_line_info", "source_info"):
            info = getattr(inner, name, None)
            info = getattr(info, "source_info", info)
            if getattr(info, "traceback", None) is not None:
                return info
    return None


def _argument(tracer: Any, is_own: IsOwn, frames: Sequence[FrameType]) -> Step | None:
    """Return the argument that a root tracer represents, from JAX's record or from a frame."""
    if getattr(tracer, "parent", None) is not None or is_literal(tracer):
        return None
    name = _recorded_argument(tracer)
    place = traced_place(tracer)
    if name is not None and place is not None and is_own(place[1]):
        return Step(name, aval_text(tracer), place[1], _parameter_span(place, name))
    for frame in frames:
        held = _held_argument(tracer, frame)
        if held is not None:
            code = frame.f_code
            where = (code.co_name, code.co_filename, code.co_firstlineno)
            return Step(held[0], aval_text(held[1]), where[1], _parameter_span(where, held[0]))
    return None


def _recorded_argument(tracer: Any) -> str | None:
    names = getattr(getattr(tracer, "_debug_info", None), "arg_names", None)
    invars = getattr(getattr(getattr(tracer, "_trace", None), "frame", None), "invars", None)
    if names is None or invars is None:
        return None
    variable = getattr(tracer, "val", None)
    for position, invar in enumerate(invars):
        if invar is variable or getattr(invar, "val", None) is variable:
            name = names[position] if position < len(names) else None
            return name if name and not name.startswith("dyn_args_") else None
    return None


def _held_argument(tracer: Any, frame: FrameType) -> tuple[str, Any] | None:
    """Return the parameter of a frame that holds a tracer or a wrapper of it."""
    code = frame.f_code
    count = code.co_argcount + code.co_kwonlyargcount
    for name in code.co_varnames[:count]:
        for path, value in _leaves(name, frame.f_locals.get(name)):
            if any(inner is tracer for inner in unwrapped(value)):
                return path, value
    return None


def _leaves(path: str, value: object, depth: int = 3) -> Iterator[tuple[str, object]]:
    if is_tracer(value):
        yield path, value
    elif depth and type(value) is dict:
        for key, item in list(value.items())[:64]:
            if type(key) in (str, int):
                yield from _leaves(f"{path}[{key!r}]", item, depth - 1)
    elif depth and type(value) in (tuple, list):
        for position, item in enumerate(list(value)[:64]):  # type: ignore[call-overload]
            yield from _leaves(f"{path}[{position}]", item, depth - 1)


def _parameter_span(place: tuple[str, str, int], name: str) -> Span | None:
    module = module_of(place[1])
    function = module.function_at(place[0], place[2]) if module else None
    base = re.match(r"\w+", name)
    if module is None or function is None or base is None:
        return None
    arguments = function.args
    for arg in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
        if arg.arg == base[0]:
            return module.span(arg)
    return None


def _text(place: Frame) -> str:
    module = module_of(place.file)
    node = module.node_at(place.span) if module is not None else None
    if module is not None and isinstance(node, ast.For):
        return module.text(node.iter)
    return module.text(place.span) if module else linecache.getline(place.file, place.span.line)


def _merge(steps: list[Step]) -> list[Step]:
    """Keep only the last of consecutive steps at the same expression."""
    kept: list[Step] = []
    for step in steps:
        if kept and (kept[-1].file, kept[-1].span) == (step.file, step.span) and step.span:
            kept.pop()
        kept.append(step)
    return kept


def _elide(steps: list[Step]) -> tuple[Step, ...]:
    if len(steps) <= MOST_STEPS:
        return tuple(steps)
    return (*steps[: MOST_STEPS // 2], *steps[-MOST_STEPS // 2 :])
