# expects: operator-precedence at 11
import jax
import jax.numpy as jnp


import jax


@jax.jit
def inside(x):
    return x > 0.0 & x < 5.0


inside(jnp.arange(8.0))
