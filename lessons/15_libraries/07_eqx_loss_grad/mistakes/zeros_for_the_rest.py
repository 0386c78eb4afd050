# expects: check values
# says: Your gradient has numbers where the model has no array of floats. There it has None.
"""Fills the gradient with zeros."""

import equinox as eqx
import jax
import jax.numpy as jnp


def eqx_loss_grad(loss):
    @eqx.filter_jit
    def run(model, x, y):
        value, grads = eqx.filter_value_and_grad(loss)(model, x, y)
        return value, jax.tree.map(
            lambda g: jnp.zeros(()) if g is None else g, grads, is_leaf=lambda g: g is None
        )

    return run
