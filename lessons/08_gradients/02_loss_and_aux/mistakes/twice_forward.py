# expects: check once
# says: Your answers are right, but the model runs twice. The logits are already computed inside
#     the function that is differentiated.
"""Calls the model once more for the logits."""

import jax
import jax.numpy as jnp


def cross_entropy(logits, y):
    return jnp.mean(jnp.logaddexp(0, logits) - y * logits)


def step_metrics(model, params, batch):
    x, y = batch
    loss, grads = jax.value_and_grad(lambda params: cross_entropy(model(params, x), y))(params)
    return loss, model(params, x), grads
