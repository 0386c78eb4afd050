"""Finds a softmax over an axis that the rest of the program contradicts.

Follows the axes of arrays through a program's equations. A softmax is recognised by its arithmetic,
so one that the program writes out counts too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from jaxtutor.core.data.observations import SoftmaxUse
from jaxtutor.worker.watching.subprograms import called_program

Label = tuple[int, int]
"""An axis of an array: the number of the variable that it first belonged to, and its position."""
Report = Callable[[Sequence[Any], SoftmaxUse], None]
"""Gets the equation that ends a softmax and the calls around it, the innermost first."""

MOST_EQUATIONS = 5_000

_SAME = frozenset(
    "convert_element_type copy stop_gradient reduce_precision optimization_barrier".split()
)
_MIXING = frozenset("add sub mul div max min select_n".split())


@dataclass(frozen=True)
class _Axes:
    """What is known of a variable: its axes, and what part of a softmax it is.

    `base` is the variable that the softmax is of, up to a shift; `over` are the axes that were
    summed. `sides` maps the axes of a product to the operand that each comes from.
    """

    labels: tuple[Label, ...]
    base: int
    role: str = ""
    over: frozenset[Label] = frozenset()
    sides: tuple[tuple[Label, int], ...] = ()
    factors: frozenset[int] = frozenset()

    def side(self, label: Label) -> int | None:
        """Return the operand of the product that an axis comes from."""
        return dict(self.sides).get(label)


class NormalisedAxes:
    """Reads one program and reports softmaxes over an axis that does not fit their use."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self.left = MOST_EQUATIONS
        self._count = 0
        self._given: set[int] = set()
        self._made: dict[int, Sequence[Any]] = {}  # what ends each softmax, and the calls around it
        self._around: list[Any] = []  # the calls whose programs are being read
        self._from: dict[Label, Label] = {}  # axes of products, and those of their operands
        self._found: dict[int, SoftmaxUse] = {}
        self._excused: set[int] = set()
        self._used: set[int] = set()

    def read(self, jaxpr: Any) -> None:
        """Read a whole program."""
        known = {v: self._fresh(v) for v in (*jaxpr.invars, *jaxpr.constvars)}
        self._given = {tag.base for tag in known.values()}
        self._walk(jaxpr, known)
        for base, form in self._found.items():
            if base not in self._excused:
                self.report(self._made[base], form)

    def _fresh(self, var: Any) -> _Axes:
        self._count += 1
        rank = len(getattr(var.aval, "shape", ()))
        return _Axes(tuple((self._count, n) for n in range(rank)), self._count)

    def _walk(self, jaxpr: Any, known: dict[Any, _Axes]) -> list[_Axes]:
        def read(atom: Any) -> _Axes:
            if hasattr(atom, "val") or atom not in known:
                return self._fresh(atom)
            return known[atom]

        for equation in jaxpr.eqns:
            self.left -= 1
            if self.left < 0:
                raise TimeoutError
            ins = [read(atom) for atom in equation.invars]
            inner = called_program(equation.primitive.name, equation.params)
            if inner is not None and len(inner.jaxpr.invars) == len(ins):
                body = inner.jaxpr
                self._around.append(equation)
                outs = self._walk(body, dict(zip(body.invars, ins, strict=True)))
                self._around.pop()
            else:
                outs = list(self._step(equation, ins))
            known.update(zip(equation.outvars, outs, strict=False))
        return [read(atom) for atom in jaxpr.outvars]

    def _step(self, equation: Any, ins: Sequence[_Axes]) -> Iterator[_Axes]:
        name, params = equation.primitive.name, equation.params
        if not ins or len(equation.outvars) != 1:
            yield from map(self._fresh, equation.outvars)
            return
        fresh = self._fresh(equation.outvars[0])
        if name in _SAME:
            yield ins[0]
        elif name in _SHAPING:
            yield _SHAPING[name](equation, ins[0], fresh) or fresh
        elif name == "dot_general":
            yield self._product(equation, ins, fresh)
        elif name == "gather":
            self._look_at_picks(equation, ins[0])
            yield fresh
        elif name in ("exp", "log"):
            yield _of_function(name, ins[0], fresh)
        elif name in ("reduce_sum", "reduce_max"):
            yield self._reduced(name, params["axes"], ins[0], fresh)
        elif name in _MIXING and len(fresh.labels):
            yield self._mixed(equation, ins, fresh)
        else:
            yield fresh

    # ------------------------------------------------------------ the parts of a softmax

    def _reduced(self, name: str, axes: Sequence[int], array: _Axes, fresh: _Axes) -> _Axes:
        over = frozenset(array.labels[n] for n in axes)
        rest = tuple(label for n, label in enumerate(array.labels) if n not in axes)
        if array.role == "softmax" and name == "reduce_sum":
            self._excused.add(array.base)  # normalised again, or counted
        if name == "reduce_max" and array.role == "":
            return replace(array, labels=rest, role="max", over=over)
        if name == "reduce_sum" and array.role == "exp":
            return replace(array, labels=rest, role="sum", over=over)
        return fresh

    def _mixed(self, equation: Any, ins: Sequence[_Axes], fresh: _Axes) -> _Axes:
        """Return what is known of a result of elementwise operands."""
        name = equation.primitive.name
        pair = ins[-2:]
        if len(pair) == 2:
            found = self._normalised(equation, name, *pair)
            if found is not None:
                return found
        greatest = next((tag for tag in ins if tag.role == "max"), None)
        if name == "max" and greatest is not None:
            return greatest
        shapes = [getattr(v.aval, "shape", ()) for v in equation.invars]
        out = equation.outvars[0].aval.shape
        full = [tag for tag, shape in zip(ins, shapes, strict=True) if shape == out and tag.sides]
        if len(full) != 1:
            return fresh
        is_scaled = name == "select_n" or () in shapes
        role = full[0].role if full[0].role == "softmax" and is_scaled else ""
        return replace(full[0], base=full[0].base if role else fresh.base, role=role)

    def _normalised(self, equation: Any, name: str, x: _Axes, y: _Axes) -> _Axes | None:
        if x.base != y.base:
            return None
        if (name, x.role, y.role) == ("div", "exp", "sum"):
            return self._softmax(equation, replace(x, role="softmax", over=y.over))
        if (name, x.role, y.role) == ("sub", "", "log_sum"):
            return self._softmax(equation, replace(x, role="log_softmax", over=y.over))
        if (name, x.role, y.role) in (("sub", "", "max"), ("add", "log_sum", "max")):
            return x
        return None

    def _softmax(self, equation: Any, made: _Axes) -> _Axes:
        """Look at the length of the axis: over an axis of length 1, everything becomes 1."""
        shape = equation.outvars[0].aval.shape
        sizes = [n for n, label in zip(shape, made.labels, strict=True) if label in made.over]
        owners = {self._owner(label) for label in made.over}
        self._made[made.base] = (equation, *reversed(self._around))
        if sizes == [1] and len(shape) > 1 and owners <= self._given and made.sides:
            self._found[made.base] = "single"
        return made

    # ------------------------------------------------------------ its use

    def _product(self, equation: Any, ins: Sequence[_Axes], fresh: _Axes) -> _Axes:
        (left_axes, right_axes), batch = equation.params["dimension_numbers"]
        for side, (weights, values) in enumerate((ins, ins[::-1])):
            axes = (left_axes, right_axes)[side]
            if weights.role == "softmax" and len(axes) == len(weights.over) == 1:
                together = {weights.labels[n] for n in batch[side]}
                self._look_at_sum(weights, weights.labels[axes[0]], values, together)
        left, right = ins
        free = [
            [n for n in range(len(tag.labels)) if n not in (*used, *together)]
            for tag, used, together in zip(ins, (left_axes, right_axes), batch, strict=True)
        ]
        shared = tuple(left.labels[n] for n in batch[0])
        own = [(s, tag.labels[n]) for s, tag in enumerate(ins) for n in free[s]]
        made = fresh.labels[len(shared) :]  # both operands may come from one array
        if len(made) != len(own):
            return fresh
        self._from.update((new, old) for new, (_, old) in zip(made, own, strict=True))
        sides = tuple((new, side) for new, (side, _) in zip(made, own, strict=True))
        factors = frozenset((left.base, right.base))
        return _Axes((*shared, *made), fresh.base, sides=sides, factors=factors)

    def _owner(self, label: Label) -> int:
        """Return the variable that an axis came from, through products."""
        while label in self._from:
            label = self._from[label]
        return label[0]

    def _look_at_sum(
        self, weights: _Axes, summed: Label, values: _Axes, together: set[Label]
    ) -> None:
        """Record weights that add up to 1 along one axis and are summed along another.

        The scores are a product, such as queries and keys, and each axis comes from one operand.
        An axis that all operands share, such as the heads, has a product of its own at each index.
        """
        if weights.base in self._used:
            return  # the first sum is the program's own; a gradient sums along the other axis too
        self._used.add(weights.base)
        (over,) = weights.over
        sides = weights.side(over), weights.side(summed)
        is_other = sides[0] is not None and sides[0] != sides[1]
        is_shared = bool(weights.sides) and sides[0] is None and over in together
        if sides[1] is not None and (is_other or is_shared) and values.base not in weights.factors:
            self._found[weights.base] = "summed"

    def _look_at_picks(self, equation: Any, table: _Axes) -> None:
        """Record one entry picked from each row of a table whose columns were normalised."""
        numbers = equation.params["dimension_numbers"]
        shape = equation.invars[0].aval.shape
        if not table.role.endswith("softmax") or len(shape) != 2 or shape[0] == shape[1]:
            return
        picks = int(np.prod(equation.invars[1].aval.shape[:-1]))
        batching = tuple(getattr(numbers, "operand_batching_dims", ()))
        is_paired = tuple(numbers.start_index_map) == (0, 1) and picks in shape
        if batching:
            rows = batching[0]
        elif is_paired and tuple(equation.params["slice_sizes"]) == (1, 1):
            rows = shape.index(picks)
        else:
            return
        if table.over == {table.labels[rows]}:
            self._found[table.base] = "picked"


