# expects: check values
# says: Your answer is a whole program, a jaxpr. The problem asks for the description of what `f`
#     returns.
"""Returns the whole program."""

import jax
import jax.numpy as jnp


def output_spec(f, *specs):
    return jax.make_jaxpr(f)(*specs)
