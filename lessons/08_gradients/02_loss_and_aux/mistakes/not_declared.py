# expects: grad-aux-not-declared at 19
"""Returns a pair, and does not declare it."""

import jax
import jax.numpy as jnp


def cross_entropy(logits, y):
    return jnp.mean(jnp.logaddexp(0, logits) - y * logits)


def step_metrics(model, params, batch):
    x, y = batch

    def loss_of(params):
        logits = model(params, x)
        return cross_entropy(logits, y), logits

    (loss, logits), grads = jax.value_and_grad(loss_of)(params)
    return loss, logits, grads
