# expects: scan-body-not-pair at 7
import jax
import jax.numpy as jnp


def step(c, x):
    return c + x


jax.lax.scan(step, 0.0, jnp.arange(3.0))
