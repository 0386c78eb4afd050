"""An optimiser is two pure functions: Adam."""

import jax
import jax.numpy as jnp


def adam_init(params):
    """Return the state before the first step."""
    zeros = jax.tree.map(jnp.zeros_like, params)
    return {"step": jnp.int32(0), "m": zeros, "v": zeros}


def adam_update(grads, state, params, lr):
    """Return the parameters and the state after one step of Adam."""
    # TODO: this is a step against the gradient; nothing is remembered.
    params = jax.tree.map(lambda p, g: p - lr * g, params, grads)
    return params, state
