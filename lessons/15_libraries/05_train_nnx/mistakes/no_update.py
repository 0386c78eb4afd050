# expects: check values
# says: Your step computes gradients and does not use them: the parameters stay. Only the averages
#     of batch norm move.
"""Forgets the optimiser."""

import jax.numpy as jnp
from flax import nnx


@nnx.jit
def train_nnx(model, optimizer, x, y):
    loss, grads = nnx.value_and_grad(lambda model: jnp.mean((model(x) - y) ** 2))(model)
    return loss
