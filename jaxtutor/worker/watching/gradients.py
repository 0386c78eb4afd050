"""Finds the operation that lets no gradient through, in the program of a function."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from types import FunctionType, MethodType
from typing import Any

import jax
from msgspec import Struct

from jaxtutor.core.data.positions import Frame
from jaxtutor.worker.watching.gradient_flow import LIVE, Block, PlaceOf, flow
from jaxtutor.worker.watching.non_finite import floats


def traced(
    function: Any, args: Any, kwargs: Mapping[str, Any], positions: set[int] | None = None
) -> Any:
    """Return the program of a function of its flat inputs at some positions (None: all)."""
    if positions is None:
        return jax.make_jaxpr(function)(*args, **kwargs).jaxpr
    closed, chosen = of_leaves(function, args, kwargs, positions)  # the others need not be arrays
    return jax.make_jaxpr(closed)(*chosen).jaxpr


def find_block(
    jaxpr: Any, positions: set[int] | None, place_of: PlaceOf
) -> tuple[Frame, str] | None:
    """Return the operation that blocks the gradient of a program's result, and its name.

    `positions` are the flat inputs of its function that it takes (None: all). `stop_gradient`
    counts only for the first argument, which holds the parameters: a gradient of another one that
    it blocks was blocked on purpose.
    """
    where, name = _first_block(jaxpr, place_of)
    is_first = positions is None or 0 in positions
    return (where, name) if where is not None and (is_first or name != "stop_gradient") else None


MOST_WEIGHTS = 16  # of which each is looked at by itself


def find_blocked_weights(
    function: Any,
    args: Any,
    kwargs: Mapping[str, Any],
    zeros: Sequence[bool],
    positions: set[int],
    place_of: PlaceOf,
) -> tuple[Frame, str, str] | None:
    """Return what blocks the gradient of some weights, while other parameters get theirs.

    Weights are an array in the first argument, of more than one element: a single number may be a
    counter or a setting that is kept with the weights. `zeros` says which gradients
    are zero, in the order of `positions`. Weights that `stop_gradient` blocks are frozen on
    purpose, unless a whole term of the result is stopped.

    Return the operation, its name, and the path to the weights.
    """
    without = {n for n, is_zero in zip(sorted(positions), zeros, strict=True) if is_zero}
    leaves, _ = jax.tree_util.tree_flatten_with_path(args[0])
    weights = [(n, p) for n, (p, leaf) in enumerate(leaves) if getattr(leaf, "size", 0) > 1]
    for position, path in [(n, p) for n, p in weights if n in without][:MOST_WEIGHTS]:
        where, name = _first_block(traced(function, args, kwargs, {position}), place_of)
        if where is not None and name == "stop_gradient":
            stopped = stopped_terms(traced(function, args, kwargs, positions), place_of)
            where = where if where in stopped else None
        if where is not None:
            return where, name, jax.tree_util.keystr(path)
    return None


def stopped_terms(jaxpr: Any, place_of: PlaceOf) -> set[Frame]:
    """Return the places that stop the gradient of a whole term of the sum that is the result."""
    live, blocked = _reached(jaxpr, place_of)
    made_by = {v: equation for equation in jaxpr.eqns for v in equation.outvars}
    found, terms = set[Frame](), list(jaxpr.outvars[:1])
    while terms:
        term = terms.pop()
        if hasattr(term, "val") or getattr(term.aval, "shape", None) != ():
            continue
        if term in blocked and term not in live:
            where, name = blocked[term]
            found |= {where} if where is not None and name == "stop_gradient" else set()
        elif term in made_by:
            name, given = made_by[term].primitive.name, made_by[term].invars
            given = [v for v in given if not hasattr(v, "val") and (v in live or v in blocked)]
            if name in _SUMS or (name in _SCALED and len(given) == 1):
                terms.extend(given)
    return found


_SUMS = ("add", "sub", "neg", "convert_element_type", "copy")
_SCALED = ("mul", "div")


def _first_block(jaxpr: Any, place_of: PlaceOf) -> tuple[Frame | None, str]:
    """Return the first equation that blocks the gradient, if no gradient reaches the result."""
    live, blocked = _reached(jaxpr, place_of)
    outs = [v for v in jaxpr.outvars[:1] if not hasattr(v, "val")]  # what follows is auxiliary
    is_blocked = bool(outs) and outs[0] not in live and outs[0] in blocked
    return blocked[outs[0]] if is_blocked else (None, "")


def _reached(jaxpr: Any, place_of: PlaceOf) -> tuple[set[Any], dict[Any, Block]]:
    """Return the variables that a gradient reaches, and what blocks it on the way to others."""
    found = flow(jaxpr, [LIVE] * len(jaxpr.invars), place_of)
    live = {v for v, reached in found.items() if reached == LIVE}
    return live, {v: block for v, block in found.items() if isinstance(block, tuple)}


def unused_copy(function: Any) -> Any:
    """Return a function that can be called again, though its object may consume what it holds.

    That of `nnx.grad` takes the parts of the model from a queue when it is called.
    """
    held = getattr(function, "__dict__", None)
    if isinstance(function, FunctionType | MethodType) or not isinstance(held, dict):
        return function
    queues = {name: value for name, value in held.items() if isinstance(value, deque)}
    if not queues:
        return function
    twin = copy(function)
    for name, value in queues.items():
        object.__setattr__(twin, name, value.copy())
    return twin


class Differentiated(Struct, frozen=True):
    """An argument that a gradient was taken with respect to: its leaves, with their paths."""

    position: int
    paths: tuple[str, ...]
    given: Sequence[Any]
    gradient: Sequence[Any]


def differentiated(argnums: Any, args: Sequence[Any], gradient: Any) -> Iterator[Differentiated]:
    """Yield the arguments that a gradient was taken with respect to."""
    is_several = isinstance(argnums, tuple | list)
    pairs = zip(argnums, gradient, strict=True) if is_several else [(argnums, gradient)]
    for position, part in pairs:
        leaves = jax.tree_util.tree_flatten_with_path(part)[0]
        paths = tuple(jax.tree_util.keystr(path) for path, _ in leaves)
        given = jax.tree.leaves(args[position])
        if len(given) == len(paths):
            yield Differentiated(position, paths, given, [leaf for _, leaf in leaves])


def is_zero(gradient: Any) -> bool:
    """Return True if a gradient is all zeros."""
    arrays = list(floats(jax.tree.leaves(gradient)))
    return bool(arrays) and not any(array.any() for array in arrays)


def flat_positions(args: Any, argnums: Any) -> set[int]:
    """Return the flat positions of the arguments to differentiate with respect to."""
    wanted = {argnums} if isinstance(argnums, int) else set(argnums)
    wanted = {n % len(args) for n in wanted}
    owners = [n for n, arg in enumerate(args) for _ in jax.tree.leaves(arg)]
    return {position for position, owner in enumerate(owners) if owner in wanted}


def of_leaves(
    function: Any, args: Any, kwargs: Mapping[str, Any], positions: set[int]
) -> tuple[Callable[..., Any], list[Any]]:
    """Return a function of the leaves at some positions, the others fixed, and these leaves."""
    leaves, tree = jax.tree.flatten(tuple(args))
    order = sorted(positions)

    def closed(*chosen: Any) -> Any:
        filled = list(leaves)
        for position, leaf in zip(order, chosen, strict=True):
            filled[position] = leaf
        return function(*jax.tree.unflatten(tree, filled), **kwargs)

    return closed, [leaves[position] for position in order]
