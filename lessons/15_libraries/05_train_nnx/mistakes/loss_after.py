# expects: check values
# says: Your loss is that of the model after the step, and to compute it the model runs once more,
#     which moves the averages of batch norm.
"""Returns the loss after the step."""

import jax.numpy as jnp
from flax import nnx


@nnx.jit
def train_nnx(model, optimizer, x, y):
    def loss_of(model):
        return jnp.mean((model(x) - y) ** 2)

    optimizer.update(model, nnx.grad(loss_of)(model))
    return loss_of(model)
