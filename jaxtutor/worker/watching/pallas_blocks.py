"""Finds the parts of a Pallas kernel's outputs that no step of its grid writes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from jaxtutor.worker.watching.kernel_steps import KernelStep, OutputBlock
from jaxtutor.worker.watching.liveness import is_literal, programs_in

MOST_STEPS = 4_096  # of a grid
MOST_EQUATIONS = 100_000  # evaluated for one call, over all steps
MOST_ELEMENTS = 1 << 24  # of an output

Index = tuple[int, ...]


class NotKnownError(Exception):
    """The grid or a block depends on what only the run decides, or there are too many steps."""


@dataclass(frozen=True)
class UnwrittenOutput:
    """Elements of an output that no step writes: how many, and the first of them.

    In `step`, if it is given, the index map returns a `block` outside of the array. `writer` is a
    write of the kernel's of a part of its block.
    """

    mapping: Any
    count: int
    first: Index
    step: Index | None = None
    block: Index = ()
    writer: Any = None


@dataclass(frozen=True)
class OverwrittenOutput:
    """An output of which `times` steps write a whole block that a later step writes again."""

    mapping: Any
    times: int
    steps: int
    writer: Any


def kernel_calls(jaxpr: Any) -> Iterator[Any]:
    """Yield the calls of Pallas kernels in a program."""
    for equation in jaxpr.eqns:
        if equation.primitive.name == "pallas_call":
            yield equation
        else:
            for inner in programs_in(equation):
                yield from kernel_calls(inner)


def look_at_outputs(call: Any) -> Iterator[UnwrittenOutput | OverwrittenOutput]:
    """Yield what the grid of a call leaves unwritten, and what it writes in vain."""
    grid = _Grid(call)
    for n in range(grid.count_outputs):
        if grid.is_looked_at(n):
            yield from grid.look_at(n)


class _Grid:
    """The steps of one call of a kernel, evaluated."""

    def __init__(self, call: Any) -> None:
        mapping = call.params["grid_mapping"]
        self._call, self._mapping = call, mapping
        self._kernel = getattr(call.params["jaxpr"], "jaxpr", call.params["jaxpr"])
        sizes = tuple(mapping.grid)
        is_known = all(isinstance(n, int) for n in sizes) and not mapping.num_index_operands
        steps = math.prod(sizes) if is_known else 0
        if not is_known or steps > MOST_STEPS or steps * len(self._kernel.eqns) > MOST_EQUATIONS:
            raise NotKnownError
        mappings = list(mapping.block_mappings)
        self._inputs, self._outputs = mappings[: mapping.num_inputs], mappings[mapping.num_inputs :]
        self.count_outputs = len(self._outputs)
        self._own_axes = [n for n in range(len(sizes)) if n not in mapping.vmapped_dims]
        self._sizes = [sizes[n] for n in self._own_axes]
        self.steps: list[Index] = list(product(*map(range, sizes)))
        self._blocks = [self._run(step) for step in self.steps]

    def _run(self, step: Index) -> list[OutputBlock]:
        """Evaluate the kernel in one step. Return what it does with the block of each output."""
        first = self._mapping.num_inputs
        refs = self._kernel.invars[first : first + self.count_outputs]
        blocks = [OutputBlock(tuple(ref.aval.shape)) for ref in refs]
        position = [step[n] for n in self._own_axes]
        KernelStep(position, self._sizes).run(
            self._kernel, (), {first + n: block for n, block in enumerate(blocks)}
        )
        return blocks

    def is_looked_at(self, n: int) -> bool:
        """Return whether an output is used, starts without values, and is not too large."""
        aliases = {output for _, output in self._call.params["input_output_aliases"]}
        is_dropped = type(self._call.outvars[n]).__name__ == "DropVar"
        size = math.prod(self._outputs[n].array_aval.shape)
        return n not in aliases and not is_dropped and 0 < size <= MOST_ELEMENTS

    def look_at(self, n: int) -> Iterator[UnwrittenOutput | OverwrittenOutput]:
        """Yield what no step writes of an output, or what several steps write."""
        mapping = self._outputs[n]
        shape = tuple(mapping.array_aval.shape)
        is_written = np.zeros(shape, bool)
        outside: tuple[Index, Index] | None = None
        partly: Any = None
        for at, blocks in zip(self.steps, self._blocks, strict=True):
            index, starts = _block_at(mapping, at)
            if outside is None and not all(
                0 <= s < length for s, length in zip(starts, shape, strict=True)
            ):
                outside = at, index
            for write in blocks[n].writes:
                is_written[_in_array(mapping, starts, write.region)] = True
                if write.region != blocks[n].whole:
                    partly = write.equation
        count = int(is_written.size - is_written.sum())
        if count:
            first = np.unravel_index(int(is_written.argmin()), shape)
            where = tuple(map(int, first))
            step, block = outside if outside is not None else (None, ())
            yield UnwrittenOutput(mapping, count, where, step, block, partly)
        else:
            yield from self._in_vain(n)

    def _in_vain(self, n: int) -> Iterator[OverwrittenOutput]:
        """Yield an output whose blocks are written again from other inputs, and never read."""
        if self._mapping.num_scratch_operands or any(blocks[n].is_read for blocks in self._blocks):
            return
        last: dict[Index, Index] = {}
        times, writer = 0, None
        for step, blocks in zip(self.steps, self._blocks, strict=True):
            writer = _only_writer(blocks[n])
            if writer is None:
                return
            index, _ = _block_at(self._outputs[n], step)
            if index in last and self._depends_on_change(writer, last[index], step):
                times += 1
            last[index] = step
        if times:
            yield OverwrittenOutput(self._outputs[n], times, len(self.steps), writer)

    def _depends_on_change(self, writer: Any, one: Index, other: Index) -> bool:
        """Return whether what is written depends on an input that differs between two steps."""
        pairs = zip(self._inputs, self._kernel.invars, strict=False)
        refs = {
            ref
            for mapping, ref in pairs
            if _block_at(mapping, one)[0] != _block_at(mapping, other)[0]
        }
        return bool(refs) and _reaches(self._kernel, refs, writer)


def _only_writer(block: OutputBlock) -> Any | None:
    """Return the equation that writes a whole block in any case, if it is the only one."""
    match block.writes:
        case [write] if write.is_sure and write.region == block.whole:
            return write.equation
    return None


def _reaches(jaxpr: Any, variables: set[Any], equation: Any) -> bool:
    """Return whether an equation of a program computes with something that depends on variables."""
    reached = set(variables)
    for each in jaxpr.eqns:
        is_reached = any(v in reached for v in each.invars if not is_literal(v))
        if each is equation:
            return is_reached
        if is_reached:
            reached.update(each.outvars)
    return False


def _block_at(mapping: Any, step: Index) -> tuple[Index, Index]:
    """Return which block of an array a step gets, and the element that it begins with."""
    closed = mapping.index_map_jaxpr
    found = KernelStep((), ()).run(closed.jaxpr, step)
    if None in found or closed.consts:
        raise NotKnownError
    index = tuple(int(n) for n in found if n is not None)
    sizes = [_block_size(size) for size in mapping.block_shape]
    return index, tuple(n * size for n, size in zip(index, sizes, strict=True))


def _block_size(size: Any) -> int:
    """Return by how many elements an axis goes on from one block to the next."""
    if _is_squeezed(size):
        return 1
    if isinstance(size, int):
        return size
    if type(size).__name__ != "Blocked":
        raise NotKnownError
    return int(size.block_size)


def _is_squeezed(size: Any) -> bool:
    """Return whether a kernel gets a block without this axis."""
    return size is None or type(size).__name__ == "Squeezed"


def _in_array(mapping: Any, starts: Sequence[int], region: Sequence[slice]) -> tuple[slice, ...]:
    """Return the part of an array that a region of a block is."""
    parts = iter(region)
    found = []
    for start, size in zip(starts, mapping.block_shape, strict=True):
        part = slice(0, 1, 1) if _is_squeezed(size) else next(parts)
        found.append(slice(max(start + part.start, 0), max(start + part.stop, 0), part.step))
    return tuple(found)
