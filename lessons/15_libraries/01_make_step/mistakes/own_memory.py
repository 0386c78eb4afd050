# expects: check starts-again
# says: Your step keeps the optimiser's state itself, and does not read the one that it gets: a second
#     run goes on with the averages of the first.
"""Keeps the state in a closure."""

import jax
import optax


def make_step(loss, tx):
    memory = []

    @jax.jit
    def move(params, state, batch):
        value, grads = jax.value_and_grad(loss)(params, batch)
        updates, state = tx.update(grads, state, params)
        return optax.apply_updates(params, updates), state, value

    def step(params, state, batch):
        params, state, value = move(params, memory[-1] if memory else state, batch)
        memory.append(state)
        return params, state, value

    return step
