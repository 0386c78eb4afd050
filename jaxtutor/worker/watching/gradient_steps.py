"""Compares the gradients that a compiled step computes with the changes that it makes with them.

The variables of a gradient are known from the trace. Their values come from the calls, or rounds of
a loop, that are evaluated once more. A loss has no minimum if it is linear in a leaf: then the
leaf's gradient does not depend on the leaf, and its steps go on in one direction. Parts of a leaf
that are alike, and have gradients that are alike, are so after any step.

The gradient of a real function of a complex number, as JAX defines it, is the conjugate of the
direction in which the function rises most: a step goes down if it is taken along the conjugate.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import jax
import numpy as np

from jaxtutor.core.data.observations import NoMinimum, NotConjugated, StayAlike, StepsUp
from jaxtutor.core.data.positions import Frame
from jaxtutor.worker.internals import tracers
from jaxtutor.worker.watching.gradients import differentiated
from jaxtutor.worker.watching.subprograms import Inlined, Name
from jaxtutor.worker.watching.wide_values import Value

MOST_GRADIENTS = 40
MOST_LEAVES = 500  # of one gradient
MOST_ELEMENTS = 200_000  # of a leaf that is compared
LEAST_STEPS = 5  # that are compared
ONE_WAY = 0.5  # the least cosine of an angle between gradients of batches that point one way
SAME = 1e-3  # by which single numbers may differ that count as one
GROWTH = 30.0  # of a gradient that runs away
ALIKE = 1e-5  # by which gradients may differ that are added up in different orders
LEAST_ROUNDS = 2  # in which parts are alike
LEAST_NUMBERS = 3  # complex ones that went along their gradient
TURN = 0.1  # the least angle that tells a number from its conjugate
PHASE = 0.02  # the angle by which a step along a gradient may turn


class TrainedLeaf:
    """What is known of one leaf: its gradients, and the steps that were made with them."""

    def __init__(self, path: str, given: Any, gradient: Any) -> None:
        self.path = path
        self.given = given
        self.gradient = gradient
        self.is_linear = False
        self.first: Any = None
        self.is_one_way = True
        self.along: list[float] = []  # of each step: its product with the gradient
        self.rounds = 0  # in which its parts were compared
        self.alike: frozenset[int] | None = None  # whether along the first axis (0), the last (1)
        self.shape: tuple[int, ...] = ()
        self.moves = False  # whether a gradient was not zero
        self.conjugates = Conjugates()

    def take(self, gradient: Any, step: Any) -> None:
        """Compare a gradient with the first one, and with the step that was made with it."""
        if self.first is None:
            self.first = gradient
        self.is_one_way &= _is_one_way(self.first, gradient)
        self.along.append(float(gradient @ step))

    def compare_parts(self, given: Any, gradient: Any) -> None:
        """Keep the axes of a matrix along which all parts are alike, in value and in gradient."""
        if self.alike is None:
            self.alike = frozenset((0, 1) if given.ndim > 1 else ())
            self.shape = given.shape
        if not self.alike:
            return
        self.rounds += 1
        self.moves |= bool(gradient.any())
        self.alike = frozenset(
            end
            for end in self.alike
            if _is_alike(given, -end, 0.0) and _is_alike(gradient, -end, ALIKE)
        )

    def alike_size(self, end: int) -> int:
        """Return how many parts are alike along the first axis (0) or the last (1), or 0."""
        return self.shape[-end] if end in (self.alike or ()) else 0


class Conjugates:
    """Whether the steps of complex numbers go along their gradient, and not along its conjugate."""

    def __init__(self) -> None:
        self.count = 0  # numbers that went along their gradient in the first steps
        self.is_over = False  # whether a step went another way
        self.last: tuple[Any, Any] | None = None  # where a number was, with the gradient there

    @property
    def is_along(self) -> bool:
        """Return whether enough numbers went along their gradient, from the first step on."""
        return self.count >= LEAST_NUMBERS

    def take(self, gradient: Any, step: Any) -> None:
        """Compare a step with the gradient that it was made with. Momentum bends later ones."""
        sizes = np.abs(gradient) * np.abs(step)
        are_clear = (sizes > ALIKE * sizes.max()) & (
            np.abs(gradient.imag) > TURN * np.abs(gradient)
        )
        if self.is_over or not are_clear.any():
            return
        products = (step * gradient.conj())[are_clear]
        is_along = (np.abs(products.imag) <= PHASE * sizes[are_clear]) & (products.real < 0.0)
        self.is_over = not is_along.all()
        self.count += 0 if self.is_over else int(is_along.sum())

    def move(self, given: Any, gradient: Any) -> None:
        """Compare a number, and the gradient there, with those of the call before."""
        if self.last is not None and self.last[0].shape == given.shape:
            self.take(self.last[1], given - self.last[0])
        self.last = given, gradient


class TracedGradient:
    """A gradient in a program: the leaves that have one, and its size in each step."""

    def __init__(self, leaves: Sequence[TrainedLeaf], place: Frame) -> None:
        self.leaves = leaves
        self.place = place
        self.sizes: list[float] = []
        self.values: dict[int, Any] | None = None  # of the round that is being evaluated


class GradientSteps:
    """Follows the gradients of the programs that are evaluated."""

    def __init__(self) -> None:
        self._gradients: list[TracedGradient] = []
        self._programs: dict[int, tuple[Any, list[TracedGradient]]] = {}  # held, so no id is reused
        self._complex: dict[tuple[Frame, str], Conjugates] = {}
        self.variables: set[Any] = set()

    def forget(self) -> None:
        """Discard what was recorded."""
        self._gradients.clear()
        self._programs.clear()
        self._complex.clear()
        self.variables.clear()

    def note(
        self,
        argnums: Any,
        args: Sequence[Any],
        gradient: Any,
        place: Frame | None,
        is_holomorphic: bool = False,
    ) -> None:
        """Remember the variables of a gradient that is being traced, or the values of another."""
        if place is None:
            return
        if not is_holomorphic:
            self._note_values(argnums, args, gradient, place)
        leaves = [
            TrainedLeaf(path, tracers.variable_of(x), tracers.variable_of(g))
            for part in differentiated(argnums, args, gradient)
            for path, x, g in zip(part.paths, part.given, part.gradient, strict=True)
        ]
        leaves = [leaf for leaf in leaves if leaf.given is not None and leaf.gradient is not None]
        is_few = len(leaves) <= MOST_LEAVES and len(self._gradients) < MOST_GRADIENTS
        if leaves and is_few:
            self._gradients.append(TracedGradient(leaves, place))
            for leaf in leaves:
                leaf.conjugates.is_over = is_holomorphic
                self.variables.update((leaf.given, leaf.gradient))

    def _note_values(self, argnums: Any, args: Sequence[Any], gradient: Any, place: Frame) -> None:
        """Compare the complex numbers of a gradient that is computed at once with the last ones."""
        for part in differentiated(argnums, args, gradient):
            for path, x, g in zip(part.paths, part.given, part.gradient, strict=True):
                is_known = isinstance(x, jax.Array | np.ndarray) and not tracers.is_tracer(g)
                if not is_known or not np.iscomplexobj(x) or x.size > MOST_ELEMENTS:
                    continue
                if len(self._complex) < MOST_LEAVES:
                    known = self._complex.setdefault((place, path), Conjugates())
                    known.move(np.asarray(x), np.asarray(g))

    def take(self, jaxpr: Any, values: Mapping[Any, Value | None]) -> None:
        """Remember the values that the gradients of a program have in a round."""
        for gradient in self._of(jaxpr):
            gradient.values = {
                n: value.narrow
                for n, leaf in enumerate(gradient.leaves)
                if (value := values.get(leaf.gradient)) is not None
            }
            for n, gradients in gradient.values.items():
                given = values.get(gradient.leaves[n].given)
                if given is not None and given.narrow.size <= MOST_ELEMENTS:
                    gradient.leaves[n].compare_parts(given.narrow, gradients)
                    if np.iscomplexobj(gradients):
                        gradient.leaves[n].conjugates.move(given.narrow, gradients)

    def end_round(
        self,
        jaxpr: Any,
        carried: Mapping[int, int],
        ins: Sequence[Value | None],
        outs: Sequence[Value | None],
    ) -> None:
        """Compare the gradients of a round with the changes of what it was given."""
        for gradient in self._of(jaxpr):
            values, gradient.values = gradient.values or {}, None
            inputs = {v: n for n, v in enumerate(jaxpr.invars) if n in carried}
            size = 0.0
            for n, leaf in enumerate(gradient.leaves):
                position = inputs.get(leaf.given)
                before = ins[position] if position is not None else None
                after = outs[carried[position]] if position is not None else None
                if n not in values or before is None or after is None:
                    continue
                is_real = not np.iscomplexobj(values[n])
                is_small = values[n].size <= MOST_ELEMENTS
                if is_real and is_small and values[n].shape == after.narrow.shape:
                    slope = values[n].astype(np.float64).ravel()
                    step = after.narrow.astype(np.float64) - before.narrow.astype(np.float64)
                    leaf.take(slope, step.ravel())
                    size += float(slope @ slope)
            if size:
                gradient.sizes.append(size**0.5)

    def observations(self) -> Iterator[NoMinimum | StepsUp | StayAlike | NotConjugated]:
        """Yield losses without a minimum, steps the wrong way, and units that stay alike."""
        for (place, path), steps in self._complex.items():
            if steps.is_along:
                yield NotConjugated(path, frame=place)
        for gradient in self._gradients:
            linear = [leaf for leaf in gradient.leaves if _goes_on(leaf)]
            if linear:
                shown = max(linear, key=lambda leaf: leaf.first.size)
                times = len(shown.along)
                yield NoMinimum(shown.path, len(linear), times, frame=gradient.place)
            elif _runs_up(gradient):
                growth = gradient.sizes[-1] / gradient.sizes[0]
                yield StepsUp(f"{growth:.3g}", len(gradient.sizes), frame=gradient.place)
            along = [leaf for leaf in gradient.leaves if leaf.conjugates.is_along]
            if along:
                yield NotConjugated(along[0].path, frame=gradient.place)
            alike = _find_alike(gradient.leaves)
            if alike is not None:
                first, second = alike
                size = second.alike_size(0)
                yield StayAlike(first.path, second.path, size, frame=gradient.place)

    def _of(self, jaxpr: Any) -> list[TracedGradient]:
        """Return the gradients that a program computes, which is searched once."""
        if not self.variables:
            return []
        known = self._programs.get(id(jaxpr))
        if known is None:
            made = {v for equation in jaxpr.eqns for v in equation.outvars}
            found = [
                it for it in self._gradients if any(leaf.gradient in made for leaf in it.leaves)
            ]
            for gradient in found:
                _find_linear(jaxpr, gradient)
            known = self._programs[id(jaxpr)] = jaxpr, found
        return known[1]


def _find_linear(jaxpr: Any, gradient: TracedGradient) -> None:
    """Find the leaves that their own gradient does not depend on: the loss is linear in them."""
    program = Inlined(jaxpr)
    for leaf in gradient.leaves:
        leaf.path = _full_name(jaxpr, leaf)
    names = [program.names.get(leaf.given) for leaf in gradient.leaves]
    known: dict[Name, int] = {}
    for n, name in enumerate(names):
        if name is not None:
            known[name] = known.get(name, 0) | 1 << n
    for step in program.operations:
        mask = 0
        for name in step.reads:
            mask |= known.get(name, 0)
        known.update({name: mask | known.get(name, 0) for name in step.writes})
    for n, leaf in enumerate(gradient.leaves):
        name = program.names.get(leaf.gradient)
        leaf.is_linear = name is not None and not known.get(name, 0) >> n & 1


def _full_name(jaxpr: Any, leaf: TrainedLeaf) -> str:
    """Return the name of a leaf with the argument of the program that it belongs to, if known."""
    inputs = {v: n for n, v in enumerate(jaxpr.invars)}
    found = tracers.argument_name(jaxpr, inputs[leaf.given]) if leaf.given in inputs else ""
    is_readable = found.endswith(leaf.path) and not found.startswith("dynamic_")
    return found if is_readable else leaf.path


def _is_one_way(first: Any, other: Any) -> bool:
    """Return whether two gradients point the same way; single numbers have to be the same."""
    if first.size == 1:
        return bool(abs(other[0] - first[0]) <= SAME * abs(first[0]))
    sizes = float(np.linalg.norm(first) * np.linalg.norm(other))
    return bool(np.isfinite(sizes)) and float(first @ other) >= ONE_WAY * sizes > 0.0


def _goes_on(leaf: TrainedLeaf) -> bool:
    """Return whether the steps of a leaf go on in one direction, whatever its value is."""
    if not leaf.is_linear or len(leaf.along) < LEAST_STEPS or not leaf.is_one_way:
        return False
    return all(x < 0.0 for x in leaf.along) or all(x > 0.0 for x in leaf.along)


def _runs_up(gradient: TracedGradient) -> bool:
    """Return whether all steps go along a gradient, which gets larger and larger."""
    compared = [leaf.along for leaf in gradient.leaves if leaf.along]
    along = [sum(parts) for parts in zip(*compared, strict=False)]
    sizes = gradient.sizes
    if len(along) < LEAST_STEPS or not np.isfinite(sizes).all():
        return False
    return all(x > 0.0 for x in along) and sizes[-1] >= GROWTH * sizes[0]


def _is_alike(array: Any, axis: int, tolerance: float) -> bool:
    """Return whether all parts along an axis are the same, up to a share of the largest number."""
    if array.shape[axis] < 2:
        return False
    first = array.take([0], axis)
    if not tolerance:
        return bool((array == first).all())
    return bool((np.abs(array - first) <= tolerance * np.abs(array).max()).all())


def _find_alike(leaves: Sequence[TrainedLeaf]) -> tuple[TrainedLeaf, TrainedLeaf] | None:
    """Find the weights into and out of a layer whose units are alike.

    What all units receive and what they give has to be alike: two matrices, one along its last
    axis and the other along its first.
    """
    moving = [it for it in leaves if it.alike and it.moves and it.rounds >= LEAST_ROUNDS]
    for first in moving:
        for second in moving:
            size = first.alike_size(1)
            if first is not second and size and size == second.alike_size(0):
                return first, second
    return None
