"""First the updates, then the sum: as libraries of optimisers do it."""

import jax
import jax.numpy as jnp


def sgd(params, grads, lr):
    updates = jax.tree.map(lambda g: -lr * g, grads)
    return jax.tree.map(jnp.add, params, updates)
