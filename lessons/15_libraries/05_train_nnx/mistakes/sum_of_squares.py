# expects: check values
# says: Your loss is the sum over the rows. The mean is wanted, and the gradient is smaller by the
#     same factor.
"""Adds the squares up."""

import jax.numpy as jnp
from flax import nnx


@nnx.jit
def train_nnx(model, optimizer, x, y):
    loss, grads = nnx.value_and_grad(lambda model: jnp.sum((model(x) - y) ** 2))(model)
    optimizer.update(model, grads)
    return loss
