# expects: check values
# says: Your answer is a flat list. It should have the structure that `f` returns.
"""Returns a list instead of the tree."""

import jax
import jax.numpy as jnp


def output_spec(f, *specs):
    return [jax.ShapeDtypeStruct(a.shape, a.dtype) for a in jax.make_jaxpr(f)(*specs).out_avals]
