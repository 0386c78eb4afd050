# expects: check one-trace
# says: The dtype of your rate is that of the number that came in. An int makes it an int32, and
#     the step is traced again.
"""Keeps the dtype of what came in."""

import jax.numpy as jnp
import optax


def with_rate_in_state(make, rate):
    tx = optax.inject_hyperparams(make)(learning_rate=rate)

    def set_rate(state, rate):
        rates = {**state.hyperparams, "learning_rate": jnp.asarray(rate)}
        return state._replace(hyperparams=rates)

    return tx, set_rate
