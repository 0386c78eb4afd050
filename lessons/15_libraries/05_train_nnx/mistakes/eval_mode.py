# expects: check values
# says: Batch norm uses its averages in your step, and they do not move. That is for the time after
#     training.
"""Switches batch norm to its averages."""

import jax.numpy as jnp
from flax import nnx


@nnx.jit
def train_nnx(model, optimizer, x, y):
    model.eval()
    loss, grads = nnx.value_and_grad(lambda model: jnp.mean((model(x) - y) ** 2))(model)
    optimizer.update(model, grads)
    model.train()
    return loss
