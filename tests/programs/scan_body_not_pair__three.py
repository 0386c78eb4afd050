# expects: scan-body-not-pair at 8
import jax
import jax.numpy as jnp


def step(c, x):
    y = c + x
    return c, x, y


jax.lax.scan(step, 0.0, jnp.arange(3.0))
