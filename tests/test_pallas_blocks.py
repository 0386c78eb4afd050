"""Tests which elements of a Pallas output count as written, and which writes as lost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import pytest
from jax.experimental import pallas as pl

from jaxtutor.worker.watching.pallas_blocks import (
    NotKnownError,
    OverwrittenOutput,
    UnwrittenOutput,
    kernel_calls,
    look_at_outputs,
)

Kernel = Callable[..., None]
X = jnp.ones((32, 16))


def look(kernel: Kernel, **options: Any) -> list[UnwrittenOutput | OverwrittenOutput]:
    """Return what is found in a call of a kernel, on blocks of eight rows by default."""
    shape = options.pop("shape", X.shape)
    rows = pl.BlockSpec((8, 16), lambda i: (i, 0))
    given = {"grid": (4,), "in_specs": [rows], "out_specs": rows, **options}
    out = jax.ShapeDtypeStruct(shape, X.dtype)
    jaxpr = jax.make_jaxpr(pl.pallas_call(kernel, out_shape=out, interpret=True, **given))(X).jaxpr
    return [seen for call in kernel_calls(jaxpr) for seen in look_at_outputs(call)]


def copy(x: Any, o: Any) -> None:
    """Copy a block."""
    o[...] = x[...]


def rows_two_to_four(x: Any, o: Any) -> None:
    """Copy three rows of a block."""
    o[2:5] = x[2:5]


def in_a_loop(x: Any, o: Any) -> None:
    """Copy a block row by row."""

    def body(row: Any, _: Any) -> None:
        o[row] = x[row]

    jax.lax.fori_loop(0, 8, body, None)


def in_the_last_step(x: Any, o: Any) -> None:
    """Copy a block in the last step of the grid."""

    @pl.when(pl.program_id(0) == pl.num_programs(0) - 1)
    def _() -> None:
        o[...] = x[...]


def if_positive(x: Any, o: Any) -> None:
    """Copy a block if the data say so."""

    @pl.when(x[0, 0] > 0)
    def _() -> None:
        o[...] = x[...]


def one_row(x: Any, o: Any) -> None:
    """Write the row of the step."""
    o[pl.program_id(0)] = x[0]


def total(x: Any, o: Any) -> None:
    """Add to the block."""
    o[...] += x[...]


def first_rows(x: Any, o: Any) -> None:
    """Copy what is the same in each step."""
    o[...] = jnp.full(o.shape, 1.0)


FIRST = pl.BlockSpec((8, 16), lambda i: (0, 0))


@pytest.mark.parametrize(
    ("kernel", "options"),
    [
        (copy, {}),
        (in_a_loop, {}),
        (if_positive, {}),
        (copy, {"out_specs": pl.BlockSpec((8, 16), lambda i: (3 - i, 0))}),
        (copy, {"grid": (5,), "out_specs": pl.BlockSpec((7, 16), lambda i: (i, 0))}),
        (in_the_last_step, {"out_specs": FIRST, "shape": (8, 16)}),
        (total, {"out_specs": FIRST, "shape": (8, 16)}),
        (first_rows, {"out_specs": FIRST, "shape": (8, 16)}),
        (one_row, {"out_specs": pl.BlockSpec((4, 16), lambda i: (0, 0)), "shape": (4, 16)}),
        (rows_two_to_four, {"input_output_aliases": {0: 0}}),
    ],
)
def test_outputs_that_are_written_whole_are_no_finding(
    kernel: Kernel, options: dict[str, Any]
) -> None:
    """All steps together write the output, or the data decide, or it has values already."""
    if options.get("out_specs") is not None and options["out_specs"].block_shape == (7, 16):
        options = {**options, "in_specs": [options["out_specs"]]}
    assert [] == look(kernel, **options)


@pytest.mark.parametrize(
    ("kernel", "options", "count", "first", "step"),
    [
        (copy, {"grid": (3,)}, 128, (24, 0), None),
        (copy, {"out_specs": pl.BlockSpec((8, 16), lambda i: (8 * i, 0))}, 384, (8, 0), (1,)),
        (copy, {"out_specs": pl.BlockSpec((8, 16), lambda i: (i // 2, 0))}, 256, (16, 0), None),
        (rows_two_to_four, {}, 320, (0, 0), None),
        (in_the_last_step, {}, 384, (0, 0), None),
    ],
)
def test_elements_that_no_step_writes_are_counted(
    kernel: Kernel, options: dict[str, Any], count: int, first: Any, step: Any
) -> None:
    """The elements are counted, and a block outside of the array is named by its step."""
    (found,) = look(kernel, **options)
    assert isinstance(found, UnwrittenOutput)
    assert (count, first, step) == (found.count, found.first, found.step)


def test_steps_whose_block_is_written_again_are_counted() -> None:
    """A whole block that depends on an input, and is written again, is lost."""
    (found,) = look(copy, out_specs=FIRST, shape=(8, 16))
    assert isinstance(found, OverwrittenOutput)
    assert (3, 4) == (found.times, found.steps)


def test_a_mapped_kernel_has_the_steps_of_its_own_grid() -> None:
    """`jax.vmap` adds an axis to the grid, which the kernel does not count."""
    out = jax.ShapeDtypeStruct((8, 16), X.dtype)
    rows = pl.BlockSpec((8, 16), lambda i: (i, 0))
    call = pl.pallas_call(
        in_the_last_step, grid=(4,), in_specs=[rows], out_specs=FIRST, out_shape=out, interpret=True
    )
    jaxpr = jax.make_jaxpr(jax.vmap(call))(jnp.ones((3, 32, 16))).jaxpr
    assert [] == [seen for it in kernel_calls(jaxpr) for seen in look_at_outputs(it)]


def test_a_large_grid_is_left_out() -> None:
    """A grid with too many steps is not evaluated."""
    with pytest.raises(NotKnownError):
        look(copy, grid=(100_000,))
