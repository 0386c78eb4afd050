# expects: optax-params-missing at 12
"""Calls update without the parameters, which works with sgd and adam only."""

import jax
import optax


def make_step(loss, tx):
    @jax.jit
    def step(params, state, batch):
        value, grads = jax.value_and_grad(loss)(params, batch)
        updates, state = tx.update(grads, state)
        return optax.apply_updates(params, updates), state, value

    return step
