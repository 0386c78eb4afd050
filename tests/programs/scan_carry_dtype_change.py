# expects: scan-carry-dtype-change at 10
import jax
import jax.numpy as jnp


def step(c, x):
    return c + x, c


total, _ = jax.lax.scan(step, jnp.zeros((), int), jnp.ones(3))
