# expects: check values
# says: The averages of batch norm move twice in your step. The model runs once for the gradient and
#     once more for the loss.
"""Computes the loss in a second run."""

import jax.numpy as jnp
from flax import nnx


@nnx.jit
def train_nnx(model, optimizer, x, y):
    def loss_of(model):
        return jnp.mean((model(x) - y) ** 2)

    loss = loss_of(model)
    grads = nnx.grad(loss_of)(model)
    optimizer.update(model, grads)
    return loss
