"""Builds the new state from its parts."""

import jax.numpy as jnp
import optax


def with_rate_in_state(make, rate):
    tx = optax.inject_hyperparams(make)(learning_rate=rate)

    def set_rate(state, rate):
        rates = {**state.hyperparams, "learning_rate": jnp.asarray(rate, jnp.float32)}
        return state._replace(hyperparams=rates)

    return tx, set_rate
