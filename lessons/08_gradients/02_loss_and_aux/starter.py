"""Value, extras and gradient at once: what one training step computes."""

import jax
import jax.numpy as jnp


def cross_entropy(logits, y):
    """Return how wrong the logits are, for labels that are 0 or 1."""
    return jnp.mean(jnp.logaddexp(0, logits) - y * logits)


def step_metrics(model, params, batch):
    """Return the loss, the logits and the gradient with respect to params."""
    x, y = batch

    def loss_of(params):
        logits = model(params, x)
        return cross_entropy(logits, y), logits

    # TODO: JAX does not know that loss_of returns more than the loss.
    loss, logits, grads = jax.value_and_grad(loss_of)(params)
    return loss, logits, grads
