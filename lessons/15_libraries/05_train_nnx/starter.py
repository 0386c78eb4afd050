"""A model that changes in place."""

import jax
import jax.numpy as jnp
from flax import nnx


@jax.jit
def train_nnx(model, optimizer, x, y):
    """Do one training step: change model and optimizer, and return the loss."""

    def loss_of(model):
        return jnp.mean((model(x) - y) ** 2)

    # TODO: nothing is learned.
    return loss_of(model)
