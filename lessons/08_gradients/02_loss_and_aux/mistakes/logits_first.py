# expects: grad-nonscalar at 17
"""Returns the logits first, and the loss second."""

import jax
import jax.numpy as jnp


def cross_entropy(logits, y):
    return jnp.mean(jnp.logaddexp(0, logits) - y * logits)


def step_metrics(model, params, batch):
    x, y = batch

    def loss_of(params):
        logits = model(params, x)
        return logits, cross_entropy(logits, y)

    (logits, loss), grads = jax.value_and_grad(loss_of, has_aux=True)(params)
    return loss, logits, grads
