# expects: check values
# says: You return two things, and the first is itself the pair of loss and logits. The problem
#     asks for three at one level.
"""Takes the pair for the loss."""

import jax
import jax.numpy as jnp


def cross_entropy(logits, y):
    return jnp.mean(jnp.logaddexp(0, logits) - y * logits)


def step_metrics(model, params, batch):
    x, y = batch

    def loss_of(params):
        logits = model(params, x)
        return cross_entropy(logits, y), logits

    loss, grads = jax.value_and_grad(loss_of, has_aux=True)(params)
    return loss, grads
