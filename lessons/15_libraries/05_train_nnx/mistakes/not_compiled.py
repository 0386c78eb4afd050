# expects: check compiled
# says: Your step is not compiled: the code of the model runs in every step.
"""Forgets nnx.jit."""

import jax.numpy as jnp
from flax import nnx


def train_nnx(model, optimizer, x, y):
    loss, grads = nnx.value_and_grad(lambda model: jnp.mean((model(x) - y) ** 2))(model)
    optimizer.update(model, grads)
    return loss
