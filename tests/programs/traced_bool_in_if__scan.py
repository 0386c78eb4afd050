# expects: traced-bool-in-if at 7
import jax
import jax.numpy as jnp


def step(c, x):
    if x > c:
        c = x
    return c, c


jax.lax.scan(step, 0.0, jnp.arange(3.0))
