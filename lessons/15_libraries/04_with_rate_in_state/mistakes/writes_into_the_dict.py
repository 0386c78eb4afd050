# expects: check old-state
# says: You write into the dict of the state that came in. A copy of the old state, kept for later,
#     then has the new rate too.
"""Writes into the dict of the old state."""

import jax.numpy as jnp
import optax


def with_rate_in_state(make, rate):
    tx = optax.inject_hyperparams(make)(learning_rate=rate)

    def set_rate(state, rate):
        state.hyperparams["learning_rate"] = jnp.asarray(rate, jnp.float32)
        return state

    return tx, set_rate
