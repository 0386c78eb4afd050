# expects: static-arg-changes-each-call at 8
import functools

import jax
import jax.numpy as jnp


@functools.partial(jax.jit, static_argnums=1)
def scale(x, k):
    return x * k


for i in range(4):
    scale(jnp.ones(2), 0.1 * i)
