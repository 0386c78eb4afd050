"""Averages in float32 whatever the parameters are, and one walk over the leaves."""

import jax
import jax.numpy as jnp


def adam_init(params):
    zeros = jax.tree.map(lambda p: jnp.zeros(p.shape, jnp.float32), params)
    return (jnp.zeros((), jnp.int32), zeros, zeros)


def one(p, g, m, v, t, lr):
    g = g.astype(jnp.float32)
    m = 0.9 * m + 0.1 * g
    v = 0.999 * v + 0.001 * jnp.square(g)
    step = lr * (m / (1 - 0.9**t)) / (jnp.sqrt(v / (1 - 0.999**t)) + 1e-8)
    return (p - step).astype(p.dtype), m, v


def adam_update(grads, state, params, lr):
    t, m, v = state
    t = t + 1
    leaves, structure = jax.tree.flatten(params)
    rest = (jax.tree.leaves(tree) for tree in (grads, m, v))
    moved = [
        one(*of_leaf, t.astype(jnp.float32), lr) for of_leaf in zip(leaves, *rest, strict=True)
    ]
    params, m, v = (jax.tree.unflatten(structure, column) for column in zip(*moved, strict=True))
    return params, (t, m, v)
