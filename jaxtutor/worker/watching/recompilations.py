"""Records why compiled functions are traced again: what changed in their arguments each time.

Nothing here runs when a compiled program is called again, only when JAX traces a function.
"""

from __future__ import annotations

import ast
import functools
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from types import FrameType
from typing import Any

import jax

from jaxtutor.core.data.observations import (
    ChangedArgument,
    GrowingShape,
    Observation,
    Shape,
    StaticFunction,
    StaticNumber,
    VaryingShape,
    WrappedAgain,
)
from jaxtutor.core.data.positions import Frame
from jaxtutor.core.diagnosis.engine.source import path_of
from jaxtutor.worker.failures.frame_values import MISSING, reach
from jaxtutor.worker.failures.passed_values import arguments_of
from jaxtutor.worker.internals import places, tracers, tracing
from jaxtutor.worker.positions import module_of
from jaxtutor.worker.watching.recorder import Recorder

MOST_FUNCTIONS = 200
MOST_TRACES = 64  # of one function that are compared; more would say the same
OFTEN = 12  # traces after which a function is reported while the program still runs
LEAST_WRAPPED = 3  # times that one call of a library's `jit` compiled the same program
MOST_LEAVES = 200  # of one argument
MOST_EQUATIONS = 4_000  # of a program that is compared with others

Leaf = tuple[str, object, int]
"""The kind of a leaf, what it is, and the identity of the object or 0."""

_Make = Callable[..., ChangedArgument]
"""Makes an observation of a function's name, the counts, and the name of the argument."""


@dataclass(frozen=True)
class _Trace:
    """One trace: where the learner's code called, and the arguments by name."""

    place: Frame | None
    arguments: dict[str, tuple[Leaf, ...]]
    static: frozenset[str]


class Recompilations:
    """Collects the traces and the programs of each compiled function."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._traces: defaultdict[tuple[str, str, int], list[_Trace]] = defaultdict(list)
        self._programs: defaultdict[tuple[str, str, int], Counter[int]] = defaultdict(Counter)
        self._wrapped: defaultdict[Frame, Counter[int]] = defaultdict(Counter)  # by the call

    def note_trace(self, name: str, file: str, line: int) -> None:
        """Record the arguments of the function that JAX is about to trace."""
        traces = self._traces[name, file, line]
        if len(traces) >= MOST_TRACES or len(self._traces) > MOST_FUNCTIONS:
            return
        bound = tracing.arguments_being_traced()
        is_own = self._recorder.is_own(file)
        place, named = self._caller(is_own)
        arguments, static = (bound[1], bound[2]) if bound and is_own else (named, None)
        described = {key: _describe(value) for key, value in arguments.items()}
        trace = _Trace(place, described, frozenset(described) if static is None else static)
        if trace not in traces[-1:]:  # some versions of JAX log it twice
            traces.append(trace)

    def _caller(self, is_own_function: bool) -> tuple[Frame | None, dict[str, Any]]:
        """Return the learner's call that is being traced, and the values of its arguments.

        What a library compiles for itself is the library's; only a direct call is the learner's.
        """
        find = places.own_caller if is_own_function else places.direct_caller
        frame = find(sys._getframe(1), self._recorder.is_own)
        if frame is None:
            return None, {}
        place = self._recorder.place_of(frame)
        return place, _values_given(frame, place) if place is not None else {}

    def note_program(self, closed: Any) -> None:
        """Record the form of a program that is compiled: the same form means the same work."""
        where = tracers.program_place(closed.jaxpr)
        if where is not None and len(self._programs) <= MOST_FUNCTIONS:
            self._programs[where][form_of(closed.jaxpr)] += 1
            if not self._recorder.is_own(where[1]) and not places.is_neutral(where[1]):
                self.note_trace(*where)  # JAX does not explain traces of a library's functions
            if places.is_wrapper(where[1]):
                self._note_wrapped(closed.jaxpr)

    def _note_wrapped(self, jaxpr: Any) -> None:
        """Record a program that a call of a library's own `jit` compiled."""
        frame = places.direct_caller(sys._getframe(1), self._recorder.is_own)
        place = self._recorder.place_of(frame) if frame is not None else None
        if place is not None and len(self._wrapped) < MOST_FUNCTIONS:
            self._wrapped[place][form_of(jaxpr)] += 1

    def often(self, name: str, file: str, line: int) -> Iterator[Observation]:
        """Yield what changes in each trace of a function, each time that it reaches a number."""
        traces = self._traces[name, file, line]
        if len(traces) == OFTEN:
            yield from _compare(name, traces, self.times_same(name, file, line))

    def forget(self) -> None:
        """Discard what was recorded."""
        self._traces.clear()
        self._programs.clear()
        self._wrapped.clear()

    def observations(self) -> Iterator[Observation]:
        """Yield one observation for each function that was traced again and again."""
        for (name, file, line), traces in self._traces.items():
            yield from _compare(name, traces, self.times_same(name, file, line))
        for place, forms in self._wrapped.items():
            if max(forms.values()) >= LEAST_WRAPPED:
                yield WrappedAgain(max(forms.values()), frame=place)

    def times_same(self, name: str, file: str, line: int) -> int:
        """Return how often a function was compiled to the same program, constants aside."""
        return max(self._programs[name, file, line].values(), default=0)


