"""A chain that explores a distribution."""

import jax
import jax.numpy as jnp


def metropolis(key, logp, x0, n, step):
    """Return the n states after x0 of a chain that prefers high logp."""

    def body(x, key):
        step_key, accept_key = jax.random.split(key)  # two uses in each round
        y = x + step * jax.random.normal(step_key)
        accepted = jnp.log(jax.random.uniform(accept_key)) < logp(y) - logp(x)
        x = jnp.where(accepted, y, x)
        return x, x

    _, states = jax.lax.scan(body, jnp.float32(x0), jax.random.split(key, n))
    return states
