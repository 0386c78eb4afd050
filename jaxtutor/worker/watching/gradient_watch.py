"""Inspects gradients: where a NaN in one comes from, and what lets none through."""

from __future__ import annotations

import functools
import inspect
import time
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import jax

from jaxtutor.core.data.observations import IndependentResult, ZeroGradient
from jaxtutor.core.data.positions import Frame
from jaxtutor.worker.internals import places, tracers
from jaxtutor.worker.internals.places import IsOwn
from jaxtutor.worker.watching.gradients import (
    find_block,
    find_blocked_weights,
    flat_positions,
    is_zero,
    traced,
)
from jaxtutor.worker.watching.independent_results import find_independent
from jaxtutor.worker.watching.non_finite import has_nan
from jaxtutor.worker.watching.operations import Note
from jaxtutor.worker.watching.program_walk import MOST_SECONDS, ProgramWalk


class GradientWatch:
    """Records what is wrong with gradients that the learner's program computes.

    Its methods may raise anything: they run the learner's functions once more.
    """

    def __init__(self, is_own: IsOwn, note: Note, walk: ProgramWalk) -> None:
        self._is_own = is_own
        self._note = note
        self._walk = walk

    def look_at_answer(
        self,
        made: Any,
        function: Any,
        argnums: Any,
        args: Any,
        kwargs: Any,
        place: Frame | None,
        gradient: Any,
    ) -> None:
        """Inspect a gradient.

        If it contains a NaN, it is evaluated again, equation by equation. If it is zero
        everywhere, the function's program is searched for the operation that blocks it. One that
        is traced is zero whatever the inputs, or is left alone.
        """
        inputs, outputs = jax.tree.leaves((args, kwargs)), jax.tree.leaves(gradient)
        if any(tracers.is_tracer(x) for x in (*inputs, *outputs)):
            zeros = [_is_zero_for_all(leaf) for leaf in outputs]
            is_blocked = bool(zeros) and all(zeros)
        elif has_nan(outputs) and not has_nan(inputs):
            self.look_for_nan(made, args, kwargs, place)
            return
        else:
            zeros = [is_zero([leaf]) for leaf in outputs]
            is_blocked = is_zero(gradient)
        positions = flat_positions(args, argnums) if any(zeros) or is_blocked else set()
        if is_blocked:
            program = traced(function, args, kwargs, positions)
            if not self._note_block(program, positions):
                self._note_independent(program, function, argnums)
        elif any(zeros):
            self._look_for_blocked_weights(function, args, kwargs, zeros, positions)

    def look_for_nan(
        self,
        made: Any,
        args: Sequence[Any],
        kwargs: Mapping[str, Any] = MappingProxyType({}),
        place: Frame | None = None,
    ) -> None:
        """Evaluate a gradient equation by equation, to find where its first NaN comes from."""
        closed = jax.make_jaxpr(made)(*args, **kwargs)
        inputs = jax.tree.leaves((args, dict(kwargs)))
        self._walk.until(time.process_time() + MOST_SECONDS)
        self._walk.run_program(closed, inputs, place)

    def look_for_blocks(self, function: Any, args: Sequence[Any]) -> None:
        """Record the operation that blocks the gradient of all arguments of a function."""
        self._note_block(traced(function, args, {}), None)

    def _note_block(self, program: Any, positions: set[int] | None) -> bool:
        """Record the operation that blocks a gradient, and return whether one does."""
        found = find_block(program, positions, self._find_place)
        if found is not None:
            self._note(ZeroGradient(found[1]), found[0])
        return found is not None

    def _note_independent(self, program: Any, function: Any, argnums: Any) -> None:
        """Record a result that does not depend on what it is differentiated with respect to."""
        name, argument = self._names(function, argnums)
        found = find_independent(program, lambda equation: self._place_in(name, equation))
        if found is not None:
            self._note(IndependentResult(name, argument, found.dropped), found.result)

    def _names(self, function: Any, argnums: Any) -> tuple[str, str]:
        """Return the name of a function of the learner's, and of an argument."""
        position = argnums if isinstance(argnums, int) else argnums[0]
        function = inspect.unwrap(function)
        while isinstance(function, functools.partial):
            position += len(function.args)
            function = inspect.unwrap(function.func)
        code = getattr(function, "__code__", None)
        if code is None or not self._is_own(code.co_filename):
            return "", ""
        names = code.co_varnames[int(inspect.ismethod(function)) : code.co_argcount]
        return code.co_name, names[position] if position < len(names) else ""

    def _look_for_blocked_weights(
        self,
        function: Any,
        args: Sequence[Any],
        kwargs: Mapping[str, Any],
        zeros: Sequence[bool],
        positions: set[int],
    ) -> None:
        """Record the operation that blocks the gradient of some weights."""
        if len(zeros) != len(positions):
            return
        found = find_blocked_weights(function, args, kwargs, zeros, positions, self._find_place)
        if found is None:
            return
        _, owner = self._names(function, 0)
        weights = f"{owner}{found[2]}".removeprefix(".")
        self._note(ZeroGradient(found[1], weights), found[0])

    def _place_in(self, function: str, equation: Any) -> Frame | None:
        """Return the expression of a function that led to an equation, or the innermost one."""
        found = places.frames_of(equation.source_info, self._is_own)
        return next((it for it in found if it.function == function), next(iter(found), None))

    def _find_place(self, equation: Any) -> Frame | None:
        return places.place_of(equation, self._is_own)


def _is_zero_for_all(leaf: Any) -> bool:
    """Return whether a leaf of a gradient that is traced is zero, whatever the inputs are."""
    return tracers.is_constant_zero(leaf) if tracers.is_tracer(leaf) else is_zero([leaf])
