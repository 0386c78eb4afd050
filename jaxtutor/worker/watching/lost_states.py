"""Finds new values for the arguments of a program that nothing reads, so that a state is lost."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

import jax.numpy as jnp

from jaxtutor.core.data.observations import LostForm
from jaxtutor.worker.internals import tracers
from jaxtutor.worker.watching.liveness import inputs_read, outputs_of_body
from jaxtutor.worker.watching.subprograms import (
    NO_NAME,
    Inlined,
    InlinedOperation,
    Name,
    shared_by_rounds,
)

MOST_RESULTS = 500  # of one program that nothing reads, and that are followed back
_LOOPS = ("scan", "while")


@dataclass(frozen=True)
class LostState:
    """New values for arguments of a program, or of the body of a loop, that nothing reads.

    The operation computes one of them.
    """

    program: Any
    operation: InlinedOperation
    arguments: tuple[int, ...]
    form: LostForm


def lost_states(jaxpr: Any) -> Iterator[LostState]:
    """Yield the new values that a program and its loops compute for arguments, and do not read.

    A new value has the type of the argument and depends on further values, as a running mean does.
    The argument is read for nothing else, or is returned as it is.
    """
    returned = {n for n, v in enumerate(jaxpr.invars) if v in _variables(jaxpr.outvars)}
    are_read = [v not in _variables(jaxpr.invars) for v in jaxpr.outvars]
    yield from _lost_in(jaxpr, are_read, returned, "returned")


def _lost_in(
    jaxpr: Any, are_read: Sequence[bool], kept: set[int], form: LostForm
) -> Iterator[LostState]:
    program = Inlined(jaxpr)
    flow = _Unread(program, are_read)
    yield from _kept_as_they_were(jaxpr, program, flow, kept, form)
    yield from _never_read(jaxpr, program, flow, kept)
    for operation in program.operations:
        if operation.equation.primitive.name in _LOOPS:
            outs = [flow.is_read(name) for name in operation.writes]
            yield from _lost_in_rounds(
                operation.equation, outs if any(outs) else [True] * len(outs)
            )


def _lost_in_rounds(loop: Any, outs: list[bool]) -> Iterator[LostState]:
    """Yield what the rounds of a loop lose, of which the program reads some results.

    JAX shares what a body returns as it is among the rounds, under the name of the parameter. What
    a body reads from outside has no name. So a loop may have no result that is read.
    """
    is_scan = loop.primitive.name == "scan"
    body = loop.params["jaxpr" if is_scan else "body_jaxpr"].jaxpr
    shared = range(shared_by_rounds(loop, body))
    kept = {n for n in shared if tracers.argument_name(body, n)}
    are_read = outputs_of_body(loop, outs) if is_scan else [True] * len(body.outvars)
    yield from _lost_in(body, are_read, kept, "carried")


class _Unread:
    """Which variables of a program no result depends on: `by` the operations that compute them."""

    def __init__(self, program: Inlined, are_read: Sequence[bool]) -> None:
        results = zip(program.results, are_read, strict=True)
        self._read = {name for name, is_read in results if is_read}
        self.by: dict[Name, InlinedOperation] = {}
        for operation in reversed(program.operations):
            outs = [name in self._read for name in operation.writes]
            if any(outs) or operation.equation.effects:
                ins = zip(operation.reads, inputs_read(operation.equation, outs), strict=True)
                self._read.update(name for name, is_read in ins if is_read)
            else:
                self.by.update(dict.fromkeys(operation.writes, operation))

    def is_read(self, name: Name) -> bool:
        """Return whether a result, or an effect, depends on a variable."""
        return name in self._read

    def last_results(self) -> list[Name]:
        """List the floats that nothing is computed from."""
        taken = {name for operation in self.by.values() for name in operation.reads}
        last = [name for name in self.by if name not in taken and is_floating(name)]
        return last[:MOST_RESULTS]

    def sources(self, result: Name, is_same: bool = False) -> set[Name]:
        """Return the variables that are not unread, from which an unread result is computed.

        With `is_same`, only those that have its type, as all that stands between them has.
        """
        sources, waiting, seen = set[Name](), [result], {NO_NAME}
        while waiting:
            name = waiting.pop()
            if name in seen or (is_same and type_of(name) != type_of(result)):
                continue
            seen.add(name)
            if name in self.by:
                waiting.extend(self.by[name].reads)
            else:
                sources.add(name)
        return sources


def _never_read(jaxpr: Any, program: Inlined, flow: _Unread, kept: set[int]) -> Iterator[LostState]:
    """Yield new values for an argument that is read for nothing else, and not returned.

    The weights of a head of a model that is not used have other shapes than what it returns.
    """
    dead = {
        name: n for n, name in enumerate(program.inputs) if n not in kept and not flow.is_read(name)
    }
    for result in flow.last_results() if dead else ():
        alike = dead.keys() & flow.sources(result, is_same=True)
        sources = flow.sources(result) if alike else set[Name]()
        if alike == dead.keys() & sources and len(alike) == 1 < len(sources):
            yield LostState(jaxpr, flow.by[result], (dead[alike.pop()],), "")


def _kept_as_they_were(
    jaxpr: Any, program: Inlined, flow: _Unread, kept: set[int], form: LostForm
) -> Iterator[LostState]:
    """Yield the trees of arguments that a program returns as they are, beside new values for them.

    Of a tree, more than one leaf has a new value of its own: a single one may have the type of a
    leaf by chance, as the result of an unused head has that of its bias.
    """
    trees = defaultdict[str, list[int]](list)
    for n in sorted(kept):
        if is_floating(program.inputs[n]):
            trees[_root(tracers.argument_name(jaxpr, n))].append(n)
    leaves_of_all = {program.inputs[n] for leaves in trees.values() for n in leaves}
    renewed = defaultdict[Name, list[Name]](list)
    for result in flow.last_results() if trees else ():
        alike = leaves_of_all & flow.sources(result, is_same=True)
        if alike and len(flow.sources(result)) > 1:
            for name in alike:
                renewed[name].append(result)
    for leaves in trees.values():
        found = tuple(n for n in leaves if renewed[program.inputs[n]])
        results = {result for n in found for result in renewed[program.inputs[n]]}
        if found and len(results) >= len(found) >= min(2, len(leaves)):
            result = renewed[program.inputs[found[0]]][0]
            yield LostState(jaxpr, flow.by[result], found, form)


def common_path(names: Sequence[str]) -> str:
    """Return the tree that some leaves belong to: `state` for `state.a` and `state.b`."""
    steps = [re.findall(r"^\w*|\.\w+|\[[^\]]*\]", name) for name in names]
    pairs = zip(*steps, strict=False)
    return "".join(parts[0] for parts in takewhile(lambda parts: len(set(parts)) == 1, pairs))


def _root(name: str) -> str:
    """Return the argument that a leaf belongs to, or the part of it: `carry[1]`."""
    found = re.match(r"\w+(\[\d+\])*", name)
    return found[0] if found is not None else name


def _variables(atoms: Sequence[Any]) -> set[Any]:
    return {atom for atom in atoms if not hasattr(atom, "val")}


def type_of(name: Name) -> tuple[object, object]:
    """Return the shape and the dtype of a variable."""
    aval = name[1].aval
    return getattr(aval, "shape", None), getattr(aval, "dtype", None)


def is_floating(name: Name) -> bool:
    """Return whether a variable holds floats."""
    dtype = getattr(getattr(name[1], "aval", None), "dtype", None)
    return dtype is not None and bool(jnp.issubdtype(dtype, jnp.floating))
