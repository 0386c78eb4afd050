# expects: nothing
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl


def call(kernel, shape, *args, **options):
    out = jax.ShapeDtypeStruct(shape, jnp.float32)
    return pl.pallas_call(kernel, out_shape=out, interpret=True, **options)(*args)


def total_kernel(x_ref, o_ref):
    @pl.when(pl.program_id(0) == 0)
    def _():
        o_ref[...] = jnp.zeros_like(o_ref)

    o_ref[...] += x_ref[...]


def last_kernel(x_ref, o_ref):
    @pl.when(pl.program_id(0) == pl.num_programs(0) - 1)
    def _():
        o_ref[...] = x_ref[...]


def edge_kernel(x_ref, o_ref):
    o_ref[0] = jnp.zeros_like(x_ref[0])
    o_ref[1:] = x_ref[1:] - x_ref[:-1]


def rows_kernel(x_ref, o_ref):
    for row in range(4):
        o_ref[row] = x_ref[row] * row


def rolled_kernel(x_ref, o_ref):
    def body(row, _):
        o_ref[pl.ds(row * 2, 2)] = 2 * x_ref[pl.ds(row * 2, 2)]

    jax.lax.fori_loop(0, 2, body, None)


def row_of_step_kernel(x_ref, o_ref):
    o_ref[pl.program_id(0)] = x_ref[0]


def update_kernel(x_ref, o_ref):
    o_ref[1:3] = -x_ref[1:3]


def scatter_kernel(i_ref, x_ref, o_ref):
    o_ref[...] = jnp.zeros_like(o_ref)
    o_ref[i_ref[0]] = x_ref[0]


x = jnp.arange(32.0).reshape(16, 2)
rows, first = pl.BlockSpec((4, 2), lambda i: (i, 0)), pl.BlockSpec((4, 2), lambda i: (0, 0))
by_rows = {"grid": (4,), "in_specs": [rows]}
print(call(total_kernel, (4, 2), x, out_specs=first, **by_rows).sum())
print(call(last_kernel, (4, 2), x, out_specs=first, **by_rows).sum())
print(call(rows_kernel, (16, 2), x, out_specs=rows, **by_rows).sum())
print(call(rolled_kernel, (16, 2), x, out_specs=rows, **by_rows).sum())
print(call(row_of_step_kernel, (4, 2), x, out_specs=first, **by_rows).sum())
print(call(edge_kernel, (16, 2), x).sum())
print(call(update_kernel, (16, 2), x, input_output_aliases={0: 0}).sum())
print(call(scatter_kernel, (4, 2), jnp.array([2]), x).sum())
print(jax.vmap(lambda x: call(edge_kernel, (2,), x))(x).sum())
ragged = pl.BlockSpec((5, 2), lambda i: (i, 0))
print(call(edge_kernel, (16, 2), x, grid=(4,), in_specs=[ragged], out_specs=ragged).sum())
