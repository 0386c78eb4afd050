# expects: check traced-once
# says: The answers are right, but `f` is traced twice. One trace gives shapes and dtypes.
"""Traces once for the shapes, and once for the dtypes."""

import jax


def output_spec(f, *specs):
    shapes = jax.eval_shape(lambda *args: f(*args), *specs)
    dtypes = jax.eval_shape(lambda *args: f(*args), *specs)
    return jax.tree.map(lambda s, d: jax.ShapeDtypeStruct(s.shape, d.dtype), shapes, dtypes)
