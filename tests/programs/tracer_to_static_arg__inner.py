# expects: tracer-to-static-arg at 15
import functools

import jax
import jax.numpy as jnp


@functools.partial(jax.jit, static_argnames="n")
def tile(x, n):
    return jnp.tile(x, n)


@jax.jit
def outer(x, n):
    return tile(x, n).sum()


outer(jnp.ones(2), 3)
