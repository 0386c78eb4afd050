# expects: check compiled
# says: Every call makes a new compiled function, so the code of the model runs in every step.
"""Compiles a new function in every call."""

import jax.numpy as jnp
from flax import nnx


def train_nnx(model, optimizer, x, y):
    @nnx.jit
    def step(model, optimizer):
        loss, grads = nnx.value_and_grad(lambda model: jnp.mean((model(x) - y) ** 2))(model)
        optimizer.update(model, grads)
        return loss

    return step(model, optimizer)
