"""Follows gradients that a program adds up, to the updates that are made with the sums.

A sum that is used for an update and added to afterwards still has the gradients before the update.
Additions are recognised by their numbers in one leaf, so a decaying average is not one.
"""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from types import FrameType
from typing import Any

import jax
import numpy as np

from jaxtutor.core.data.observations import SumKept
from jaxtutor.core.data.positions import Frame
from jaxtutor.worker.internals import evaluation, places
from jaxtutor.worker.internals.tracers import is_tracer
from jaxtutor.worker.watching.recorder import Recorder
from jaxtutor.worker.watching.subprograms import called_program
from jaxtutor.worker.watching.tree_maps import MappedTree

MOST_SUMS = 64  # that are followed at a time
MOST_ELEMENTS = 100_000  # of the leaf by which an addition is recognised
PARALLEL = 0.999  # the cosine of an angle between two directions that count as one
UPDATES = 3  # with one sum, after which it counts as never cleared


class Total:
    """A sum that is added to again and again: where, how often, and at which updates it was used.

    `is_certain` says that an optimizer of Optax, and nothing else, made the updates.
    """

    def __init__(self, place: Frame) -> None:
        self.place = place
        self.added = 0
        self.used_at: set[int] = set()
        self.is_certain = True


class Accumulators:
    """Records sums of gradients that no update clears."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._totals: dict[int, tuple[weakref.ref[Any], Total, int]] = {}

    def forget(self) -> None:
        """Discard the sums."""
        self._totals.clear()

    def look(self, call: MappedTree) -> None:
        """Look at a map, which may be an addition to a sum, or an update with one."""
        caller, tree, rest, made = call.caller, call.tree, call.rest, call.result
        leaf = _leaf(tree)
        if leaf is None:
            return
        n, first = leaf
        if _updates(caller):
            self._use(first, True)
        elif self._recorder.is_learners(caller) and len(rest) == 1:
            second, result = jax.tree.leaves(rest[0])[n], jax.tree.leaves(made)[n]
            factor = _factor(first, second, result)
            if factor > 0:
                self._add(first, result, caller)
            elif factor < 0:
                self._use(second, False)
            elif _factor(second, first, result) > 0:
                self._add(second, result, caller)

    def look_at_call(self, jaxpr: Any, args: Sequence[Any]) -> None:
        """Look at the call of a program, which may make an update with a sum."""
        for n, arg in enumerate(args) if self._totals else ():
            if self._known(arg) is not None and (step := _step_with(jaxpr, n)) is not None:
                self._use(arg, "apply_updates" in places.library_call(step.source_info))

    def _known(self, array: Any) -> tuple[Total, int] | None:
        reference, total, added = self._totals.get(id(array), (None, None, 0))
        is_it = reference is not None and reference() is array
        return (total, added) if is_it and total is not None else None

    def _add(self, before: Any, after: Any, caller: FrameType) -> None:
        """Follow a sum from what was added to, to the result."""
        known = self._known(before)
        place = self._recorder.place_of(caller)
        if place is None:
            return
        total = known[0] if known is not None else Total(place)
        total.added += 1
        for key in [k for k, (reference, *_) in self._totals.items() if reference() is None]:
            del self._totals[key]
        if len(self._totals) < MOST_SUMS:
            self._totals[id(after)] = weakref.ref(after), total, total.added

    def _use(self, array: Any, is_optax: bool) -> None:
        known = self._known(array)
        if known is None:
            return
        total, added = known
        total.used_at.add(added)
        total.is_certain &= is_optax
        if len(total.used_at) == UPDATES:
            seen = SumKept(times=max(total.used_at), is_certain=total.is_certain)
            self._recorder.note_at(seen, total.place)


def _updates(frame: FrameType | None) -> bool:
    """Return whether an optimizer of Optax maps over its gradients in a frame."""
    for _ in range(4):
        if frame is None:
            return False
        module = str(frame.f_globals.get("__name__", ""))
        if not module.startswith("optax."):
            return False
        if frame.f_code.co_name == "update_fn":
            return True
        frame = frame.f_back
    return False


def _leaf(tree: Any) -> tuple[int, Any] | None:
    """Return the position and the value of the first leaf with several floats."""
    kind: Any = evaluation.array_type()
    for n, leaf in enumerate(jax.tree.leaves(tree)):
        if isinstance(leaf, kind) and not is_tracer(leaf) and 1 < leaf.size <= MOST_ELEMENTS:
            return (n, leaf) if jax.numpy.issubdtype(leaf.dtype, np.floating) else None
    return None


def _factor(start: Any, added: Any, result: Any) -> float:
    """Return the c for which `result == start + c * added` up to rounding; 0 if none does it.

    If both have one direction, their sum says nothing: a decaying average could give it, too.
    """
    if not np.shape(start) == np.shape(added) == np.shape(result):
        return 0.0
    start, added, result = (np.asarray(x, np.float64).ravel() for x in (start, added, result))
    change, length = result - start, float(added @ added)
    norms = float(np.linalg.norm(start)) * length**0.5
    if not length or abs(float(start @ added)) > PARALLEL * norms > 0:
        return 0.0
    factor = float(change @ added) / length
    rounding = 1e-5 * float(np.linalg.norm(result) + np.linalg.norm(start))
    rest, size = (float(np.linalg.norm(x)) for x in (change - factor * added, change))
    return factor if rest <= max(1e-3 * size, rounding) and size > 2 * rounding else 0.0


def _step_with(jaxpr: Any, n: int) -> Any | None:
    """Return the equation of a program that moves another input by something from its input n."""
    moved = jaxpr.invars[n]
    depends = {moved}
    for equation in jaxpr.eqns:
        if depends.intersection(v for v in equation.invars if not hasattr(v, "val")):
            depends.update(equation.outvars)
    results = {v for v in jaxpr.outvars if not hasattr(v, "val")}
    others = set(jaxpr.invars) - {moved}
    for equation in jaxpr.eqns:
        reads = [v for v in equation.invars if not hasattr(v, "val")]
        inner = called_program(equation.primitive.name, equation.params)
        if inner is not None and moved in equation.invars:
            step = _step_with(inner.jaxpr, equation.invars.index(moved))
            if step is not None:
                return step
        is_step = equation.primitive.name in ("add", "sub") and len(reads) == 2
        if is_step and results.intersection(equation.outvars) and reads[0] in others:
            is_direct = reads[1] is moved and equation.primitive.name == "add"
            if reads[1] in depends and not is_direct:
                return equation
    return None
