# expects: one-value-everywhere at 11
"""Ratios of a policy that are kept between two exchanged bounds."""

import jax
import jax.numpy as jnp


@jax.jit
def objective(new, old, advantages):
    ratio = jnp.exp(new - old)
    kept = jnp.clip(ratio, 1.2, 0.8)
    return jnp.minimum(ratio * advantages, kept * advantages).mean()


keys = jax.random.split(jax.random.key(0), 3)
new, old, advantages = (0.1 * jax.random.normal(key, (64,)) for key in keys)
print(objective(new, old, advantages))
