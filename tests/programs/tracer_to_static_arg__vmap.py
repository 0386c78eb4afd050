# expects: tracer-to-static-arg at 13
import functools

import jax
import jax.numpy as jnp


@functools.partial(jax.jit, static_argnums=1)
def roll(x, k):
    return jnp.roll(x, k)


jax.vmap(lambda k: roll(jnp.arange(3), k))(jnp.arange(2))
