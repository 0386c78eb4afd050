# expects: traced-bool-in-and-or at 7
import jax
import jax.numpy as jnp


def mask(x, y):
    return jnp.where(x > 0 and y > 0, x, y)


jax.jit(mask)(jnp.ones(2), jnp.ones(2))
