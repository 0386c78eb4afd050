# expects: TypeError at 13
"""Passes the state before the gradients."""

import jax
import optax


def make_step(loss, tx):
    @jax.jit
    def step(params, state, batch):
        value, grads = jax.value_and_grad(loss)(params, batch)
        updates, state = tx.update(state, grads, params)
        return optax.apply_updates(params, updates), state, value

    return step
