# expects: check values
# says: Your answer has the return of the whole episode at each step. An action has no influence on
#     what came before it.
"""Returns the whole sum for each step."""

import jax
import jax.numpy as jnp


def returns_to_go(rewards, alive, discount):
    counted = jnp.where(alive, rewards, 0.0)
    total = jnp.sum(counted * discount ** jnp.arange(len(rewards)))
    return jnp.full(len(rewards), total)
