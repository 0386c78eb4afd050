# expects: grad-aux-not-declared at 18
"""Declares extras, and returns the loss alone."""

import jax
import jax.numpy as jnp


def cross_entropy(logits, y):
    return jnp.mean(jnp.logaddexp(0, logits) - y * logits)


def step_metrics(model, params, batch):
    x, y = batch

    def loss_of(params):
        return cross_entropy(model(params, x), y)

    (loss, logits), grads = jax.value_and_grad(loss_of, has_aux=True)(params)
    return loss, logits, grads
