# expects: scan-carry-shape-change at 7
import jax
import jax.numpy as jnp


def step(c, x):
    return jnp.concatenate([c, x[None]]), x


jax.lax.scan(step, jnp.zeros(1), jnp.ones(3))
