# expects: check values
# says: After your step the model is as it was before. What changes in a function of `jax.jit` is a
#     copy of the object.
"""Uses jax.jit for a function that changes objects."""

import jax
import jax.numpy as jnp
from flax import nnx


@jax.jit
def train_nnx(model, optimizer, x, y):
    loss, grads = nnx.value_and_grad(lambda model: jnp.mean((model(x) - y) ** 2))(model)
    optimizer.update(model, grads)
    return loss
