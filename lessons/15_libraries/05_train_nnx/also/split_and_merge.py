"""Splits the objects itself, and compiles a pure function."""

import jax
import jax.numpy as jnp
from flax import nnx


@jax.jit(static_argnums=0)
def pure(graph, state, x, y):
    model, optimizer = nnx.merge(graph, state)
    loss, grads = nnx.value_and_grad(lambda m: jnp.mean((m(x) - y) ** 2))(model)
    optimizer.update(model, grads)
    return loss, nnx.state((model, optimizer))


def train_nnx(model, optimizer, x, y):
    graph, state = nnx.split((model, optimizer))
    loss, state = pure(graph, state, x, y)
    nnx.update((model, optimizer), state)
    return loss
