"""Finds a state that each call of a step gets as it was at first, though each returns a new one.

The step goes on: other results of a call are what the next call gets. The new state is known by the
program: it has the type of the old one, and is computed from it through values of that type.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import jax

from jaxtutor.core.data.observations import StateRepeated
from jaxtutor.core.data.positions import Frame
from jaxtutor.worker.internals import places, tracers
from jaxtutor.worker.watching.call_variables import variables_given
from jaxtutor.worker.watching.ledger_facts import reach
from jaxtutor.worker.watching.lost_states import common_path, is_floating, type_of
from jaxtutor.worker.watching.subprograms import NO_NAME, Inlined, Name

if TYPE_CHECKING:
    from types import FrameType

    from jaxtutor.worker.watching.ledger import Account

LEAST_CALLS = 3


def leaves_of_variables(
    frame: FrameType | None, place: Frame | None, args: Sequence[Any]
) -> Mapping[str, list[int]]:
    """Return which arguments of a program are leaves of which variables in the learner's call.

    `frame` executes the call, at `place`.
    """
    number = {id(value): n for n, value in enumerate(args)}
    found = dict[str, list[int]]()
    if frame is not None and place is not None:
        for name, value in variables_given(frame, place):
            with suppress(Exception):  # what cannot be flattened is not a tree
                found[name] = [number[id(it)] for it in jax.tree.leaves(value) if id(it) in number]
    return found


def repeated_states(account: Account) -> Iterator[StateRepeated]:
    """Yield the states that all calls of a step got, and of which no new one was passed on."""
    goes_on = any(leaf.carried == account.calls - 1 for leaf in account.inputs)
    if account.calls < LEAST_CALLS or not goes_on or account.jaxpr is None:
        return
    sources: Mapping[int, set[int]] | None = None
    for name, inputs in account.variables.items():
        floats = [n for n in inputs if account.inputs[n].is_float]
        if not floats or any(account.inputs[n].renewed for n in inputs):
            continue
        sources = sources if sources is not None else _sources(account.jaxpr)
        new = _new_leaves(account, sources, floats)
        path = _position(account, new) if new else ()
        if path:
            yield StateRepeated(name, account.calls, path, frame=account.place)


def _new_leaves(
    account: Account, sources: Mapping[int, set[int]], state: Sequence[int]
) -> list[int]:
    """Return the results that are new values of the leaves of a state; none if one has no value.

    Leaves that come back as they were, or that no result depends on, need none: an optimizer also
    keeps its settings in its state, and what a schedule computes. A state of one leaf decides no
    other result: the data of a step may have the type of a result.
    """
    reached = reach(account.jaxpr, [1 << n for n in range(len(account.inputs))])
    uncomputed = [mask for n, mask in enumerate(reached) if n not in sources]
    free = [n for n in sources if n not in account.taken]
    found = []
    for leaf in state:
        if 1 << leaf in uncomputed or not any(mask >> leaf & 1 for mask in reached):
            continue
        new = next((n for n in free if leaf in sources[n]), None)
        if new is None:
            return []
        free.remove(new)
        found.append(new)
    decides = [n for n, mask in enumerate(reached) if mask >> state[0] & 1 and n not in found]
    return [] if len(state) == 1 and decides else found


def _position(account: Account, results: Sequence[int]) -> tuple[int, ...]:
    """Return where some results are in what the function returns: (1,) for `result[1].mean`.

    A wrapper of `jit` returns what the function returns as the second of a pair.
    """
    path = common_path([account.result_names[n] for n in results])
    steps = re.match(r"result((?:\[\d+\])*)", path)
    numbers = tuple(map(int, re.findall(r"\d+", steps[1]))) if steps is not None else ()
    where = tracers.program_place(account.jaxpr)
    return numbers[1:] if where is not None and places.is_wrapper(where[1]) else numbers


def _sources(jaxpr: Any) -> Mapping[int, set[int]]:
    """Return which inputs each computed float is computed from through values of its type."""
    program = Inlined(jaxpr)
    by = {name: operation for operation in program.operations for name in operation.writes}
    inputs = {name: n for n, name in enumerate(program.inputs)}
    return {
        n: {inputs[name] for name in _same_type(result, by) if name in inputs}
        for n, result in enumerate(program.results)
        if result in by and is_floating(result)
    }


def _same_type(result: Name, by: Mapping[Name, Any]) -> set[Name]:
    seen, waiting = {NO_NAME}, [result]
    while waiting:
        name = waiting.pop()
        if name not in seen and type_of(name) == type_of(result):
            seen.add(name)
            waiting.extend(by[name].reads if name in by else ())
    return seen
