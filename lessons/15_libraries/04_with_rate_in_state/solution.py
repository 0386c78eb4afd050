"""A rate that can change."""

import jax.numpy as jnp
import optax


def with_rate_in_state(make, rate):
    """Return an optimiser, and set_rate(state, rate), which returns another state."""
    tx = optax.inject_hyperparams(make)(learning_rate=rate)

    def set_rate(state, rate):
        # As an array like the old one, so that a compiled step is not traced again.
        new = jnp.full_like(state.hyperparams["learning_rate"], rate)
        return optax.tree_utils.tree_set(state, learning_rate=new)

    return tx, set_rate
