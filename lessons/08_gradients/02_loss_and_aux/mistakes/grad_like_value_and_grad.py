# expects: check values
# says: The gradient stands where the loss belongs: `jax.grad` with extras returns `(gradient,
#     extras)` and no value.
"""Unpacks what jax.grad returns as if it held the value."""

import jax
import jax.numpy as jnp


def cross_entropy(logits, y):
    return jnp.mean(jnp.logaddexp(0, logits) - y * logits)


def step_metrics(model, params, batch):
    x, y = batch

    def loss_of(params):
        logits = model(params, x)
        return cross_entropy(logits, y), logits

    loss, logits = jax.grad(loss_of, has_aux=True)(params)
    return loss, logits, loss
