# expects: check old-state
"""Puts the old averages into a new state, which counts from 0 again."""

import jax.numpy as jnp
import optax


def with_rate_in_state(make, rate):
    tx = optax.inject_hyperparams(make)(learning_rate=jnp.float32(rate))

    def set_rate(state, rate):
        fresh = optax.inject_hyperparams(make)(learning_rate=jnp.float32(rate))
        return fresh.init(jnp.zeros(2))._replace(inner_state=state.inner_state)

    return tx, set_rate
