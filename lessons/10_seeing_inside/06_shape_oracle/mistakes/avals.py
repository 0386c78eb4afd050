# expects: check values
"""Returns a list, and not the tree."""

import jax
import jax.numpy as jnp


def output_spec(f, *specs):
    return [jax.ShapeDtypeStruct(a.shape, a.dtype) for a in jax.make_jaxpr(f)(*specs).out_avals]
