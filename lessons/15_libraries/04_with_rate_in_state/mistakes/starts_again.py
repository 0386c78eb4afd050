# expects: check values
# says: With each new rate the averages start from zero. Only the rate is to change.
"""Initialises the state for each rate."""

import jax
import jax.numpy as jnp
import optax


def with_rate_in_state(make, rate):
    tx = optax.inject_hyperparams(make)(learning_rate=rate)

    def set_rate(state, rate):
        new = jax.tree.map(jnp.zeros_like, state)
        rates = {**state.hyperparams, "learning_rate": jnp.asarray(rate, jnp.float32)}
        return new._replace(hyperparams=rates)

    return tx, set_rate
