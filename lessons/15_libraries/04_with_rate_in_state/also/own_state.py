"""Keeps the rate beside the state of an optimiser that it makes in every update."""

import jax.numpy as jnp
import optax


def with_rate_in_state(make, rate):
    def init(params):
        return jnp.asarray(rate, jnp.float32), make(rate).init(params)

    def update(grads, state, params=None):
        rate, inner = state
        updates, inner = make(rate).update(grads, inner, params)
        return updates, (rate, inner)

    def set_rate(state, rate):
        return jnp.asarray(rate, jnp.float32), state[1]

    return optax.GradientTransformation(init, update), set_rate