def _of_function(name: str, array: _Axes, fresh: _Axes) -> _Axes:
    roles = {("exp", ""): "exp", ("log", "sum"): "log_sum", ("log", "softmax"): "log_softmax"}
    role = roles.get((name, array.role))
    return replace(array, role=role) if role is not None else fresh


# ---------------------------------------------------------------- axes that move


def _transposed(equation: Any, array: _Axes, _fresh: _Axes) -> _Axes:
    return replace(array, labels=tuple(array.labels[n] for n in equation.params["permutation"]))


def _broadcast(equation: Any, array: _Axes, fresh: _Axes) -> _Axes:
    labels = list(fresh.labels)
    before, after = equation.invars[0].aval.shape, equation.outvars[0].aval.shape
    for n, target in enumerate(equation.params["broadcast_dimensions"]):
        if before[n] == after[target]:
            labels[target] = array.labels[n]
    return replace(array, labels=tuple(labels))


def _reshaped(equation: Any, array: _Axes, fresh: _Axes) -> _Axes | None:
    """Follow a reshape that only adds or removes axes of length 1."""
    before, after = equation.invars[0].aval.shape, equation.outvars[0].aval.shape
    if [n for n in before if n != 1] != [n for n in after if n != 1]:
        return None
    kept = iter([label for n, label in zip(before, array.labels, strict=True) if n != 1])
    pairs = zip(after, fresh.labels, strict=True)
    return replace(array, labels=tuple(next(kept) if n != 1 else label for n, label in pairs))


def _squeezed(equation: Any, array: _Axes, _fresh: _Axes) -> _Axes:
    gone = equation.params["dimensions"]
    return replace(array, labels=tuple(s for n, s in enumerate(array.labels) if n not in gone))


_SHAPING: Mapping[str, Callable[[Any, _Axes, _Axes], _Axes | None]] = {
    "transpose": _transposed,
    "broadcast_in_dim": _broadcast,
    "reshape": _reshaped,
    "squeeze": _squeezed,
}
