"""Compiles one function for all optimisers, with the optimiser as a static argument."""

from functools import partial

import jax
import optax


@partial(jax.jit, static_argnames=("loss", "tx"))
def one_step(params, state, batch, loss, tx):
    value, grads = jax.value_and_grad(loss)(params, batch)
    updates, state = tx.update(grads, state, params)
    return optax.apply_updates(params, updates), state, value


def make_step(loss, tx):
    return partial(one_step, loss=loss, tx=tx)
