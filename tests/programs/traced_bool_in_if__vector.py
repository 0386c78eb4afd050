# expects: traced-bool-in-if at 8
import jax
import jax.numpy as jnp


@jax.jit
def shrink(x):
    if x > 1.0:
        return x - 1.0
    return x


shrink(jnp.ones(3))
