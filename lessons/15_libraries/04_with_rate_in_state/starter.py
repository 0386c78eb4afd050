"""A rate that can change."""

import jax.numpy as jnp
import optax


def with_rate_in_state(make, rate):
    """Return an optimiser, and set_rate(state, rate), which returns another state."""
    tx = make(rate)

    def set_rate(state, rate):
        # TODO: the rate is a constant of tx, so this changes nothing.
        return state

    return tx, set_rate
