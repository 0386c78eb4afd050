# expects: check loop
# says: Your values may be right, but the loop runs in Python, and each round adds equations to
#     the program. Use a loop of JAX.
"""Loops over the rounds in Python."""

import jax
import jax.numpy as jnp


def metropolis(key, logp, x0, n, step):
    states = []
    x = x0
    for k in jax.random.split(key, n):
        a, b = jax.random.split(k)
        y = x + step * jax.random.normal(a)
        accepted = jnp.log(jax.random.uniform(b)) < logp(y) - logp(x)
        x = jnp.where(accepted, y, x)
        states.append(x)
    return jnp.stack(states)
