# expects: check values
# says: Your loss is right for moderate logits and NaN for large ones: the logarithm of a rounded
#     probability is infinite. `cross_entropy` in the starter avoids the probability.
"""Writes the cross entropy with probabilities, which overflow."""

import jax
import jax.numpy as jnp


def step_metrics(model, params, batch):
    x, y = batch

    def loss_of(params):
        logits = model(params, x)
        p = jax.nn.sigmoid(logits)
        return -jnp.mean(y * jnp.log(p) + (1 - y) * jnp.log(1 - p)), logits

    (loss, logits), grads = jax.value_and_grad(loss_of, has_aux=True)(params)
    return loss, logits, grads
