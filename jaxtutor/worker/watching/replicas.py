"""Compares the copies of results that `shard_map` declares to be the same on all devices.

Without its check (`check_vma=False`), JAX believes the declaration. Where it is wrong each device
goes on with its own copy, and a program that reads the array gets the copy of one device.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

import jax
import numpy as np
from msgspec import Struct

from jaxtutor.core.data.observations import CopiesDiffer, CopyForm
from jaxtutor.core.data.positions import Frame
from jaxtutor.worker.internals import places, tracers
from jaxtutor.worker.internals.places import IsOwn
from jaxtutor.worker.watching.operations import Note
from jaxtutor.worker.watching.subprograms import Inlined, InlinedOperation, Name, called_program

MOST_ELEMENTS = (
    1_000_000  # of the copies that are compared after one call; larger ones are left out
)
MOST_PROGRAMS = 1_000  # of which it is known whether a result may differ
ROUNDING = 64  # units in the last place by which copies may differ

Axes = frozenset[str]
NONE: Axes = frozenset()


class Suspect(Struct, frozen=True):
    """A result of a mapped function that depends on the device, though its spec says otherwise.

    `output` is the result of the whole program that it is; None if it is an intermediate value.
    """

    params: Any
    position: int
    axes: Axes
    output: int | None


class ReplicaWatch:
    """Records results whose copies differ."""

    def __init__(self, is_own: IsOwn, note: Note) -> None:
        self._is_own = is_own
        self._note = note
        self._suspects: dict[int, tuple[Any, list[Suspect]]] = {}  # held, so that no id is reused

    def look(self, closed: Any, answers: Sequence[Any], place: Frame | None) -> None:
        """Compare the copies of what a program has returned, where its text allows a difference."""
        if jax.device_count() > 1 and (found := self._known(closed.jaxpr)):
            paths = getattr(closed.jaxpr.debug_info, "result_paths", None) or ()
            self._compare(found, answers, paths, place)

    def _known(self, jaxpr: Any) -> list[Suspect]:
        """Return the suspects of a program, which is searched once."""
        known = self._suspects.get(id(jaxpr))
        if known is None and len(self._suspects) < MOST_PROGRAMS:
            known = self._suspects[id(jaxpr)] = jaxpr, list(suspects(jaxpr))
        return known[1] if known is not None else []

    def _compare(
        self,
        found: Sequence[Suspect],
        answers: Sequence[Any],
        paths: Sequence[str],
        place: Frame | None,
    ) -> None:
        outputs = {it.output: it for it in found}
        apart = dict[int, float]()
        left = MOST_ELEMENTS
        for n in sorted(range(len(answers)), key=lambda n: np.size(answers[n])):
            if (n in outputs or None in outputs) and np.size(answers[n]) <= left:
                left -= np.size(answers[n])
                apart[n] = distance_of_copies(answers[n])
        different = [n for n, distance in sorted(apart.items()) if distance]
        if not different:
            return
        chosen = next((n for n in different if np.ndim(answers[n])), different[0])
        self._record(
            outputs.get(chosen) or outputs[None],
            paths[chosen] if chosen < len(paths) else "",
            apart[chosen],
            len(different),
            place,
        )

    def _record(
        self, suspect: Suspect, path: str, apart: float, times: int, place: Frame | None
    ) -> None:
        where, form = origin(suspect, self._is_own)
        function = tracers.program_place(_open(suspect.params["jaxpr"]))
        seen = CopiesDiffer(
            path=path.removeprefix("result"),
            apart=f"{apart:.2g}",
            axis=", ".join(sorted(suspect.axes)),
            mapped=function[0] if function is not None else "",
            times=times,
            form=form,
        )
        place = where or place
        if place is not None:
            self._note(seen, place)


def distance_of_copies(array: Any) -> float:
    """Return how far apart the copies of an array are; 0 if they are equal up to rounding."""
    if not isinstance(array, jax.Array) or not jax.numpy.issubdtype(array.dtype, np.inexact):
        return 0.0
    if array.is_deleted() or len(array.sharding.device_set) == 1:
        return 0.0
    same = defaultdict[str, list[Any]](list)
    for shard in array.addressable_shards:
        same[str(shard.index)].append(shard.data)
    finfo: Any = jax.numpy.finfo  # jax does not annotate it
    rounding = ROUNDING * float(finfo(array.dtype).eps)
    return max(_distance(copies, rounding) for copies in same.values())


def _distance(copies: Sequence[Any], rounding: float) -> float:
    first, *others = (np.asarray(copy) for copy in copies)
    wide = np.complex128 if first.dtype.kind == "c" else np.float64
    start, most = first.astype(wide), 0.0
    for other in others:
        if first.tobytes() != other.tobytes():
            gaps = np.nan_to_num(np.abs(start - other.astype(wide)))
            most = max(most, float(gaps.max(initial=0.0)))
    return most if most > rounding * float(np.nan_to_num(np.abs(start)).max(initial=0.0)) else 0.0


# ---------------------------------------------------------------- what depends on the device


def suspects(jaxpr: Any) -> Iterator[Suspect]:
    """Yield the results of mapped functions in a program whose specs leave out an axis."""
    outputs = {v: n for n, v in enumerate(jaxpr.outvars) if not hasattr(v, "val")}
    for equation in jaxpr.eqns:
        inner = called_program(equation.primitive.name, equation.params)
        if equation.primitive.name == "shard_map":
            for position, axes in undeclared(equation.params):
                output = outputs.get(equation.outvars[position])
                yield Suspect(equation.params, position, axes, output)
        elif inner is not None:
            for it in suspects(inner.jaxpr):
                made = equation.outvars[it.output] if it.output is not None else None
                yield Suspect(it.params, it.position, it.axes, outputs.get(made))


def undeclared(params: Any) -> Iterator[tuple[int, Axes]]:
    """Yield the results of a mapped function that vary along axes which their specs do not name."""
    if params.get("check_vma", params.get("check_rep", True)):
        return
    body = _open(params["jaxpr"])
    defined = tracers.program_place(body)
    if defined is None or places.is_neutral(defined[1]):
        return  # JAX's own, for an operation of a function that is not compiled
    way = Way(params)
    for position, spec in enumerate(params["out_specs"]):
        axes = way.axes.get(way.results[position], NONE) - _named(spec)
        if axes:
            yield position, axes


class Way:
    """The operations of a mapped function, and along which axes of the mesh their results vary."""

    def __init__(self, params: Any) -> None:
        program = Inlined(_open(params["jaxpr"]))
        specs = map(_named, params["in_specs"])
        self.axes: dict[Name, Axes] = dict(zip(program.inputs, specs, strict=True))
        self.steps, self.results = program.operations, program.results
        for step in self.steps:
            self.axes.update(dict.fromkeys(step.writes, self._axes_of(step)))

    def _axes_of(self, step: InlinedOperation) -> Axes:
        name, params = step.equation.primitive.name, step.equation.params
        axes = frozenset[str]().union(*(self.axes.get(n, NONE) for n in step.reads))
        if name in _COMBINING and params.get("axis_index_groups") is None:
            axes -= _names(params.get("axes", params.get("axis_name", ())))
        return _names(params["axis_name"]) if name == "axis_index" else axes

    def varying(self, names: Sequence[Name]) -> list[Name]:
        """Return those of some values that vary."""
        return [n for n in names if self.axes.get(n)]

    def to(self, results: Sequence[Name]) -> list[InlinedOperation]:
        """Return the operations on varying values that some results come from, in order."""
        wanted, found = set(results), []
        for step in reversed(self.steps):
            if wanted.intersection(self.varying(step.writes)):
                wanted.update(self.varying(step.reads))
                found.append(step)
        return found[::-1]

    def narrows(
        self, steps: Sequence[InlinedOperation], result: Name
    ) -> Iterator[InlinedOperation]:
        """Yield the operations after which no earlier varying value is read."""
        last = {v: n for n, step in enumerate(steps) for v in self.varying(step.reads)}
        last[result] = len(steps)
        made = {v: n for n, step in enumerate(steps) for v in step.writes}
        for n, step in enumerate(steps):
            if all(made.get(v, -1) >= n for v, end in last.items() if end > n):
                yield step


def _is_backward(step: InlinedOperation) -> bool:
    """Return whether an operation belongs to a gradient."""
    stacks = (it.source_info.name_stack for it in (step.equation, step.outer))
    return any("transpose" in str(stack) for stack in stacks)


def _shapes(step: InlinedOperation) -> list[tuple[int, ...]]:
    """Return the shapes of the results of an operation."""
    return [getattr(v.aval, "shape", ()) for v in step.equation.outvars]


_COMBINING = (
    "psum",
    "psum2",
    "psum_invariant",
    "pmax",
    "pmin",
    "all_gather",
    "all_gather_invariant",
)


def _named(spec: Any) -> Axes:
    """Return the axes of the mesh that a partition spec names."""
    return frozenset[str]().union(*(_names(entry) for entry in spec if entry is not None))


def _names(entry: Any) -> Axes:
    return frozenset(entry if isinstance(entry, tuple | list | frozenset) else (entry,))


def _open(program: Any) -> Any:
    return getattr(program, "jaxpr", program)


# ---------------------------------------------------------------- where it comes from


def origin(suspect: Suspect, is_own: IsOwn) -> tuple[Frame | None, CopyForm]:
    """Return where in a mapped function the difference between the copies comes from.

    That is the first operation that everything varying goes through on the way to the result and
    that has the shape of the result, or the sum over one block that this operation is scaled by.
    """
    body, way = _open(suspect.params["jaxpr"]), Way(suspect.params)
    result = way.results[suspect.position]
    shape = getattr(body.outvars[suspect.position].aval, "shape", ())
    steps = way.to([result])
    fitting = [step for step in steps if shape in _shapes(step)]
    narrow = {id(step) for step in way.narrows(steps, result)}
    first = next((s for s in fitting if id(s) in narrow), fitting[0] if fitting else None)
    if first is None:
        return None, ""
    if _is_backward(first):
        return _place(first, body, is_own), "gradient"
    local = _block_sum(first, way) if shape else None
    return _place(local or first, body, is_own), "block" if local is not None else ""


def _block_sum(scaled: InlinedOperation, way: Way) -> InlinedOperation | None:
    """Return the sum over one block that an operation scales its other operand by."""
    pairs = zip(scaled.reads, scaled.equation.invars, strict=True)
    varying = [(n, v) for n, v in pairs if way.axes.get(n)]
    if any(v.aval.shape != () for _, v in varying):
        return None
    steps = way.to([n for n, _ in varying])
    return next((s for s in steps if _shapes(s) == [()] and _is_sum_of_block(s, way)), None)


def _is_sum_of_block(step: InlinedOperation, way: Way) -> bool:
    name = step.equation.primitive.name
    return name.startswith(("reduce_", "dot_general")) and bool(way.varying(step.reads))


def _place(step: InlinedOperation, body: Any, is_own: IsOwn) -> Frame | None:
    """Return the learner's expression in the mapped function itself, else the innermost one."""
    frames = places.frames_of(step.outer.source_info, is_own)
    mapped = tracers.program_place(body)
    name = mapped[0] if mapped is not None else ""
    return next((f for f in frames[::-1] if f.function == name), frames[0] if frames else None)
