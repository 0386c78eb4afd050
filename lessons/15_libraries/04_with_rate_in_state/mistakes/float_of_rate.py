# expects: float-on-tracer at 11
"""Converts the rate with float."""

import jax.numpy as jnp
import optax


def with_rate_in_state(make, rate):
    tx = optax.inject_hyperparams(make)(learning_rate=rate)
    def set_rate(state, rate):
        new = jnp.full_like(state.hyperparams["learning_rate"], float(rate))
        return optax.tree_utils.tree_set(state, learning_rate=new)

    return tx, set_rate