def _values_given(frame: FrameType, place: Frame) -> dict[str, Any]:
    """Return the names and attributes that a call in a frame is given, with their values."""
    module = module_of(place.file)
    call = module.node_at(place.span) if module is not None else None
    if isinstance(call, ast.Expr):
        call = call.value
    given = arguments_of(call) if isinstance(call, ast.Call) else []
    paths = [path for node in given if (path := path_of(node)) is not None]
    found = {path: reach(path, frame)[-1] for path in paths}
    return {path: value for path, value in found.items() if value is not MISSING}


def _compare(name: str, traces: Sequence[_Trace], same: int) -> Iterator[Observation]:
    """Yield what changed in every trace of one function, if one thing did."""
    place = traces[-1].place if traces else None
    alike = [
        t for t in traces if t.place == place and set(t.arguments) == set(traces[-1].arguments)
    ]
    if place is None or len(alike) < 3:
        return
    for argument in alike[-1].arguments:
        seen = [t.arguments[argument] for t in alike]
        make = _change(seen, is_static=argument in alike[-1].static)
        if make is not None:
            yield make(name, len(alike), same, argument, frame=place)


def _change(seen: Sequence[tuple[Leaf, ...]], is_static: bool) -> _Make | None:
    """Say how one argument changed from trace to trace; None if it did not each time."""
    if len({len(leaves) for leaves in seen}) != 1:
        return None
    for position in range(len(seen[0])):
        kinds = {leaves[position][0] for leaves in seen}
        values = [leaves[position][1] for leaves in seen]
        if len(kinds) != 1:
            continue
        kind = kinds.pop()
        if kind == "number" and is_static and len(set(map(repr, values))) == len(values):
            return StaticNumber
        if kind == "function" and len(set(values)) == 1:
            made = {leaves[position][2] for leaves in seen}
            if len(made) == len(seen):
                return StaticFunction
        if kind == "array":
            shapes = [_shape(value) for value in values]
            step = _growth(shapes)
            if step:
                return functools.partial(GrowingShape, first=shapes[0], last=shapes[-1], step=step)
            if _varies(shapes):
                return functools.partial(VaryingShape, first=shapes[0], last=shapes[-1])
    return None


def _shape(value: object) -> Shape:
    """Return the shape of an array; an empty one if a size is symbolic."""
    sizes = value[0] if isinstance(value, tuple) else ()
    return tuple(sizes) if all(isinstance(size, int) for size in sizes) else ()


