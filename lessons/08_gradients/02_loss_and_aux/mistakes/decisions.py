# expects: check values
# says: Loss and gradient are right. In place of the logits you return whether each is positive.
"""Returns the decisions in the place of the logits."""

import jax
import jax.numpy as jnp


def cross_entropy(logits, y):
    return jnp.mean(jnp.logaddexp(0, logits) - y * logits)


def step_metrics(model, params, batch):
    x, y = batch

    def loss_of(params):
        logits = model(params, x)
        return cross_entropy(logits, y), logits > 0

    (loss, logits), grads = jax.value_and_grad(loss_of, has_aux=True)(params)
    return loss, logits, grads
