"""Evaluates the steps of a Pallas kernel in single integers: which elements each step writes.

Numbers are known that follow from the grid alone. What depends on an array is not known, so a write
at such a place counts as one of the whole axis, and one in a branch as made in any case.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import jax
import numpy as np

from jaxtutor.worker.watching.liveness import is_literal
from jaxtutor.worker.watching.subprograms import called_program

Number = int | bool | None
Region = tuple[slice, ...]

_OPERATIONS: Mapping[str, Callable[..., Any]] = {
    "add": lambda x, y: x + y,
    "sub": lambda x, y: x - y,
    "mul": lambda x, y: x * y,
    "div": lambda x, y: math.trunc(x / y),
    "rem": lambda x, y: int(math.fmod(x, y)),
    "max": max,
    "min": min,
    "neg": lambda x: -x,
    "sign": lambda x: (x > 0) - (x < 0),
    "eq": lambda x, y: x == y,
    "ne": lambda x, y: x != y,
    "lt": lambda x, y: x < y,
    "le": lambda x, y: x <= y,
    "gt": lambda x, y: x > y,
    "ge": lambda x, y: x >= y,
    "and": lambda x, y: x & y,
    "or": lambda x, y: x | y,
    "not": lambda x: not x,
    "clamp": lambda low, x, high: min(max(low, x), high),
    "select_n": lambda which, *cases: cases[int(which)],
    "convert_element_type": lambda x: x,
}
"""What is computed with single integers and booleans."""

_WRITING = ("swap", "masked_swap", "addupdate")
_READING = ("get", "masked_load")


@dataclass(frozen=True)
class Write:
    """A region of a block that an equation may write; `is_sure` if it does, whatever arrays hold.

    Without an equation, a block was passed to an operation that may do anything to it.
    """

    region: Region
    is_sure: bool = False
    equation: Any = None


@dataclass
class OutputBlock:
    """What a kernel does with its block of an output in one step."""

    shape: tuple[int, ...]
    writes: list[Write] = field(default_factory=list)
    is_read: bool = False

    @property
    def whole(self) -> Region:
        """All of the block."""
        return tuple(slice(0, n, 1) for n in self.shape)


class KernelStep:
    """Evaluates a kernel, or an index map, in one step of a grid."""

    def __init__(self, position: Sequence[int], sizes: Sequence[int]) -> None:
        self._position = position
        self._sizes = sizes
        self._known: dict[Any, Number] = {}
        self._blocks: dict[Any, OutputBlock] = {}

    def run(
        self, jaxpr: Any, numbers: Sequence[Number], blocks: Mapping[int, OutputBlock] | None = None
    ) -> list[Number]:
        """Evaluate a program. Its inputs are numbers, or blocks by their positions."""
        for n, block in (blocks or {}).items():
            self._blocks[jaxpr.invars[n]] = block
        return self._run(jaxpr, numbers, is_sure=True)

    def _run(self, jaxpr: Any, numbers: Sequence[Number], is_sure: bool) -> list[Number]:
        self._known.update(zip(jaxpr.invars, numbers, strict=False))
        for equation in jaxpr.eqns:
            outs = self._evaluate(equation, is_sure)
            self._known.update(zip(equation.outvars, outs, strict=False))
        return [self._number(v) for v in jaxpr.outvars]

    def _number(self, atom: Any) -> Number:
        if not is_literal(atom):
            return self._known.get(atom)
        value = np.asarray(atom.val)
        return value.item() if value.ndim == 0 and value.dtype.kind in "iub" else None

    def _evaluate(self, equation: Any, is_sure: bool) -> list[Number]:
        """Return the numbers that an equation gives, None for each that is not known."""
        name, params = equation.primitive.name, equation.params
        numbers = [self._number(v) for v in equation.invars]
        called = called_program(name, params)
        if name in ("program_id", "num_programs"):
            return [(self._position if name == "program_id" else self._sizes)[params["axis"]]]
        if called is not None:
            return self._enter(called.jaxpr, equation.invars, numbers, is_sure)
        if name == "cond":
            return self._choose(equation, numbers, is_sure)
        if name == "scan":
            body = params["jaxpr"].jaxpr
            self._enter(body, equation.invars, [None] * len(numbers), is_sure)
        elif name == "while":
            inner = equation.invars[params["cond_nconsts"] :]
            self._enter(params["body_jaxpr"].jaxpr, inner, [None] * len(inner), False)
        elif any(v in self._blocks for v in equation.invars if not is_literal(v)):
            self._access(equation, is_sure)
        elif name in _OPERATIONS and None not in numbers:
            return [_OPERATIONS[name](*numbers)]
        return [None] * len(equation.outvars)

    def _enter(
        self, jaxpr: Any, atoms: Sequence[Any], numbers: Sequence[Number], is_sure: bool
    ) -> list[Number]:
        for atom, variable in zip(atoms, jaxpr.invars, strict=True):
            if not is_literal(atom) and atom in self._blocks:
                self._blocks[variable] = self._blocks[atom]
        return self._run(jaxpr, numbers, is_sure)

    def _choose(self, cond: Any, numbers: list[Number], is_sure: bool) -> list[Number]:
        branches, which = cond.params["branches"], numbers[0]
        if which is not None:
            chosen = branches[min(max(int(which), 0), len(branches) - 1)]
            return self._enter(chosen.jaxpr, cond.invars[1:], numbers[1:], is_sure)
        for branch in branches:
            self._enter(branch.jaxpr, cond.invars[1:], numbers[1:], False)
        return [None] * len(cond.outvars)

    # ------------------------------------------------------------ blocks

    def _access(self, equation: Any, is_sure: bool) -> None:
        """Record what an equation reads and writes of blocks. An unknown one may do everything."""
        name = equation.primitive.name
        for atom in equation.invars:
            block = self._blocks.get(atom) if not is_literal(atom) else None
            if block is None:
                continue
            block.is_read |= name not in ("swap", "masked_swap")
            if name in _WRITING:
                region, is_known = self._region(equation, block)
                is_certain = is_sure and is_known and name != "masked_swap"
                block.writes.append(Write(region, is_certain, equation))
            elif name not in _READING:
                block.writes.append(Write(block.whole))

    def _region(self, equation: Any, block: OutputBlock) -> tuple[Region, bool]:
        """Return the region that a write may reach, and whether its place is known."""
        params, atoms = equation.params, equation.invars
        if "tree" in params:
            indexers = jax.tree.unflatten(params["tree"], atoms[2:])
        else:
            indexers = jax.tree.unflatten(params["args_tree"], atoms)[1]
        indices = getattr(indexers[0], "indices", ()) if len(indexers) == 1 else ()
        if len(indices) != len(block.shape):
            return block.whole, len(indexers) == 0
        parts = [self._part(index, n) for index, n in zip(indices, block.shape, strict=True)]
        pairs = zip(parts, block.whole, strict=True)
        region = tuple(every if part is None else part for part, every in pairs)
        return region, None not in parts

    def _part(self, index: Any, length: int) -> slice | None:
        """Return what an index selects of an axis; None if that is not known."""
        is_slice = hasattr(index, "stride")
        start, size, stride = (index.start, index.size, index.stride) if is_slice else (index, 1, 1)
        first = self._number(start) if hasattr(start, "aval") else start
        if not (isinstance(first, int) and isinstance(size, int) and isinstance(stride, int)):
            return None
        return slice(max(first, 0), min(first + (size - 1) * stride + 1, length), stride)