def _growth(shapes: Sequence[Shape]) -> int:
    """Return by what number an axis is longer in each trace; 0 if none is."""
    if len({len(shape) for shape in shapes}) != 1:
        return 0
    for axis in range(len(shapes[0])):
        sizes = [shape[axis] for shape in shapes]
        steps = {b - a for a, b in pairwise(sizes)}
        if len(steps) == 1 and (step := steps.pop()) > 0:
            return step
    return 0


def _varies(shapes: Sequence[Shape]) -> bool:
    """Return whether there is just one axis of many lengths, which are in no order."""
    if len({len(shape) for shape in shapes}) != 1 or len(set(shapes)) < OFTEN:
        return False
    varying = [sizes for sizes in map(set, zip(*shapes, strict=True)) if len(sizes) > 1]
    steps = {b > a for a, b in pairwise(shapes)}
    # Sizes in order are tried one after another, as a benchmark does.
    return len(varying) == 1 and len(steps) != 1


# ---------------------------------------------------------------- values and programs


def _describe(value: Any) -> tuple[Leaf, ...]:
    """Describe the leaves of an argument, without keeping them alive."""
    try:
        leaves = jax.tree.leaves(value)[:MOST_LEAVES]
    except Exception:  # one of the learner's classes may not flatten
        leaves = [value]
    return tuple(_leaf(leaf) for leaf in leaves)


def _leaf(leaf: Any) -> Leaf:
    shape, dtype = getattr(leaf, "shape", None), getattr(leaf, "dtype", None)
    if isinstance(shape, tuple) and dtype is not None:
        return "array", (shape, str(dtype)), 0
    if isinstance(leaf, bool | int | float | complex | str):
        return "number", leaf, 0
    made = _made_from(leaf)
    if made is not None:
        return "function", made, id(leaf)
    return "object", type(leaf).__qualname__, id(leaf)


def _made_from(value: Any, depth: int = 4) -> object | None:
    """Describe where a function was defined and what it captured; None for other values.

    Two functions with equal descriptions do the same.
    """
    if isinstance(value, functools.partial):
        given = (*value.args, *sorted(value.keywords.items()))
        return "partial", _made_from(value.func, depth), *(_captured(g, depth) for g in given)
    code = getattr(value, "__code__", None)
    if code is None:
        return None
    cells = getattr(value, "__closure__", None) or ()
    held = (*(_content(cell) for cell in cells), *(getattr(value, "__defaults__", None) or ()))
    captured = tuple(_captured(item, depth) for item in held)
    return code.co_filename, code.co_firstlineno, code.co_qualname, captured


def _captured(value: Any, depth: int) -> object:
    """Describe a captured value: a constant by its value, anything else by its identity."""
    if value is None or isinstance(value, bool | int | float | complex | str):
        return repr(value)
    if isinstance(value, tuple) and depth:
        return tuple(_captured(item, depth - 1) for item in value)
    made = _made_from(value, depth - 1) if depth else None
    return made if made is not None else id(value)


def _content(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # an empty cell
        return None


_ADDRESS = re.compile(r"0x[0-9a-f]+")


def form_of(jaxpr: Any) -> int:
    """Return a number that is the same for programs that differ only in their constants."""
    parts: list[object] = []
    _collect(jaxpr, parts)
    return hash(tuple(parts))


def _collect(jaxpr: Any, parts: list[object]) -> None:
    parts.extend(str(v.aval) for v in jaxpr.invars)
    for equation in jaxpr.eqns:
        if len(parts) > MOST_EQUATIONS:
            return
        parts.append((equation.primitive.name, *(str(v.aval) for v in equation.outvars)))
        for key, value in equation.params.items():
            inner = getattr(value, "jaxpr", value)
            if hasattr(inner, "eqns"):
                _collect(inner, parts)
            elif isinstance(value, int | float | str | tuple):
                parts.append((key, _ADDRESS.sub("", str(value))))
