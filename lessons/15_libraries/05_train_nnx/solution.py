"""A model that changes in place."""

import jax
import jax.numpy as jnp
from flax import nnx


@nnx.jit
def train_nnx(model, optimizer, x, y):
    """Do one training step: change model and optimizer, and return the loss."""

    def loss_of(model):
        return jnp.mean((model(x) - y) ** 2)

    # The model runs once, and its averages move once.
    loss, grads = nnx.value_and_grad(loss_of)(model)
    optimizer.update(model, grads)
    return loss
