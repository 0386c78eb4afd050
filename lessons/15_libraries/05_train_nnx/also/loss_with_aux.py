"""Passes the batch as arguments of the loss."""

import jax.numpy as jnp
from flax import nnx


def mean_error(model, x, y):
    errors = model(x) - y
    return jnp.mean(errors**2), errors


@nnx.jit
def train_nnx(model, optimizer, x, y):
    (loss, _), grads = nnx.value_and_grad(mean_error, has_aux=True)(model, x, y)
    optimizer.update(model, grads)
    return loss
