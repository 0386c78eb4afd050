# expects: check one-trace
# says: Your function traces `f` once for each value: a static number is part of the key. Only its
#     type should count.
"""Makes the number static: one trace for each value."""

import jax
import jax.numpy as jnp


def stable(f):
    compiled = jax.jit(lambda x: f(jnp.float32(x)), static_argnums=0)
    return lambda x: compiled(float(x))
