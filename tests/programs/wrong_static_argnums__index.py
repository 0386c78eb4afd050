# expects: wrong-static-argnums at 8
import functools

import jax
import jax.numpy as jnp


@functools.partial(jax.jit, static_argnums=(0,))
def repeat(x, n):
    return jnp.concatenate([x for _ in range(n)])


repeat(jnp.ones(2), 3)
