"""Taken apart and put together again."""

import jax


def sgd(params, grads, lr):
    leaves, structure = jax.tree.flatten(params)
    moved = [p - lr * g for p, g in zip(leaves, jax.tree.leaves(grads), strict=True)]
    return jax.tree.unflatten(structure, moved)
