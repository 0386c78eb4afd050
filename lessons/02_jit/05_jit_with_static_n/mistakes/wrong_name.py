# expects: wrong-static-argnums at 8
"""Names an argument that does not exist."""

from functools import partial
import jax
import jax.numpy as jnp

@partial(jax.jit, static_argnames="count")
def tiled(x, reps):
    return jnp.tile(x, reps)


def jit_with_static_n(x, n):
    return tiled(x, int(n))
