# expects: leaked-by-append at 17
"""Stores the logits in a list outside."""

import jax
import jax.numpy as jnp


def cross_entropy(logits, y):
    return jnp.mean(jnp.logaddexp(0, logits) - y * logits)


def step_metrics(model, params, batch):
    x, y = batch
    seen = []

    def loss_of(params):
        seen.append(model(params, x))
        return cross_entropy(seen[-1], y)

    loss, grads = jax.value_and_grad(loss_of)(params)
    return loss, seen[0], grads
